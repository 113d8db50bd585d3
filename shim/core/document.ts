/** A published JSON document as an operation embeds it. */
import { Fault, unavailable } from './faults.ts';
import type { JsonObject, Store } from './types.ts';

/** Parses the verified bytes at `path`; `what` names it to the client. Throws an unavailable Fault when missing or damaged. */
export function readJsonDocument(store: Store, path: string, what: string): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(store.document(path)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    throw error instanceof Fault ? error : unavailable(what, error);
  }
  throw unavailable(what);
}
