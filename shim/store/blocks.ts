/**
 * Records of a pack by row, in verified blocks of whole lines. Small packs are read and checked whole when opened; of large
 * ones each block is read by position and checked against its own sha256 when it is loaded. Loaded blocks keep their lines
 * comma-joined, as responses carry them, in a cache that all packs of a store share and that is bounded by bytes.
 *
 * Index columns: `blockRow`, `blockStart`, `blockStartHigh` (offset = high * 2^32 + start), `blockHash` (8 words each).
 */
import { LRUCache } from 'lru-cache';
import { lowerBound } from '../core/series.ts';
import type { PackIndex } from '../core/types.ts';

/** Gives the bytes of a block, which are the taker's to keep and change. */
export type ReadBlock = (block: BlockSpan) => Uint8Array;

export interface BlockLayout {
  rows: number;
  bytes: number;
  index: PackIndex;
}

/** Serialized rows of one pack. */
export type CopyRows = (from: number, to: number) => Uint8Array[];

/** A block as it is kept: nobody but this file looks inside. */
export interface Block {
  joined: Uint8Array;
  /** Offset after each line's separator. */
  ends: Uint32Array;
  firstRow: number;
}

/** Loaded blocks of packs. */
export interface BlockCache {
  blocks: { get(key: string): Block | undefined; set(key: string, block: Block): unknown };
  /** Packs opened so far: each has a number of its own, so what is replaced is never taken for what replaced it. */
  packs: number;
}

const LINE_FEED = 0x0a;
const COMMA = 0x2c;

/** A cache of at most so many bytes. */
export function blockCache(mostBytes: number): BlockCache {
  return { blocks: new LRUCache({ maxSize: mostBytes, sizeCalculation: bytesOfBlock }), packs: 0 };
}

/** A block in its pack. */
export interface BlockSpan {
  number: number;
  start: number;
  length: number;
}

/** The blocks that hold rows [from, to), in order. */
export function blocksOf({ bytes, index }: BlockLayout, from: number, to: number): BlockSpan[] {
  const firstRows = index.column('blockRow');
  if (from >= to) return [];
  const first = lowerBound(firstRows, from + 1, 0, firstRows.length) - 1;
  const last = lowerBound(firstRows, to, 0, firstRows.length) - 1;
  return Array.from({ length: last - first + 1 }, (_, number) => blockAt(first + number, bytes, index));
}

/** All blocks of a pack. */
export function everyBlock({ bytes, index }: BlockLayout): BlockSpan[] {
  return Array.from(index.column('blockRow'), (_, number) => blockAt(number, bytes, index));
}

function blockAt(number: number, bytes: number, index: PackIndex): BlockSpan {
  const low = index.column('blockStart');
  const high = index.column('blockStartHigh');
  const offset = (block: number): number =>
    block < low.length ? (high[block] ?? 0) * 2 ** 32 + (low[block] ?? 0) : bytes;
  return { number, start: offset(number), length: offset(number + 1) - offset(number) };
}

/** Whether a sha256 is that of a block. */
export function isBlock(index: PackIndex, number: number, sha256: Uint8Array): boolean {
  const words = index.column('blockHash').subarray(number * 8, number * 8 + 8);
  const view = new DataView(sha256.buffer, sha256.byteOffset, sha256.byteLength);
  return words.length === 8 && words.every((word, position) => view.getUint32(position * 4) === word);
}

/**
 * Rows as responses carry them. Each loaded block is checked with `digest`, its sha256, which is null where the whole pack was
 * checked already; without a cache every loaded block is kept, for packs that are held whole anyway. Throws an Error on damage.
 */
export function blockRows(
  { rows, bytes, index }: BlockLayout,
  read: ReadBlock,
  { digest, cache }: { digest: ((bytes: Uint8Array) => Uint8Array) | null; cache: BlockCache | null },
): CopyRows {
  const firstRows = index.column('blockRow');
  const kept = cache ? cachedBlocks(cache) : new Map<number, Block>();

  const load = (number: number): Block => {
    const known = kept.get(number);
    if (known) return known;
    const raw = read(blockAt(number, bytes, index));
    if (digest && !isBlock(index, number, digest(raw)))
      throw new Error(`block ${number} does not match its sha256`);
    const firstRow = firstRows[number] ?? 0;
    const block = joinLines(raw, firstRow, (firstRows[number + 1] ?? rows) - firstRow);
    kept.set(number, block);
    return block;
  };

  return (from, to) => {
    const chunks: Uint8Array[] = [];
    for (let row = from; row < to;) {
      const number = lowerBound(firstRows, row + 1, 0, firstRows.length) - 1;
      const block = load(number);
      const last = Math.min(to, firstRows[number + 1] ?? rows);
      const begin = row === block.firstRow ? 0 : (block.ends[row - block.firstRow - 1] ?? 0);
      chunks.push(block.joined.subarray(begin, (block.ends[last - block.firstRow - 1] ?? 1) - 1));
      row = last;
    }
    return chunks;
  };
}

/** The blocks of one pack in the shared cache. */
function cachedBlocks(
  cache: BlockCache,
): Pick<Map<number, Block>, 'get'> & { set(at: number, block: Block): unknown } {
  cache.packs += 1;
  const pack = cache.packs;
  return {
    get: (number) => cache.blocks.get(`${pack}:${number}`),
    set: (number, block) => cache.blocks.set(`${pack}:${number}`, block),
  };
}

/** What a block holds in memory, in bytes. */
export function bytesOfBlock({ joined, ends }: Block): number {
  return joined.length + ends.byteLength;
}

function joinLines(joined: Uint8Array, firstRow: number, rows: number): Block {
  const ends = new Uint32Array(rows);
  let row = 0;
  for (let at = joined.indexOf(LINE_FEED); at >= 0; at = joined.indexOf(LINE_FEED, at + 1)) {
    joined[at] = COMMA;
    ends[row] = at + 1;
    row += 1;
  }
  if (row !== rows) throw new Error(`a block holds ${row} lines, its index says ${rows}`);
  return { joined, ends, firstRow };
}
