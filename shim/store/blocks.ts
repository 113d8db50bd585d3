/**
 * Records of a pack by row, in verified blocks of whole lines. Small packs are read and checked whole when opened; of large
 * ones each block is read by position and checked against its own sha256 when it is loaded. Loaded blocks keep their lines
 * comma-joined, as responses carry them, in a cache that all packs of a store share and that is bounded by bytes.
 *
 * Here too is what open releases share, wherever their bytes come from: reading the list of packs, and values that are made once.
 *
 * Index columns: `blockRow`, `blockStart`, `blockStartHigh` (offset = high * 2^32 + start), `blockHash` (8 words each).
 */
import { LRUCache } from 'lru-cache';
import { unavailable } from '../core/faults.ts';
import { isObject } from '../core/json.ts';
import { PACK_MANIFEST } from '../core/paths.ts';
import { lowerBound } from '../core/series.ts';
import type { JsonValue, Pack, PackEntry, PackIndex, PackManifest, Release } from '../core/types.ts';

/** Reads the bytes of a block, which the caller may keep and change. */
export type ReadBlock = (block: BlockSpan) => Uint8Array;

export interface BlockLayout {
  rows: number;
  bytes: number;
  index: PackIndex;
}

/** Serialized rows of one pack. */
export type CopyRows = Pack['copy'];

/** A loaded block. Only this file uses its members. */
export interface Block {
  joined: Uint8Array;
  /** Offset after each line's separator. */
  ends: Uint32Array;
  firstRow: number;
}

/** Loaded blocks of packs. */
export interface BlockCache {
  blocks: { get(key: string): Block | undefined; set(key: string, block: Block): unknown };
  /** Counts opened packs: each has its own number in the keys, so blocks of a replaced pack are never taken for those of its successor. */
  packs: number;
}

const LINE_FEED = 0x0a;
const COMMA = 0x2c;

/** A cache of at most `mostBytes`. */
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
export function blocksOf(layout: BlockLayout, from: number, to: number): BlockSpan[] {
  const firstRows = layout.index.column('blockRow');
  if (from >= to) return [];
  const first = lowerBound(firstRows, from + 1, 0, firstRows.length) - 1;
  const last = lowerBound(firstRows, to, 0, firstRows.length) - 1;
  const spanOf = spansOf(layout);
  return Array.from({ length: last - first + 1 }, (_, number) => spanOf(first + number));
}

/** All blocks of a pack. */
export function everyBlock(layout: BlockLayout): BlockSpan[] {
  const spanOf = spansOf(layout);
  return Array.from(layout.index.column('blockRow'), (_, number) => spanOf(number));
}

/** The position of each block in its pack, by its number. */
function spansOf({ bytes, index }: BlockLayout): (number: number) => BlockSpan {
  const low = index.column('blockStart');
  const high = index.column('blockStartHigh');
  const offset = (block: number): number =>
    block < low.length ? (high[block] ?? 0) * 2 ** 32 + (low[block] ?? 0) : bytes;
  return (number) => ({ number, start: offset(number), length: offset(number + 1) - offset(number) });
}

/** Whether a sha256 is that of a block; `hashes` is the column `blockHash`. */
export function isBlock(hashes: Uint32Array, number: number, sha256: Uint8Array): boolean {
  const words = hashes.subarray(number * 8, number * 8 + 8);
  const view = new DataView(sha256.buffer, sha256.byteOffset, sha256.byteLength);
  return words.length === 8 && words.every((word, position) => view.getUint32(position * 4) === word);
}

/**
 * Rows of a pack that is in memory and was checked. A block is cut into lines, in place, when one of its rows is first needed. The
 * ends of lines are kept for the whole pack, so that later ranges are found without looking up blocks.
 */
export function rowsInMemory(layout: BlockLayout, whole: Uint8Array): CopyRows {
  const firstRows = layout.index.column('blockRow');
  const spanOf = spansOf(layout);
  // A plain Uint8Array, because subarray of a Buffer makes a Buffer, which is slower.
  const joined = new Uint8Array(whole.buffer, whole.byteOffset, whole.length);
  /** Offset after each line's separator; 0 where its block was not cut yet. */
  const ends = new Uint32Array(layout.rows);
  const sizes = firstRows.subarray(1).map((row, before) => row - (firstRows[before] ?? 0));
  /** Rows of the smallest block except the last: steps of this size skip no block. */
  const step = sizes.reduce((least, rows) => Math.min(least, rows), layout.rows);
  const cut = (row: number): void => {
    const number = lowerBound(firstRows, row + 1, 0, firstRows.length) - 1;
    const firstRow = firstRows[number] ?? 0;
    const { start, length } = spanOf(number);
    const raw = joined.subarray(start, start + length);
    const block = joinLines(raw, firstRow, (firstRows[number + 1] ?? layout.rows) - firstRow);
    for (const [at, end] of block.ends.entries()) ends[firstRow + at] = start + end;
  };
  return (from, to, chunks = []) => {
    if (from >= to) return chunks;
    // The first row begins where the row before it ends.
    for (let row = Math.max(0, from - 1); row < to; row += step) if (ends[row] === 0) cut(row);
    if (ends[to - 1] === 0) cut(to - 1);
    chunks.push(joined.subarray(ends[from - 1] ?? 0, (ends[to - 1] ?? 1) - 1));
    return chunks;
  };
}

/**
 * Rows as responses carry them. The `digest` (sha256) of each loaded block is checked; it is null where blocks were checked
 * already. Without a cache every loaded block is kept. Throws an Error on damage.
 */
export function blockRows(
  layout: BlockLayout,
  read: ReadBlock,
  { digest, cache }: { digest: ((bytes: Uint8Array) => Uint8Array) | null; cache: BlockCache | null },
): CopyRows {
  const { rows, index } = layout;
  const firstRows = index.column('blockRow');
  const hashes = index.column('blockHash');
  const spanOf = spansOf(layout);
  const kept = cache ? cachedBlocks(cache) : new Map<number, Block>();

  const load = (number: number): Block => {
    const known = kept.get(number);
    if (known) return known;
    const raw = read(spanOf(number));
    if (digest && !isBlock(hashes, number, digest(raw)))
      throw new Error(`block ${number} does not match its sha256`);
    const firstRow = firstRows[number] ?? 0;
    const block = joinLines(raw, firstRow, (firstRows[number + 1] ?? rows) - firstRow);
    kept.set(number, block);
    return block;
  };

  return (from, to, chunks = []) => {
    let number = lowerBound(firstRows, from + 1, 0, firstRows.length) - 1;
    for (let row = from; row < to; number += 1) {
      const { joined, ends, firstRow } = load(number);
      const last = Math.min(to, firstRow + ends.length);
      const begin = row === firstRow ? 0 : (ends[row - firstRow - 1] ?? 0);
      chunks.push(joined.subarray(begin, (ends[last - firstRow - 1] ?? 1) - 1));
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

/** The memory that a block takes, in bytes. */
export function bytesOfBlock({ joined, ends }: Block): number {
  return joined.length + ends.byteLength;
}

function joinLines(raw: Uint8Array, firstRow: number, rows: number): Block {
  // A plain Uint8Array, because subarray of a Buffer makes a Buffer, which is slower.
  const joined = new Uint8Array(raw.buffer, raw.byteOffset, raw.length);
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

/** The list of packs in a parsed document. Throws an Error for one in another form, even when its hash is right. */
export function manifestOf(document: JsonValue | undefined): PackManifest {
  const { schema, packs, editions, revisions, unavailable: others } = isObject(document) ? document : {};
  const isList = (list: JsonValue | undefined, isOne: (one: JsonValue) => boolean): boolean =>
    Array.isArray(list) && list.every(isOne);
  const isWhole =
    schema === 'svc.packs.v1' &&
    [packs, editions, isObject(revisions) ? [revisions] : []].every((list) => isList(list, isEntry)) &&
    isList(others, isObject);
  if (!isWhole) throw new Error(`${PACK_MANIFEST} is not a list of packs`);
  return document as unknown as PackManifest;
}

/** Whether a value has what is needed to open a pack. */
function isEntry(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const { id, kind, rows, index, meta } = value;
  const isNamed = typeof id === 'string' && typeof kind === 'string';
  return isNamed && isSize(rows) && isObject(meta) && isFile(value) && isFile(index);
}

function isFile(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  const { path, bytes, sha256 } = value;
  return typeof path === 'string' && isSize(bytes) && typeof sha256 === 'string';
}

function isSize(value: JsonValue | undefined): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The pack of an id, of the current edition, an earlier one or the revisions. Throws an unavailable Fault where there is none. */
export function entryOf(id: string, release: Release): PackEntry {
  const entry = release.derive(packEntries).get(id);
  if (!entry) throw unavailable(`Dataset ${id}`);
  return entry;
}

function packEntries(release: Release): Map<string, PackEntry> {
  const { packs, editions, revisions } = release.manifest();
  return new Map(
    [...packs, ...editions, ...(revisions ? [revisions] : [])].map((entry) => [entry.id, entry]),
  );
}

/**
 * The `derive` of a release or a pack. Values are kept by the function that makes them, unless `isWhole` says that something was
 * missing when they were made.
 */
export function deriving(
  isWhole: () => boolean = () => true,
): <Source, T extends object>(this: Source, make: (source: Source) => T) => T {
  const made = new Map<unknown, object>();
  return function derive<Source, T extends object>(this: Source, make: (source: Source) => T): T {
    const known = made.get(make);
    if (known !== undefined) return known as T;
    const value = make(this);
    if (isWhole()) made.set(make, value);
    return value;
  };
}

/** A cache that belongs to a release. What was made while a part of the release was unavailable is not kept. */
export class KeptWith<Value extends object> extends LRUCache<string, Value> {
  readonly #release: Release;
  /** Hashes of recent keys, each in a slot that one of the next few thousand keys takes over. */
  readonly #seen = new Uint32Array(2 ** 12);

  constructor(release: Release, options: LRUCache.Options<string, Value, unknown>) {
    super(options);
    this.#release = release;
  }

  /**
   * Whether a key was requested at least twice a short while ago, so that its value is worth keeping: of millions of queries many
   * come twice by chance and would fill the cache. Rarely, two keys have the same hash, which only costs a little memory.
   */
  isFrequent(key: string): boolean {
    let mixed = 0x811c9dc5;
    for (let at = 0; at < key.length; at += 1) mixed = Math.imul(mixed ^ key.charCodeAt(at), 0x01000193);
    // The last bit says that the key was seen at least twice.
    const own = (mixed | 1) >>> 0;
    const place = (own >>> 1) % this.#seen.length;
    const before = this.#seen[place] ?? 0;
    const isKnown = (before | 1) >>> 0 === own;
    this.#seen[place] = isKnown ? own : own - 1;
    return before === own;
  }

  override set(...[key, value, options]: Parameters<LRUCache<string, Value>['set']>): this {
    return this.#release.isWhole?.() === false ? this : super.set(key, value, options);
  }
}
