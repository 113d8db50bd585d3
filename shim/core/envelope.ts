/** The wire shapes of REST: a Result becomes bytes once, here. Records pass through untouched. */
import type { Result } from './call.ts';
import { FAULTS, type Fault } from './faults.ts';
import { ENVELOPED } from './paths.ts';
import type { JsonObject, JsonValue, Payload, RawList, Release, SharedList } from './types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const COMMA = 0x2c;
/** The most UTF-8 bytes of one UTF-16 code unit. */
const MOST_UTF8 = 3;
/** A room that is as full as this is kept as it is. */
const FULL = 0.9;
/** The bytes of a row number in an identity. */
const WORD_BYTES = 4;

/** A body that is not serialized yet. */
export interface Body {
  /** The most bytes that `writeTo` needs. */
  most: number;
  /** Writes it to the beginning of `room`, which is long enough. */
  writeTo(room: Uint8Array): WrittenBody;
}

/** A serialized body; both members are views of the room that `writeTo` was given. */
export interface WrittenBody {
  bytes: Uint8Array;
  /** Determines the bytes and is shorter to hash: the text outside of records, and the hashes and rows of their packs; else the bytes. */
  identity: Uint8Array;
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
  return keptBody(successOf(resource, payload)).bytes;
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
  return keptBody(bodyOf('', payload, '')).bytes;
}

/** A body in memory of its own, hardly larger than its bytes, so that it can be kept. */
export function keptBody({ most, writeTo }: Body): WrittenBody {
  const { bytes, identity } = writeTo(uninitialized(most));
  if (bytes.length > most * FULL) return { bytes, identity };
  const own = uninitialized(bytes.length);
  own.set(bytes);
  return { bytes: own, identity };
}

function bodyOf(before: string, payload: Payload, after: string): Body {
  const parts: (string | RawList)[] = [];
  let identity: string | null = '';
  let rows: readonly number[] = [];
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
    if (!list) text += value === null ? 'null' : JSON.stringify(value);
    else {
      text += '[';
      endText();
      parts.push(list);
      for (const chunk of list) most += chunk.length + 1;
      identity = list.decidedBy === undefined || identity === null ? null : identity + list.decidedBy;
      if (list.rows) rows = rows.concat(list.rows);
      text = ']';
    }
  }
  text += `${separator === '{' ? '{' : ''}}${after}`;
  endText();
  if (identity === null || parts.length === 1)
    return { most, writeTo: (room) => whole(filled(room, parts, null)) };
  const decided = { text: identity, rows, behind: most };
  return {
    most: most + WORD_BYTES * (rows.length + 1) + identity.length * MOST_UTF8,
    writeTo: (room) => decidedBody(room, parts, decided),
  };
}

const whole = (bytes: Uint8Array): WrittenBody => ({ bytes, identity: bytes });

/** Writes a body, and behind it its identity. Text is encoded once, there, and copied into the body unless it has non-ASCII characters. */
function decidedBody(
  room: Uint8Array,
  parts: readonly (string | RawList)[],
  { text, rows, behind }: { text: string; rows: readonly number[]; behind: number },
): WrittenBody {
  const words = new DataView(room.buffer, room.byteOffset);
  let at = behind;
  words.setUint32(at, rows.length, true);
  for (const row of rows) words.setUint32((at += WORD_BYTES), row, true);
  at += WORD_BYTES;
  const { written: length } = encoder.encodeInto(text, room.subarray(at));
  return {
    bytes: filled(room, parts, length === text.length ? at : null),
    identity: room.subarray(behind, at + length),
  };
}

/** Parses serialized records, in their order. The caller knows their type. */
export function recordsOf(chunks: RawList): unknown[] {
  return JSON.parse(`[${chunks.map((chunk) => decoder.decode(chunk)).join(',')}]`) as unknown[];
}

/** The serialized form of a list; null for other values, and for an empty list, which is written the same either way. */
function rawListOf(value: Payload[string]): RawList | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  if ('written' in value) return value.written;
  return value[0] instanceof Uint8Array ? (value as RawList) : null;
}

/** A list that many responses carry, serialized once for all of them. */
export function sharedList(values: readonly JsonValue[], { sha256 }: Release): SharedList {
  const text = JSON.stringify(values).slice(1, -1);
  const bytes: RawList = [encoder.encode(text)];
  bytes.decidedBy = sha256(text);
  return Object.assign([...values], { written: bytes });
}

/** Writes the parts to the beginning of `room`, list members separated by commas; `textAt` is where their text is encoded already. */
function filled(room: Uint8Array, parts: readonly (string | RawList)[], textAt: number | null): Uint8Array {
  let at = 0;
  let from = textAt;
  for (const part of parts) {
    if (typeof part === 'string') {
      if (from === null) at += encoder.encodeInto(part, room.subarray(at)).written;
      else {
        room.copyWithin(at, from, from + part.length);
        at += part.length;
        from += part.length;
      }
      continue;
    }
    for (const chunk of part) {
      room.set(chunk, at);
      at += chunk.length;
      room[at++] = COMMA;
    }
    at -= 1;
    if (from !== null) from += part.decidedBy?.length ?? 0;
  }
  return room.subarray(0, at);
}

/** Node's Buffer; undefined in a browser. */
const { Buffer: node } = globalThis as { Buffer?: { allocUnsafeSlow(length: number): Uint8Array } };

/** An array whose bytes will all be overwritten: node does not have to zero it first. */
function uninitialized(length: number): Uint8Array {
  return node?.allocUnsafeSlow(length) ?? new Uint8Array(length);
}
