/** The sources of a family as a refresh sees them: where the present file is, or how a person gets it. */
import { filled, seriesWords, type Family } from '../import/family.ts';
import type { Refresh } from '../lib/dataset.ts';

/** One source; a family of series has one for each. */
export interface CheckedSource {
  id: string;
  page: string;
  refresh: Refresh;
}

/** Every source of a family, in the order of its YAML file. */
export function sourcesOf({ sources, series }: Family): CheckedSource[] {
  return Object.values(sources).flatMap(({ id, url, refresh = {} }) => {
    const names = id.includes('{series}') ? Object.keys(series) : [''];
    return names.map((name) => filled({ id, page: url, refresh }, seriesWords(name)));
  });
}

/** What a person does to get a later edition of a source. */
export function byHandText({ page, refresh }: CheckedSource, family: string): string {
  const get = refresh.byHand ?? `Download the file from ${page}.`;
  return `${get} Then run: npm run refresh -- ${family} --file <file>`;
}
