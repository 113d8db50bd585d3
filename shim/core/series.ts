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

/** Answers filters over one index. */
export interface SeriesSelector {
  select(filter: SeriesFilter): Selection;
}

/** What one filter selects. */
export interface Selection {
  /** How many rows match. */
  matched: number;
  /** The first `limit` matching rows at or after `start`, as ranges. */
  rows(start: number, limit: number): RowRange[];
}

const NOTHING: Selection = { matched: 0, rows: () => [] };

/** Counts and bounds remembered by one selector at most; the oldest goes first. */
const REMEMBERED = 2048;

/** Builds the selector of an index. */
export function seriesSelector(index: PackIndex): SeriesSelector {
  const series = readSeries(index);
  const tally = tallyOf(series);
  const counts = new Map<string, number>();
  const bounds = new Map<string, Uint8Array>();
  const answering = ({ from, to }: SeriesFilter): Uint8Array | null =>
    from === undefined && to === undefined
      ? null
      : remembered(bounds, `${from ?? ''} ${to ?? ''}`, () =>
          Uint8Array.from(series.periods, (period) => (periodMatches(period, from, to) ? 1 : 0)),
        );
  return {
    select(filter) {
      const planned = plan(series, filter, answering(filter));
      if (!planned) return NOTHING;
      const matched = isCounted(planned)
        ? countRuns(series, planned)
        : remembered(counts, keyOf(series, filter), () => countRows(series, planned, tally));
      return { matched, rows: (start, limit) => pickRows(series, planned, start, limit) };
    },
  };
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  if (known.size >= REMEMBERED) known.delete(known.keys().next().value ?? key);
  known.set(key, made);
  return made;
}

/** Values hold no NUL, and one that is given never reads as one that is not. */
function keyOf({ dims }: Series, { equal, from, to }: SeriesFilter): string {
  let key = `${from ?? ''} ${to ?? ''}`;
  for (const { name } of dims) key += equal[name] === undefined ? '\0' : `\0=${equal[name]}`;
  return key;
}

/** What a filter asks of one index: run ranges worth looking at, what is left to test, and which periods answer (null: all). */
interface Plan {
  ranges: RowRange[];
  tests: { column: Uint32Array; id: number }[];
  answers: Uint8Array | null;
}

function plan(series: Series, { equal }: SeriesFilter, answers: Uint8Array | null): Plan | null {
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
  return { ranges, tests, answers };
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
 * an annual record never answers a request for a month.
 */
export function periodMatches(period: string, from: string | undefined, to: string | undefined): boolean {
  const annual = period.length === 4;
  if (annual && (from?.length === 7 || to?.length === 7)) return false;
  if (from !== undefined && period.slice(0, from.length) < from) return false;
  return to === undefined || period.slice(0, to.length) <= to;
}

/** Whether the ranges alone say how many rows match. */
function isCounted({ tests, answers }: Plan): boolean {
  return tests.length === 0 && answers === null;
}

function countRuns({ row, rows }: Series, { ranges }: Plan): number {
  let total = 0;
  for (const [from, to] of ranges) total += (row[to] ?? rows) - (row[from] ?? rows);
  return total;
}

function countRows(series: Series, planned: Plan, tally: Tally): number {
  const { row, pattern, patternFrom } = series;
  const { ranges, tests, answers } = planned;
  const counts = patternCounts(series, answers);
  const [first, ...others] = tests;
  const whole = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === row.length;
  const tallied = whole && others.length === 0 ? tally(first?.column ?? null) : null;
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

/** How many rows of a pattern answer; counted once per pattern. */
function patternCounts(
  { patternFrom, patternPeriod, patternRows }: Series,
  answers: Uint8Array | null,
): (pattern: number) => number {
  const known = new Int32Array(patternFrom.length).fill(-1);
  return (pattern) => {
    let count = known[pattern] ?? 0;
    if (count >= 0) return count;
    count = 0;
    for (let each = patternFrom[pattern] ?? 0; each < (patternFrom[pattern + 1] ?? 0); each += 1)
      if (!answers || answers[patternPeriod[each] ?? 0]) count += patternRows[each] ?? 0;
    known[pattern] = count;
    return count;
  };
}

function pickRows(series: Series, planned: Plan, start: number, limit: number): RowRange[] {
  const { row, rows, pattern } = series;
  const picked: RowRange[] = [];
  const pieces = piecesOf(series, planned.answers);
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

/** For a pattern, the row ranges (relative to the run) whose periods answer; null where all do. */
function piecesOf(
  { patternFrom, patternPeriod, patternRows }: Series,
  answers: Uint8Array | null,
): ((pattern: number) => RowRange[]) | null {
  if (!answers) return null;
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
