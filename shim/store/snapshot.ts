/** What every open release has in common, wherever its bytes come from: its list of packs, and values made of it once. */
import { unavailable } from '../core/faults.ts';
import { PACK_MANIFEST } from '../core/paths.ts';
import type { PackEntry, PackManifest } from '../core/types.ts';

/** A list of packs, or an Error: a file of another form is not evidence, even when its hash is right. */
export function manifestOf(text: string): PackManifest {
  const value = JSON.parse(text) as Partial<PackManifest> | null;
  const lists = [value?.packs, value?.editions, value?.unavailable];
  if (value?.schema !== 'svc.packs.v1' || !lists.every(Array.isArray))
    throw new Error(`${PACK_MANIFEST} is not a list of packs`);
  return value as PackManifest;
}

/** The pack of an id, of the current edition, an earlier one or the revisions. Throws an unavailable Fault where there is none. */
export function entryOf(id: string, { packs, editions, revisions }: PackManifest): PackEntry {
  const entry = [...packs, ...editions, revisions].find((candidate) => candidate?.id === id);
  if (!entry) throw unavailable(`Dataset ${id}`);
  return entry;
}

/**
 * The `derive` of a release or a pack: what was made is kept by what made it, while `isWhole` says that nothing was missing
 * when it was made.
 */
export function deriving(
  isWhole: () => boolean = () => true,
): <Source, T extends object>(this: Source, make: (source: Source) => T) => T {
  const made = new Map<unknown, object>();
  return function derive<Source, T extends object>(this: Source, make: (source: Source) => T): T {
    const known = made.get(make);
    if (known !== undefined) return known as T;
    const value = make(this);
    if (isWhole()) made.set(make, value);
    return value;
  };
}
