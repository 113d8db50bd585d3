/** The wire shapes of REST: a Result becomes bytes once, here. Records pass through untouched. */
import type { Result } from './call.ts';
import { FAULTS, type Fault } from './faults.ts';
import { ENVELOPED } from './paths.ts';
import type { JsonObject, JsonValue, Payload, RawList, Release, SharedList } from './types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const COMMA = 0x2c;
/** Bytes of a UTF-16 unit in UTF-8, at most. */
const MOST_UTF8 = 3;

/** A body before it is bytes. */
export interface Body {
  /** It has no more bytes than this. */
  most: number;
  /** What decides the bytes and is much shorter: all text outside of records, and for these the rows of packs they are. Null where only the bytes do. */
  identity: string | null;
  /** Writes it to the beginning of `room`, which is long enough; returns that part. */
  writeTo(room: Uint8Array): Uint8Array;
}

/** Status and body of a result. */
export function written(resource: string, result: Result): { status: number; body: Uint8Array } {
  if (result.ok) return { status: 200, body: successBody(resource, result.payload) };
  const { fault, data } = result;
  return { status: FAULTS[fault.code].status, body: errorBody(fault, resource, data) };
}

/** `{ok:true, resource, data}`. */
export function successOf(resource: string, payload: Payload): Body {
  return bodyOf(`{"ok":true,"resource":${JSON.stringify(resource)},"data":`, payload, '}');
}

/** The bytes of `successOf`. */
export function successBody(resource: string, payload: Payload): Uint8Array {
  return bytesOf(successOf(resource, payload));
}

/** `{ok:false, error, message}`; with `resource` and `data` where the 503 of a resource carries a payload. */
export function errorBody(fault: Fault, resource?: string, data: JsonObject | null = null): Uint8Array {
  const { code: error, message } = fault;
  const carried = resource !== undefined && data !== null && ENVELOPED.has(resource);
  return encoder.encode(
    JSON.stringify(carried ? { ok: false, resource, error, message, data } : { ok: false, error, message }),
  );
}

/** The payload alone: the structured content of MCP. */
export function payloadBytes(payload: Payload): Uint8Array {
  return bytesOf(bodyOf('', payload, ''));
}

/** The bytes of a body, in memory of their own. */
export function bytesOf({ most, writeTo }: Body): Uint8Array {
  const bytes = writeTo(uninitialized(most));
  const own = uninitialized(bytes.length);
  own.set(bytes);
  return own;
}

function bodyOf(before: string, payload: Payload, after: string): Body {
  const parts: (string | RawList)[] = [];
  let identity: string | null = '';
  let most = 0;
  let text = before;
  const endText = (): void => {
    parts.push(text);
    most += text.length * MOST_UTF8;
    if (identity !== null) identity += text;
  };
  let separator = '{';
  // Member names are plain ASCII words and need no escape.
  for (const member in payload) {
    const value = payload[member] ?? null;
    text += `${separator}"${member}":`;
    separator = ',';
    const list = rawListOf(value);
    if (!list) text += JSON.stringify(value);
    else {
      text += '[';
      endText();
      parts.push(list);
      for (const chunk of list) most += chunk.length + 1;
      identity = list.rows === undefined || identity === null ? null : identity + list.rows;
      text = ']';
    }
  }
  text += `${separator === '{' ? '{' : ''}}${after}`;
  endText();
  return { most, identity: parts.length > 1 ? identity : null, writeTo: (room) => filled(room, parts) };
}

/** Serialized records read back, in their order. What they are is known to the taker. */
export function recordsOf(chunks: RawList): unknown[] {
  return JSON.parse(`[${chunks.map((chunk) => decoder.decode(chunk)).join(',')}]`) as unknown[];
}

/** The list that is bytes already; null where there is none, and for an empty one, which is written the same either way. */
function rawListOf(value: Payload[string]): RawList | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  if ('written' in value) return value.written;
  return value[0] instanceof Uint8Array ? (value as RawList) : null;
}

/** How a value of a release is written, and the beginning of the sha256 of that. */
interface Shared {
  bytes: Uint8Array;
  hash: string;
}

const sharedValues = (_release: Release): Map<JsonValue, Shared> => new Map();

/** A list of values, each of which is written once in the life of a release: they may only be those that the release holds itself. */
export function sharedList(values: readonly JsonValue[], release: Release): SharedList {
  const known = release.derive(sharedValues);
  const list: RawList = [];
  list.rows = '';
  for (const value of values) {
    let shared = known.get(value);
    if (!shared) {
      const text = JSON.stringify(value);
      known.set(value, (shared = { bytes: encoder.encode(text), hash: release.sha256(text).slice(0, 16) }));
    }
    list.push(shared.bytes);
    list.rows += shared.hash;
  }
  return Object.assign([...values], { written: list });
}

/** Writes the parts to the beginning of `room`; the members of a list are separated by commas. */
function filled(room: Uint8Array, parts: readonly (string | RawList)[]): Uint8Array {
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      at += encoder.encodeInto(part, room.subarray(at)).written;
      continue;
    }
    for (const chunk of part) {
      room.set(chunk, at);
      at += chunk.length;
      room[at++] = COMMA;
    }
    at -= 1;
  }
  return room.subarray(0, at);
}

/** What node has beside every platform's own; nothing in a browser. */
const { Buffer: node } = globalThis as { Buffer?: { allocUnsafeSlow(length: number): Uint8Array } };

/** Bytes that are all overwritten need not be zeroed first, where the platform can leave them. */
function uninitialized(length: number): Uint8Array {
  return node?.allocUnsafeSlow(length) ?? new Uint8Array(length);
}
