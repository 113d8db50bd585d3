/**
 * How to cite a record or a story: plain text, BibTeX and CSL-JSON, each with record id, sha256 of the packaged dataset and
 * day of retrieval, so that a citation leads to the same bytes years later. Used by pages, briefs, dossiers and files.
 */
import type { JsonObject } from '../../shim/core/types.ts';
import type { Citation } from './citation.ts';
import type { PrintedStory } from './printed-story.ts';
import { storyUrl, storyUrn } from './render/addresses.ts';

/** The same citation three ways. */
export interface CiteBlock extends JsonObject {
  text: string;
  bibtex: string;
  csl: JsonObject;
}

const SERVICE = 'Public Evidence API';

/** One citation for each record a story cites in its text. */
export function citedRecords({ citations }: PrintedStory): Citation[] {
  const records = new Map<string, Citation>();
  for (const citation of citations) records.set(`${citation.dataset}:${citation.recordId}`, citation);
  return [...records.values()];
}

/** How to cite a packaged record. */
export function citeRecord({ dataset, recordId, cell }: Citation): CiteBlock {
  const key = `${dataset}:${recordId}`;
  const { source, locator } = cell;
  const { name: title, publisher, url, license, dated, retrievedAt, sha256 } = source;
  const proof = `Record ${recordId} of dataset ${dataset} (sha256 ${cell.dataset.sha256}), read from ${locator} of the publisher's file (sha256 ${sha256})`;
  return {
    text: `${publisher}, "${title}" (${dated}). ${proof}; retrieved ${retrievedAt}. ${url}. Licence: ${license}.`,
    bibtex: bibtex('misc', key, {
      author: `{${publisher}}`,
      title,
      year: dated.slice(0, 4),
      url,
      urldate: retrievedAt,
      note: `${proof}. Licence: ${license}`,
    }),
    csl: {
      id: key,
      type: 'dataset',
      author: [{ literal: publisher }],
      title,
      publisher,
      issued: dateParts(dated),
      accessed: dateParts(retrievedAt),
      URL: url,
      number: recordId,
      version: cell.dataset.sha256,
      license,
      note: proof,
    },
  };
}

/** How to cite a story with the datasets it rests on. */
export function citeStory(story: PrintedStory, siteUrl: string): CiteBlock {
  const { id, published } = story;
  const title = story.title.text;
  const url = storyUrl(siteUrl, id);
  const records = citedRecords(story);
  const data = records.map(
    ({ dataset, cell }) => `${dataset} (sha256 ${cell.dataset.sha256}, retrieved ${cell.source.retrievedAt})`,
  );
  const retrieved = records.map(({ cell }) => cell.source.retrievedAt).sort();
  const ids = records.map(({ recordId }) => recordId).join(', ');
  const proof = `Data: ${[...new Set(data)].join('; ')}. Records: ${ids}`;
  return {
    text: `${SERVICE}, "${title}" (${published}). ${storyUrn(id)}. ${url}. ${proof}.`,
    bibtex: bibtex('online', `news:${id}`, {
      author: `{${SERVICE}}`,
      title,
      date: published,
      year: published.slice(0, 4),
      url,
      note: proof,
    }),
    csl: {
      id: storyUrn(id),
      type: 'webpage',
      author: [{ literal: SERVICE }],
      title,
      publisher: SERVICE,
      issued: dateParts(published),
      accessed: dateParts(retrieved.at(-1) ?? published),
      URL: url,
      note: proof,
    },
  };
}

function bibtex(kind: string, key: string, fields: Record<string, string>): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const plain = name === 'url' ? value : bibtexText(value);
    return `  ${name} = {${plain}}`;
  });
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

function dateParts(date: string): JsonObject {
  return { 'date-parts': [date.split('-').map(Number)] };
}
