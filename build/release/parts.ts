/**
 * A file as parts: ranges copied from known files, and the bytes between them. Finds ranges by a rolling hash over windows of
 * 32 bytes, so pages are copied from packs and a changed catalog from the last one, whatever their format.
 */
import type { Part } from './delta.ts';

const WINDOW = 32;
const BASE = 0x01_00_01_93;
const TOP = power(BASE, WINDOW - 1);
/** A copy costs about this many characters: shorter ranges are cheaper as text. */
const WORTH = 40;

/** Files that may be copied from, with the hashes of their windows. */
export interface Dictionary {
  /** Where a window of the target stands in a source; null where it does not. */
  find(target: Uint8Array, at: number, hash: number): { source: number; offset: number } | null;
  bytesOf(source: number): Uint8Array | undefined;
}

/** Indexes sources under their numbers. */
export function dictionaryOf(sources: Map<number, Uint8Array>): Dictionary {
  const windows = [...sources.values()].reduce((sum, { length }) => sum + Math.floor(length / WINDOW), 0);
  const size = 2 ** Math.ceil(Math.log2(windows * 2 + 2));
  const [numbers, offsets] = [new Int32Array(size).fill(-1), new Float64Array(size)];
  for (const [source, bytes] of sources) {
    for (let offset = 0; offset + WINDOW <= bytes.length; offset += WINDOW) {
      const slot = slotOf(windowHash(bytes, offset), size);
      if (numbers[slot] !== -1) continue;
      numbers[slot] = source;
      offsets[slot] = offset;
    }
  }
  return {
    find(target, at, hash) {
      const slot = slotOf(hash, size);
      const [source = -1, offset = 0] = [numbers[slot], offsets[slot]];
      const bytes = sources.get(source);
      return bytes && isSame(bytes, offset, target, at) ? { source, offset } : null;
    },
    bytesOf: (source) => sources.get(source),
  };
}

/** The parts of a file, copying from the dictionaries in their order. */
export function encodeParts(target: Uint8Array, dictionaries: Dictionary[]): Part[] {
  const parts: Part[] = [];
  let literal = 0;
  let at = 0;
  let hash = target.length >= WINDOW ? windowHash(target, 0) : 0;
  while (at + WINDOW <= target.length) {
    const copy = longestCopy(target, literal, at, hash, dictionaries);
    if (copy) {
      parts.push(...literalParts(target.subarray(literal, copy.start)));
      parts.push([copy.source, copy.offset, copy.length]);
      at = literal = copy.start + copy.length;
      if (at + WINDOW <= target.length) hash = windowHash(target, at);
      continue;
    }
    const leaving = Math.imul(target[at] ?? 0, TOP);
    hash = (Math.imul(hash - leaving, BASE) + (target[at + WINDOW] ?? 0)) | 0;
    at += 1;
  }
  return [...parts, ...literalParts(target.subarray(literal))];
}

/** The bytes of parts. Throws an Error when a part points outside its source. */
export function decodeParts(parts: Part[], source: (number: number) => Uint8Array): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part, 'utf8');
      if (!Array.isArray(part)) return Buffer.from(part.base64, 'base64');
      const [number, offset, length] = part;
      const bytes = source(number);
      if (offset + length > bytes.length) throw new Error(`a part copies past the end of source ${number}`);
      return bytes.subarray(offset, offset + length);
    }),
  );
}

function longestCopy(
  target: Uint8Array,
  literal: number,
  at: number,
  hash: number,
  dictionaries: Dictionary[],
): { start: number; source: number; offset: number; length: number } | null {
  for (const dictionary of dictionaries) {
    const found = dictionary.find(target, at, hash);
    const bytes = found && dictionary.bytesOf(found.source);
    if (!found || !bytes) continue;
    let [start, offset] = [at, found.offset];
    while (start > literal && offset > 0 && target[start - 1] === bytes[offset - 1])
      [start, offset] = [start - 1, offset - 1];
    let length = at - start + WINDOW;
    while (
      start + length < target.length &&
      offset + length < bytes.length &&
      target[start + length] === bytes[offset + length]
    )
      length += 1;
    if (length >= WORTH) return { start, source: found.source, offset, length };
  }
  return null;
}

/** Text where the bytes are UTF-8 on their own, else base64. */
function literalParts(bytes: Uint8Array): Part[] {
  if (bytes.length === 0) return [];
  try {
    return [new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)];
  } catch {
    return [{ base64: Buffer.from(bytes).toString('base64') }];
  }
}

function isSame(a: Uint8Array, from: number, b: Uint8Array, at: number): boolean {
  for (let step = 0; step < WINDOW; step += 1) if (a[from + step] !== b[at + step]) return false;
  return true;
}

function windowHash(bytes: Uint8Array, from: number): number {
  let hash = 0;
  for (let step = 0; step < WINDOW; step += 1) hash = (Math.imul(hash, BASE) + (bytes[from + step] ?? 0)) | 0;
  return hash;
}

/** Size is a power of two; the high bits of the product are the mixed ones. */
function slotOf(hash: number, size: number): number {
  return (Math.imul(hash, 0x9e_37_79_b1) >>> 7) & (size - 1);
}

function power(base: number, exponent: number): number {
  let value = 1;
  for (let step = 0; step < exponent; step += 1) value = Math.imul(value, base);
  return value;
}
