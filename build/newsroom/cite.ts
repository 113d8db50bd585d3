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
  const key = `${dataset}:${recordId}`;
  const {
    name: title,
    publisher: author,
    url,
    license,
    dated: issued,
    retrievedAt: accessed,
    sha256,
  } = cell.source;
  const proof = `Record ${recordId} of dataset ${dataset} (sha256 ${cell.dataset.sha256}), read from ${cell.locator} of the publisher's file (sha256 ${sha256})`;
  return citeBlock({
    id: key,
    key,
    author,
    title,
    issued,
    accessed,
    url,
    proof,
    text: `${author}, "${title}" (${issued}). ${proof}; retrieved ${accessed}. ${url}. Licence: ${license}.`,
    record: { number: recordId, version: cell.dataset.sha256, license },
  });
}

/** How to cite a story with the datasets it rests on. */
export function citeStory(story: CheckedStory, siteUrl: string): CiteBlock {
  const { id, published: issued } = story;
  const title = textOf(story, story.title);
  const url = storyUrl(siteUrl, id);
  const records = citedRecords(story);
  const data = records.map(
    ({ dataset, cell }) => `${dataset} (sha256 ${cell.dataset.sha256}, retrieved ${cell.source.retrievedAt})`,
  );
  const retrieved = records.map(({ cell }) => cell.source.retrievedAt).sort();
  const ids = records.map(({ recordId }) => recordId).join(', ');
  const proof = `Data: ${[...new Set(data)].join('; ')}. Records: ${ids}`;
  return citeBlock({
    id: storyUrn(id),
    key: `news:${id}`,
    author: SERVICE,
    title,
    issued,
    accessed: retrieved.at(-1) ?? issued,
    url,
    proof,
    text: `${SERVICE}, "${title}" (${issued}). ${storyUrn(id)}. ${url}. ${proof}.`,
  });
}

/** What is cited: a record of a dataset, or without `record` a story. */
interface Work {
  id: string;
  /** Key of the BibTeX entry. */
  key: string;
  author: string;
  title: string;
  issued: string;
  accessed: string;
  url: string;
  proof: string;
  text: string;
  record?: { number: string; version: string; license: string };
}

function citeBlock({ id, key, author, title, issued, accessed, url, proof, text, record }: Work): CiteBlock {
  const dateParts = (date: string): JsonObject => ({ 'date-parts': [date.split('-').map(Number)] });
  const year = issued.slice(0, 4);
  const note = record ? `${proof}. Licence: ${record.license}` : proof;
  const dates = record ? { year, url, urldate: accessed } : { date: issued, year, url };
  return {
    text,
    bibtex: bibtex(record ? 'misc' : 'online', key, { author: `{${author}}`, title, ...dates, note }),
    csl: {
      id,
      type: record ? 'dataset' : 'webpage',
      author: [{ literal: author }],
      title,
      publisher: author,
      issued: dateParts(issued),
      accessed: dateParts(accessed),
      URL: url,
      ...record,
      note: proof,
    },
  };
}

function bibtex(kind: string, key: string, fields: Record<string, string>): string {
  const lines = Object.entries(fields).map(
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
