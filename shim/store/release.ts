/**
 * Opens releases: manifest, packs and documents of a published tree, each opened on first use and checked against its hash. A
 * release is a snapshot of one tree. When files on disk change, within a quarter of a second the next snapshot takes its place: it
 * keeps what is unchanged and opens the rest again; where something does not check out, that is looked at at once. What does not
 * check out then is unavailable while everything else goes on. The tree is never written to.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { Fault, unavailable, unlessFault } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST, sidecarPath, SUMS } from '../core/paths.ts';
import type { Pack, PackEntry, PackManifest, Release } from '../core/types.ts';
import {
  blockCache,
  blockRows,
  type BlockCache,
  deriving,
  entryOf,
  manifestOf,
  rowsInMemory,
} from './blocks.ts';
import {
  digest,
  isPassing,
  openForReading,
  readInSteps,
  readVerified,
  RECHECK_MS,
  stampOf,
  touchedStampOf,
  type Stamp,
} from './disk.ts';
import { sumsOf, type Sums } from './sums.ts';

/** A pack of this size is checked whole when it is opened; of a larger one each block is checked when it is read first. */
const WHOLE_BYTES = 24 * 1024 * 1024;
/** Packs that fit in here together stay in memory as far as they were read. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Blocks of the other packs kept in memory at most, of all of them together. */
const BLOCKS_BYTES = 32 * 1024 * 1024;

/** The release of a tree as it is now. */
export interface Releases {
  current(): Release;
  /** Opens every pack and checks all of it, in short steps: others may go first between them. What is damaged is unavailable then. */
  check(): Generator<void, void>;
}

/** A release in a folder. */
interface ReleaseOnDisk extends Release {
  /** Opens every pack, in short steps, and checks all of it. */
  check(): Generator<void, void>;
}

/** Files as they were when they were opened, and when they were last touched. */
type Stamps = [path: string, stamp: Stamp, touched: Stamp][];

/** One thing opened: a value, or the Fault that says why there is none, and the files that decide it. */
interface Part {
  value: unknown;
  stamps: Stamps;
  /** Bytes of it that may stay in memory. */
  held?: number;
  /** Whether its bytes are those that the list of packs names: then it does not matter when it was opened. */
  isListed?: boolean;
  /** Whether only those of its blocks are checked that were read: the whole is still to be. */
  isUnchecked?: boolean;
}

/** A part of a release that was opened. */
type Opened<T> = Omit<Part, 'value' | 'stamps'> & { value: T };

/** Parts by what they are: damage is one too, so that it is not read again with every request. */
type Parts = Map<string, Part>;

/**
 * Holds the current release of the tree at `root`; nothing is read until it is needed. `now` is a clock in milliseconds. Where
 * `isChecked` says that `check` is about to be called, packs are opened at once until it is through: of each, what is given is checked.
 */
export function openReleases(
  root: string,
  now: () => number,
  sums: Sums = sumsOf(root, now),
  isChecked = false,
): Releases {
  const blocks = blockCache(BLOCKS_BYTES);
  let isStarting = isChecked;
  let parts: Parts = new Map();
  const snapshot = (): ReleaseOnDisk =>
    openRelease(root, { sums, blocks, isStarting: () => isStarting }, parts, {
      lost: () => void (release = snapshot()),
      // A file that is not as expected may belong to a release that was put into place a moment ago.
      failed: () => void (checked = -Infinity),
    });
  let checked = now();
  let release = snapshot();
  const withoutParts = (isGone: (part: Part) => boolean): ReleaseOnDisk => {
    const gone = [...parts].filter(([, part]) => isGone(part));
    if (gone.length === 0) return release;
    parts = new Map(parts);
    for (const [key] of gone) parts.delete(key);
    return (release = snapshot());
  };
  const current = (): ReleaseOnDisk => {
    if (now() - checked < RECHECK_MS) return release;
    checked = now();
    return withoutParts(isReplaced);
  };
  return {
    current,
    *check() {
      yield* current().check();
      isStarting = false;
      // Files of the other release that were opened meanwhile are opened again.
      withoutParts(({ isUnchecked }) => isUnchecked === true);
    },
  };
}

/**
 * A snapshot; `failed` is called when a part of it cannot be opened, `lost` when one turns out to be damaged later or cannot be
 * read for a moment, so that nothing that was made of or without that part is given any more.
 */
function openRelease(
  root: string,
  { sums, blocks, isStarting }: { sums: Sums; blocks: BlockCache; isStarting: () => boolean },
  parts: Parts,
  { failed, lost }: { failed: () => void; lost: () => void },
): ReleaseOnDisk {
  const stampsOf = (files: string[]): Stamps =>
    files.map((path) => join(root, path)).map((path) => [path, stampOf(path), touchedStampOf(path)]);
  /** Throws what tells of the moment: nothing that was made without it is given any more. */
  const passing = (fault: Fault): never => {
    lost();
    throw fault;
  };
  /** The part of a key, opened on first use; `what` the client may see. */
  const part = <T>(key: string, what: string, files: string[], open: () => Opened<T>): T => {
    let known = parts.get(key);
    if (!known) {
      const stamps = stampsOf(files);
      const stampsOfSums = stampsOf([SUMS, sidecarPath(SUMS)]);
      known = { ...attempt(what, open, passing), stamps };
      const list = parts.get(PACK_MANIFEST);
      // All of a snapshot is of one tree: whatever is opened is opened while its list of packs is in place.
      const others = key === PACK_MANIFEST ? [...parts.values()] : list ? [list] : [];
      const isMixed = !known.isListed && [known, ...others].some((one) => !one.isListed && isReplaced(one));
      const isLost = known.value instanceof Fault;
      if (isMixed || isLost) failed();
      if (isMixed) return passing(unavailable(what));
      // The files that say what a part holds may be what is wrong with it.
      if (isLost) known.stamps = [...(list?.stamps ?? []), ...stampsOfSums, ...stamps];
      parts.set(key, known);
    }
    if (known.value instanceof Fault) throw known.value;
    return known.value as T;
  };
  const manifest = (): PackManifest =>
    part(PACK_MANIFEST, 'The packaged data', [PACK_MANIFEST, sidecarPath(PACK_MANIFEST)], () => ({
      value: manifestOf(sums.read(PACK_MANIFEST).toString('utf8')),
    }));
  /** Whether a pack stays in memory as far as it is read. Earlier editions are queried rarely: they take no room from current ones. */
  const isKept = ({ id, bytes }: PackEntry): boolean => {
    const others = [...parts].filter(([key]) => key !== id);
    return !id.includes('@') && others.reduce((sum, [, { held = 0 }]) => sum + held, bytes) <= KEPT_BYTES;
  };
  /** Whether all of a pack is read and checked when it is opened. */
  const isReadWhole = (entry: PackEntry): boolean => entry.bytes <= WHOLE_BYTES && isKept(entry);
  const rowsOf = (entry: PackEntry, bytes?: Buffer | null): PackRows => {
    const { id } = entry;
    const broken = (fault: Fault): void => {
      const known = parts.get(id);
      if (known && !isPassing(fault.cause))
        Object.assign(known, { value: fault, stamps: stampsOf([entry.path, entry.index.path]) });
      lost();
    };
    return part(id, `Dataset ${id}`, [entry.path, entry.index.path], () => {
      const isUnchecked = isReadWhole(entry) && bytes === undefined && isStarting();
      const whole = isReadWhole(entry) && !isUnchecked ? (bytes ?? readVerified(root, entry)) : null;
      const held = isKept(entry) ? entry.bytes : 0;
      return {
        ...openRows(root, entry, { cache: held > 0 ? null : blocks, broken, whole }),
        held,
        isUnchecked,
      };
    });
  };
  /** The packs of current editions, and the revisions. */
  const listed = (): PackEntry[] => {
    const { packs: current, revisions } = manifest();
    return revisions ? [...current, revisions] : current;
  };
  const packs = new Map<string, Pack>();
  /** The pack of an id; `bytes` are all of it where they were read and checked, and null where they are to be. */
  const pack = (id: string, bytes?: Buffer | null): Pack => {
    const known = packs.get(id);
    if (known && !(parts.get(id)?.value instanceof Fault)) return known;
    const entry = entryOf(id, release);
    let rows = rowsOf(entry, bytes);
    // Files that did not change are not opened again, unless the list of this release says something else of them.
    if (rows.entry.sha256 !== entry.sha256 || rows.entry.index.sha256 !== entry.index.sha256) {
      parts.delete(id);
      rows = rowsOf(entry, bytes);
    }
    const opened = { ...rows, entry, derive: deriving() };
    packs.set(id, opened);
    return opened;
  };
  const release: ReleaseOnDisk = {
    derive: deriving(),
    manifest,
    pack: (id) => pack(id),
    *check() {
      for (const entry of unlessFault(listed, () => [])) {
        const { id, path } = entry;
        const known = parts.get(id);
        const isRead = isReadWhole(entry) && (!known || known.isUnchecked === true);
        const before = stampOf(join(root, path));
        const bytes = isRead ? yield* readInSteps(root, entry) : undefined;
        if (isRead) {
          parts.delete(id);
          packs.delete(id);
        }
        // Damage is reported to the request that needs the file.
        unlessFault(
          () => pack(id, stampOf(join(root, path)) === before ? bytes : null),
          () => null,
        );
        // Records that were read from it before are not given any more.
        if (known?.isUnchecked && parts.get(id)?.value instanceof Fault) lost();
        yield;
      }
    },
    document: (path) =>
      part(`document ${path}`, `The document ${path}`, [path, sidecarPath(path)], () => ({
        value: sums.read(path),
      })),
    sha256: (content) => hash('sha256', content),
  };
  return release;
}

/** Whether a file of it was replaced; of what is damaged, whether one was touched: a repair may keep the date. */
function isReplaced({ value, stamps }: Part): boolean {
  return stamps.some(([path, stamp, touched]) =>
    value instanceof Fault ? touchedStampOf(path) !== touched : stampOf(path) !== stamp,
  );
}

/** Opens a part; a failure that tells of the file is a value too, one that tells of the moment is `passing`. */
function attempt<T>(
  what: string,
  open: () => Opened<T>,
  passing: (fault: Fault) => never,
): Opened<T | Fault> {
  try {
    return open();
  } catch (cause) {
    const fault = cause instanceof Fault ? cause : unavailable(what, cause);
    return isPassing(cause) ? passing(fault) : { value: fault };
  }
}

/** What the files of a pack hold. A later release may say more of it than the entry that it was opened by. */
type PackRows = Omit<Pack, 'derive'>;

/**
 * Opens the files of a pack: over its bytes, `whole`, which were checked, or to be read and checked block by block. `broken` is called
 * when a block cannot be read later: where it is damaged, nothing of the pack is given any more.
 */
function openRows(
  root: string,
  entry: PackEntry,
  {
    whole,
    cache,
    broken,
  }: { whole: Buffer | null; cache: BlockCache | null; broken: (fault: Fault) => void },
): Opened<PackRows> {
  const index = decodeIndex(readVerified(root, entry.index));
  const layout = { rows: entry.rows, bytes: entry.bytes, index };
  const file = whole ? null : openForReading(root, entry);
  const rows = file
    ? blockRows(layout, ({ start, length }) => file.readAt(start, length), { digest, cache })
    : rowsInMemory(layout, whole ?? Buffer.alloc(0));
  const copy: Pack['copy'] = (from, to, chunks) => {
    try {
      return rows(from, to, chunks);
    } catch (cause) {
      const fault = unavailable(`Dataset ${entry.id}`, cause);
      broken(fault);
      throw fault;
    }
  };
  return { value: { entry, index, copy }, isListed: true };
}
