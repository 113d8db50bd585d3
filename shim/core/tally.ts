/** Counts of wide filters without a look at every run. */
import type { Series } from './runs.ts';

/**
 * How many runs of a pack have which pattern, by the ids of one dimension (null: of the whole pack): [id][pattern], or null
 * where that table would not be smaller than the runs. Counts of wide filters come from it instead of from every run.
 */
export type Tally = (column: Uint32Array | null) => Uint32Array | null;

/** The tables of one pack, each made when first asked for. */
export function tallyOf({ dims, pattern, patternFrom }: Series): Tally {
  const made = new Map<Uint32Array | null, Uint32Array | null>();
  const patterns = patternFrom.length - 1;
  return (column) => {
    const known = made.get(column);
    if (known !== undefined) return known;
    const ids = dims.find((dimension) => dimension.column === column)?.values.size ?? 1;
    const table = ids * patterns < pattern.length ? new Uint32Array(ids * patterns) : null;
    if (table)
      for (let run = 0; run < pattern.length; run += 1) {
        const cell = (column?.[run] ?? 0) * patterns + (pattern[run] ?? 0);
        table[cell] = (table[cell] ?? 0) + 1;
      }
    made.set(column, table);
    return table;
  };
}
