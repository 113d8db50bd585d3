/** The store the build renders pages with: the packs just made and the documents written so far. */
import { decodeIndex } from '../../shim/core/index-file.ts';
import { unavailable } from '../../shim/core/faults.ts';
import type { Release } from '../../shim/core/types.ts';
import { blockCache, blockRows } from '../../shim/store/blocks.ts';
import { sha256 } from '../lib/hash.ts';
import { type Packed } from './pack-file.ts';
import type { PackedData } from './pack.ts';

const CACHE_BYTES = 128 * 1024 * 1024;

/** A store over packs and files in memory; `files` may still grow. */
export function memoryStore(
  { manifest, packs }: PackedData,
  files: ReadonlyMap<string, Uint8Array>,
): Release {
  const opened = new Map(packs.map((packed) => [packed.entry.id, open(packed)]));
  return {
    derived: new Map(),
    manifest: () => manifest,
    pack(id) {
      const pack = opened.get(id);
      if (!pack) throw unavailable(`Dataset ${id}`);
      return pack;
    },
    document(path) {
      const bytes = files.get(path);
      if (!bytes) throw unavailable(`The document ${path}`);
      return bytes;
    },
    sha256,
  };
}

function open({ entry, records, index }: Packed): ReturnType<Release['pack']> {
  const decoded = decodeIndex(index);
  const layout = { rows: entry.rows, bytes: entry.bytes, index: decoded };
  return {
    entry,
    derived: new Map(),
    index: decoded,
    // The records are still to be written as they are: blocks are copies.
    copy: blockRows(layout, (start, length) => new Uint8Array(records.subarray(start, start + length)), {
      verify: false,
      cache: blockCache(CACHE_BYTES),
    }),
  };
}
