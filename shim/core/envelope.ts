/** The wire shapes of REST, one constructor each, as bytes. Records pass through untouched. */
import type { FaultCode } from './faults.ts';
import { RawJson, RawList } from './raw.ts';
import type { JsonObject, Payload } from './types.ts';

const encoder = new TextEncoder();
const COMMA = 0x2c;

/** `{ok:true, resource, data}`. */
export function success(resource: string, payload: Payload): Uint8Array {
  return written(`{"ok":true,"resource":${JSON.stringify(resource)},"data":`, payload, '}');
}

/** The payload alone: what MCP gives as structured content. */
export function payloadBytes(payload: Payload): Uint8Array {
  return written('', payload, '');
}

/** `{ok:false, error, message}`, no other members. */
export function failure(code: FaultCode, message: string): Uint8Array {
  return encoder.encode(JSON.stringify({ ok: false, error: code, message }));
}

/** The 503 of atlas, entities and federation: carries a schema-valid payload whose status is `unavailable`. */
export function unavailableEnvelope(resource: string, message: string, data: JsonObject): Uint8Array {
  return encoder.encode(JSON.stringify({ ok: false, resource, error: 'unavailable', message, data }));
}

function written(before: string, payload: Payload, after: string): Uint8Array {
  const parts: (Uint8Array | Uint8Array[])[] = [];
  let text = before;
  let separator = '{';
  // Members have names of ours, plain ASCII words.
  for (const member in payload) {
    const value = payload[member] ?? null;
    text += `${separator}"${member}":`;
    separator = ',';
    if (value instanceof RawJson) text += value.text;
    else if (!(value instanceof RawList)) text += JSON.stringify(value);
    else {
      parts.push(encoder.encode(`${text}[`), value.chunks);
      text = ']';
    }
  }
  parts.push(encoder.encode(`${text}${separator === '{' ? '{' : ''}}${after}`));
  return joined(parts);
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

/** Bytes that are all overwritten need not be zeroed first, where the platform can leave them. */
function uninitialized(length: number): Uint8Array {
  return typeof Buffer === 'undefined' ? new Uint8Array(length) : Buffer.allocUnsafeSlow(length);
}
