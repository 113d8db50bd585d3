/**
 * Opens a release wherever its files are, with no more requests than a query needs: the list of packs, the index of a pack, the
 * blocks of its records. Every byte is checked against a hash of the release before it is used; with a key, those hashes come
 * from the signed manifest. Operations need no changes: they run synchronously, as over local files, in rounds (rounds.ts).
 * Runs in browsers and in node.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST, RELEASE } from '../core/paths.ts';
import type { Pack, PackManifest, Release } from '../core/types.ts';
import { bytesOfBlock, deriving, entryOf, manifestOf } from '../store/blocks.ts';
import { fetchesFor, type Serving } from './fetches.ts';
import { remotePack, type PackHost } from './pack.ts';
import { Recent } from './recent.ts';
import { rounds } from './rounds.ts';
import { SourceError, type Source } from './source.ts';
import { checked, documentIn, listedIn, MANIFEST_BYTES, sidecarHash, UNKNOWN_FORM } from './trust.ts';
import type { Listed, Trust } from './trust.ts';

export type { Trust } from './trust.ts';

/** A release that is being read. */
export interface RemoteRelease {
  release: Release;
  /** Its manifest; null where the reader expects neither a key nor a serial number, so that it was not read. */
  listed: Listed | null;
  /** The result of `run` over the release, once everything it needs was fetched. Rejects with a SourceError. */
  settled<T>(run: () => T): Promise<T>;
  /** Whether an error reported now is of a run whose result counts, and not of one that will be repeated. */
  isFinal(): boolean;
  /** A whole published file, checked. Rejects with a SourceError. */
  file(path: string): Promise<Uint8Array>;
}

/** The most bytes of documents kept in memory, and of one document. */
const DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Blocks kept in memory, of all packs together, as they were sent; and those of them cut into lines. */
const BLOCKS_BYTES = 64 * 1024 * 1024;
const LINES_BYTES = 4 * 1024 * 1024;
/** Indexes kept in memory. */
const INDEXES_BYTES = 128 * 1024 * 1024;

/** Opens the release at a source. Rejects with a SourceError where there is none, or not the expected one. */
export async function openRemote(
  source: Source,
  trust: Trust = {},
  serving: Serving | null = null,
): Promise<RemoteRelease> {
  const isAny = trust.key === undefined && trust.serial === undefined;
  const [listed, beside, sent] = await Promise.all([
    isAny ? null : listedIn(source, trust),
    isAny ? sidecarHash(source, PACK_MANIFEST) : null,
    source.whole(PACK_MANIFEST, MANIFEST_BYTES),
  ]);
  const hashOf = async (path: string): Promise<string> => {
    if (!listed) return sidecarHash(source, path);
    const known = path === RELEASE ? listed.sha256 : listed.hashes.get(path);
    if (known !== undefined) return known;
    throw new SourceError(path, `is not a file of the release, says ${RELEASE}`);
  };
  const opened = beside ?? (await hashOf(PACK_MANIFEST));
  const document = documentIn(PACK_MANIFEST, await checked(PACK_MANIFEST, sent, opened));
  const packs = formed(PACK_MANIFEST, 'a list of packs', () => manifestOf(document));
  /** A file of the release that was opened. Without a manifest its sidecar may be of another, so the list of packs must be unchanged. */
  const file = async (path: string): Promise<Uint8Array> => {
    const [bytes, hash] = await Promise.all([source.whole(path, DOCUMENT_BYTES), hashOf(path)]);
    await checked(path, bytes, hash);
    if (listed || (await sidecarHash(source, PACK_MANIFEST)) === opened) return bytes;
    throw new SourceError(
      path,
      'another release has taken the place of the one that was opened: open it again',
    );
  };
  return { listed, ...remoteRelease(source, packs, file, serving) };
}

/** What `read` makes of a file. Throws a SourceError where that fails: the file is not `what` in a form that is known here. */
function formed<T>(path: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new SourceError(path, `is not ${what} ${UNKNOWN_FORM}`, { cause });
  }
}

function remoteRelease(
  source: Source,
  manifest: PackManifest,
  file: (path: string) => Promise<Uint8Array>,
  serving: Serving | null,
): Omit<RemoteRelease, 'listed'> {
  const runs = serving?.rounds ?? rounds();
  const blocks = new Recent<Uint8Array>(BLOCKS_BYTES, ({ length }) => length);
  const lines = { blocks: new Recent(LINES_BYTES, bytesOfBlock), packs: 0 };
  const packs = new Recent<Pack>(INDEXES_BYTES, ({ entry }) => entry.index.bytes);
  const documents = new Recent<Uint8Array>(DOCUMENT_BYTES, ({ length }) => length);
  const fetches = fetchesFor(runs, serving, (name) => blocks.has(name));
  const host: PackHost = { source, runs, fetches, blocks, lines, givesParts: false };

  const release: Release = {
    derive: deriving(runs.isWhole),
    manifest: () => manifest,
    sha256: (content) => bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content)),
    isWhole: runs.isWhole,
    document(path) {
      const bytes = documents.get(path);
      if (bytes) return bytes;
      throw fetches.lacking(path, `The document ${path}`, async () => documents.set(path, await file(path)));
    },
    pack(id) {
      const known = packs.get(id);
      if (known) return known;
      const entry = entryOf(id, release);
      const { path, bytes, sha256: hash } = entry.index;
      throw fetches.lacking(path, `Dataset ${id}`, async () => {
        const sent = await checked(path, await source.whole(path, bytes), hash);
        const index = formed(path, 'an index', () => decodeIndex(sent));
        packs.set(id, remotePack(entry, index, host));
      });
    },
  };
  const { settled, isFinal } = runs;
  return { release, settled, isFinal, file };
}
