/** The packaged records as plain objects, read from the published NDJSON: what brute force counts over. */
import type { AtlasRecord, Entity, Observation } from '../../shim/core/records.ts';
import type { PackManifest } from '../../shim/core/types.ts';
import { builtTree, treeRecords, treeJson } from './tree.ts';

export type EntityRecord = Omit<Entity, 'programs'> & { programs: string[] };

/** data/packs.json. */
export function packManifest(root = builtTree()): PackManifest {
  return treeJson<PackManifest>('data/packs.json', root);
}

/** All market observations in the fixed order. */
export function allObservations(): Observation[] {
  return ofKind<Observation>('observations');
}

/** All atlas records, firearms tracing first. */
export function allAtlas(): AtlasRecord[] {
  return ofKind<AtlasRecord>('atlas').sort((a, b) =>
    a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0,
  );
}

/** All designations. */
export function allEntities(): EntityRecord[] {
  return ofKind<EntityRecord>('entities');
}

/** What was read of each kind, by the first test of a worker that needs it. */
const known = new Map<string, unknown[]>();

function ofKind<T>(kind: string): T[] {
  const records =
    known.get(kind) ??
    packManifest()
      .packs.filter((pack) => pack.kind === kind)
      .flatMap(({ path }) => treeRecords(path));
  known.set(kind, records);
  // A test may order its own list; the records are those of all.
  return [...records] as T[];
}
