/**
 * The file format of a pack's index: magic, header length, a JSON header, then columns of unsigned 32-bit integers,
 * little-endian, each 8-byte aligned. Written by the build, decoded without copying; what the columns mean is said in
 * series.ts and operations/entities.ts.
 */
import type { JsonObject, PackIndex } from './types.ts';

const MAGIC = 0x31_58_44_49; // "IDX1"
const PREAMBLE = 8;

/** Serializes an index. Column order is the header's; values are 0..2^32-1. */
export function encodeIndex(header: JsonObject, columns: Record<string, Uint32Array>): Uint8Array {
  const names = Object.keys(columns);
  const layout = names.map((name) => [name, columns[name]?.length ?? 0]);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: layout }));
  const start = aligned(PREAMBLE + text.length);
  const size = names.reduce((sum, name) => sum + aligned((columns[name]?.length ?? 0) * 4), start);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  bytes.set(text, PREAMBLE);
  let at = start;
  for (const name of names) {
    const column = columns[name] ?? new Uint32Array();
    for (const [position, value] of column.entries()) view.setUint32(at + position * 4, value, true);
    at += aligned(column.length * 4);
  }
  return bytes;
}

/** Decodes an index; throws an Error when the bytes are not one. */
export function decodeIndex(bytes: Uint8Array): PackIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREAMBLE || view.getUint32(0, true) !== MAGIC) throw new Error('not an index file');
  const length = view.getUint32(4, true);
  const header = JSON.parse(
    new TextDecoder().decode(bytes.subarray(PREAMBLE, PREAMBLE + length)),
  ) as JsonObject;
  const columns = new Map<string, Uint32Array>();
  let at = aligned(PREAMBLE + length);
  for (const [name, count] of header['columns'] as [string, number][]) {
    if (at + count * 4 > bytes.length) throw new Error('truncated index file');
    columns.set(name, columnAt(bytes, at, count));
    at += aligned(count * 4);
  }
  return {
    header,
    column(name) {
      const column = columns.get(name);
      if (!column) throw new Error(`index has no column ${name}`);
      return column;
    },
  };
}

/** A view where the machine's byte order and alignment allow it, else a copy. */
function columnAt(bytes: Uint8Array, at: number, count: number): Uint32Array {
  const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
  if (littleEndian && (bytes.byteOffset + at) % 4 === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset + at, count);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, count * 4);
  return Uint32Array.from({ length: count }, (_, position) => view.getUint32(position * 4, true));
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
