/**
 * How to cite a record or a story: plain text, BibTeX and CSL-JSON, each with record id, sha256 of the packaged dataset and
 * day of retrieval, so that a citation leads to the same bytes years later. Pure; used by pages, briefs, dossiers and files.
 */
import type { JsonObject } from '../../shim/core/types.ts';
import type { Source } from '../lib/dataset.ts';

/** A packaged record to cite. */
export interface CitedRecord {
  dataset: string;
  recordId: string;
  datasetSha256: string;
  source: Pick<Source, 'title' | 'publisher' | 'url' | 'license' | 'dated' | 'retrievedAt' | 'sha256'>;
  locator: string;
}

/** A story to cite. */
export interface CitedStory {
  id: string;
  title: string;
  url: string;
  published: string;
  records: CitedRecord[];
}

/** The same citation three ways. */
export interface CiteBlock {
  text: string;
  bibtex: string;
  csl: JsonObject;
}

const SERVICE = 'Public Evidence API';

/** Citation of one packaged record. */
export function citeRecord({ dataset, recordId, datasetSha256, source, locator }: CitedRecord): CiteBlock {
  const key = `${dataset}:${recordId}`;
  const { title, publisher, url, license, dated, retrievedAt, sha256 } = source;
  const proof = `Record ${recordId} of dataset ${dataset} (sha256 ${datasetSha256}), read from ${locator} of the publisher's file (sha256 ${sha256})`;
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
      version: datasetSha256,
      license,
      note: proof,
    },
  };
}

/** Citation of a story with the datasets it rests on. */
export function citeStory({ id, title, url, published, records }: CitedStory): CiteBlock {
  const data = datasetsOf(records).map(
    ({ dataset, datasetSha256, retrievedAt }) =>
      `${dataset} (sha256 ${datasetSha256}, retrieved ${retrievedAt})`,
  );
  const ids = records.map(({ recordId }) => recordId).join(', ');
  const proof = `Data: ${data.join('; ')}. Records: ${ids}`;
  return {
    text: `${SERVICE}, "${title}" (${published}). urn:svc:news:${id}. ${url}. ${proof}.`,
    bibtex: bibtex('online', `news:${id}`, {
      author: `{${SERVICE}}`,
      title,
      date: published,
      year: published.slice(0, 4),
      url,
      note: proof,
    }),
    csl: {
      id: `urn:svc:news:${id}`,
      type: 'webpage',
      author: [{ literal: SERVICE }],
      title,
      publisher: SERVICE,
      issued: dateParts(published),
      accessed: dateParts(
        datasetsOf(records)
          .map(({ retrievedAt }) => retrievedAt)
          .sort()
          .at(-1) ?? published,
      ),
      URL: url,
      note: proof,
    },
  };
}

function datasetsOf(
  records: CitedRecord[],
): { dataset: string; datasetSha256: string; retrievedAt: string }[] {
  const seen = new Map(
    records.map(({ dataset, datasetSha256, source: { retrievedAt } }) => [
      `${dataset} ${retrievedAt}`,
      { dataset, datasetSha256, retrievedAt },
    ]),
  );
  return [...seen.values()];
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
