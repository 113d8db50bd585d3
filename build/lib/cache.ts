/**
 * The cache of earlier builds, as a build receives it. An entry is a group of files and small facts under a key; the key covers
 * everything the group is made from, so an entry is never out of date: it is found or it is not.
 */
import type { JsonValue } from '../../shim/core/types.ts';
import type { Artifact, TakenFile, Tree, TreeFile } from './tree.ts';

/** A file to keep: its bytes or its path on disk; the hash where the caller already has it. */
export type KeptFile = { path: string; sha256?: string | undefined } & (
  | { bytes: Uint8Array }
  | { file: string }
);

/** An entry as it was kept. */
export interface Taken {
  files: TakenFile[];
  facts: JsonValue;
}

/** Results of earlier builds. */
export interface BuildCache {
  /**
   * The key of a result that is made from these parts: bytes, texts and JSON values, in their order. The code, the schemas and the
   * pinned libraries are in every key; settings that are printed are parts. `what` names the step, and is readable in the key.
   */
  key(what: string, ...parts: readonly (Uint8Array | JsonValue)[]): string;
  /** Whether there is an entry with this key, which may be damaged. */
  has(key: string): boolean;
  /**
   * The entry with this key; null where there is none or it is damaged. Every file is checked against its hash, except
   * those for which `isThere` says that they need not be read.
   */
  take(key: string, isThere?: (file: TreeFile) => boolean): Taken | null;
  /** Keeps an entry, whole or not at all. A cache that cannot be written to does not stop the build. */
  keep(key: string, files: Iterable<KeptFile>, facts?: JsonValue): void;
  /** Removes entries unused for a long time and, where the cache is too large, those used longest ago; once an hour at most. */
  trim(): void;
}

/** A cache that keeps nothing. */
export const NO_CACHE: BuildCache = {
  key: (what) => what,
  has: () => false,
  take: () => null,
  keep: () => undefined,
  trim: () => undefined,
};

/** Adds the files under a key to a tree: those of an earlier build, or made now and kept. */
export async function addCached(
  tree: Tree,
  cache: BuildCache,
  key: string,
  make: () => Promise<readonly Artifact[]>,
): Promise<void> {
  if (addTaken(tree, cache, key)) return;
  const made = await make();
  cache.keep(key, made);
  tree.add(made);
}

/** Adds the files under a key to a tree; null where there are none. */
export function addTaken(tree: Tree, cache: BuildCache, key: string): Taken | null {
  const known = cache.take(key, (file) => tree.folder.has(file));
  if (known) tree.place(known.files);
  return known;
}

/** The facts under a key, plain data: those of an earlier build, or made now and kept. */
export function remembered<T>(cache: BuildCache, key: string, make: () => T): T {
  const known = knownFacts<T>(cache, key);
  return known ? known.facts : keptFacts(cache, key, make());
}

/** The same for facts that are made later. */
export async function rememberedLater<T>(cache: BuildCache, key: string, make: () => Promise<T>): Promise<T> {
  const known = knownFacts<T>(cache, key);
  return known ? known.facts : keptFacts(cache, key, await make());
}

function knownFacts<T>(cache: BuildCache, key: string): { facts: T } | null {
  // The border: what was kept under this key is what was made.
  return cache.take(key) as unknown as { facts: T } | null;
}

function keptFacts<T>(cache: BuildCache, key: string, made: T): T {
  cache.keep(key, [], asJson(made));
  return made;
}

/** The files of an entry as they are added to a tree. */
export function filesOf({ files }: Taken): Artifact[] {
  return files.map(({ path, sha256, read }) => ({ path, sha256, bytes: read() }));
}

/** Facts as an entry keeps them: plain data. */
export function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
