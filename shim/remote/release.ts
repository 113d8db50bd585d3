/**
 * Opens a release wherever its files are, with no more requests than a query needs: the list of packs, the index of a pack, the
 * blocks of its records. Every byte is checked against a hash of the release before it is used; with a key, those hashes come
 * from the signed manifest. Operations are not changed for it: they run at once, as over files at hand, in rounds (rounds.ts).
 * Runs in browsers and in node.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { unavailable, type Fault } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST, RELEASE } from '../core/paths.ts';
import type { Pack, PackEntry, PackIndex, PackManifest, Release } from '../core/types.ts';
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
import { rounds, type Rounds } from './rounds.ts';
import { SourceError, type Source } from './source.ts';
import {
  checked,
  digestOf,
  listedIn,
  MANIFEST_BYTES,
  sidecarHash,
  type Listed,
  UNKNOWN_FORM,
  type Trust,
} from './trust.ts';

export type { Trust } from './trust.ts';

/** A release that is being read. */
export interface RemoteRelease {
  release: Release;
  /** Its manifest; null where the reader expects nothing of it, so that it was not read. */
  listed: Listed | null;
  /** The result of `run` over the release, once everything it needs was fetched. Rejects with a SourceError. */
  settled<T>(run: () => T): Promise<T>;
  /** A whole published file, checked. Rejects with a SourceError. */
  file(path: string): Promise<Uint8Array>;
}

/** How a server reads a release: where something cannot be had, it goes on with everything else. */
export interface Serving {
  rounds: Rounds;
  /** Milliseconds, of any beginning. */
  now(): number;
  /** Is waited for after each failure to fetch something. */
  failed(): Promise<void>;
}

const DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Blocks kept in memory, of all packs together, as they were sent; and those of them cut into lines. */
const BLOCKS_BYTES = 64 * 1024 * 1024;
const LINES_BYTES = 4 * 1024 * 1024;
/** Indexes kept in memory, and documents. */
const INDEXES_BYTES = 128 * 1024 * 1024;
/** Bytes that one request may cover. */
const RANGE_BYTES = 1024 * 1024;
/** Blocks this close are fetched together with those between them: a request costs more than what it carries. */
const GAP_BYTES = 80 * 1024;
/** How long what could not be had is not requested again, in milliseconds, and of how many things that is remembered. */
const FAILED_MS = 5000;
const MOST_FAILED = 1000;

/** Opens the release at a source. Rejects with a SourceError where there is none, or not the expected one. */
export async function openRemote(
  source: Source,
  trust: Trust = {},
  serving: Serving | null = null,
): Promise<RemoteRelease> {
  const isAny = trust.key === undefined && trust.serial === undefined;
  const listed = isAny ? null : await listedIn(source, trust);
  const hashOf = async (path: string): Promise<string> => {
    if (!listed) return sidecarHash(source, path);
    const known = path === RELEASE ? listed.sha256 : listed.hashes.get(path);
    if (known !== undefined) return known;
    throw new SourceError(path, `is not a file of the release, says ${RELEASE}`);
  };
  const file = async (path: string, most = DOCUMENT_BYTES): Promise<Uint8Array> => {
    const [bytes, hash] = await Promise.all([source.whole(path, most), hashOf(path)]);
    return checked(path, bytes, hash);
  };
  const packs = await file(PACK_MANIFEST, MANIFEST_BYTES);
  const opened = bytesToHex(await digestOf(packs));
  /** A file of the release that was opened: without a manifest, its sidecar says that of any. */
  const own = async (path: string): Promise<Uint8Array> => {
    const bytes = await file(path);
    if (listed || (await sidecarHash(source, PACK_MANIFEST)) === opened) return bytes;
    throw new SourceError(
      path,
      'another release has taken the place of the one that was opened: open it again',
    );
  };
  return { listed, ...remoteRelease(source, packsOf(new TextDecoder().decode(packs)), own, serving) };
}

function packsOf(text: string): PackManifest {
  try {
    return manifestOf(text);
  } catch (cause) {
    throw new SourceError(PACK_MANIFEST, `is not a list of packs ${UNKNOWN_FORM}`, { cause });
  }
}

function indexOf(path: string, bytes: Uint8Array): PackIndex {
  try {
    return decodeIndex(bytes);
  } catch (cause) {
    throw new SourceError(path, `is not an index ${UNKNOWN_FORM}`, { cause });
  }
}

function remoteRelease(
  source: Source,
  manifest: PackManifest,
  file: (path: string) => Promise<Uint8Array>,
  serving: Serving | null,
): Pick<RemoteRelease, 'release' | 'settled' | 'file'> {
  const runs = serving?.rounds ?? rounds();
  const blocks = new Recent<Uint8Array>(BLOCKS_BYTES, ({ length }) => length);
  const lines = { blocks: new Recent(LINES_BYTES, bytesOfBlock), packs: 0 };
  const packs = new Recent<Pack>(INDEXES_BYTES, ({ entry }) => entry.index.bytes);
  const documents = new Recent<Uint8Array>(DOCUMENT_BYTES, ({ length }) => length);
  const underway = new Map<string, Promise<void>>();
  const failures = new Map<string, { fault: Fault; until: number }>();
  /** Whether the host is known to give parts of files; while it is not, a second part waits for the first, which may be all. */
  let givesParts = false;

  /** Why something could not be had a moment ago; undefined where it may be fetched. */
  const failure = (name: string, what: string): Fault | undefined => {
    const known = failures.get(name);
    const isKnown = known !== undefined && serving !== null && serving.now() < known.until;
    if (!isKnown && !runs.isLate()) return undefined;
    runs.fails();
    return isKnown
      ? known.fault
      : unavailable(what, new SourceError(name, 'was not sent in the time a response may take'));
  };

  /** Notes why something could not be had, where a server reads; else the reader is told. */
  const failed = async (names: readonly string[], what: string, cause: unknown): Promise<void> => {
    if (!serving) throw cause;
    if (failures.size >= MOST_FAILED) failures.clear();
    const noted = { fault: unavailable(what, cause), until: serving.now() + FAILED_MS };
    for (const name of names) if (!blocks.has(name)) failures.set(name, noted);
    await serving.failed();
  };

  /** Fetches something once for all runs that miss it at the same time. */
  const fetchOnce = (names: readonly string[], what: string, fetch: () => Promise<void>): Promise<void> => {
    const started = fetch()
      .catch(async (cause: unknown) => failed(names, what, cause))
      .finally(() => {
        for (const name of names) underway.delete(name);
      });
    for (const name of names) underway.set(name, started);
    return started;
  };

  /** What an operation meets: it goes on as without this evidence, and so finds what else it needs. */
  const lacking = (path: string, what: string, fetch: () => Promise<void>): Fault => {
    const known = failure(path, what);
    if (known) return known;
    runs.lacks(path, async () => underway.get(path) ?? fetchOnce([path], what, fetch));
    return unavailable(what);
  };

  const opened = (entry: PackEntry, index: PackIndex): Pack => {
    const layout = { rows: entry.rows, bytes: entry.bytes, index };
    const what = `Dataset ${entry.id}`;
    const nameOf = (number: number): string => `${entry.path} ${number}`;
    const copy = blockRows(
      layout,
      ({ number }) => {
        const block = blocks.get(nameOf(number));
        if (!block) throw new Error(`block ${number} of ${entry.path} did not stay in memory`);
        return block.slice();
      },
      { digest: null, cache: lines },
    );

    const fetchPart = async (wanted: readonly BlockSpan[]): Promise<void> => {
      const { start = 0 } = wanted[0] ?? {};
      const last = wanted.at(-1) ?? { start, length: 0 };
      const received = await source.part(entry.path, start, last.start + last.length - start, entry.bytes);
      givesParts = !received.isWhole;
      if (received.isWhole) await checked(entry.path, received.bytes, entry.sha256);
      const wrong: BlockSpan[] = [];
      for (const span of received.isWhole ? everyBlock(layout) : wanted) {
        const at = span.start - (received.isWhole ? 0 : start);
        // A copy of its own: a view would hold all that was sent as long as one block of it is kept.
        const block = received.bytes.slice(at, at + span.length);
        if (received.isWhole || isBlock(index, span.number, await digestOf(block)))
          blocks.set(nameOf(span.number), block);
        else wrong.push(span);
      }
      const [damaged] = wrong;
      if (damaged)
        throw new SourceError(
          entry.path,
          `bytes ${damaged.start} to ${damaged.start + damaged.length - 1} do not match their sha256: they were changed, or belong to another release`,
        );
    };

    const fetchBlocks = async (numbers: ReadonlySet<number>): Promise<void> => {
      const isFree = (number: number): boolean =>
        !blocks.has(nameOf(number)) && !underway.has(nameOf(number));
      const pending = [...numbers].flatMap((number) => underway.get(nameOf(number)) ?? []);
      const free = [...numbers].filter(isFree);
      for (const near of neighbours(everyBlock(layout), free, isFree)) {
        const names = near.map(({ number }) => nameOf(number));
        if (!near.some(({ number }) => isFree(number))) continue;
        const started = fetchOnce(names, what, async () => fetchPart(near));
        pending.push(started);
        if (!givesParts) await started;
      }
      await Promise.all(pending);
    };

    let wanted = new Set<number>();
    return {
      entry,
      index,
      derive: deriving(runs.isWhole),
      copy(from, to) {
        const absent = blocksOf(layout, from, to).filter(({ number }) => !blocks.has(nameOf(number)));
        if (absent.length === 0) return copy(from, to);
        for (const { number } of absent) {
          const known = failure(nameOf(number), what);
          if (known) throw known;
          wanted.add(number);
        }
        runs.lacks(entry.path, async () => {
          const numbers = wanted;
          wanted = new Set();
          await fetchBlocks(numbers);
        });
        // What is made of nothing is thrown away: the run is repeated when the blocks are there.
        return [];
      },
    };
  };

  const release: Release = {
    derive: deriving(runs.isWhole),
    manifest: () => manifest,
    sha256: (content) => bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content)),
    isWhole: runs.isWhole,
    document(path) {
      const bytes = documents.get(path);
      if (bytes) return bytes;
      throw lacking(path, `The document ${path}`, async () => documents.set(path, await file(path)));
    },
    pack(id) {
      const known = packs.get(id);
      if (known) return known;
      const entry = entryOf(id, manifest);
      const { path, bytes, sha256: hash } = entry.index;
      throw lacking(path, `Dataset ${id}`, async () => {
        packs.set(
          id,
          opened(entry, indexOf(path, await checked(path, await source.whole(path, bytes), hash))),
        );
      });
    },
  };
  return { release, settled: async (run) => runs.settled(run), file: async (path) => file(path) };
}

/** The wanted blocks, with free ones between them where they are near, in requests of a bounded size. */
function neighbours(
  all: readonly BlockSpan[],
  wanted: readonly number[],
  isFree: (number: number) => boolean,
): BlockSpan[][] {
  const groups: BlockSpan[][] = [];
  for (const number of wanted.toSorted((a, b) => a - b)) {
    const group = groups.at(-1) ?? [];
    const between = all.slice((group.at(-1)?.number ?? number) + 1, number + 1);
    const { start = 0 } = group[0] ?? {};
    const length = between.reduce((sum, span) => sum + span.length, 0);
    const end = (group.at(-1)?.start ?? 0) + (group.at(-1)?.length ?? 0);
    const isNear = group.length > 0 && length <= GAP_BYTES && end + length - start <= RANGE_BYTES;
    if (isNear && between.every((span) => isFree(span.number))) group.push(...between);
    else groups.push(all.slice(number, number + 1));
  }
  return groups;
}
