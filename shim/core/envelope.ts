/** The wire shapes of REST: a Result becomes bytes once, here. Records pass through untouched. */
import type { Result } from './call.ts';
import { FAULTS, type Fault } from './faults.ts';
import { ENVELOPED } from './paths.ts';
import type { JsonObject, Payload, RawList } from './types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const COMMA = 0x2c;

/** Status and body of a result. */
export function written(resource: string, result: Result): { status: number; body: Uint8Array } {
  if (result.ok) return { status: 200, body: successBody(resource, result.payload) };
  const { fault, data } = result;
  return { status: FAULTS[fault.code].status, body: errorBody(fault, resource, data) };
}

/** `{ok:true, resource, data}`. */
export function successBody(resource: string, payload: Payload): Uint8Array {
  return serialized(`{"ok":true,"resource":${JSON.stringify(resource)},"data":`, payload, '}');
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
  return serialized('', payload, '');
}

function serialized(before: string, payload: Payload, after: string): Uint8Array {
  const parts: (Uint8Array | Uint8Array[])[] = [];
  let text = before;
  let separator = '{';
  // Member names are plain ASCII words and need no escape.
  for (const member in payload) {
    const value = payload[member] ?? null;
    text += `${separator}"${member}":`;
    separator = ',';
    if (!isRawList(value)) text += JSON.stringify(value);
    else {
      parts.push(encoder.encode(`${text}[`), value);
      text = ']';
    }
  }
  parts.push(encoder.encode(`${text}${separator === '{' ? '{' : ''}}${after}`));
  return joined(parts);
}

/** Serialized records read back, in their order. What they are is known to the taker. */
export function recordsOf(chunks: RawList): unknown[] {
  return JSON.parse(`[${chunks.map((chunk) => decoder.decode(chunk)).join(',')}]`) as unknown[];
}

/** Records that are bytes already; an empty list is written the same either way. */
function isRawList(value: Payload[string]): value is RawList {
  return Array.isArray(value) && value[0] instanceof Uint8Array;
}

/** One run of bytes; the members of a list are separated by commas. */
function joined(parts: (Uint8Array | Uint8Array[])[]): Uint8Array {
  let length = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) length += part.length;
    else
      for (const [position, { length: bytes }] of part.entries()) length += bytes + (position === 0 ? 0 : 1);
  }
  const bytes = uninitialized(length);
  let at = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      bytes.set(part, at);
      at += part.length;
      continue;
    }
    for (const [position, chunk] of part.entries()) {
      if (position > 0) bytes[at++] = COMMA;
      bytes.set(chunk, at);
      at += chunk.length;
    }
  }
  return bytes;
}

/** What node has beside every platform's own; nothing in a browser. */
const { Buffer: node } = globalThis as { Buffer?: { allocUnsafeSlow(length: number): Uint8Array } };

/** Bytes that are all overwritten need not be zeroed first, where the platform can leave them. */
function uninitialized(length: number): Uint8Array {
  return node?.allocUnsafeSlow(length) ?? new Uint8Array(length);
}
