/**
 * Opens a release wherever its files are, with no more requests than a query needs: the list of packs, the index of a pack, the
 * blocks of its records. Every byte is checked against a hash of the release before it is used; with a key, those hashes come
 * from the signed manifest. Operations are not changed for it: they run at once, as over files at hand. What they find missing
 * is noted, fetched together, and they run again, until nothing is missing. Runs in browsers and in node.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST, RELEASE, sidecarText } from '../core/paths.ts';
import type { DataFile, Pack, PackEntry, PackIndex, PackManifest, Release } from '../core/types.ts';
import { blockCache, blockRows, blocksOf, everyBlock, isBlock, type BlockSpan } from '../store/blocks.ts';
import { deriving, entryOf, manifestOf } from '../store/snapshot.ts';
import { signatureFault, SIGNATURE } from './signature.ts';
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
/** A query needs two or three rounds; more than this means that what was fetched does not stay. */
const MOST_ROUNDS = 50;

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

/** Throws a SourceError for bytes that are not those of the hash. */
function checked(path: string, bytes: Uint8Array, hash: string): Uint8Array {
  if (bytesToHex(sha256(bytes)) === hash) return bytes;
  throw new SourceError(path, 'does not match its sha256: it was changed, or belongs to another release');
}

function remoteRelease(
  source: Source,
  manifest: PackManifest,
  file: (path: string) => Promise<Uint8Array>,
): RemoteRelease {
  const blocks = new LRUCache<string, Uint8Array>({
    maxSize: BLOCKS_BYTES,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  });
  const lines = blockCache(LINES_BYTES);
  const packs = new Map<string, Pack>();
  const documents = new Map<string, Uint8Array>();
  const underway = new Map<string, Promise<void>>();
  /** What a run misses: how to fetch it, by its name. */
  let missing = new Map<string, () => Promise<void>>();
  /** What an operation meets: it goes on as without this evidence, and so finds what else it needs. */
  const lacking = (name: string, fetch: () => Promise<void>): Error => {
    missing.set(name, fetch);
    return unavailable(name);
  };
  const derived = (): ReturnType<typeof deriving> => deriving(() => missing.size === 0);

  const fetchBlocks = async ({ path, bytes, sha256: hash }: PackEntry, index: PackIndex, spans: BlockSpan[]) => {
    const [first] = spans;
    const last = spans.at(-1);
    if (!first || !last) return;
    const length = last.start + last.length - first.start;
    const { bytes: received, isWhole } = await source.part(path, first.start, length, bytes);
    if (isWhole) checked(path, received, hash);
    const all = { rows: 0, bytes, index };
    const kept = isWhole && bytes < BLOCKS_BYTES / 2 ? everyBlock(all) : spans;
    for (const { number, start, length: size } of kept) {
      const at = isWhole ? start : start - first.start;
      const block = received.subarray(at, at + size);
      if (!isBlock(index, number, sha256(block)))
        throw new SourceError(
          path,
          `bytes ${start} to ${start + size - 1} do not match their sha256: they were changed, or belong to another release`,
        );
      blocks.set(`${path} ${number}`, block);
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
      derive: derived(),
      copy(from, to) {
        const absent = blocksOf(layout, from, to).filter((span) => !blocks.has(keyOf(span)));
        if (absent.length === 0) return copy(from, to);
        for (const spans of neighbours(absent))
          lacking(`${entry.path} from byte ${spans[0]?.start}`, async () => fetchBlocks(entry, index, spans));
        throw unavailable(`Dataset ${entry.id}`);
      },
    };
  };

  const release: Release = {
    derive: derived(),
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
        packs.set(id, opened(entry, decodeIndex(checked(path, await source.whole(path, bytes), hash))));
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
        missing = new Map();
        let result: { value: ReturnType<typeof run> } | null = null;
        try {
          result = { value: run() };
        } catch (error) {
          if (missing.size === 0) throw error;
        }
        const wanted = missing;
        missing = new Map();
        if (wanted.size === 0 && result) return result.value;
        await Promise.all([...wanted].map(async ([name, fetch]) => fetchOnce(name, fetch)));
      }
      throw new SourceError(source.name, 'a query needs more than is kept of this release in memory');
    },
  };
}

/** Blocks next to each other, in requests of a bounded size. */
function neighbours(spans: readonly BlockSpan[]): BlockSpan[][] {
  const groups: BlockSpan[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isNext = group?.at(-1)?.number === span.number - 1;
    if (group && first && isNext && span.start + span.length - first.start <= RANGE_BYTES) group.push(span);
    else groups.push([span]);
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
