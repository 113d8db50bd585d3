/** The wire shapes of REST, one constructor each, as bytes. Records pass through untouched. */
import type { FaultCode } from './faults.ts';
import type { JsonObject, JsonValue, Payload, RawList } from './types.ts';

const encoder = new TextEncoder();
const COMMA = encoder.encode(',');

/** `{ok:true, resource, data}`. */
export function success(resource: string, payload: Payload): Uint8Array {
  return joined([
    encoder.encode(`{"ok":true,"resource":${JSON.stringify(resource)},"data":`),
    ...payloadChunks(payload),
    encoder.encode('}'),
  ]);
}

/** The payload alone: what MCP gives as structured content. */
export function payloadBytes(payload: Payload): Uint8Array {
  return joined(payloadChunks(payload));
}

/** `{ok:false, error, message}`, no other members. */
export function failure(code: FaultCode, message: string): Uint8Array {
  return encoder.encode(JSON.stringify({ ok: false, error: code, message }));
}

/** The 503 of atlas, entities and federation: carries a schema-valid payload whose status is `unavailable`. */
export function unavailableEnvelope(resource: string, message: string, data: JsonObject): Uint8Array {
  return encoder.encode(JSON.stringify({ ok: false, resource, error: 'unavailable', message, data }));
}

function payloadChunks(payload: Payload): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let text = '{';
  for (const [index, [member, value]] of Object.entries(payload).entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(member)}:`;
    if (!isRawList(value)) {
      text += JSON.stringify(value);
      continue;
    }
    chunks.push(encoder.encode(`${text}[`));
    for (const [position, chunk] of value.raw.entries())
      chunks.push(...(position === 0 ? [chunk] : [COMMA, chunk]));
    text = ']';
  }
  chunks.push(encoder.encode(`${text}}`));
  return chunks;
}

/** Tells serialized records from plain JSON. */
export function isRawList(value: JsonValue | RawList): value is RawList {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Array.isArray((value as RawList).raw) &&
    Object.keys(value).length === 1
  );
}

function joined(chunks: Uint8Array[]): Uint8Array {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
