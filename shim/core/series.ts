/**
 * Selection over packs ordered in runs. A run is one series (for observations: indicator, geo, category, subgroup; for
 * the atlas: iso3) whose rows are sorted by period. The index holds runs, not records: per run the ids of its dimension
 * values, its first row, and a pattern (how many rows in which period) that equal runs share. Filters pick runs, counts
 * come from patterns, rows are ranges.
 *
 * Index header: `dims` [[name, values...]...] with values sorted by code units, `periods` sorted, `rows` of the pack.
 * Columns: one per dimension, `pattern`, `row`; pattern p is `patternPeriod` and `patternRows` from `patternFrom[p]` up to
 * `patternFrom[p + 1]`. Opening allocates nothing per run or per pattern, so a pack of millions of rows opens quickly.
 */
import { postings, tallyOf, type RowRange, type Series } from './run-tables.ts';
import type { Input, Pack } from './types.ts';

/** Equality per dimension, and bounds on the period: `YYYY` or `YYYY-MM`, inclusive. */
export interface SeriesFilter {
  equal: { [dimension: string]: string };
  from?: string | undefined;
  to?: string | undefined;
}

/** The filters of observations as a filter of the runs of a pack. */
export function seriesFilter(filters: Input): SeriesFilter {
  const equal: SeriesFilter['equal'] = {};
  for (const name in filters) if (!NOT_DIMENSIONS.has(name)) equal[name] = String(filters[name]);
  return { equal, from: filters['from']?.toString(), to: filters['to']?.toString() };
}

/** Filters that are not dimensions of a pack. */
const NOT_DIMENSIONS = new Set(['dataset', 'as_of', 'id', 'from', 'to']);

/** The rows that a filter selects. */
export interface Selection {
  /** How many rows match. */
  matched: number;
  /** The first `limit` matching rows at or after `start`, as ranges that the caller may change. */
  rows(start: number, limit: number): RowRange[];
}

/** Selects the rows of an opened pack. */
export function selectSeries(pack: Pack, filter: SeriesFilter): Selection {
  const series = pack.derive(readSeries);
  const planned = plan(series, filter);
  if (!planned) return { matched: 0, rows: () => [] };
  return {
    matched: countRows(series, planned),
    rows: (start, limit) => pickRows(series, planned, start, limit),
  };
}

/** The runs of an index: views of its columns. */
export function readSeries({ index }: Pack): Series {
  const dims = (index.header['dims'] as [string, ...string[]][]).map((dim) => ({
    name: dim[0],
    values: dim.slice(1),
    column: index.column(dim[0]),
    ids: null,
  }));
  const row = index.column('row');
  const [first] = dims;
  const begin = (id: number): number => lowerBound(first?.column ?? row, id, 0, row.length);
  return {
    dims,
    periods: index.header['periods'] as string[],
    pattern: index.column('pattern'),
    patternFrom: index.column('patternFrom'),
    patternPeriod: index.column('patternPeriod'),
    patternRows: index.column('patternRows'),
    row,
    rows: Number(index.header['rows']),
    groups: (first?.values ?? []).map((_, id) => [begin(id), begin(id + 1)]),
    tallies: new Map(),
    sorted: new Map(),
  };
}

/** How a filter is applied to one index: the run ranges to look at, what is left to test, and the periods (null: all). */
export interface Plan {
  ranges: RowRange[];
  /** The only runs in the ranges that may match, where that is known. */
  runs: Uint32Array | null;
  tests: { column: Uint32Array; id: number }[];
  periods: PeriodTest | null;
  /** Whether only months match, so that a year between them is left out. */
  areMonths: boolean;
}

/** Whether the period with an id matches. */
type PeriodTest = (period: number) => boolean;

/** Plans how to apply a filter; null where no run can match. */
export function plan(series: Series, { equal, from, to }: SeriesFilter): Plan | null {
  const wanted: (number | null)[] = [];
  for (const dimension of series.dims) {
    const value = equal[dimension.name];
    if (value !== undefined) dimension.ids ??= new Map(dimension.values.map((each, id) => [each, id]));
    const id = value === undefined ? null : dimension.ids?.get(value);
    if (id === undefined) return null;
    wanted.push(id);
  }
  const { ranges, narrowed } = narrow(series, wanted);
  const tests: Plan['tests'] = [];
  for (let position = narrowed; position < wanted.length; position += 1) {
    const id = wanted[position] ?? null;
    const { column } = series.dims[position] ?? {};
    if (id !== null && column) tests.push({ column, id });
  }
  // The runs are sorted by the leading dimensions: without one, a table says which runs to look at.
  const runs = tests[0] && narrowed === 0 ? postings(series, tests[0].column, tests[0].id) : null;
  const areMonths = from?.length === 7 || to?.length === 7;
  return { ranges, runs, tests, periods: periodTest(series.periods, { from, to, areMonths }), areMonths };
}

/** Binary search along the first `narrowed` dimensions; one free leading dimension is walked group by group. */
function narrow(series: Series, wanted: (number | null)[]): { ranges: RowRange[]; narrowed: number } {
  let ranges: RowRange[] = [[0, series.row.length]];
  let position = 0;
  if ((wanted[0] ?? null) === null && (wanted[1] ?? null) !== null) {
    ranges = series.groups;
    position = 1;
  }
  for (; position < wanted.length; position += 1) {
    const id = wanted[position] ?? null;
    const { column } = series.dims[position] ?? {};
    if (id === null || !column) break;
    const found: RowRange[] = [];
    for (const [from, to] of ranges) {
      const low = lowerBound(column, id, from, to);
      if (low < to && column[low] === id) found.push([low, endOfEqual(column, low, to)]);
    }
    ranges = found;
  }
  return { ranges, narrowed: position };
}

/**
 * A year bound takes annual records of that year and monthly ones inside it; a month bound takes monthly records only:
 * an annual record never matches a month. Periods are sorted, so those inside the bounds follow one another.
 */
function periodTest(
  periods: string[],
  { from, to, areMonths }: Pick<SeriesFilter, 'from' | 'to'> & Pick<Plan, 'areMonths'>,
): PeriodTest | null {
  if (from === undefined && to === undefined) return null;
  const prefix = (position: number, length: number): string => (periods[position] ?? '').slice(0, length);
  const low =
    from === undefined ? 0 : firstPosition(0, periods.length, (at) => prefix(at, from.length) >= from);
  const high =
    to === undefined
      ? periods.length
      : firstPosition(low, periods.length, (at) => prefix(at, to.length) > to);
  if (!areMonths && low === 0 && high === periods.length) return null;
  return (period) => period >= low && period < high && (!areMonths || periods[period]?.length === 7);
}

function countRows(series: Series, planned: Plan): number {
  const { row, rows, pattern } = series;
  const { ranges, tests, periods } = planned;
  if (tests.length === 0 && periods === null)
    return ranges.reduce((sum, [from, to]) => sum + (row[to] ?? rows) - (row[from] ?? rows), 0);
  const whole = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === row.length;
  const tallied = whole && tests.length <= 1 ? tallyOf(series, tests[0]?.column ?? null) : null;
  let total = 0;
  if (tallied) {
    const base = (tests[0]?.id ?? 0) * series.periods.length;
    for (let period = 0; period < series.periods.length; period += 1)
      if (!periods || periods(period)) total += tallied[base + period] ?? 0;
    return total;
  }
  const counts = patternCounts(series, periods);
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
  /** One more than the count; 0 is not counted yet. */
  const known = new Uint32Array(patternFrom.length);
  return (pattern) => {
    const more = known[pattern] ?? 0;
    if (more > 0) return more - 1;
    let count = 0;
    for (let each = patternFrom[pattern] ?? 0; each < (patternFrom[pattern + 1] ?? 0); each += 1)
      if (!periods || periods(patternPeriod[each] ?? 0)) count += patternRows[each] ?? 0;
    known[pattern] = count + 1;
    return count;
  };
}

function pickRows(series: Series, planned: Plan, start: number, limit: number): RowRange[] {
  const { row, rows, pattern, patternFrom, patternPeriod, patternRows } = series;
  const { periods, areMonths } = planned;
  const picked: RowRange[] = [];
  const firstRun = start === 0 ? 0 : lowerBound(row, start + 1, 0, row.length) - 1;
  let left = limit;
  const take = (from: number, to: number): void => {
    const begin = Math.max(from, start);
    const end = Math.min(to, begin + left);
    if (begin < end) appendRange(picked, begin, end);
    left -= Math.max(end - begin, 0);
  };
  eachRun(planned, firstRun, (run) => {
    let from = row[run] ?? 0;
    if (!periods) take(from, row[run + 1] ?? rows);
    else {
      const id = pattern[run] ?? 0;
      let first = patternFrom[id] ?? 0;
      let last = (patternFrom[id + 1] ?? 0) - 1;
      let to = row[run + 1] ?? rows;
      // Narrowed from both ends: usually few periods are outside of the bounds.
      while (first <= last && !periods(patternPeriod[first] ?? 0)) from += patternRows[first++] ?? 0;
      while (last > first && !periods(patternPeriod[last] ?? 0)) to -= patternRows[last--] ?? 0;
      if (areMonths)
        for (let each = first, end = from; each <= last; each += 1) {
          const matches = periods(patternPeriod[each] ?? 0);
          if (!matches) take(from, end);
          end += patternRows[each] ?? 0;
          if (!matches) from = end;
        }
      take(from, to);
    }
    return left > 0;
  });
  return picked;
}

/** Calls `visit` for each matching run from `firstRun` on, ascending, until it returns false. */
export function eachRun(
  { ranges, runs, tests }: Plan,
  firstRun: number,
  visit: (run: number) => boolean,
): void {
  const [first, ...rest] = tests;
  if (runs) {
    let at = firstRun === 0 ? 0 : lowerBound(runs, firstRun, 0, runs.length);
    for (; at < runs.length; at += 1) {
      const run = runs[at] ?? 0;
      if (rest.length > 0 && !rest.every(({ column, id }) => column[run] === id)) continue;
      if (!visit(run)) return;
    }
    return;
  }
  for (const [from, to] of ranges) {
    for (let run = Math.max(from, firstRun); run < to; run += 1) {
      if (first && first.column[run] !== first.id) continue;
      if (rest.length > 0 && !rest.every(({ column, id }) => column[run] === id)) continue;
      if (!visit(run)) return;
    }
  }
}

/** Adds rows to ascending ranges; rows that follow the last range lengthen it. */
export function appendRange(ranges: RowRange[], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last && last[1] === from) last[1] = to;
  else ranges.push([from, to]);
}

/** First position in [from, to) whose value is not below `value`. */
export function lowerBound(column: Uint32Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The end of the values equal to the one at `from`. It is usually near, so the search starts there, in memory that is cached. */
function endOfEqual(column: Uint32Array, from: number, to: number): number {
  const value = column[from] ?? 0;
  let step = 1;
  while (from + step < to && column[from + step] === value) step *= 2;
  return lowerBound(column, value + 1, from + (step >> 1), Math.min(from + step, to));
}

/** First position in [from, to) where `holds` is true, which it is from there on. */
export function firstPosition(from: number, to: number, holds: (position: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
