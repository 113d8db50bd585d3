/**
 * Strict JSON for bytes of others. JSON.parse takes the last of two equal keys and rounds what does not fit; here both are
 * refused, as are a byte order mark, malformed UTF-8, half surrogate pairs, and numbers that would turn into infinity, into
 * zero or into another whole number. The scan keeps its own stack, so no depth of nesting can exhaust the engine's.
 */
import type { JsonValue } from '../core/types.ts';

/** Text that is not strict JSON. The message tells the kind and the offset, nothing of the text. */
export class NotStrictJson extends Error {
  constructor(what: string, at: number) {
    super(`${what} at offset ${at}`);
    this.name = 'NotStrictJson';
  }
}

/** A document and how deep it is nested; `value` is undefined where that is deeper than allowed (it is not built then). */
export interface StrictJson {
  value: JsonValue | undefined;
  depth: number;
}

/** Reads UTF-8 JSON bytes. Throws NotStrictJson. */
export function readStrictJson(bytes: Uint8Array, maxDepth: number): StrictJson {
  const text = decoded(bytes);
  const depth = scan(text, maxDepth);
  return { value: depth > maxDepth ? undefined : (JSON.parse(text) as JsonValue), depth };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotStrictJson('malformed UTF-8', 0);
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An open container: the keys seen in an object, null for an array. */
type Frame = Set<string> | null;
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'next';

/** Checks the whole text; returns its depth of nesting. Keys below `maxDepth` are not compared: the text is refused anyway. */
function scan(text: string, maxDepth: number): number {
  const open: Frame[] = [];
  let expected: Expected = 'value';
  let depth = 0;
  let at = 0;
  for (;;) {
    at = afterSpace(text, at);
    const code = text.charCodeAt(at);
    const frame = open.at(-1);
    if (expected === 'next' && frame === undefined) {
      if (at === text.length) return depth;
      throw new NotStrictJson('text after the value', at);
    }
    if (
      expected !== 'value' &&
      expected !== 'key' &&
      code === (frame === null ? CLOSE_ARRAY : CLOSE_OBJECT)
    ) {
      open.pop();
      at += 1;
      expected = 'next';
    } else if (expected === 'next') {
      if (code !== COMMA) throw new NotStrictJson('neither comma nor closing bracket', at);
      at += 1;
      expected = frame ? 'key' : 'value';
    } else if (frame && (expected === 'key' || expected === 'first key')) {
      at = afterKey(text, at, open.length > maxDepth ? null : frame);
      expected = 'value';
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open.push(code === OPEN_ARRAY ? null : new Set());
      depth = Math.max(depth, open.length);
      at += 1;
      expected = code === OPEN_ARRAY ? 'first value' : 'first key';
    } else {
      at = code === QUOTE ? afterString(text, at) : afterWord(text, at);
      expected = 'next';
    }
  }
}

function afterSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

function afterKey(text: string, from: number, keys: Set<string> | null): number {
  if (text.charCodeAt(from) !== QUOTE) throw new NotStrictJson('no key', from);
  const end = afterString(text, from);
  const printed = text.slice(from + 1, end - 1);
  const key = printed.includes('\\') ? (JSON.parse(text.slice(from, end)) as string) : printed;
  if (keys?.has(key)) throw new NotStrictJson('a key that stands twice', from);
  keys?.add(key);
  const at = afterSpace(text, end);
  if (text.charCodeAt(at) !== COLON) throw new NotStrictJson('no colon', at);
  return at + 1;
}

function afterString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at = afterEscape(text, at);
    else if (code >= 0x20) at += 1;
    else throw new NotStrictJson('a string that does not end, or holds a control character', at);
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(?!d[89a-f])[0-9a-f]{4}))/iy;

function afterEscape(text: string, from: number): number {
  ESCAPE.lastIndex = from;
  if (!ESCAPE.test(text)) throw new NotStrictJson('a malformed escape', from);
  return ESCAPE.lastIndex;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = ['true', 'false', 'null'];

function afterWord(text: string, from: number): number {
  NUMBER.lastIndex = from;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined) {
    if (!survives(number)) throw new NotStrictJson('a number that does not fit', from);
    return from + number.length;
  }
  const word = WORDS.find((candidate) => text.startsWith(candidate, from));
  if (word === undefined) throw new NotStrictJson('no value', from);
  return from + word.length;
}

/**
 * Whether double precision keeps what was printed: finite, not turned into zero, and from 2^53 on, where doubles are whole
 * and grow sparse, the same number. Fractions below are rounded, as by every reader of JSON.
 */
function survives(printed: string): boolean {
  const value = Number(printed);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/[1-9]/.test(printed.split(/e/i)[0] ?? '');
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || decimal(printed) === decimal(String(value));
}

/** The exact decimal value as text, without its sign: `36607212776904730`, `3660721277690473.0e1` are one. */
function decimal(printed: string): string {
  const [, whole = '', fraction = '', power = '0'] = DECIMAL.exec(printed) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return `${significant}e${exponent}`;
}

const DECIMAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/i;
