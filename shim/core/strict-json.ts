/**
 * Strict JSON for bytes from elsewhere. JSON.parse checks the grammar, but it keeps the last of two equal keys and rounds numbers
 * that do not fit; both are refused here, as are a byte order mark, malformed UTF-8, lone surrogates, and numbers that would
 * become infinity, zero or another whole number. The scan does not recurse, so no depth of nesting exhausts the stack.
 */
import type { JsonValue } from './types.ts';

/** Bytes that are not strict JSON. The message names the kind and the offset, and repeats nothing of the text. */
export class NotStrictJson extends Error {
  override readonly name = 'NotStrictJson';
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads UTF-8 JSON; undefined when it is nested deeper than `maxDepth` (it is not built then). Throws NotStrictJson. */
export function readStrictJson(bytes: Uint8Array, maxDepth: number): JsonValue | undefined {
  try {
    const text = UTF8.decode(bytes);
    return isTooDeep(text, maxDepth) ? undefined : (JSON.parse(text) as JsonValue);
  } catch (error) {
    throw error instanceof NotStrictJson ? error : new NotStrictJson('not UTF-8 JSON');
  }
}

const TOKEN = /[{}[\]"]|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;
const COLON = /[ \n\r\t]*:/y;

/** Whether the text is nested deeper than allowed. Throws at what JSON.parse would take; the grammar is left to that. */
function isTooDeep(text: string, maxDepth: number): boolean {
  /** The open containers: the keys seen in an object, null for an array. */
  const open: (Set<string> | null)[] = [];
  let tooDeep = false;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const { 0: printed, index } = token;
    if (printed === '{' || printed === '[') {
      open.push(printed === '{' && !tooDeep ? new Set() : null);
      tooDeep ||= open.length > maxDepth;
    } else if (printed === '}' || printed === ']') open.pop();
    else if (printed === '"') {
      TOKEN.lastIndex = endOfString(text, index);
      checkString(text, index, TOKEN.lastIndex, open.at(-1) ?? null);
    } else if (!survives(printed)) throw new NotStrictJson(`number that does not fit at offset ${index}`);
  }
  if (tooDeep && open.length > 0) throw new NotStrictJson(`unclosed bracket at offset ${text.length}`);
  return tooDeep;
}

/** The offset after the closing quote, or that of the end. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function checkString(text: string, from: number, end: number, keys: Set<string> | null): void {
  let string = text.slice(from + 1, end - 1);
  if (string.includes('\\')) {
    string = JSON.parse(text.slice(from, end)) as string;
    if (/\p{Surrogate}/u.test(string)) throw new NotStrictJson(`lone surrogate at offset ${from}`);
  }
  COLON.lastIndex = end;
  if (!keys || !COLON.test(text)) return;
  if (keys.has(string)) throw new NotStrictJson(`duplicate key at offset ${from}`);
  keys.add(string);
}

/**
 * Whether double precision keeps what was printed: finite, not turned into zero, and from 2^53 on, where doubles are whole
 * and grow sparse, the same number. Smaller fractions are rounded, as by every reader of JSON.
 */
function survives(printed: string): boolean {
  const value = Number(printed);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/[1-9]/.test(printed.split(/e/i)[0] ?? '');
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || decimal(printed) === decimal(String(value));
}

const DECIMAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/i;

/** The exact decimal value as text, without its sign: `36607212776904730` and `3660721277690473.0e1` give the same. */
function decimal(printed: string): string {
  const [, whole = '', fraction = '', power = '0'] = DECIMAL.exec(printed) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  // An expression that looks for zeros at the end would look again from each of millions of them.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const exponent = Number(power) - fraction.length + digits.length;
  return `${digits.slice(0, end)}e${exponent}`;
}
