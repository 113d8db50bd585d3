/** Concatenates bytes, and reads the JSON documents of a release. */
import type { Release } from './types.ts';

/** All parts in one array, in order. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A parsed JSON document; the caller names its type, which is not checked. Throws an unavailable Fault as `release.document` does. */
export function readJson<T>(release: Pick<Release, 'document'>, path: string): T {
  return JSON.parse(new TextDecoder().decode(release.document(path))) as T;
}
