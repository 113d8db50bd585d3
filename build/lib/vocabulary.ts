/**
 * The closed list of labels of a dataset, `datasets/<id>/vocabulary.csv`, one allowed value per line: categories, subgroups, groups, the
 * units of each indicator, geographies, forms of period, sheets and columns; of designations programs, types and countries. It covers all
 * editions. A label outside it stops the build, so that a new one is a reviewed line of a diff and never a guess.
 */
import { csvText, readCsv } from './csv.ts';
import { byCodeUnits, type Dataset } from './dataset.ts';
import { characterFaultIn } from './text.ts';

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
const LABELS = ['category', 'subgroup', 'group'] as const;

/** Longest text that can be a label. */
const LONGEST = 200;

/** What a term is known by. */
export function termKey(one: Term): string {
  return JSON.stringify([one.field, one.indicator, one.value, one.name, one.level]);
}

/** A term as messages show it: `unit "grams" of indicator "seizures"`. */
export function termText({ field, value, name, level, indicator }: Term): string {
  const place =
    name === '' ? '' : ` (${[JSON.stringify(name), level].filter((text) => text !== '').join(', ')})`;
  return `${field} ${JSON.stringify(value)}${place}${indicator === '' ? '' : ` of indicator "${indicator}"`}`;
}

/** The terms of the descriptor, and those of each row in the order of the rows; equal terms are one object. */
export function termsOf(dataset: Dataset): { descriptor: Term[]; rows: Term[][] } {
  const terms = new Map<string, Term>();
  const term = (field: string, value: string, { name = '', level = '', indicator = '' } = {}): Term => {
    const key = `${field}\n${value}\n${name}\n${level}\n${indicator}`;
    const known = terms.get(key);
    if (known) return known;
    const one = { field, value, name, level, indicator };
    terms.set(key, one);
    return one;
  };
  if (dataset.kind === 'atlas') {
    const rows = dataset.rows.map(({ iso3, country, locator }) => [
      term('iso3', iso3, { name: country }),
      ...placesIn(locator, term),
    ]);
    return { descriptor: [], rows };
  }
  if (dataset.kind === 'entities') {
    const rows = dataset.rows.map(({ entity_type, programs, countries }) => [
      term('entity_type', entity_type),
      ...programs.map((program) => term('programs', program)),
      ...countries.map((country) => term('countries', country)),
    ]);
    return { descriptor: dataset.descriptor.programs.map((program) => term('programs', program)), rows };
  }
  const { geographies, indicators } = dataset.descriptor;
  const descriptor = geographies.map(({ code, name, level }) => term('geoCode', code, { name, level }));
  const places = new Map(descriptor.map((place) => [place.value, place]));
  const rows = dataset.rows.map(({ indicatorId, geoCode, period, unit, sourceLocator, ...labels }) => [
    ...LABELS.map((field) => term(field, labels[field])),
    term('unit', unit, { indicator: indicatorId }),
    places.get(geoCode) ?? term('geoCode', geoCode),
    term('period', period.length > 4 ? 'YYYY-MM' : 'YYYY'),
    ...placesIn(sourceLocator, term),
  ]);
  return { descriptor: [...descriptor, ...indicators.map(({ id }) => term('indicatorId', id))], rows };
}

/** The sheet a locator names before its last `!`, or the column it names after a row, unless the column is a year. */
function placesIn(locator: string, term: (field: string, value: string) => Term): Term[] {
  const [, sheet, column] = /^(?:(.*)!|row \d+ column (?!\d{4}$)(.*))/s.exec(locator) ?? [];
  if (sheet !== undefined) return [term('sheet', sheet)];
  return column === undefined ? [] : [term('column', column)];
}

/** Every term a dataset uses, once. */
export function usedTerms(dataset: Dataset): Term[] {
  const { descriptor, rows } = termsOf(dataset);
  return [...new Map([...descriptor, ...rows.flat()].map((one) => [termKey(one), one])).values()];
}

/** What keeps a term from being a label at all, whoever accepts it, or null. */
export function termFault(one: Term): string | null {
  const texts = COLUMNS.map((name) => one[name]);
  if (texts.some((text) => text.length > LONGEST)) return `it is longer than ${LONGEST} characters`;
  const what = texts.map(characterFaultIn).find((fault) => fault !== null);
  return what === undefined ? null : `it holds ${what}`;
}

/** The text of vocabulary.csv: its terms sorted, each once. */
export function vocabularyText(terms: readonly Term[]): string {
  const once = new Map(terms.map((one) => [termKey(one), COLUMNS.map((name) => one[name])]));
  return csvText([COLUMNS, ...[...once].sort(([a], [b]) => byCodeUnits(a, b)).map(([, cells]) => cells)]);
}

/** The terms of a vocabulary.csv, each with its line; throws where its columns are not the expected ones. */
export function readVocabulary(bytes: Uint8Array | null): ListedTerm[] {
  if (bytes === null) throw new Error('a dataset needs the list of its labels; npm run import writes it');
  const [header, ...records] = readCsv(bytes);
  if (header?.cells.join() !== COLUMNS.join()) throw new Error(`its columns must be ${COLUMNS.join()}`);
  return records.map(({ line, cells }) => {
    const [field = '', value = '', name = '', level = '', indicator = ''] = cells;
    return { line, term: { field, value, name, level, indicator } };
  });
}
