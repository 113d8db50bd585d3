/**
 * How an import extends a closed list. A list that does not exist yet is made of the labels that were read. An existing list gets
 * geographies of the project's own tables without asking, and sheets and columns with plain names; every other new label is printed,
 * and added only when the operator accepts it.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Dataset } from '../lib/dataset.ts';
import {
  LABELS,
  readVocabulary,
  termFault,
  termKey,
  termOf,
  termText,
  usedTerms,
  vocabularyText,
  type Term,
} from '../lib/vocabulary.ts';
import { geographyOf } from '../reference/geography.ts';
import { readList, Refusal } from './importer.ts';
import { doubtInTitle } from './official-name.ts';
import { spelling } from '../../shim/core/words.ts';

/** The text of an extended list, and what to print about what is new in it. */
interface Extended {
  text: string;
  lines: string[];
}

/** The list in `file`, extended by the labels of a dataset. Throws a Refusal with the labels that need a decision. */
export function extendVocabulary(dataset: Dataset, file: string, isAccepted: boolean): Extended {
  const used = usedTerms(dataset);
  const unfit = used.flatMap((term) => {
    const fault = termFault(term);
    return fault === null ? [] : [`${termText(term)}: ${fault}`];
  });
  if (unfit.length > 0)
    throw new Refusal(
      file,
      'the labels',
      'short printed texts that give no purity and no position',
      `\n  ${unfit.join('\n  ')}`,
    );
  return extendList(used, { file, bytes: existsSync(file) ? readFileSync(file) : null }, isAccepted);
}

/** A list, null where there is none yet, extended by the terms that are used. Throws a Refusal with those that need a decision. */
export function extendList(
  used: readonly Term[],
  { file, bytes }: { file: string; bytes: Uint8Array | null },
  isAccepted: boolean,
): Extended {
  const isFirst = bytes === null;
  const listed = isFirst ? [] : readList(file, bytes, readVocabulary).map(({ term }) => term);
  const known = new Set(listed.map(termKey));
  const added = used.filter((term) => !known.has(termKey(term)));
  // What moved into the column of countries might be an address, so new countries are never added unseen.
  const doubted = added
    .filter((term) => (!isFirst || term.field === 'countries') && !entersByItself(term))
    .map((term) => `${termText(term)}${spelledLike(term, listed)}`);
  if (doubted.length > 0 && !isAccepted)
    throw new Refusal(
      file,
      'the labels',
      'labels of this list',
      `${doubted.length} new; review them, then import again with --accept-labels:\n  ${doubted.join('\n  ')}`,
    );
  const created = [`${file}: created with ${used.length} labels; review them all before you publish`];
  return {
    text: vocabularyText([...listed, ...added]),
    lines: isFirst ? created : added.map((term) => `${file}: new, for review: ${termText(term)}`),
  };
}

/** Names the listed label that a new one may spell differently; empty where there is none. */
function spelledLike({ field, value }: Term, listed: readonly Term[]): string {
  const { text } = spelling(value);
  const same = listed.find(
    (term) => term.field === field && text !== '' && spelling(term.value).text === text,
  );
  if (!LABELS.some((label) => label === field) || !same) return '';
  return `, spelled like ${JSON.stringify(same.value)}: if it is the same, a line of "drift" in the YAML file of the importer keeps its series`;
}

/** Names of former countries that the designating authority still prints. */
const FORMER_COUNTRIES = ['Netherlands Antilles'];

/** Whether a term is a geography as the project's tables have it, or the plain name of a sheet or column, which publishers change. */
function entersByItself({ field, value, name, level }: Term): boolean {
  if (field === 'sheet' || field === 'column') return isPlainName(value);
  if (field === 'countries') return FORMER_COUNTRIES.includes(value) || geographyOf(value) !== null;
  if (field !== 'geoCode' && field !== 'iso3') return false;
  const place = geographyOf(name);
  return place?.code === value && (level === '' || place.level === level);
}

/** The number of a table, with the decimals of a position only behind its word: `7.1`, `Table 7.10`. */
const TABLE_NUMBER =
  /^(?:(?:table|annex|tab|wdr) *\d{1,2}(?:\.\d{1,2}){0,2}|\d{1,2}(?:\.\d){1,2})(?![\d.]| ?[nsew]\b)/i;
/** A year, or the first and last of several; no part of a date. */
const YEARS = /(?<![\d/-])(?:fy ?)?(?:19|20)\d{2}(?:[-/](?:(?:19|20)\d{2}|\d{2}))?(?![\d/-])/gi;

/** Words, the number of a table, years, and at most two short numbers: no share, date or address and no position on a map, which a locator would publish. */
function isPlainName(name: string): boolean {
  const pieces = name.split(/[^\p{L}\d]+/u);
  const isOfWords =
    /^[\p{L}\d\s_.,()&/-]+$/u.test(name) && pieces.every((one) => /^\p{L}*\d{0,4}$/u.test(one));
  const rest = name
    .replaceAll('_', ' ')
    .replaceAll(YEARS, ' ')
    .replace(TABLE_NUMBER, ' ')
    .replace(/\(\d{1,2}\)$/, '');
  const numbers = rest.match(/\d+/g) ?? [];
  const isShort = numbers.length <= 2 && !/\d[.,]\d/.test(rest);
  return isOfWords && isShort && termFault(termOf('sheet', name)) === null && doubtInTitle(rest) === null;
}
