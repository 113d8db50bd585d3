/**
 * The runs of a pack's index, as series.ts selects among them.
 *
 * Index header: `dims` [[name, values...]...] with values sorted by code units, `periods` sorted, `rows` of the pack.
 * Columns: one per dimension, `pattern`, `row`; pattern p is `patternPeriod` and `patternRows` from `patternFrom[p]` up to
 * `patternFrom[p + 1]`. A collection of millions is opened by looking at it: nothing is made per run or per pattern.
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
  };
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
