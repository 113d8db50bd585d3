/** What follows from the list of packs alone: made once for a list, and the same object as long as the list is the same. */
import type { PackManifest, Store } from './types.ts';

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
