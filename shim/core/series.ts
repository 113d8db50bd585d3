/**
 * Selection over packs ordered in runs. A run is one series (for observations: indicator, geo, category, subgroup; for
 * the atlas: iso3) whose rows are sorted by period. The index holds runs, not records: per run the ids of its dimension
 * values, its first row, and a pattern (how many rows in which period), shared by all runs alike. Filters pick runs, counts
 * come from patterns, rows are ranges.
 * The index's layout is said in runs.ts.
 */
import { lowerBound, readSeries, type Series } from './runs.ts';
import { tallyOf, type Tally } from './tally.ts';
import type { PackIndex } from './types.ts';

/** Equality per dimension, and bounds on the period: `YYYY` or `YYYY-MM`, inclusive. */
export interface SeriesFilter {
  equal: { [dimension: string]: string };
  from?: string | undefined;
  to?: string | undefined;
}

/** Row ranges [from, to), ascending. */
export type RowRange = [from: number, to: number];

/** Answers filters over one index. Counts are remembered per filter, bounded. */
export interface SeriesSelector {
  /** How many rows match. */
  matched(filter: SeriesFilter): number;
  /** The first `limit` matching rows at or after `start`, as ranges. */
  rows(filter: SeriesFilter, start: number, limit: number): RowRange[];
}

const REMEMBERED = 2048;

/** Builds the selector of an index. */
export function seriesSelector(index: PackIndex): SeriesSelector {
  const series = readSeries(index);
  const tally = tallyOf(series);
  const counts = new Map<string, number>();
  return {
    matched(filter) {
      const key = JSON.stringify([
        filter.from ?? '',
        filter.to ?? '',
        ...series.dims.map(({ name }) => filter.equal[name] ?? null),
      ]);
      const known = counts.get(key);
      if (known !== undefined) return known;
      const total = countRows(series, filter, tally);
      if (counts.size >= REMEMBERED) counts.delete(counts.keys().next().value ?? key);
      counts.set(key, total);
      return total;
    },
    rows: (filter, start, limit) => pickRows(series, filter, start, limit),
  };
}

/** What a filter asks of one index: run ranges worth looking at, what is left to test, the pieces of each pattern. */
interface Plan {
  ranges: RowRange[];
  tests: { column: Uint32Array; id: number }[];
  pieces(pattern: number): RowRange[];
}

function plan(series: Series, filter: SeriesFilter): Plan | null {
  const wanted: (number | null)[] = [];
  for (const { name, values } of series.dims) {
    const value = filter.equal[name];
    if (value === undefined) {
      wanted.push(null);
      continue;
    }
    const id = values.get(value);
    if (id === undefined) return null;
    wanted.push(id);
  }
  const { ranges, narrowed } = narrow(series, wanted);
  const tests = series.dims.flatMap(({ column }, position) => {
    const id = wanted[position] ?? null;
    return id === null || narrowed.has(position) ? [] : [{ column, id }];
  });
  return { ranges, tests, pieces: piecesOf(series, filter) };
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

/** For a pattern, the row ranges (relative to the run) whose periods answer the bounds; remembered per plan. */
function piecesOf(
  { periods, patternFrom, patternPeriod, patternRows }: Series,
  filter: SeriesFilter,
): (pattern: number) => RowRange[] {
  const answers = periods.map((period) => periodMatches(period, filter.from, filter.to));
  const known = new Map<number, RowRange[]>();
  return (pattern) => {
    const found = known.get(pattern);
    if (found) return found;
    const pieces: RowRange[] = [];
    let at = 0;
    for (let each = patternFrom[pattern] ?? 0; each < (patternFrom[pattern + 1] ?? 0); each += 1) {
      const rows = patternRows[each] ?? 0;
      if (answers[patternPeriod[each] ?? 0]) {
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

/**
 * A year bound takes annual records of that year and monthly ones inside it; a month bound takes monthly records only:
 * an annual record never answers a request for a month.
 */
export function periodMatches(period: string, from: string | undefined, to: string | undefined): boolean {
  const annual = period.length === 4;
  if (annual && (from?.length === 7 || to?.length === 7)) return false;
  if (from !== undefined && period.slice(0, from.length) < from) return false;
  return to === undefined || period.slice(0, to.length) <= to;
}

function countRows(series: Series, filter: SeriesFilter, tally: Tally): number {
  const planned = plan(series, filter);
  if (!planned) return 0;
  const { row, rows, pattern } = series;
  const { ranges, tests } = planned;
  let total = 0;
  if (filter.from === undefined && filter.to === undefined && tests.length === 0) {
    for (const [from, to] of ranges) total += (row[to] ?? rows) - (row[from] ?? rows);
    return total;
  }
  const counts = patternCounts(series, filter);
  const [first, ...others] = tests;
  const whole = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === row.length;
  const tallied = whole && others.length === 0 ? tally(first?.column ?? null) : null;
  if (tallied) {
    const base = (first?.id ?? 0) * (series.patternFrom.length - 1);
    for (let id = 0; id < series.patternFrom.length - 1; id += 1) {
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

/** How many rows of a pattern the bounds take; counted once per pattern. */
function patternCounts(
  { periods, patternFrom, patternPeriod, patternRows }: Series,
  { from, to }: SeriesFilter,
): (pattern: number) => number {
  const answers = periods.map((period) => periodMatches(period, from, to));
  const known = new Int32Array(patternFrom.length).fill(-1);
  return (pattern) => {
    let count = known[pattern] ?? 0;
    if (count >= 0) return count;
    count = 0;
    for (let each = patternFrom[pattern] ?? 0; each < (patternFrom[pattern + 1] ?? 0); each += 1)
      if (answers[patternPeriod[each] ?? 0]) count += patternRows[each] ?? 0;
    known[pattern] = count;
    return count;
  };
}

function pickRows(series: Series, filter: SeriesFilter, start: number, limit: number): RowRange[] {
  const planned = plan(series, filter);
  const picked: RowRange[] = [];
  if (!planned) return picked;
  const firstRun = Math.max(0, lowerBound(series.row, start + 1, 0, series.row.length) - 1);
  let left = limit;
  eachRun(planned, firstRun, (run) => {
    const base = series.row[run] ?? 0;
    for (const [from, to] of planned.pieces(series.pattern[run] ?? 0)) {
      const begin = Math.max(base + from, start);
      const end = Math.min(base + to, begin + left);
      if (begin >= end) continue;
      const last = picked.at(-1);
      if (last && last[1] === begin) last[1] = end;
      else picked.push([begin, end]);
      left -= end - begin;
      if (left === 0) return false;
    }
    return true;
  });
  return picked;
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
