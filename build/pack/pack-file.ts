/**
 * The files of a pack: records as NDJSON and their index, runs for series, blocks for every pack. The layout is said in runs.ts, names.ts and blocks.ts
 * of the shim. Rows and lines pass once and are not kept, so a pack of any size can be indexed while it is written.
 */
import { createHash } from 'node:crypto';
import { encodeIndex } from '../../shim/core/index-file.ts';
import { packIndexPath, packPath } from '../../shim/core/paths.ts';
import type { JsonObject, PackEntry } from '../../shim/core/types.ts';
import { byCodeUnits } from '../lib/dataset.ts';
import { sha256 } from '../lib/hash.ts';

/** A packed dataset: NDJSON bytes, index bytes, and its entry of the manifest. */
export interface Packed {
  entry: PackEntry;
  records: Buffer;
  index: Uint8Array;
}

/** Serializes records one a line and completes the entry with the hashes of what came out. */
export function packOf(
  id: string,
  kind: PackEntry['kind'],
  records: readonly object[],
  makeIndex: (lines: Lines) => Uint8Array,
  meta: JsonObject,
): Packed {
  const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`, 'utf8'));
  const bytes = Buffer.concat(lines);
  const index = makeIndex(lines);
  return {
    entry: {
      id,
      kind,
      rows: records.length,
      path: packPath(id),
      bytes: bytes.length,
      sha256: sha256(bytes),
      index: { path: packIndexPath(id), bytes: index.length, sha256: sha256(index) },
      meta,
    },
    records: bytes,
    index,
  };
}

/** One row as the index sees it: its dimension values in order, and its period. */
export interface IndexedRow {
  dims: readonly string[];
  period: string;
}

/** Lines of a pack as bytes, each ending in a line feed. */
export type Lines = Uint8Array[];

/** Takes the rows of a pack one by one, ordered by dimensions, then period; then gives the index file. */
export interface SeriesIndexer {
  add(row: IndexedRow, line: Uint8Array): void;
  finish(): Uint8Array;
}

/** Whole lines up to this size make a block: what one cold read costs, against what the index grows by. */
const BLOCK_BYTES = 16 * 1024;

/** Index of rows ordered by dimensions, then period. */
export function seriesIndex(names: readonly string[], rows: readonly IndexedRow[], lines: Lines): Uint8Array {
  const indexer = seriesIndexer(names);
  for (const [position, row] of rows.entries()) indexer.add(row, lines[position] ?? new Uint8Array());
  return indexer.finish();
}

/** The indexer of one pack. Memory grows with series, not with rows. */
export function seriesIndexer(names: readonly string[]): SeriesIndexer {
  const values = names.map(() => numbered());
  const columns: number[][] = names.map(() => []);
  const periods = numbered();
  const patterns = numbered();
  const patternColumn: number[] = [];
  const rowColumn: number[] = [];
  const blocks = blockIndexer();
  let current: readonly string[] | null = null;
  let pattern: [period: number, rows: number][] = [];
  let rows = 0;

  const endRun = (): void => {
    if (current) patternColumn.push(patterns.idOf(JSON.stringify(pattern)));
    pattern = [];
  };
  return {
    add({ dims, period }, line) {
      if (!current || current.some((value, position) => value !== dims[position])) {
        endRun();
        current = dims;
        for (const [position, column] of columns.entries())
          column.push(values[position]?.idOf(dims[position] ?? '') ?? 0);
        rowColumn.push(rows);
      }
      const id = periods.idOf(period);
      const last = pattern.at(-1);
      if (last && last[0] === id) last[1] += 1;
      else pattern.push([id, 1]);
      blocks.add(line);
      rows += 1;
    },
    finish() {
      endRun();
      current = null;
      const sorted = values.map((each) => each.sorted());
      const sortedPeriods = periods.sorted();
      const header: JsonObject = {
        dims: names.map((name, position) => [name, ...(sorted[position]?.list ?? [])]),
        periods: sortedPeriods.list,
        rows,
      };
      const dimensionColumns = Object.fromEntries(
        names.map((name, position) => [
          name,
          Uint32Array.from(columns[position] ?? [], (id) => sorted[position]?.rank[id] ?? 0),
        ]),
      );
      return encodeIndex(header, {
        ...dimensionColumns,
        pattern: Uint32Array.from(patternColumn),
        row: Uint32Array.from(rowColumn),
        ...patternColumns(patterns.list(), sortedPeriods.rank),
        ...blocks.finish(),
      });
    },
  };
}

/** The block columns of any pack: lines grouped into blocks with their first row, offset and sha256. */
export function blockColumns(lines: Lines): Record<string, Uint32Array> {
  const blocks = blockIndexer();
  for (const line of lines) blocks.add(line);
  return blocks.finish();
}

function blockIndexer(): { add(line: Uint8Array): void; finish(): Record<string, Uint32Array> } {
  const firstRow: number[] = [];
  const start: number[] = [];
  const high: number[] = [];
  const hash: number[] = [];
  let sum = createHash('sha256');
  let size = 0;
  let row = 0;
  let offset = 0;
  const endBlock = (): void => {
    if (size === 0) return;
    const digest = sum.digest();
    for (let word = 0; word < 8; word += 1) hash.push(digest.readUInt32BE(word * 4));
    sum = createHash('sha256');
    offset += size;
    size = 0;
  };
  return {
    add(line) {
      if (size + line.length > BLOCK_BYTES) endBlock();
      if (size === 0) {
        firstRow.push(row);
        start.push(offset % 2 ** 32);
        high.push(Math.floor(offset / 2 ** 32));
      }
      sum.update(line);
      size += line.length;
      row += 1;
    },
    finish() {
      endBlock();
      return {
        blockRow: Uint32Array.from(firstRow),
        blockStart: Uint32Array.from(start),
        blockStartHigh: Uint32Array.from(high),
        blockHash: Uint32Array.from(hash),
      };
    },
  };
}

/** Patterns as columns: a pack of irregular series has nearly as many of them as runs. */
function patternColumns(texts: string[], rank: Uint32Array): Record<string, Uint32Array> {
  const from = [0];
  const period: number[] = [];
  const rows: number[] = [];
  for (const text of texts) {
    for (const [id, count] of JSON.parse(text) as [period: number, rows: number][]) {
      period.push(rank[id] ?? 0);
      rows.push(count);
    }
    from.push(period.length);
  }
  return {
    patternFrom: Uint32Array.from(from),
    patternPeriod: Uint32Array.from(period),
    patternRows: Uint32Array.from(rows),
  };
}

/** Texts numbered as they come. */
interface Numbered {
  idOf(text: string): number;
  list(): string[];
  /** The texts by code units, and for each number its place among them. */
  sorted(): { list: string[]; rank: Uint32Array };
}

function numbered(): Numbered {
  const ids = new Map<string, number>();
  return {
    idOf(text) {
      const known = ids.get(text);
      if (known !== undefined) return known;
      ids.set(text, ids.size);
      return ids.size - 1;
    },
    list: () => [...ids.keys()],
    sorted() {
      const list = [...ids.keys()].sort(byCodeUnits);
      const rank = new Uint32Array(list.length);
      for (const [place, text] of list.entries()) rank[ids.get(text) ?? 0] = place;
      return { list, rank };
    },
  };
}
