/** A store of published documents alone, for operations that need no pack. */
import { createHash } from 'node:crypto';
import { unavailable } from '../../shim/core/faults.ts';
import type { Release } from '../../shim/core/types.ts';
import { deriving } from '../../shim/store/blocks.ts';

/** A store of documents alone. */
export function documentStore(files: ReadonlyMap<string, Uint8Array>): Release {
  return {
    derive: deriving(),
    manifest: () => ({
      schema: 'svc.packs.v1',
      generatedAt: '2026-07-01T00:00:00Z',
      packs: [],
      editions: [],
      revisions: null,
      unavailable: [],
    }),
    pack: (id) => {
      throw unavailable(id);
    },
    document(path) {
      const bytes = files.get(path);
      if (!bytes) throw unavailable(path);
      return bytes;
    },
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  };
}
