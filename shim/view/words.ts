/** The words of the pages for what a record says of itself: status, reason, level, measure, and digits as printed. */
import type { DatasetIndicator, Observation } from '../core/records.ts';
import { el, type Child } from './node.ts';

/** Why a cell has no value. */
export type Reason = NonNullable<Observation['unavailableReason']>;

/** Each reason in words that a reader understands without a glossary. */
export const REASONS: Record<Reason, string> = {
  blank_in_source: 'blank in the source',
  suppressed_by_source: 'suppressed by the source',
  placeholder_in_source: 'a placeholder in the source',
  broken_formula_in_source: 'a broken formula in the source',
  conflicting_source_rows: 'contradictory rows in the source',
  no_point_value_in_source: 'only a range in the source',
};

/** What a source has in place of a value, as a sentence. */
export const IN_PLACE_OF_VALUE: Record<Reason, string> = {
  blank_in_source: 'The source leaves the cell blank.',
  suppressed_by_source: 'The source withholds the value.',
  placeholder_in_source: 'The source prints a placeholder in the cell.',
  broken_formula_in_source: 'The cell has a broken formula: what it shows is not taken for a value.',
  conflicting_source_rows: 'Rows of the source print different values and do not say which is right.',
  no_point_value_in_source: 'The source prints a range and no value in it.',
};

/** Levels of geographies. */
export const LEVELS: Record<Observation['geoLevel'], string> = {
  country: 'country',
  territory: 'territory',
  subnational: 'part of a country',
  aggregate: 'aggregate as the source prints it',
};

/** The markets of the catalog. */
export const MARKETS: Record<DatasetIndicator['market'], string> = {
  drugs: 'Drugs',
  arms: 'Arms',
  informal_economy: 'Informal economy',
  context: 'National context',
};

/** How an indicator is measured, for people: `survey estimate`. */
export function measureWords({ measureType }: Pick<DatasetIndicator, 'measureType'>): string {
  return measureType.replaceAll('_', ' ');
}

/** What a mark, a cell of a matrix or a row shows: the kinds of the chart grammar. */
export type Kind = 'reported' | 'estimated' | 'zero' | Reason;

/** The kind of a record: a zero is an observed zero, an absence is its reason. */
export function kindOf({ value, status, unavailableReason }: RecordValue): Kind {
  if (value === null) return unavailableReason ?? 'blank_in_source';
  if (value === 0) return 'zero';
  return status === 'estimated' ? 'estimated' : 'reported';
}

/** What the value of a record is. */
export type RecordValue = Pick<Observation, 'value' | 'status' | 'unavailableReason'>;

/** Whether the source prints a bound of the value. */
export function hasRange({ lower, upper }: Pick<Observation, 'lower' | 'upper'>): boolean {
  return lower !== null || upper !== null;
}

/** A record's state in words: `reported`, `estimated`, `unavailable: blank in the source`. */
export function statusWords({ status, unavailableReason }: RecordValue): string {
  return unavailableReason === null ? status : `unavailable: ${REASONS[unavailableReason]}`;
}

/** A number exactly as JSON prints it. Digits are grouped by margins, so what is copied is what is printed. */
export function digits(value: number): Child {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(String(value)) ?? [];
  if (whole.length < 5) return String(value);
  const groups = whole.match(/\d{1,3}(?=(\d{3})*$)/g) ?? [whole];
  const [first = '', ...others] = groups;
  return [`${sign}${first}`, others.map((group) => el('span', { class: 'k' }, group)), rest];
}

/** A record's value for people, or why there is none. */
export function valueOf(record: RecordValue): Child {
  if (record.value !== null) return digits(record.value);
  return el('span', { class: 'gone' }, statusWords(record));
}

/** The printed labels of a series as one text; empty where the source has none. */
export function labelOf({ category, subgroup }: Pick<Observation, 'category' | 'subgroup'>): string {
  return [category, subgroup]
    .filter((text, index, all) => text !== '' && all.indexOf(text) === index)
    .join(': ');
}

/** A number of things, for people: 1,884 records. The thousands are separated whatever the machine's locale. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** A count with its noun, singular for one. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Bytes for people, in units of 1,000. */
export function sizeWords(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return bytes >= 1000 ? `${Math.round(bytes / 1000)} kB` : `${bytes} bytes`;
}
