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

/** Serializes an index. Column order is the header's; values are 0..2^32-1. */
export function encodeIndex(header: JsonObject, columns: Record<string, Uint32Array>): Uint8Array {
  const all = Object.entries(columns).map(([name, values]) => ({ name, values, width: widthOf(values) }));
  const layout = all.map(({ name, values, width }) => [name, values.length, width]);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: layout }));
  const start = aligned(PREAMBLE + text.length);
  const size = all.reduce((sum, { values, width }) => sum + aligned(values.length * width), start);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  bytes.set(text, PREAMBLE);
  let at = start;
  for (const { values, width } of all) {
    for (const [position, value] of values.entries()) write(view, at + position * width, value, width);
    at += aligned(values.length * width);
  }
  return bytes;
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

/** Decodes an index; throws an Error when the bytes are not one. */
export function decodeIndex(bytes: Uint8Array): PackIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREAMBLE || view.getUint32(0, true) !== MAGIC)
    throw new Error('not an index file of this version');
  const length = view.getUint32(4, true);
  const header = JSON.parse(
    new TextDecoder().decode(bytes.subarray(PREAMBLE, PREAMBLE + length)),
  ) as JsonObject;
  const places = new Map<string, [at: number, count: number, width: Width]>();
  let at = aligned(PREAMBLE + length);
  for (const [name, count, width] of header['columns'] as [string, number, Width][]) {
    if (at + count * width > bytes.length) throw new Error('truncated index file');
    places.set(name, [at, count, width]);
    at += aligned(count * width);
  }
  const columns = new Map<string, Uint32Array>();
  return {
    header,
    column(name) {
      const known = columns.get(name);
      if (known) return known;
      const place = places.get(name);
      if (!place) throw new Error(`index has no column ${name}`);
      const column = columnAt(bytes, ...place);
      columns.set(name, column);
      return column;
    },
  };
}

/** The values of a column: a view of 32-bit ones where byte order and alignment allow it, else a copy. */
function columnAt(bytes: Uint8Array, at: number, count: number, width: Width): Uint32Array {
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
