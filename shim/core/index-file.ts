/**
 * The file format of a pack's index: magic, header length, a JSON header, then columns of unsigned integers, little-endian, each
 * 8-byte aligned. A column has 1, 2 or 4 bytes per value, as many as its largest value needs, and is read as 32-bit integers. The
 * meaning of the columns is documented where they are read: series.ts, series-directory.ts, series-words.ts, operations/entities.ts and
 * store/blocks.ts.
 */
import type { JsonObject, PackIndex } from './types.ts';

const MAGIC = 0x32_58_44_49; // "IDX2"
const PREAMBLE = 8;

/** Bytes per value. */
type Width = 1 | 2 | 4;

/** The column of the hashes of pieces, the first of an index that has it. */
export const PIECES = 'pieceHash';
/** Bytes of a piece; an index whose columns are larger than this many pieces has their hashes. */
export const PIECE_BYTES = 16 * 1024;
const MOST_WITHOUT = 16;

/**
 * Serializes an index. Column order is the header's; values are 0..2^32-1. What follows the header in a large one is hashed in pieces by
 * `digest` (sha256), 8 words each, so that a reader can check the few pieces that it needs.
 */
export function encodeIndex(
  header: JsonObject,
  columns: Record<string, Uint32Array>,
  digest?: (bytes: Uint8Array) => Uint8Array,
): Uint8Array {
  const body = bytesOf(columns);
  const isLarge = body.length > MOST_WITHOUT * PIECE_BYTES;
  const pieces = isLarge && digest ? { [PIECES]: hashesOf(body, digest) } : {};
  const all = Object.entries({ ...pieces, ...columns });
  const layout = all.map(([name, values]) => [name, values.length, widthOf(values)]);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: layout }));
  const hashes = bytesOf(pieces);
  const start = aligned(PREAMBLE + text.length);
  const bytes = new Uint8Array(start + hashes.length + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  bytes.set(text, PREAMBLE);
  bytes.set(hashes, start);
  bytes.set(body, start + hashes.length);
  return bytes;
}

function bytesOf(columns: Record<string, Uint32Array>): Uint8Array {
  const all = Object.values(columns).map((values) => ({ values, width: widthOf(values) }));
  const bytes = new Uint8Array(
    all.reduce((sum, { values, width }) => sum + aligned(values.length * width), 0),
  );
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { values, width } of all) {
    for (const [position, value] of values.entries()) write(view, at + position * width, value, width);
    at += aligned(values.length * width);
  }
  return bytes;
}

function hashesOf(body: Uint8Array, digest: (bytes: Uint8Array) => Uint8Array): Uint32Array {
  const words: number[] = [];
  for (let at = 0; at < body.length; at += PIECE_BYTES)
    words.push(...wordsOf(digest(body.subarray(at, at + PIECE_BYTES))));
  return Uint32Array.from(words);
}

/** The 8 words of a sha256, as indexes have it. */
export function wordsOf(sha256: Uint8Array): number[] {
  const view = new DataView(sha256.buffer, sha256.byteOffset, sha256.byteLength);
  return Array.from({ length: 8 }, (_, word) => view.getUint32(word * 4));
}

function widthOf(values: Uint32Array): Width {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return largest < 2 ** 8 ? 1 : largest < 2 ** 16 ? 2 : 4;
}

function write(view: DataView, at: number, value: number, width: Width): void {
  if (width === 1) view.setUint8(at, value);
  else if (width === 2) view.setUint16(at, value, true);
  else view.setUint32(at, value, true);
}

/** Where a column is in the file. */
type Place = [at: number, count: number, width: Width];

/** The header of an index, and where its columns are. Throws an Error when the bytes do not begin one. */
export function layoutOf(bytes: Uint8Array): { header: JsonObject; places: Map<string, Place>; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREAMBLE || view.getUint32(0, true) !== MAGIC)
    throw new Error('not an index file of this version');
  const length = view.getUint32(4, true);
  const header = JSON.parse(
    new TextDecoder().decode(bytes.subarray(PREAMBLE, PREAMBLE + length)),
  ) as JsonObject;
  const places = new Map<string, Place>();
  let end = aligned(PREAMBLE + length);
  for (const [name, count, width] of header['columns'] as [string, number, Width][]) {
    places.set(name, [end, count, width]);
    end += aligned(count * width);
  }
  return { header, places, end };
}

/** The size of what comes before the pieces of an index; null where it has none. */
export function headBytes(index: Uint8Array): number | null {
  const [at = 0, count = 0, width = 0] = layoutOf(index).places.get(PIECES) ?? [];
  return count === 0 ? null : at + count * width;
}

/** Decodes an index; throws an Error when the bytes are not one. */
export function decodeIndex(bytes: Uint8Array): PackIndex {
  const { header, places, end } = layoutOf(bytes);
  if (end > bytes.length) throw new Error('truncated index file');
  const columns = new Map<string, Uint32Array>();
  return {
    header,
    column(name) {
      const known = columns.get(name);
      if (known) return known;
      const column = columnAt(bytes, ...ofColumn(places, name));
      columns.set(name, column);
      return column;
    },
  };
}

/** What is known of a column. Throws an Error where the index does not have it. */
export function ofColumn<Value>(known: ReadonlyMap<string, Value>, name: string): Value {
  const found = known.get(name);
  if (found === undefined) throw new Error(`index has no column ${name}`);
  return found;
}

/** The values of a column: a view of 32-bit ones where byte order and alignment allow it, else a copy. */
export function columnAt(bytes: Uint8Array, at: number, count: number, width: Width): Uint32Array {
  const start = bytes.byteOffset + at;
  if (width === 1) return new Uint32Array(bytes.subarray(at, at + count));
  const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
  if (isLittleEndian && start % width === 0)
    return width === 4
      ? new Uint32Array(bytes.buffer, start, count)
      : new Uint32Array(new Uint16Array(bytes.buffer, start, count));
  const view = new DataView(bytes.buffer, start, count * width);
  const read = (position: number): number =>
    width === 4 ? view.getUint32(position * 4, true) : view.getUint16(position * 2, true);
  return Uint32Array.from({ length: count }, (_, position) => read(position));
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
