/** The decoded runs of a pack, and lookup tables, made on first use, for filters that the order of the runs does not help. */

/** Row ranges [from, to), ascending. */
export type RowRange = [from: number, to: number];

interface Dimension {
  name: string;
  /** Sorted by code units; their positions are the ids in the column. */
  values: readonly string[];
  column: Uint32Array;
  /** The ids of the values; made on first use. */
  ids: ReadonlyMap<string, number> | null;
}

/** The decoded runs of one pack. */
export interface Series {
  dims: Dimension[];
  periods: string[];
  pattern: Uint32Array;
  patternFrom: Uint32Array;
  patternPeriod: Uint32Array;
  patternRows: Uint32Array;
  row: Uint32Array;
  /** Rows of the pack. */
  rows: number;
  /** The runs of each value of the leading dimension. */
  groups: RowRange[];
  /** Rows per period, by dimension (null: of the whole pack); each made on first use. */
  tallies: Map<Uint32Array | null, Uint32Array | null>;
  /** Runs sorted by their id in a dimension, and where each id begins; made on first use. */
  sorted: Map<Uint32Array, { from: Uint32Array; runs: Uint32Array }>;
}

/** The runs that have an id in one dimension, ascending; sorted for all ids of the dimension on first use. */
export function postings({ sorted }: Series, column: Uint32Array, id: number): Uint32Array {
  let known = sorted.get(column);
  if (!known) {
    const from = new Uint32Array(column.reduce((most, each) => Math.max(most, each), 0) + 2);
    for (const each of column) from[each + 1] = (from[each + 1] ?? 0) + 1;
    for (let each = 1; each < from.length; each += 1) from[each] = (from[each] ?? 0) + (from[each - 1] ?? 0);
    const next = from.slice();
    const runs = new Uint32Array(column.length);
    column.forEach((each, run) => {
      const at = next[each] ?? 0;
      runs[at] = run;
      next[each] = at + 1;
    });
    known = { from, runs };
    sorted.set(column, known);
  }
  return known.runs.subarray(known.from[id] ?? 0, known.from[id + 1] ?? 0);
}

/**
 * How many rows of a pack have which period, by the ids of one dimension (null: of the whole pack): [id][period], or null where
 * that table would not be smaller than the runs. Counts of wide filters come from it instead of from every run.
 */
export function tallyOf(series: Series, column: Uint32Array | null): Uint32Array | null {
  const { dims, periods, pattern, patternFrom, patternPeriod, patternRows, tallies } = series;
  const known = tallies.get(column);
  if (known !== undefined) return known;
  const ids = dims.find((dimension) => dimension.column === column)?.values.length ?? 1;
  const cells = ids * periods.length;
  // A run has an id in each dimension.
  const table = cells < dims.length * pattern.length ? new Uint32Array(cells) : null;
  tallies.set(column, table);
  if (!table) return null;
  const add = (value: number, id: number, runs: number): void => {
    const end = patternFrom[id + 1] ?? 0;
    for (let each = patternFrom[id] ?? 0; each < end; each += 1) {
      const cell = value * periods.length + (patternPeriod[each] ?? 0);
      table[cell] = (table[cell] ?? 0) + (patternRows[each] ?? 0) * runs;
    }
  };
  const patterns = patternFrom.length - 1;
  // Where few patterns are those of many runs, the runs of each are counted first.
  const counts = ids * patterns < pattern.length ? new Uint32Array(ids * patterns) : null;
  for (let run = 0; run < pattern.length; run += 1) {
    const [value, id] = [column?.[run] ?? 0, pattern[run] ?? 0];
    const at = value * patterns + id;
    if (counts) counts[at] = (counts[at] ?? 0) + 1;
    else add(value, id, 1);
  }
  counts?.forEach((runs, at) => runs > 0 && add(Math.floor(at / patterns), at % patterns, runs));
  return table;
}
