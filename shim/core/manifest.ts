/** What follows from the list of packs alone: made once for a list, and the same object as long as the list is the same. */
import { unavailable } from './faults.ts';
import type { Pack, PackEntry, PackManifest, Store } from './types.ts';

/** Remembers what `make` makes of a manifest. */
export function ofManifest<T>(make: (manifest: PackManifest) => T): (store: Store) => T {
  const made = new WeakMap<PackManifest, T>();
  return (store) => {
    const manifest = store.manifest();
    const known = made.get(manifest);
    if (known !== undefined) return known;
    const value = make(manifest);
    made.set(manifest, value);
    return value;
  };
}

/** The pack of an entry. Throws unavailable where other data took its place since the entry was read: its rows are others. */
export function packOf(store: Store, entry: PackEntry): Pack {
  const pack = store.pack(entry.id);
  if (pack.entry.sha256 !== entry.sha256) throw unavailable(`Dataset ${entry.id}`);
  return pack;
}
