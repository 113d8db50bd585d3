/**
 * Opens a release wherever its files are, with no more requests than a query needs: the list of packs, the index of a pack, the
 * blocks of its records. Every byte is checked against a hash of the release before it is used; with a key, those hashes come
 * from the signed manifest. Operations are not changed for it: they run at once, as over files at hand. What they find missing
 * is noted, fetched together, and they run again, until nothing is missing. Runs in browsers and in node.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { unavailable } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST, RELEASE, SIGNATURE, sidecarText } from '../core/paths.ts';
import type { DataFile, Pack, PackEntry, PackIndex, PackManifest, Release } from '../core/types.ts';
import {
  blockRows,
  blocksOf,
  bytesOfBlock,
  everyBlock,
  isBlock,
  type BlockSpan,
  deriving,
  entryOf,
  manifestOf,
} from '../store/blocks.ts';
import { Recent } from './recent.ts';
import { signatureFault } from './signature.ts';
import { SourceError, type Source } from './source.ts';

/** What the reader expects of a release. */
export interface Trust {
  /** The publisher's key, one line as minisign writes it: the release must be signed by it. */
  key?: string;
  /** An earlier release is refused. */
  serial?: number;
  /** The reader's clock in milliseconds, for the date on which a release expires. */
  now?: () => number;
}

/** A release that is being read. */
export interface RemoteRelease {
  release: Release;
  /** The result of `run` over the release, once everything it needs was fetched. Rejects with a SourceError. */
  settled<T>(run: () => T): Promise<T>;
  /** A whole published file, checked. Rejects with a SourceError. */
  file(path: string): Promise<Uint8Array>;
}

const MANIFEST_BYTES = 16 * 1024 * 1024;
const DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Blocks kept in memory, of all packs together, as they were sent; and those of them cut into lines. */
const BLOCKS_BYTES = 64 * 1024 * 1024;
const LINES_BYTES = 4 * 1024 * 1024;
/** Bytes that one request may cover. */
const RANGE_BYTES = 1024 * 1024;
/** Blocks this close are fetched together with those between them: a request costs more than what it carries. */
const GAP_BYTES = 80 * 1024;
/** A query needs a few rounds; more than this means that what was fetched does not stay. */
const MOST_ROUNDS = 200;

/** Opens the release at a source. Rejects with a SourceError where there is none, or not the expected one. */
export async function openRemote(source: Source, trust: Trust = {}): Promise<RemoteRelease> {
  const listed = isAnything(trust) ? null : await trustedHashes(source, trust);
  const hashOf = async (path: string): Promise<string> => {
    const known = listed?.get(path);
    if (known !== undefined) return known;
    if (listed) throw new SourceError(path, `is not a file of the release, says ${RELEASE}`);
    const sidecar = new TextDecoder().decode(await source.whole(`${path}.sha256`, 1024));
    const hash = sidecar.slice(0, 64);
    if (/^[0-9a-f]{64}$/.test(hash) && sidecar === sidecarText(path, hash)) return hash;
    throw new SourceError(`${path}.sha256`, 'is not the checksum of a file');
  };
  const file = async (path: string, most = DOCUMENT_BYTES): Promise<Uint8Array> => {
    const [bytes, hash] = await Promise.all([source.whole(path, most), hashOf(path)]);
    return checked(path, bytes, hash);
  };
  const text = new TextDecoder().decode(await file(PACK_MANIFEST, MANIFEST_BYTES));
  return remoteRelease(source, packsOf(text), file);
}

function isAnything({ key, serial }: Trust): boolean {
  return key === undefined && serial === undefined;
}

function packsOf(text: string): PackManifest {
  try {
    return manifestOf(text);
  } catch (cause) {
    throw new SourceError(PACK_MANIFEST, 'is not a list of packs in a form that this reader knows', {
      cause,
    });
  }
}

/** By the platform where it can, which is much faster. */
async function digestOf(bytes: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto as {
    subtle?: { digest(name: string, bytes: Uint8Array): Promise<ArrayBuffer> };
  };
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256(bytes);
}

/** The bytes, where they are those of the hash; else rejects with a SourceError. */
async function checked(path: string, bytes: Uint8Array, hash: string): Promise<Uint8Array> {
  if (bytesToHex(await digestOf(bytes)) === hash) return bytes;
  throw new SourceError(path, 'does not match its sha256: it was changed, or belongs to another release');
}

function remoteRelease(
  source: Source,
  manifest: PackManifest,
  file: (path: string) => Promise<Uint8Array>,
): RemoteRelease {
  const blocks = new Recent<Uint8Array>(BLOCKS_BYTES, ({ length }) => length);
  const lines = { blocks: new Recent(LINES_BYTES, bytesOfBlock), packs: 0 };
  const packs = new Map<string, Pack>();
  const documents = new Map<string, Uint8Array>();
  const underway = new Map<string, Promise<void>>();
  /** What a run misses: files, and blocks of packs. */
  let files = new Map<string, () => Promise<void>>();
  let spans = new Map<string, Wanted>();
  const isWhole = (): boolean => files.size === 0 && spans.size === 0;
  /** What an operation meets: it goes on as without this evidence, and so finds what else it needs. */
  const lacking = (path: string, fetch: () => Promise<void>): Error => {
    files.set(path, fetch);
    return unavailable(path);
  };

  const fetchBlocks = async ({ entry, index }: Wanted, wanted: readonly BlockSpan[]): Promise<void> => {
    const { path, bytes, sha256: hash } = entry;
    const { start = 0 } = wanted[0] ?? {};
    const last = wanted.at(-1) ?? { start, length: 0 };
    const received = await source.part(path, start, last.start + last.length - start, bytes);
    const offset = received.isWhole ? 0 : start;
    if (received.isWhole) await checked(path, received.bytes, hash);
    const isKept = received.isWhole && bytes < BLOCKS_BYTES / 2;
    for (const span of isKept ? everyBlock({ rows: entry.rows, bytes, index }) : wanted) {
      const block = received.bytes.subarray(span.start - offset, span.start - offset + span.length);
      if (!received.isWhole && !isBlock(index, span.number, await digestOf(block)))
        throw new SourceError(
          path,
          `bytes ${span.start} to ${span.start + span.length - 1} do not match their sha256: they were changed, or belong to another release`,
        );
      blocks.set(`${path} ${span.number}`, block);
    }
  };

  const opened = (entry: PackEntry, index: PackIndex): Pack => {
    const layout = { rows: entry.rows, bytes: entry.bytes, index };
    const keyOf = ({ number }: BlockSpan): string => `${entry.path} ${number}`;
    const copy = blockRows(
      layout,
      (span) => {
        const block = blocks.get(keyOf(span));
        if (!block) throw new Error(`block ${span.number} of ${entry.path} did not stay in memory`);
        return block.slice();
      },
      { digest: null, cache: lines },
    );
    return {
      entry,
      index,
      derive: deriving(isWhole),
      copy(from, to) {
        const absent = blocksOf(layout, from, to).filter((span) => !blocks.has(keyOf(span)));
        if (absent.length === 0) return copy(from, to);
        const wanted = spans.get(entry.path) ?? { entry, index, blocks: new Set() };
        spans.set(entry.path, wanted);
        for (const { number } of absent) wanted.blocks.add(number);
        // What is made of nothing is thrown away: the run is repeated when the blocks are there.
        return [];
      },
    };
  };

  const release: Release = {
    derive: deriving(isWhole),
    manifest: () => manifest,
    sha256: (content) => bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content)),
    document(path) {
      const bytes = documents.get(path);
      if (bytes) return bytes;
      throw lacking(path, async () => {
        documents.set(path, await file(path));
      });
    },
    pack(id) {
      const known = packs.get(id);
      if (known) return known;
      const entry = entryOf(id, manifest);
      const { path, bytes, sha256: hash } = entry.index;
      throw lacking(path, async () => {
        packs.set(id, opened(entry, decodeIndex(await checked(path, await source.whole(path, bytes), hash))));
      });
    },
  };

  /** Fetches one thing, once for all runs that miss it at the same time. */
  const fetchOnce = (name: string, fetch: () => Promise<void>): Promise<void> => {
    const known = underway.get(name);
    if (known) return known;
    const started = fetch().finally(() => underway.delete(name));
    underway.set(name, started);
    return started;
  };

  return {
    release,
    file: async (path) => file(path),
    async settled(run) {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        [files, spans] = [new Map(), new Map()];
        let result: { value: ReturnType<typeof run> } | null = null;
        try {
          result = { value: run() };
        } catch (error) {
          if (isWhole()) throw error;
        }
        if (isWhole() && result) return result.value;
        const fetches = [...files].map(async ([path, fetch]) => fetchOnce(path, fetch));
        for (const wanted of spans.values())
          for (const near of neighbours(wanted))
            fetches.push(
              fetchOnce(`${wanted.entry.path} ${near[0]?.number}-${near.at(-1)?.number}`, async () =>
                fetchBlocks(wanted, near),
              ),
            );
        [files, spans] = [new Map(), new Map()];
        await Promise.all(fetches);
      }
      throw new SourceError(source.name, 'a query needs more than is kept of this release in memory');
    },
  };
}

/** Blocks of a pack that a run misses, by number. */
interface Wanted {
  entry: PackEntry;
  index: PackIndex;
  blocks: Set<number>;
}

/** The blocks and those between them where they are near, in requests of a bounded size. */
function neighbours({ entry, index, blocks }: Wanted): BlockSpan[][] {
  const all = everyBlock({ rows: entry.rows, bytes: entry.bytes, index });
  const groups: BlockSpan[][] = [];
  for (const number of [...blocks].sort((a, b) => a - b)) {
    const group = groups.at(-1) ?? [];
    const between = all.slice((group.at(-1)?.number ?? number) + 1, number + 1);
    const { start = 0 } = group[0] ?? {};
    const length = between.reduce((sum, span) => sum + span.length, 0);
    const end = (group.at(-1)?.start ?? 0) + (group.at(-1)?.length ?? 0);
    if (group.length > 0 && length <= GAP_BYTES && end + length - start <= RANGE_BYTES)
      group.push(...between);
    else groups.push(all.slice(number, number + 1));
  }
  return groups;
}

/** The hashes of the files of a release that is what the reader expects, by path. */
async function trustedHashes(source: Source, { key, serial, now }: Trust): Promise<Map<string, string>> {
  const bytes = await source.whole(RELEASE, MANIFEST_BYTES);
  if (key !== undefined) {
    const signature = new TextDecoder().decode(await source.whole(SIGNATURE, 4096));
    const fault = await signatureFault(bytes, signature, key);
    if (fault !== null) throw new SourceError(SIGNATURE, fault);
  }
  const release = releaseOf(bytes);
  if (serial !== undefined && release.serial < serial)
    throw new SourceError(RELEASE, `is release ${release.serial}, and release ${serial} was known before`);
  if (now && Date.parse(release.expires) <= now())
    throw new SourceError(RELEASE, `expired at ${release.expires}: a newer release is missing here`);
  return new Map(release.files.map((file) => [file.path, file.sha256]));
}

function releaseOf(bytes: Uint8Array): { serial: number; expires: string; files: DataFile[] } {
  const release = JSON.parse(new TextDecoder().decode(bytes)) as {
    schema?: unknown;
    serial: number;
    expires: string;
    files: DataFile[];
  };
  if (release.schema !== 'svc.release.v1' || !Array.isArray(release.files))
    throw new SourceError(RELEASE, 'is not the manifest of a release in a form that this reader knows');
  return release;
}
