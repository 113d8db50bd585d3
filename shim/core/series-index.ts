/**
 * The index of a pack ordered in runs, as series.ts selects among them. A run is one series: its rows are sorted by period.
 *
 * Index header: `dims` [[name, values...]...] with values sorted by code units, `periods` sorted, `rows` of the pack.
 * Columns: one per dimension, `pattern`, `row`; pattern p is `patternPeriod` and `patternRows` from `patternFrom[p]` up to
 * `patternFrom[p + 1]`. Opening makes nothing per run or
 * per pattern, so a collection of millions opens at once.
 */
import type { PackIndex } from './types.ts';

/** A dimension of the runs: its values with their ids, and the id of every run. */
export interface Dimension {
  name: string;
  values: Map<string, number>;
  column: Uint32Array;
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
  /** First run of each value of the leading dimension, and the number of runs at the end. */
  starts: number[];
  /** Runs per pattern, by dimension (null: of the whole pack); each made on first use. */
  tallies: Map<Uint32Array | null, Uint32Array | null>;
}

/** The runs of an index: views of its columns. */
export function readSeries(index: PackIndex): Series {
  const dims = (index.header['dims'] as [string, ...string[]][]).map(([name, ...values]) => ({
    name,
    values: new Map(values.map((value, id) => [value, id])),
    column: index.column(name),
  }));
  const row = index.column('row');
  const [first] = dims;
  return {
    dims,
    periods: index.header['periods'] as string[],
    pattern: index.column('pattern'),
    patternFrom: index.column('patternFrom'),
    patternPeriod: index.column('patternPeriod'),
    patternRows: index.column('patternRows'),
    row,
    rows: Number(index.header['rows']),
    starts: [
      ...Array.from(first?.values.values() ?? [], (id) =>
        lowerBound(first?.column ?? row, id, 0, row.length),
      ),
      row.length,
    ],
    tallies: new Map(),
  };
}

/**
 * How many runs of a pack have which pattern, by the ids of one dimension (null: of the whole pack): [id][pattern], or null
 * where that table would not be smaller than the runs. Counts of wide filters come from it instead of from every run.
 */
export function tallyOf(
  { dims, pattern, patternFrom, tallies }: Series,
  column: Uint32Array | null,
): Uint32Array | null {
  const known = tallies.get(column);
  if (known !== undefined) return known;
  const patterns = patternFrom.length - 1;
  const ids = dims.find((dimension) => dimension.column === column)?.values.size ?? 1;
  const table = ids * patterns < pattern.length ? new Uint32Array(ids * patterns) : null;
  if (table)
    for (let run = 0; run < pattern.length; run += 1) {
      const cell = (column?.[run] ?? 0) * patterns + (pattern[run] ?? 0);
      table[cell] = (table[cell] ?? 0) + 1;
    }
  tallies.set(column, table);
  return table;
}

/** First position in [from, to) whose value is not below `value`. */
export function lowerBound(column: Uint32Array, value: number, from: number, to: number): number {
  return firstPosition(from, to, (position) => (column[position] ?? 0) >= value);
}

/** First position in [from, to) where `holds` is true; it is false before and true after. */
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
