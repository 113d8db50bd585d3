/**
 * How to cite a record or a story: plain text, BibTeX and CSL-JSON, each with record id, sha256 of the packaged dataset and
 * day of retrieval, so that a citation leads to the same bytes years later. Used by pages, briefs, dossiers and files.
 */
import type { JsonObject } from '../../shim/core/types.ts';
import type { Citation } from './citation.ts';
import type { CheckedStory } from './gate/gate.ts';
import { textOf } from './printed.ts';
import { storyUrl, storyUrn } from './story.ts';

/** The same citation three ways. */
export interface CiteBlock extends JsonObject {
  text: string;
  bibtex: string;
  csl: JsonObject;
}

const SERVICE = 'Public Evidence API';

/** One citation for each record a story cites in its text. */
export function citedRecords({ citations }: CheckedStory): Citation[] {
  const records = new Map<string, Citation>();
  for (const citation of citations.values())
    records.set(`${citation.dataset}:${citation.recordId}`, citation);
  return [...records.values()];
}

/** How to cite a packaged record. */
export function citeRecord({ dataset, recordId, cell }: Citation): CiteBlock {
  const { name: title, publisher: author, url, license, dated: issued, retrievedAt: accessed } = cell.source;
  const version = cell.dataset.sha256;
  const proof = `Record ${recordId} of dataset ${dataset} (sha256 ${version}), read from ${cell.locator} of the publisher's file (sha256 ${cell.source.sha256})`;
  const text = `${author}, "${title}" (${issued}). ${proof}; retrieved ${accessed}. ${url}. Licence: ${license}.`;
  const note = `${proof}. Licence: ${license}`;
  const fields = { title, year: issued.slice(0, 4), url, urldate: accessed, note };
  const id = `${dataset}:${recordId}`;
  const csl = cslOf({ id, type: 'dataset', author, title, issued, accessed });
  return {
    text,
    bibtex: bibtex('misc', id, author, fields),
    csl: { ...csl, URL: url, number: recordId, version, license, note: proof },
  };
}

/** How to cite a story with the datasets it rests on. */
export function citeStory(story: CheckedStory, siteUrl: string): CiteBlock {
  const { id: name, published: issued } = story;
  const [id, url, title] = [storyUrn(name), storyUrl(siteUrl, name), textOf(story, story.title)];
  const records = citedRecords(story);
  const data = records.map(
    ({ dataset, cell }) => `${dataset} (sha256 ${cell.dataset.sha256}, retrieved ${cell.source.retrievedAt})`,
  );
  const ids = records.map(({ recordId }) => recordId).join(', ');
  const note = `Data: ${[...new Set(data)].join('; ')}. Records: ${ids}`;
  const retrieved = records.map(({ cell }) => cell.source.retrievedAt).sort();
  const accessed = retrieved.at(-1) ?? issued;
  const fields = { title, date: issued, year: issued.slice(0, 4), url, note };
  const csl = cslOf({ id, type: 'webpage', author: SERVICE, title, issued, accessed });
  return {
    text: `${SERVICE}, "${title}" (${issued}). ${id}. ${url}. ${note}.`,
    bibtex: bibtex('online', `news:${name}`, SERVICE, fields),
    csl: { ...csl, URL: url, note },
  };
}

/** What every CSL item begins with. */
function cslOf(item: Record<'id' | 'type' | 'author' | 'title' | 'issued' | 'accessed', string>): JsonObject {
  const { author, title, issued, accessed, ...kind } = item;
  const on = (date: string): JsonObject => ({ 'date-parts': [date.split('-').map(Number)] });
  const creator = [{ literal: author }];
  return { ...kind, author: creator, title, publisher: author, issued: on(issued), accessed: on(accessed) };
}

function bibtex(kind: string, key: string, author: string, fields: Record<string, string>): string {
  const lines = Object.entries({ author: `{${author}}`, ...fields }).map(
    ([name, value]) => `  ${name} = {${name === 'url' ? value : bibtexText(value)}}`,
  );
  return `@${kind}{${key.replaceAll(/[^A-Za-z0-9:.-]/g, '-')},\n${lines.join(',\n')}\n}\n`;
}

/** TeX's own characters escaped; braces stay, they guard corporate names. */
function bibtexText(text: string): string {
  return text
    .replaceAll('\\', '/')
    .replaceAll(/[&%$#_]/g, (character) => `\\${character}`)
    .replaceAll('~', '{\\textasciitilde}')
    .replaceAll('^', '{\\textasciicircum}');
}
