/**
 * The explorer on a copy of the files without the service: the operations of the service, run here, over a release that is read from
 * the copy. Records come from the Parquet file of their dataset, whose rows are in the order of its pack; its index, the list of packs and
 * the catalog are those that are published. Loaded by explore.ts where it is needed.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { parquetReadObjects } from 'hyparquet';
import { explore } from '../../../../shim/core/explore.ts';
import type { Exploration } from '../../../../shim/core/explore-answer.ts';
import { Fault, unavailable } from '../../../../shim/core/faults.ts';
import { decodeIndex } from '../../../../shim/core/index-file.ts';
import { CATALOG, PACK_MANIFEST, parquetPath } from '../../../../shim/core/paths.ts';
import type { Context, Pack, PackEntry, PackManifest, Release } from '../../../../shim/core/types.ts';
import { deriving, entryOf, manifestOf } from '../../../../shim/store/snapshot.ts';

/** Thrown where something of the release is not loaded yet: it is then loaded, and the operation runs again. */
class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('not loaded yet');
    this.load = load;
  }
}

/** Opens the copy whose root is `root`; what it gives answers an address of the explorer, and says where the records were read. */
export function openMirror(root: URL): (search: string) => Promise<{ model: Exploration; read: string }> {
  const packs = new Map<string, Pack | Fault>();
  const documents = new Map<string, Uint8Array | Fault>();
  let used = new Set<string>();

  async function bytesOf(path: string): Promise<ArrayBuffer> {
    const response = await fetch(new URL(path, root));
    if (!response.ok) throw new Error(`${path}: HTTP status ${response.status}`);
    return response.arrayBuffer();
  }

  const opened = <T>(known: T | Fault): T => {
    if (known instanceof Fault) throw known;
    return known;
  };

  async function loadPack(entry: PackEntry): Promise<void> {
    try {
      const [table, index] = await Promise.all([bytesOf(parquetPath(entry.id)), bytesOf(entry.index.path)]);
      packs.set(entry.id, packOf(entry, await parquetReadObjects({ file: table }), new Uint8Array(index)));
    } catch (error) {
      packs.set(entry.id, unavailable(`Dataset ${entry.id}`, error));
    }
  }

  async function loadDocument(path: string): Promise<void> {
    try {
      documents.set(path, new Uint8Array(await bytesOf(path)));
    } catch (error) {
      documents.set(path, unavailable(`The document ${path}`, error));
    }
  }

  function document(path: string): Uint8Array {
    const known = documents.get(path);
    if (!known) throw new NotLoaded(() => loadDocument(path));
    return opened(known);
  }

  let manifest: PackManifest | null = null;
  const release: Release = {
    derive: deriving(),
    manifest: () => (manifest ??= manifestOf(new TextDecoder().decode(document(PACK_MANIFEST)))),
    pack(id) {
      const entry = entryOf(id, release.manifest());
      used.add(parquetPath(id));
      const known = packs.get(id);
      if (!known) throw new NotLoaded(() => loadPack(entry));
      return opened(known);
    },
    document,
    sha256: (content) =>
      bytesToHex(sha256(typeof content === 'string' ? new TextEncoder().encode(content) : content)),
  };

  return async (search) => {
    await Promise.all([PACK_MANIFEST, CATALOG].filter((path) => !documents.has(path)).map(loadDocument));
    for (;;) {
      const { model, missing } = attempt(search, {
        settings: { siteUrl: root.href.replace(/\/$/, '') },
        release,
        peers: {},
      });
      if (missing) await missing.load();
      else return { model, read: sentence([...used]) };
      used = new Set();
    }
  };
}

/** Runs once; what was not loaded comes back, whoever caught it. */
function attempt(
  search: string,
  context: Context,
): { model: Exploration; missing: null } | { model: null; missing: NotLoaded } {
  const missing: NotLoaded[] = [];
  try {
    const model = explore(search, context, (error) => {
      if (error instanceof NotLoaded) missing.push(error);
    });
    if (!missing[0]) return { model, missing: null };
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    missing.push(error);
  }
  const [first] = missing;
  if (!first) throw new Error('an answer was neither given nor missing');
  return { model: null, missing: first };
}

/** The rows of a table as a pack: each is serialized as it is in the pack. */
function packOf(entry: PackEntry, rows: readonly object[], index: Uint8Array): Pack {
  if (rows.length !== entry.rows)
    throw new Error(`${entry.path} has ${entry.rows} records, its table ${rows.length} rows`);
  const encoder = new TextEncoder();
  return {
    entry,
    index: decodeIndex(index),
    derive: deriving(),
    copy: (from, to) =>
      from === to
        ? []
        : [
            encoder.encode(
              rows
                .slice(from, to)
                .map((row) => JSON.stringify(row))
                .join(','),
            ),
          ],
  };
}

function sentence(files: readonly string[]): string {
  const from = files.length === 0 ? 'its published documents' : files.toSorted().join(', ');
  return `This is a copy of the files without the service: this page was made in your browser from ${from} of this copy.`;
}
