/** A packed dataset: NDJSON bytes, index bytes, and its entry of the manifest. */
import { packIndexPath, packPath } from '../../shim/core/paths.ts';
import type { JsonObject, PackEntry } from '../../shim/core/types.ts';
import { sha256 } from '../lib/hash.ts';
import type { Lines } from './index.ts';

export interface Packed {
  entry: PackEntry;
  records: Buffer;
  index: Uint8Array;
}

/** Serializes records one a line and completes the entry with the hashes of what came out. */
export function packOf(
  id: string,
  kind: PackEntry['kind'],
  records: readonly object[],
  makeIndex: (lines: Lines) => Uint8Array,
  meta: JsonObject,
): Packed {
  const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`, 'utf8'));
  const bytes = Buffer.concat(lines);
  const index = makeIndex(lines);
  return {
    entry: {
      id,
      kind,
      rows: records.length,
      path: packPath(id),
      bytes: bytes.length,
      sha256: sha256(bytes),
      index: { path: packIndexPath(id), bytes: index.length, sha256: sha256(index) },
      meta,
    },
    records: bytes,
    index,
  };
}
