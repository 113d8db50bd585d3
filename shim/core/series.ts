/**
 * Selection over packs ordered in runs. A run is one series (for observations: indicator, geo, category, subgroup; for
 * the atlas: iso3) whose rows are sorted by period. The index holds runs, not records: per run the ids of its dimension
 * values, its first row, and a pattern (how many rows in which period), shared by all runs alike. Filters pick runs, counts
 * come from patterns, rows are ranges. series-index.ts describes the layout of the index.
 */
import { derive } from './release.ts';
import { firstPosition, lowerBound, readSeries, tallyOf, type Series } from './series-index.ts';
import type { Pack } from './types.ts';

/** Equality per dimension, and bounds on the period: `YYYY` or `YYYY-MM`, inclusive. */
export interface SeriesFilter {
  equal: { [dimension: string]: string };
  from?: string | undefined;
  to?: string | undefined;
}

/** Row ranges [from, to), ascending. */
export type RowRange = [from: number, to: number];

/** What one filter selects. */
export interface Selection {
  /** How many rows match. */
  matched: number;
  /** The first `limit` matching rows at or after `start`, as ranges. */
  rows(start: number, limit: number): RowRange[];
}

const NOTHING: Selection = { matched: 0, rows: () => [] };

/** What a filter selects in an opened pack. */
export function selectSeries(pack: Pack, filter: SeriesFilter): Selection {
  const series = derive(pack, seriesOf);
  const planned = plan(series, filter);
  if (!planned) return NOTHING;
  return {
    matched: isCounted(planned) ? countRuns(series, planned) : countRows(series, planned),
    rows: (start, limit) => pickRows(series, planned, start, limit),
  };
}

function seriesOf({ index }: Pack): Series {
  return readSeries(index);
}

/** How a filter is applied to one index: the run ranges to look at, what is left to test, and the periods (null: all). */
interface Plan {
  ranges: RowRange[];
  tests: { column: Uint32Array; id: number }[];
  periods: PeriodTest | null;
}

/** Whether the period of an id matches. */
type PeriodTest = (period: number) => boolean;

function plan(series: Series, { equal, from, to }: SeriesFilter): Plan | null {
  const wanted: (number | null)[] = [];
  for (const { name, values } of series.dims) {
    const value = equal[name];
    const id = value === undefined ? null : values.get(value);
    if (id === undefined) return null;
    wanted.push(id);
  }
  const { ranges, narrowed } = narrow(series, wanted);
  const tests: Plan['tests'] = [];
  for (const [position, { column }] of series.dims.entries()) {
    const id = wanted[position] ?? null;
    if (id !== null && !narrowed.has(position)) tests.push({ column, id });
  }
  return { ranges, tests, periods: periodTest(series.periods, from, to) };
}

/** Binary search along leading dimensions; one free leading dimension is walked group by group. */
function narrow(series: Series, wanted: (number | null)[]): { ranges: RowRange[]; narrowed: Set<number> } {
  const narrowed = new Set<number>();
  let ranges: RowRange[] = [[0, series.row.length]];
  let position = 0;
  if ((wanted[0] ?? null) === null && (wanted[1] ?? null) !== null) {
    ranges = series.starts.slice(1).map((end, id) => [series.starts[id] ?? 0, end]);
    position = 1;
  }
  for (; position < series.dims.length; position += 1) {
    const dimension = series.dims[position];
    const id = wanted[position] ?? null;
    if (!dimension || id === null) break;
    ranges = ranges.map((range) => equalRange(dimension.column, id, range));
    narrowed.add(position);
  }
  return { ranges: ranges.filter(([from, to]) => from < to), narrowed };
}

function equalRange(column: Uint32Array, id: number, [from, to]: RowRange): RowRange {
  return [lowerBound(column, id, from, to), lowerBound(column, id + 1, from, to)];
}

/**
 * A year bound takes annual records of that year and monthly ones inside it; a month bound takes monthly records only:
 * an annual record never matches a month. Periods are sorted, so those inside the bounds follow one another.
 */
function periodTest(periods: string[], from: string | undefined, to: string | undefined): PeriodTest | null {
  if (from === undefined && to === undefined) return null;
  const prefix = (position: number, length: number): string => (periods[position] ?? '').slice(0, length);
  const low =
    from === undefined ? 0 : firstPosition(0, periods.length, (at) => prefix(at, from.length) >= from);
  const high =
    to === undefined
      ? periods.length
      : firstPosition(low, periods.length, (at) => prefix(at, to.length) > to);
  if (from?.length !== 7 && to?.length !== 7) return (period) => period >= low && period < high;
  return (period) => period >= low && period < high && periods[period]?.length === 7;
}

/** Whether the ranges alone say how many rows match. */
function isCounted({ tests, periods }: Plan): boolean {
  return tests.length === 0 && periods === null;
}

function countRuns({ row, rows }: Series, { ranges }: Plan): number {
  let total = 0;
  for (const [from, to] of ranges) total += (row[to] ?? rows) - (row[from] ?? rows);
  return total;
}

function countRows(series: Series, planned: Plan): number {
  const { row, pattern, patternFrom } = series;
  const { ranges, tests, periods } = planned;
  const counts = patternCounts(series, periods);
  const [first, ...others] = tests;
  const whole = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === row.length;
  const tallied = whole && others.length === 0 ? tallyOf(series, first?.column ?? null) : null;
  let total = 0;
  if (tallied) {
    const base = (first?.id ?? 0) * (patternFrom.length - 1);
    for (let id = 0; id < patternFrom.length - 1; id += 1) {
      const runs = tallied[base + id] ?? 0;
      if (runs > 0) total += runs * counts(id);
    }
    return total;
  }
  eachRun(planned, 0, (run) => {
    total += counts(pattern[run] ?? 0);
    return true;
  });
  return total;
}

/** How many rows of a pattern match; counted once per pattern. */
function patternCounts(
  { patternFrom, patternPeriod, patternRows }: Series,
  periods: PeriodTest | null,
): (pattern: number) => number {
  const known = new Int32Array(patternFrom.length).fill(-1);
  return (pattern) => {
    let count = known[pattern] ?? 0;
    if (count >= 0) return count;
    count = 0;
    for (let each = patternFrom[pattern] ?? 0; each < (patternFrom[pattern + 1] ?? 0); each += 1)
      if (!periods || periods(patternPeriod[each] ?? 0)) count += patternRows[each] ?? 0;
    known[pattern] = count;
    return count;
  };
}

function pickRows(series: Series, planned: Plan, start: number, limit: number): RowRange[] {
  const { row, rows, pattern } = series;
  const picked: RowRange[] = [];
  const pieces = piecesOf(series, planned.periods);
  const firstRun = Math.max(0, lowerBound(row, start + 1, 0, row.length) - 1);
  let left = limit;
  const take = (from: number, to: number): void => {
    const begin = Math.max(from, start);
    const end = Math.min(to, begin + left);
    if (begin >= end) return;
    const last = picked.at(-1);
    if (last && last[1] === begin) last[1] = end;
    else picked.push([begin, end]);
    left -= end - begin;
  };
  eachRun(planned, firstRun, (run) => {
    const base = row[run] ?? 0;
    if (pieces) for (const [from, to] of pieces(pattern[run] ?? 0)) take(base + from, base + to);
    else take(base, row[run + 1] ?? rows);
    return left > 0;
  });
  return picked;
}

/** For a pattern, the row ranges (relative to the run) whose periods match; null where all do. */
function piecesOf(
  { patternFrom, patternPeriod, patternRows }: Series,
  periods: PeriodTest | null,
): ((pattern: number) => RowRange[]) | null {
  if (!periods) return null;
  const known = new Map<number, RowRange[]>();
  return (pattern) => {
    const found = known.get(pattern);
    if (found) return found;
    const pieces: RowRange[] = [];
    let at = 0;
    for (let each = patternFrom[pattern] ?? 0; each < (patternFrom[pattern + 1] ?? 0); each += 1) {
      const rows = patternRows[each] ?? 0;
      if (periods(patternPeriod[each] ?? 0)) {
        const last = pieces.at(-1);
        if (last && last[1] === at) last[1] = at + rows;
        else pieces.push([at, at + rows]);
      }
      at += rows;
    }
    known.set(pattern, pieces);
    return pieces;
  };
}

/** Calls `visit` for each matching run from `firstRun` on, ascending, until it returns false. */
function eachRun({ ranges, tests }: Plan, firstRun: number, visit: (run: number) => boolean): void {
  const [first, ...rest] = tests;
  for (const [from, to] of ranges) {
    for (let run = Math.max(from, firstRun); run < to; run += 1) {
      // A wide filter looks at every run: most of them end here.
      if (first && first.column[run] !== first.id) continue;
      if (rest.length > 0 && !rest.every(({ column, id }) => column[run] === id)) continue;
      if (!visit(run)) return;
    }
  }
}
