/**
 * Cursors: opaque, base64url, without secret or server state. 31 bytes: version, 8 of the query's hash (resource and
 * normalized filters, not the limit), 8 of the hash of the packaged data, 6 of the row the next page starts at, 8 of the
 * hash of all before. Every mirror of the same bytes makes and accepts the same ones.
 */
import { Fault, invalidParameter } from './faults.ts';
import type { PackEntry, Store } from './types.ts';

/** What a cursor is bound to. */
export interface CursorScope {
  resource: string;
  /** Filters that were given; order does not matter. */
  filters: { [name: string]: string | number };
  /** Every pack of the resource in the fixed order: their sha256s identify the packaged data bytes. */
  packs: readonly PackEntry[];
  /** Rows of the resource in all; a cursor points inside. */
  rows: number;
}

const VERSION = '01';
/** 31 bytes in base64url and in hex. */
const CHARACTERS = 42;
const HEX_DIGITS = 62;
const ACCEPTS = 'a next_cursor of this resource, unchanged and with the same filters';

/** The cursor of the page that starts at `row`. */
export function encodeCursor(store: Store, scope: CursorScope, row: number): string {
  const bound = `${VERSION}${queryHash(store, scope)}${dataHash(store, scope)}${row.toString(16).padStart(12, '0')}`;
  return base64url(`${bound}${short(store, bound)}`);
}

/** The row a cursor points at. Throws invalid_request (malformed, altered, other filters) or stale_cursor (other data). */
export function decodeCursor(store: Store, scope: CursorScope, cursor: string): number {
  const text = fromBase64url(cursor);
  if (text === null || !text.startsWith(VERSION)) throw refused(cursor);
  const bound = text.slice(0, 46);
  if (text.slice(46) !== short(store, bound)) throw refused(cursor);
  if (bound.slice(2, 18) !== queryHash(store, scope)) throw refused(cursor);
  if (bound.slice(18, 34) !== dataHash(store, scope)) {
    throw new Fault(
      'stale_cursor',
      'The packaged data changed since this cursor was made. Restart from the first page, without "cursor".',
    );
  }
  const row = Number.parseInt(bound.slice(34), 16);
  if (row <= 0 || row >= scope.rows) throw refused(cursor);
  return row;
}

function refused(cursor: string): Fault {
  return invalidParameter('cursor', cursor, ACCEPTS);
}

function queryHash(store: Store, { resource, filters }: CursorScope): string {
  const given = Object.keys(filters)
    .sort()
    .map((name) => [name, filters[name]]);
  return short(store, JSON.stringify([resource, given]));
}

const dataHashes = new WeakMap<readonly PackEntry[], string>();

function dataHash(store: Store, { packs }: CursorScope): string {
  const known = dataHashes.get(packs);
  if (known !== undefined) return known;
  const made = short(store, packs.map(({ sha256 }) => sha256).join(' '));
  dataHashes.set(packs, made);
  return made;
}

/** The first 8 bytes of a hash, as hex. */
function short(store: Store, text: string): string {
  return store.sha256(text).slice(0, 16);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Four bits a digit in, six bits a character out; zeros fill up the last one. */
function base64url(hex: string): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (let at = 0; at < hex.length; at += 1) {
    const code = hex.charCodeAt(at);
    bits = (bits << 4) | (code - (code < 0x3a ? 0x30 : 0x57));
    held += 4;
    if (held < 6) continue;
    held -= 6;
    text += ALPHABET.charAt((bits >> held) & 63);
    bits &= (1 << held) - 1;
  }
  return held === 0 ? text : text + ALPHABET.charAt((bits << (6 - held)) & 63);
}

/** The hex of a canonical cursor, null of anything else. */
function fromBase64url(text: string): string | null {
  if (text.length !== CHARACTERS || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  let hex = '';
  let bits = 0;
  let held = 0;
  for (let at = 0; at < CHARACTERS; at += 1) {
    bits = (bits << 6) | ALPHABET.indexOf(text.charAt(at));
    held += 6;
    for (; held >= 4 && hex.length < HEX_DIGITS; held -= 4) {
      hex += ((bits >> (held - 4)) & 15).toString(16);
    }
    bits &= (1 << held) - 1;
  }
  return base64url(hex) === text ? hex : null;
}
