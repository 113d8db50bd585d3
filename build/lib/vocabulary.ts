/**
 * The closed list of labels of a dataset, `datasets/<id>/vocabulary.csv`, one allowed value per line: categories, subgroups, groups, the
 * units of each indicator, geographies, forms of period, sheets and columns; for designations, programs, types and countries. It covers
 * all editions. A label outside it stops the build, so that a new one is a reviewed line of a diff and never a guess.
 */
import { csvText } from '../../shim/core/csv.ts';
import { readCsv } from './csv.ts';
import { byCodeUnits, type AtlasRow, type Dataset, type Descriptor } from './dataset.ts';
import type { EntityRow, ObservationRow } from './dataset.ts';
import { characterFaultIn, joined } from './text.ts';

/** The file of the list, in the folder of its dataset. */
export const VOCABULARY = 'vocabulary.csv';

/** The list that the edition in this folder is checked against: that of its dataset. */
export function vocabularyFile(edition: string): string {
  return `${edition.slice(0, edition.lastIndexOf('/'))}/${VOCABULARY}`;
}

const COLUMNS = ['field', 'value', 'name', 'level', 'indicator'] as const;

/** A line of the list; a geography has its printed name and level, a unit the indicator that is printed in it. */
export type Term = Record<(typeof COLUMNS)[number], string>;

/** A term with its line in vocabulary.csv. */
export interface ListedTerm {
  line: number;
  term: Term;
}

/** Columns of observations that hold any text the publisher prints. */
export const LABELS = ['category', 'subgroup', 'group'] as const;

/** Longest text that can be a label. */
const LONGEST = 200;

/** The identity of a term: equal terms have equal keys. */
export function termKey(one: Term): string {
  return JSON.stringify([one.field, one.indicator, one.value, one.name, one.level]);
}

/** A term as messages show it: `unit "grams" of indicator "seizures"`. */
export function termText({ field, value, name, level, indicator }: Term): string {
  const cut = (text: string): string =>
    JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
  const place = name === '' ? '' : ` (${joined([cut(name), level], ', ')})`;
  return `${field} ${cut(value)}${place}${indicator === '' ? '' : ` of indicator "${indicator}"`}`;
}

/** A term that rows use: the position of the first of them, and how many they are. */
interface UsedTerm {
  term: Term;
  first: number;
  rows: number;
}

/** Counts the terms of rows, which it takes one by one with their positions. */
export interface TermCounter {
  row(row: Dataset['rows'][number], position: number): void;
  /** The terms of the descriptor, and those of the rows in the order of their first use. */
  finish(): { descriptor: Term[]; rows: UsedTerm[] };
}

/** The counter of a dataset. Memory grows with terms, not with rows. */
export function termCounter(descriptor: Descriptor): TermCounter {
  const terms = new Map<string, UsedTerm>();
  // Most rows repeat the terms of the row before, for which no key is built.
  const recent = new Map<string, UsedTerm>();
  const use = (position: number, field: string, value: string, about = '', name = '', level = ''): void => {
    let used = recent.get(field);
    const { term } = used ?? {};
    const isSame =
      term?.value === value && term.indicator === about && term.name === name && term.level === level;
    if (!used || !isSame) {
      const key = `${field}\n${value}\n${about}\n${name}\n${level}`;
      const made = {
        term: termOf(field, value, { indicator: about, name, level }),
        first: position,
        rows: 0,
      };
      used = terms.get(key) ?? made;
      terms.set(key, used);
      recent.set(field, used);
    }
    used.rows += 1;
  };
  const usePlace = (position: number, locator: string): void => {
    const [, sheet, column] = PLACE.exec(locator) ?? [];
    if (sheet !== undefined) use(position, 'sheet', sheet);
    else if (column !== undefined) use(position, 'column', column);
  };
  const own = descriptorTerms(descriptor);
  const listed = new Map(own.map((term) => [term.value, term]));
  const take = {
    atlas({ iso3, country, locator }: AtlasRow, position: number) {
      use(position, 'iso3', iso3, '', country);
      usePlace(position, locator);
    },
    entities({ entity_type, programs, countries }: EntityRow, position: number) {
      use(position, 'entity_type', entity_type);
      for (const program of programs) use(position, 'programs', program);
      for (const country of countries) use(position, 'countries', country);
    },
    observations(row: ObservationRow, position: number) {
      for (const field of LABELS) use(position, field, row[field]);
      use(position, 'unit', row.unit, row.indicatorId);
      const { name, level } = listed.get(row.geoCode) ?? {};
      use(position, 'geoCode', row.geoCode, '', name, level);
      use(position, 'period', row.period.length > 4 ? 'YYYY-MM' : 'YYYY');
      usePlace(position, row.sourceLocator);
    },
  }[descriptor.kind];
  return {
    // The border: rows are of the kind that their descriptor says.
    row: take as TermCounter['row'],
    finish: () => ({ descriptor: own, rows: [...terms.values()] }),
  };
}

function descriptorTerms(descriptor: Descriptor): Term[] {
  if (descriptor.kind === 'atlas') return [];
  if (descriptor.kind === 'entities')
    return descriptor.programs.map((program) => termOf('programs', program));
  const { geographies, indicators } = descriptor;
  return [
    ...geographies.map(({ code, name, level }) => termOf('geoCode', code, { name, level })),
    ...indicators.map(({ id }) => termOf('indicatorId', id)),
  ];
}

/** A term; what is not given is blank. */
export function termOf(field: string, value: string, { name = '', level = '', indicator = '' } = {}): Term {
  return { field, value, name, level, indicator };
}

/** The sheet a locator names before its last `!`, or the column it names after a row, unless the column is a year. */
const PLACE = /^(?:(.*)!|row \d+ column (?!(?:19|20)\d\d$)(.*))/s;

/** Every term a dataset uses, once. */
export function usedTerms({ descriptor, rows }: Dataset): Term[] {
  const counter = termCounter(descriptor);
  for (const [position, row] of rows.entries()) counter.row(row, position);
  const used = counter.finish();
  const all = [...used.descriptor, ...used.rows.map(({ term }) => term)];
  return [...new Map(all.map((one) => [termKey(one), one])).values()];
}

/** Words about purity, which is never published; THC is also the name of a drug. */
export const PURITY =
  /%|per ?cent|(?<!\p{L})(?:pct(?!\p{L})|pur[ei])|potency|\bTHC\b\W*(?:\d|content|level)|\d\W*THC\b/iu;

/** Two numbers that are a position on a map. */
const POSITION =
  /\d{1,3}[.,]\d{3,}[^\p{L}\d]{1,3}\d{1,3}[.,]\d{3,}|\d°|\d ?[NS][^\p{L}\d]+\d+(?:[.,]\d+)? ?[EW](?!\p{L})/iu;

/** The fields whose values hold any text of a publisher. */
const TEXTS: readonly string[] = [...LABELS, 'sheet', 'column'];

/** Why a term can never be a label, even if it is listed; null where it can. */
export function termFault(one: Term): string | null {
  const texts = COLUMNS.map((name) => one[name]);
  if (texts.some((text) => text.length > LONGEST)) return `it is longer than ${LONGEST} characters`;
  const [value, isText] = [one.value, TEXTS.includes(one.field)];
  // A unit may be a share of something.
  const words = one.field === 'unit' ? value.replaceAll(/%|per ?cent/gi, '') : value;
  if ((isText || one.field === 'unit') && PURITY.test(words)) return 'it speaks of purity';
  if (isText && POSITION.test(value)) return 'it gives a position on a map';
  const what = texts.map(characterFaultIn).find((fault) => fault !== null);
  return what === undefined ? null : `it holds ${what}`;
}

/** The text of vocabulary.csv: its terms sorted, each once. */
export function vocabularyText(terms: readonly Term[]): string {
  const once = new Map(terms.map((one) => [termKey(one), COLUMNS.map((name) => one[name])]));
  return csvText([COLUMNS, ...[...once].sort(([a], [b]) => byCodeUnits(a, b)).map(([, cells]) => cells)]);
}

/** The terms of a vocabulary.csv, each with its line; throws where there are none, or its columns are not the expected ones. */
export function readVocabulary(bytes: Uint8Array | null): ListedTerm[] {
  if (bytes === null) throw new Error('a dataset needs the list of its labels; npm run import writes it');
  const [header, ...records] = readCsv(bytes);
  if (header?.cells.join() !== COLUMNS.join())
    throw new Error(`its columns must be ${COLUMNS.join()}; restore its first line`);
  // An empty list would allow everything unnoticed.
  if (records.length === 0) throw new Error('it lists no label; restore it, or delete it and import again');
  return records.map(({ line, cells }) => {
    const [field = '', value = '', name = '', level = '', indicator = ''] = cells;
    return { line, term: { field, value, name, level, indicator } };
  });
}
