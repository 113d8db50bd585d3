/**
 * Citations in four formats: plain text, BibTeX, RIS and CSL-JSON. A citation of a record has its id, the cell and sha256 of the
 * publisher's file, and the address of the cell in its edition, so that it leads to the same number years later.
 */
import type { DatasetSource } from './records.ts';
import type { JsonObject } from './types.ts';

/** One citation in four formats. */
export interface CiteBlock extends JsonObject {
  text: string;
  bibtex: string;
  ris: string;
  csl: JsonObject;
}

/** What the service is called: the publisher of its pages and stories. */
export const SERVICE = 'Public Evidence API';

/** A record to be cited. */
export interface CitedRecord {
  dataset: string;
  recordId: string;
  /** sha256 of the packaged records. */
  packSha256: string;
  locator: string;
  source: Pick<DatasetSource, 'name' | 'publisher' | 'url' | 'license' | 'dated' | 'retrievedAt' | 'sha256'>;
  /** The page of the cell in its edition; null where records have none. */
  address: string | null;
}

/** The citation of a packaged record. */
export function citeRecord({
  dataset,
  recordId,
  packSha256,
  locator,
  source,
  address,
}: CitedRecord): CiteBlock {
  const { name: title, publisher: author, url: page, license, dated: issued, retrievedAt: accessed } = source;
  const proof = `Record ${recordId} of dataset ${dataset} (sha256 ${packSha256}), read from ${locator} of the publisher's file (sha256 ${source.sha256})`;
  const url = address ?? page;
  const reading = address === null ? '' : ` Publisher's page: ${page}.`;
  const note = `${proof}.${reading} Licence: ${license}`;
  return formsOf({
    id: `${dataset}:${recordId}`,
    type: 'dataset',
    author,
    title,
    issued,
    accessed,
    url,
    note,
    text: `${author}, "${title}" (${issued}). ${proof}; retrieved ${accessed}. ${url}.${reading} Licence: ${license}.`,
    own: { number: recordId, version: packSha256, license },
  });
}

/** A work to be cited. */
export interface CitedWork {
  id: string;
  type: 'dataset' | 'webpage';
  author: string;
  title: string;
  /** Dates: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  issued: string;
  accessed: string;
  url: string;
  note: string;
  /** The citation as one text. */
  text: string;
  /** Additional members of its CSL item. */
  own?: JsonObject;
}

/** The citation of a work in all formats. */
export function formsOf(work: CitedWork): CiteBlock {
  return { text: work.text, bibtex: bibtex(work), ris: ris(work), csl: csl(work) };
}

function csl({ id, type, author, title, issued, accessed, url, note, own }: CitedWork): JsonObject {
  const on = (date: string): JsonObject => ({ 'date-parts': [date.split('-').map(Number)] });
  const creator = [{ literal: author }];
  const dates = { issued: on(issued), accessed: on(accessed) };
  return { id, type, author: creator, title, publisher: author, ...dates, URL: url, ...own, note };
}

function bibtex({ id, type, author, title, issued, accessed, url, note }: CitedWork): string {
  const fields = {
    author: `{${bibtexText(author)}}`,
    title: bibtexText(title),
    date: issued,
    year: issued.slice(0, 4),
    url,
    urldate: accessed,
    note: bibtexText(note),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`);
  const kind = type === 'dataset' ? 'misc' : 'online';
  return `@${kind}{${id.replaceAll(/[^A-Za-z0-9:.-]/g, '-')},\n${lines.join(',\n')}\n}\n`;
}

/** Escapes the special characters of TeX. Braces become parentheses: BibTeX counts them, escaped or not. */
function bibtexText(text: string): string {
  return text
    .replaceAll('\\', '/')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replaceAll(/[&%$#_]/g, (character) => `\\${character}`)
    .replaceAll('~', '{\\textasciitilde}')
    .replaceAll('^', '{\\textasciicircum}');
}

/** RIS: a tag, two spaces, a hyphen, a space and one line of text; lines end with CR LF. */
function ris({ id, type, author, title, issued, accessed, url, note }: CitedWork): string {
  const on = (date: string): string => {
    const [year = '', month = '', day = ''] = date.split('-');
    return `${year}/${month}/${day}/`;
  };
  const tags = [
    ['TY', type === 'dataset' ? 'DATA' : 'ELEC'],
    ['ID', id],
    ['AU', author],
    ['TI', title],
    ['PB', author],
    ['PY', issued.slice(0, 4)],
    ['DA', on(issued)],
    ['Y2', on(accessed)],
    ['UR', url],
    ['N1', note],
    ['ER', ''],
  ];
  return tags.map(([tag, value = '']) => `${tag}  - ${value.replaceAll(/\s+/g, ' ')}\r\n`).join('');
}
