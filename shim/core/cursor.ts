/**
 * Cursors: opaque, base64url, without secret or server state. 31 bytes: version, 8 of the query's hash (resource and
 * normalized filters, not the limit), 8 of the hash of the packaged data, 6 of the row the next page starts at, 8 of the
 * hash of all before. Every mirror of the same bytes makes and accepts the same ones.
 */
import { Fault, invalidParameter } from './faults.ts';
import type { Store } from './types.ts';

/** What a cursor is bound to. */
export interface CursorScope {
  resource: string;
  /** Filters that were given; order does not matter. */
  filters: { [name: string]: string | number };
  /** Identifies the packaged data bytes: the sha256s of the resource's packs. */
  data: string;
  /** Rows of the resource in all; a cursor points inside. */
  rows: number;
}

const VERSION = 1;
const LENGTH = 31;
const ACCEPTS = 'a next_cursor of this resource, unchanged and with the same filters';

/** The cursor of the page that starts at `row`. */
export function encodeCursor(store: Store, scope: CursorScope, row: number): string {
  const bytes = new Uint8Array(LENGTH);
  bytes[0] = VERSION;
  bytes.set(digest(store, queryText(scope)), 1);
  bytes.set(digest(store, scope.data), 9);
  for (let byte = 0; byte < 6; byte += 1) bytes[17 + byte] = Math.floor(row / 256 ** (5 - byte)) % 256;
  bytes.set(digest(store, hex(bytes.subarray(0, 23))), 23);
  return base64url(bytes);
}

/** The row a cursor points at. Throws invalid_request (malformed, altered, other filters) or stale_cursor (other data). */
export function decodeCursor(store: Store, scope: CursorScope, cursor: string): number {
  const bytes = fromBase64url(cursor);
  if (!bytes || bytes.length !== LENGTH || base64url(bytes) !== cursor || bytes[0] !== VERSION)
    throw refused(cursor);
  if (!same(bytes.subarray(23), digest(store, hex(bytes.subarray(0, 23))))) throw refused(cursor);
  if (!same(bytes.subarray(1, 9), digest(store, queryText(scope)))) throw refused(cursor);
  if (!same(bytes.subarray(9, 17), digest(store, scope.data))) {
    throw new Fault(
      'stale_cursor',
      'The packaged data changed since this cursor was made. Restart from the first page, without "cursor".',
    );
  }
  let row = 0;
  for (const byte of bytes.subarray(17, 23)) row = row * 256 + byte;
  if (row <= 0 || row >= scope.rows) throw refused(cursor);
  return row;
}

function refused(cursor: string): Fault {
  return invalidParameter('cursor', cursor, ACCEPTS);
}

function queryText({ resource, filters }: CursorScope): string {
  const given = Object.keys(filters)
    .sort()
    .map((name) => [name, filters[name]]);
  return JSON.stringify([resource, given]);
}

function digest(store: Store, text: string): Uint8Array {
  const sum = store.sha256(text);
  return Uint8Array.from({ length: 8 }, (_, byte) => Number.parseInt(sum.slice(byte * 2, byte * 2 + 2), 16));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
