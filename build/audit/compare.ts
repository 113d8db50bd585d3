/** Statements, published and printed, and their comparison: every record of a source with what its raw file prints. */
import { tidy } from './raw.ts';

/** A JSON object of unknown members. */
export type Json = Record<string, unknown>;

/** An atlas field of the descriptor: its place in a record and the source's own words for it. */
export interface Field {
  path: string;
  label: string;
}

/** The texts of a statement that are compared; null where the publisher's file prints none. */
export const TEXTS = [
  'code',
  'period',
  'indicator',
  'name',
  'category',
  'subgroup',
  'group',
  'unit',
] as const;
/** The numbers of a statement; null where there is none. */
export const NUMBERS = ['value', 'lower', 'upper'] as const;

/** One value: an observation, or one field of an atlas record. */
export interface Statement
  extends Record<(typeof TEXTS)[number], string | null>, Record<(typeof NUMBERS)[number], number | null> {
  /** As published: `Seizures!H3`, `row 17`, `2021_dataset!D115:AG115`. */
  locator: string;
  /** Dotted path of the atlas field; empty for an observation. */
  field: string;
  /** Null where there is a value, and for atlas fields, which carry no reason. */
  reason: string | null;
}

/** A statement as published. */
export interface Claim extends Statement {
  source: string;
  status: string;
}

/** The key both sides share: a cell and, in an atlas, the field it fills. */
export function placeOf({ locator, field }: Pick<Statement, 'locator' | 'field'>): string {
  return field === '' ? locator : `${locator} ${field}`;
}

/** An observation as one claim, an atlas record as one claim per field. */
export function claimsOf(record: Json, fields: Field[]): Claim[] {
  const [meta, data] = [object(record['meta']), object(record['data'])];
  if (fields.length === 0) return [observationOf(record)];
  return fields.map(({ path }) => {
    const value = number(path.split('.').reduce<unknown>((at, part) => object(at)[part], data));
    const source = text(meta['source']);
    const code = text(data['iso3']);
    const name = text(data['country']);
    const found = { locator: text(meta['locator']), field: path, value, code, name };
    const status = value === null ? 'unavailable' : 'reported';
    return { ...UNSTATED, ...found, period: String(data['year']), source, status };
  });
}

function observationOf(record: Json): Claim {
  const at = (key: string): string => text(record[key]);
  const [value = null, lower = null, upper = null] = NUMBERS.map((key) => number(record[key]));
  const place = { source: at('sourceId'), locator: at('sourceLocator'), field: '' };
  const subject = { code: at('geoCode'), name: at('geoName'), period: at('period'), unit: at('unit') };
  const measure = {
    indicator: at('indicatorId'),
    category: at('category'),
    subgroup: at('subgroup'),
    group: at('group'),
  };
  const known = { status: at('status'), reason: at('unavailableReason') || null };
  return { ...place, ...subject, ...measure, ...known, value, lower, upper };
}

/** The members of a statement that may be empty, all empty. */
export const UNSTATED: Omit<Statement, 'locator' | 'field' | 'value' | 'code' | 'name' | 'period'> = {
  indicator: null,
  category: null,
  subgroup: null,
  group: null,
  unit: null,
  lower: null,
  upper: null,
  reason: null,
};

/** A statement as a rule reads it from the file; what a table does not print is empty or not compared. */
export function statement(
  known: Pick<Statement, 'locator' | 'value' | 'name' | 'period'> & Partial<Statement>,
): Statement {
  const { value, lower = null, upper = null } = known;
  const missing = lower === null && upper === null ? 'blank_in_source' : 'no_point_value_in_source';
  const texts = { code: null, category: '', subgroup: '', group: '' };
  return { ...UNSTATED, ...texts, field: '', reason: value === null ? missing : null, ...known };
}

/** Values by status; a zero is counted among reported or estimated as well. */
export type Counts = Record<(typeof COUNTS)[number], number>;

/** The names of the counts, in the order of the report. */
export const COUNTS = ['records', 'reported', 'estimated', 'unavailable', 'zeros'] as const;

/** The result for one source. */
export interface Outcome {
  source: string;
  /** What is published, and what the raw file prints. */
  published: Counts;
  printed: Counts;
  /** How many printed numbers were compared, and how many texts. */
  values: number;
  texts: number;
  /** How many of these texts equal the printed ones only after white space is folded. */
  folded: number;
  /** Sentences that name the record and both sides. */
  differences: string[];
}

/** How an outcome begins, before any value is compared. */
export const NOTHING_COMPARED = { values: 0, texts: 0, folded: 0 };

/** Compares counts, places, and every number and text of every record; `status` is the one that every value must have. */
export function compare(
  source: string,
  claims: Claim[],
  printed: Statement[],
  status: 'reported' | 'estimated',
): Outcome {
  const counts = countsOf(claims);
  const printedCounts = countsOf(
    printed.map((one) => ({ ...one, status: one.value === null ? 'unavailable' : status })),
  );
  const differences = countDifferences(counts, printedCounts);
  const outcome = { source, published: counts, printed: printedCounts, ...NOTHING_COMPARED, differences };
  const byPlace = new Map(printed.map((one) => [placeOf(one), one]));
  const seen = new Set<string>();
  for (const claim of claims) {
    const place = placeOf(claim);
    const row = byPlace.get(place);
    if (seen.has(place)) differences.push(`${place}: published twice`);
    else if (!row) differences.push(`${place}: published, but not in the file`);
    else compareStatement(claim, row, outcome);
    seen.add(place);
  }
  for (const place of byPlace.keys())
    if (!seen.has(place)) differences.push(`${place}: in the file, but not published`);
  return outcome;
}

function compareStatement(claim: Claim, row: Statement, outcome: Outcome): void {
  const differs = (what: string, published: unknown, printed: unknown): void => {
    const [ours, theirs] = [JSON.stringify(published), JSON.stringify(printed)];
    outcome.differences.push(
      `${placeOf(claim)} (${claim.code} ${claim.period}): ${what} ${ours} published, the file prints ${theirs}`,
    );
  };
  for (const key of NUMBERS) {
    if (claim[key] !== null || row[key] !== null) outcome.values += 1;
    if (claim[key] !== row[key]) differs(key, claim[key], row[key]);
  }
  for (const key of TEXTS) {
    const [published, printed] = [claim[key], row[key]];
    if (printed === null) continue;
    outcome.texts += 1;
    if (published === printed) continue;
    if (published === tidy(printed)) outcome.folded += 1;
    else differs(key, published, printed);
  }
  if (claim.reason !== row.reason) differs('reason', claim.reason, row.reason);
}

/** Counts by status; the records of an atlas are its distinct locators. */
export function countsOf(values: { value: number | null; status: string; locator: string }[]): Counts {
  const withStatus = (status: string): number => values.filter((one) => one.status === status).length;
  return {
    records: new Set(values.map(({ locator }) => locator)).size,
    reported: withStatus('reported'),
    estimated: withStatus('estimated'),
    unavailable: withStatus('unavailable'),
    zeros: values.filter(({ value }) => value === 0).length,
  };
}

/** A sentence for every count that differs. */
export function countDifferences(published: Counts, printed: Counts): string[] {
  return COUNTS.filter((name) => published[name] !== printed[name]).map(
    (name) => `${name}: ${published[name]} published, ${printed[name]} in the file`,
  );
}

/** An unknown value as an object; an empty one where it is something else. */
export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
