/** Helpers over an open release: what is made from it once, and its documents as JSON. */
import { Fault, unavailable } from './faults.ts';
import type { Derived, JsonObject, Release } from './types.ts';

/** What `make` makes of a release or a pack: made on first use, remembered with it, dropped with it. */
export function derive<Source extends Derived, T extends object>(
  source: Source,
  make: (source: Source) => T,
): T {
  const known = source.derived.get(make);
  if (known !== undefined) return known as T;
  const made = make(source);
  source.derived.set(make, made);
  return made;
}

/** Parses the verified bytes at `path`; `what` names it to the client. Throws an unavailable Fault when missing or damaged. */
export function readJsonDocument(release: Release, path: string, what: string): JsonObject {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(release.document(path)),
    );
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    throw error instanceof Fault ? error : unavailable(what, error);
  }
  throw unavailable(what);
}
