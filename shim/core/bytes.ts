/** Bytes put together, and read as JSON. */
import type { Release } from './types.ts';

/** These parts as one array, in their order. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A JSON document of a release, as its reader knows it. Throws what the release throws. */
export function readJson<T>(release: Pick<Release, 'document'>, path: string): T {
  return JSON.parse(new TextDecoder().decode(release.document(path))) as T;
}
