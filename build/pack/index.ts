/** Builds the index of a pack: runs for series, blocks for every pack. The layout is said in series.ts, names.ts and blocks.ts of the shim. */
import { createHash } from 'node:crypto';
import { encodeIndex } from '../../shim/core/index-file.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { byCodeUnits } from '../dataset.ts';

/** One row as the index sees it: its dimension values in order, and its period. */
export interface IndexedRow {
  dims: readonly string[];
  period: string;
}

/** Lines of a pack as bytes, each ending in a line feed. */
export type Lines = Uint8Array[];

const BLOCK_BYTES = 128 * 1024;

/** Index of rows ordered by dimensions, then period. */
export function seriesIndex(names: readonly string[], rows: readonly IndexedRow[], lines: Lines): Uint8Array {
  const values = names.map((_, position) =>
    [...new Set(rows.map(({ dims }) => dims[position] ?? ''))].sort(byCodeUnits),
  );
  const ids = values.map((list) => new Map(list.map((value, id) => [value, id])));
  const periods = [...new Set(rows.map(({ period }) => period))].sort(byCodeUnits);
  const periodIds = new Map(periods.map((period, id) => [period, id]));
  const patterns = new Map<string, { id: number; pattern: [number, number][] }>();
  const columns: number[][] = names.map(() => []);
  const patternColumn: number[] = [];
  const rowColumn: number[] = [];
  for (let from = 0; from < rows.length;) {
    const to = runEnd(rows, from);
    for (const [position, column] of columns.entries())
      column.push(ids[position]?.get(rows[from]?.dims[position] ?? '') ?? 0);
    patternColumn.push(
      patternId(
        patterns,
        rows.slice(from, to).map(({ period }) => periodIds.get(period) ?? 0),
      ),
    );
    rowColumn.push(from);
    from = to;
  }
  const header: JsonObject = {
    dims: names.map((name, position) => [name, ...(values[position] ?? [])]),
    periods,
    patterns: [...patterns.values()].map(({ pattern }) => pattern),
  };
  const dimensionColumns = Object.fromEntries(
    names.map((name, position) => [name, Uint32Array.from(columns[position] ?? [])]),
  );
  return encodeIndex(header, {
    ...dimensionColumns,
    pattern: Uint32Array.from(patternColumn),
    row: Uint32Array.from(rowColumn),
    ...blockColumns(lines),
  });
}

/** The block columns of any pack: lines grouped into blocks with their first row, offset and sha256. */
export function blockColumns(lines: Lines): Record<string, Uint32Array> {
  const blockRow: number[] = [];
  const start: number[] = [];
  const high: number[] = [];
  const hash: number[] = [];
  let offset = 0;
  for (let row = 0; row < lines.length;) {
    const sum = createHash('sha256');
    let size = 0;
    blockRow.push(row);
    start.push(offset % 2 ** 32);
    high.push(Math.floor(offset / 2 ** 32));
    do {
      const line = lines[row] ?? new Uint8Array();
      sum.update(line);
      size += line.length;
      row += 1;
    } while (row < lines.length && size + (lines[row]?.length ?? 0) <= BLOCK_BYTES);
    offset += size;
    const digest = sum.digest();
    for (let word = 0; word < 8; word += 1) hash.push(digest.readUInt32BE(word * 4));
  }
  return {
    blockRow: Uint32Array.from(blockRow),
    blockStart: Uint32Array.from(start),
    blockStartHigh: Uint32Array.from(high),
    blockHash: Uint32Array.from(hash),
  };
}

function runEnd(rows: readonly IndexedRow[], from: number): number {
  const first = rows[from]?.dims ?? [];
  let to = from + 1;
  while (to < rows.length && first.every((value, position) => rows[to]?.dims[position] === value)) to += 1;
  return to;
}

function patternId(
  patterns: Map<string, { id: number; pattern: [number, number][] }>,
  periods: number[],
): number {
  const pattern: [number, number][] = [];
  for (const period of periods) {
    const last = pattern.at(-1);
    if (last && last[0] === period) last[1] += 1;
    else pattern.push([period, 1]);
  }
  const key = JSON.stringify(pattern);
  const known = patterns.get(key);
  if (known) return known.id;
  patterns.set(key, { id: patterns.size, pattern });
  return patterns.size - 1;
}
