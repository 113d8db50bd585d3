/**
 * The differences between neighbouring editions of a dataset. Records are matched by their key, which every edition shares; where
 * a key has several rows, only rows that print the same are matched, and the others are counted as unmatched. No reason for a
 * difference is given.
 */
import { lastDay } from '../../shim/core/editions.ts';
import { groupedBy } from '../../shim/core/groups.ts';
import { byCodeUnits, pick, type Indicator, type Source } from '../lib/dataset.ts';
import { keyOf } from '../lib/identity.ts';
import type { Observation, RevisedCell, Revision } from '../../shim/core/records.ts';

/** One edition of a dataset as the comparison reads it. */
export interface Edition {
  edition: string;
  descriptor: {
    indicators: readonly Pick<Indicator, 'id' | 'sourceId' | 'tolerance'>[];
    sources: readonly Pick<Source, 'id' | 'dated' | 'sha256'>[];
  };
  /** The first and last period of its records, by the id of the indicator. */
  periods: ReadonlyMap<string, Window>;
  /** The first and last period of its records from each of its files: a table in several files may have a gap between them. */
  files: readonly Window[];
}

/** Periods from the first to the last. */
export interface Window {
  first: string;
  last: string;
}

/** Outcomes that are counted for a pair of editions and are not revisions. */
const UNLISTED = ['same', 'rounding_only', 'unmatched', 'new_periods', 'left_window'] as const;

/** The kinds of a revision. */
export const KINDS = [
  'changed',
  'added',
  'withdrawn',
  'became_unavailable',
  'became_available',
  'relabelled',
] as const satisfies Revision['kind'][];

/** How many revisions there are between two editions. */
export function revisionCount(pair: EditionPair): number {
  return KINDS.reduce((sum, kind) => sum + pair[kind], 0);
}

type Unlisted = (typeof UNLISTED)[number];
type Outcome = Unlisted | Revision['kind'];

/** Two neighbouring editions of a dataset, and how many records have each outcome. */
export interface EditionPair extends Record<Outcome, number> {
  datasetId: string;
  /** The source of the newer edition that has its date. */
  sourceId: string;
  from: string;
  to: string;
}

/** Compares two neighbouring editions, the records of one indicator and place at a time. */
export interface Comparison {
  /** The revisions among these records of the older and the newer edition, in no particular order. */
  add(older: readonly Observation[], newer: readonly Observation[]): Revision[];
  pair(): EditionPair;
}

/** Starts the comparison of two neighbouring editions of the dataset `datasetId`. */
export function compareEditions(datasetId: string, older: Edition, newer: Edition): Comparison {
  const counts = Object.fromEntries([...UNLISTED, ...KINDS].map((outcome) => [outcome, 0])) as Record<
    Outcome,
    number
  >;
  let revisions: Revision[] = [];
  const [from, to] = [older.edition, newer.edition];
  const sides = [sideOf(older), sideOf(newer)] as const;
  const tolerances = new Map(newer.descriptor.indicators.map(({ id, tolerance = 0 }) => [id, tolerance]));
  const settle: Settle = (outcome, was, is) => {
    counts[outcome] += 1;
    const shown = is ?? was;
    if (!shown || !isKind(outcome)) return;
    const { id, indicatorId, geoCode, geoName, period, category, subgroup } = shown;
    revisions.push({
      id: `${id}@${from}..${to}`,
      datasetId,
      indicatorId,
      geoCode,
      geoName,
      period,
      category,
      subgroup,
      kind: outcome,
      from: was && sides[0](was),
      to: is && sides[1](is),
    });
  };
  const [wasCovered, isCovered] = [coverageOf(older), coverageOf(newer)];
  return {
    add(olderRecords, newerRecords) {
      revisions = [];
      const before = groupedBy(olderRecords, keyOf);
      const added: Observation[] = [];
      for (const [key, is] of groupedBy(newerRecords, keyOf)) {
        const was = before.get(key);
        before.delete(key);
        if (was) matchRows(was, is, tolerances.get(is[0]?.indicatorId ?? '') ?? 0, settle);
        else if (is[0] && wasCovered(is[0])) added.push(...is);
        else for (const record of is) settle('new_periods', null, record);
      }
      const withdrawn: Observation[] = [];
      for (const was of before.values())
        if (was[0] && isCovered(was[0])) withdrawn.push(...was);
        else for (const record of was) settle('left_window', record, null);
      const inBoth = alikeIn(added, withdrawn);
      for (const record of added) settle(inBoth(record) ? 'unmatched' : 'added', null, record);
      for (const record of withdrawn) settle(inBoth(record) ? 'unmatched' : 'withdrawn', record, null);
      return revisions;
    },
    pair() {
      const { sources } = newer.descriptor;
      const sourceId = sources.find(({ dated }) => dated === to)?.id ?? sources[0]?.id ?? '';
      const { same, rounding_only, unmatched, new_periods, left_window, ...kinds } = counts;
      const others = { rounding_only, unmatched, new_periods, left_window };
      return { datasetId, sourceId, from, to, same, ...kinds, ...others };
    },
  };
}

/** The fixed order of revisions: dataset, indicator, geography, kind, newer edition; then category, subgroup, period, id. */
export function byRevisionOrder(a: Revision, b: Revision): number {
  return (
    byCodeUnits(a.datasetId, b.datasetId) ||
    byCodeUnits(a.indicatorId, b.indicatorId) ||
    byCodeUnits(a.geoCode, b.geoCode) ||
    byCodeUnits(a.kind, b.kind) ||
    byCodeUnits(newerDay(a), newerDay(b)) ||
    byCodeUnits(a.category, b.category) ||
    byCodeUnits(a.subgroup, b.subgroup) ||
    byCodeUnits(a.period, b.period) ||
    byCodeUnits(a.id, b.id)
  );
}

/** The day from which the newer edition of a revision counts as published. */
export function newerDay({ id }: Pick<Revision, 'id'>): string {
  return lastDay(id.slice(id.lastIndexOf('..') + 2));
}

function isKind(outcome: Outcome): outcome is Revision['kind'] {
  return KINDS.some((kind) => kind === outcome);
}

function sideOf({ descriptor: { sources } }: Edition): (record: Observation) => RevisedCell {
  const hashes = new Map(sources.map(({ id, sha256 }) => [id, sha256]));
  const members = ['edition', ...NUMBERS, 'unit', 'status', 'unavailableReason', 'sourceLocator'] as const;
  return (record) => ({
    ...pick(record, ...members),
    sourceSha256: hashes.get(record.sourceId) ?? '',
  });
}

/**
 * Whether an edition covers the period of a record of another: it is not before the first or after the last period that the
 * record's table has there, and not between two files. The indicators that name one source are one table.
 */
function coverageOf({ periods, files, descriptor }: Edition): (record: Observation) => boolean {
  const tables = new Map(descriptor.indicators.map(({ id, sourceId }) => [id, sourceId]));
  const windows = new Map<string | null, Window>();
  const extend = (table: string | null, { first, last }: Window): void => {
    const window = windows.get(table) ?? { first, last };
    if (first < window.first) window.first = first;
    if (last > window.last) window.last = last;
    windows.set(table, window);
  };
  for (const [indicator, own] of periods) {
    extend(tables.get(indicator) ?? null, own);
    extend(null, own);
  }
  return ({ indicatorId, period }) => {
    const isIn = ({ first, last }: Window): boolean => period >= first && period <= last;
    const window = windows.get(tables.get(indicatorId) ?? null);
    return window !== undefined && isIn(window) && files.some(isIn);
  };
}

type Settle = (outcome: Outcome, was: Observation | null, is: Observation | null) => void;

/**
 * Matches the rows of one key in two editions. One row in each is a pair. Among several, rows that print the same are paired
 * first, then rows with the same numbers; the rest are paired if all of them differ by rounding alone, and else unmatched.
 */
function matchRows(
  older: readonly Observation[],
  newer: readonly Observation[],
  tolerance: number,
  settle: Settle,
): void {
  const [one, other] = [older[0], newer[0]];
  if (one && other && older.length + newer.length === 2) {
    settle(outcomeOf(one, other, tolerance), one, other);
    return;
  }
  const alike = (record: Observation): string => `${numbersOf(record)}\n${labelsOf(record)}`;
  const rest = withoutAlike(older, newer, alike, (was, is) => settle('same', was, is));
  const [was, is] = withoutAlike(...rest, numbersOf, (before, now) => settle('relabelled', before, now));
  const outcomes = was.map((record, at) => (is[at] ? outcomeOf(record, is[at], tolerance) : 'unmatched'));
  const isRounding = was.length === is.length && outcomes.every((outcome) => ROUNDED.has(outcome));
  for (let at = 0; at < Math.max(was.length, is.length); at += 1)
    settle((isRounding ? outcomes[at] : undefined) ?? 'unmatched', was[at] ?? null, is[at] ?? null);
}

/** Outcomes of rows that differ by rounding, and perhaps by their labels. */
const ROUNDED = new Set<Outcome>(['rounding_only', 'relabelled']);

/** Gives pairs of rows with the same text to `found`; returns the rows that are left in each edition, ordered by their numbers. */
function withoutAlike(
  older: readonly Observation[],
  newer: readonly Observation[],
  text: (record: Observation) => string,
  found: (was: Observation, is: Observation) => void,
): [Observation[], Observation[]] {
  const left = groupedBy(older, text);
  const is = newer.filter((record) => {
    const was = left.get(text(record))?.shift();
    if (was) found(was, record);
    return !was;
  });
  return [[...left.values()].flat().sort(byNumbers), is.sort(byNumbers)];
}

/**
 * A test whether a record is in both lists with the same place, period and numbers under different labels: it may be one row with
 * a new label, or two rows.
 */
function alikeIn(
  added: readonly Observation[],
  withdrawn: readonly Observation[],
): (record: Observation) => boolean {
  const text = (record: Observation): string =>
    [record.indicatorId, record.geoCode, record.period, numbersOf(record)].join('\n');
  const there = new Set(added.map(text));
  const both = new Set(withdrawn.map(text).filter((one) => there.has(one)));
  return (record) => record.value !== null && both.has(text(record));
}

/** What a row prints besides its labels. */
function numbersOf(record: Observation): string {
  return [factsOf(record), ...NUMBERS.map((name) => record[name])].join('\n');
}

function byNumbers(a: Observation, b: Observation): number {
  return (
    byCodeUnits(factsOf(a), factsOf(b)) ||
    (a.value ?? -1) - (b.value ?? -1) ||
    byCodeUnits(numbersOf(a), numbersOf(b)) ||
    byCodeUnits(labelsOf(a), labelsOf(b))
  );
}

const NUMBERS = ['value', 'lower', 'upper'] as const;

function factsOf({ unit, status, unavailableReason }: Observation): string {
  return `${unit}\n${status}\n${unavailableReason ?? ''}`;
}

/** The labels of a row as its edition prints them. */
function labelsOf({ geoName, category, subgroup, group }: Observation): string {
  return [geoName, category, subgroup, group].join('\n');
}

/** Most digits of a number that a workbook shows; further ones come from the program that saved it. */
const DIGITS = 15;

/** How one record differs between two editions; a difference below `tolerance` comes from the arithmetic behind the number. */
function outcomeOf(was: Observation, is: Observation, tolerance: number): Outcome {
  if (was.value !== null && is.value === null) return 'became_unavailable';
  if (was.value === null && is.value !== null) return 'became_available';
  const differing = NUMBERS.filter((name) => was[name] !== is[name]);
  const isRounding = differing.every((name) => {
    const [before, now] = [was[name], is[name]];
    if (before === null || now === null) return false;
    return Math.abs(before - now) < tolerance || before.toPrecision(DIGITS) === now.toPrecision(DIGITS);
  });
  if (!isRounding || factsOf(was) !== factsOf(is)) return 'changed';
  if (labelsOf(was) !== labelsOf(is)) return 'relabelled';
  return differing.length > 0 ? 'rounding_only' : 'same';
}
