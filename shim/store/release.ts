/**
 * Opens releases: manifest, packs and documents of a published tree, each opened on first use and checked against its hash. A
 * release is a snapshot of one tree. When files on disk change, the next snapshot replaces it within a quarter of a second, or at
 * once where a check fails: it keeps what is unchanged and opens the rest again. What still fails its check is unavailable while
 * everything else goes on. The tree is never written to.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { Fault, orFault, unavailable, unlessFault } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { jsonIn } from '../core/json.ts';
import { PACK_MANIFEST, sidecarPath, SUMS } from '../core/paths.ts';
import type { Pack, PackEntry, PackManifest, Release } from '../core/types.ts';
import {
  blockCache,
  blockRows,
  type BlockCache,
  type BlockLayout,
  deriving,
  entryOf,
  manifestOf,
  rowsInMemory,
} from './blocks.ts';
import {
  bothStampsOf,
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
import { sliceOf } from './slice.ts';
import { sumsOf, type Sums } from './sums.ts';

/** A pack of this size is checked whole when it is opened; of a larger one each block is checked when it is read first. */
const WHOLE_BYTES = 24 * 1024 * 1024;
/** While packs fit into this together, they stay in memory as far as they were read. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** The most bytes of blocks of all other packs together that are kept in memory. */
const BLOCKS_BYTES = 32 * 1024 * 1024;

/** The release of a tree as it is now. */
export interface Releases {
  current(): Release;
  /** Opens and checks every pack, in short steps between which requests are answered. Damaged packs are unavailable afterwards. */
  check(): Generator<void, void>;
}

type ReleaseOnDisk = Release & Pick<Releases, 'check'>;

/** Files as they were when they were opened, and when they were last touched. */
type Stamps = [path: string, stamp: Stamp, touched: Stamp][];

/** An opened part of a release: its value, or the Fault that says why there is none, and the files it depends on. */
interface Part {
  value: unknown;
  stamps: Stamps;
  /** Bytes of it that may stay in memory. */
  held?: number;
  /** Whether its bytes match hashes in the list of packs: then it does not matter when it was opened. */
  isListed?: boolean;
  /** Whether only the blocks that were read are checked so far, and not the whole. */
  isUnchecked?: boolean;
}

/** A value that was opened, before its files are noted. */
type Opened<T> = Omit<Part, 'value' | 'stamps'> & { value: T };

/** Parts by key. Damaged ones are kept too, so that they are not read again with every request. */
type Parts = Map<string, Part>;

/**
 * Holds the current release of the tree at `root`; nothing is read until it is needed. `now` is a clock in milliseconds. Where
 * `isChecked` says that `check` will be called, packs are not read whole until it has run: each block is checked when it is read.
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
      // A file that is not as expected may belong to a release that was switched in a moment ago.
      failed: () => void (checked = -Infinity),
    });
  let checked = now();
  let release = snapshot();
  const withoutParts = (isGone: (part: Part) => boolean): void => {
    const left = [...parts].filter(([, part]) => !isGone(part));
    if (left.length === parts.size) return;
    parts = new Map(left);
    release = snapshot();
  };
  const current = (): ReleaseOnDisk => {
    const list = parts.get(PACK_MANIFEST);
    // A tree that is missing is looked for each time: while a release is switched in it is missing for a moment.
    const isBack = list?.value instanceof Fault && isReplaced(list);
    if (!isBack && now() - checked < RECHECK_MS) return release;
    checked = now();
    withoutParts(isReplaced);
    return release;
  };
  return {
    current,
    *check() {
      yield* current().check();
      isStarting = false;
      // Packs of another release that were opened meanwhile are opened again.
      withoutParts(({ isUnchecked }) => isUnchecked === true);
    },
  };
}

/**
 * A snapshot; `failed` is called when a part of it cannot be opened, `lost` when one is found damaged later or cannot be read for a
 * moment: results that were made with or without that part are then no longer used.
 */
function openRelease(
  root: string,
  { sums, blocks, isStarting }: { sums: Sums; blocks: BlockCache; isStarting: () => boolean },
  parts: Parts,
  { failed, lost }: { failed: () => void; lost: () => void },
): ReleaseOnDisk {
  let isWhole = ![...parts.values()].some(({ value }) => value instanceof Fault);
  const stampsOf = (files: string[]): Stamps =>
    files.map((path) => join(root, path)).map((path) => [path, ...bothStampsOf(path)]);
  /** Throws a temporary Fault: results that were made without the part are no longer used. */
  const passing = (fault: Fault): never => {
    isWhole = false;
    lost();
    throw fault;
  };
  /** The part of a key, opened on first use; `what` names it to clients. */
  const part = <T>(key: string, what: string, files: string[], open: () => Opened<T>): T => {
    let known = parts.get(key);
    if (!known) {
      const stamps = stampsOf(files);
      const stampsOfSums = stampsOf([SUMS, sidecarPath(SUMS)]);
      known = { ...attempt(what, open, passing), stamps };
      const list = parts.get(PACK_MANIFEST);
      // A snapshot is of one tree: its list of packs must still be in place after a part was opened.
      const others = key === PACK_MANIFEST ? [...parts.values()] : list ? [list] : [];
      const isMixed = !known.isListed && [known, ...others].some((one) => !one.isListed && isReplaced(one));
      const isLost = known.value instanceof Fault;
      isWhole &&= !isLost;
      if (isMixed || isLost) failed();
      if (isMixed) return passing(unavailable(what));
      // The files that list the hashes of a part may be the damaged ones.
      if (isLost) known.stamps = [...(list?.stamps ?? []), ...stampsOfSums, ...stamps];
      parts.set(key, known);
    }
    if (known.value instanceof Fault) throw known.value;
    return known.value as T;
  };
  const manifest = (): PackManifest =>
    part(PACK_MANIFEST, 'The packaged data', [PACK_MANIFEST, sidecarPath(PACK_MANIFEST)], () => ({
      value: manifestOf(jsonIn(sums.read(PACK_MANIFEST).toString('utf8'))),
    }));
  /** Whether a pack stays in memory as far as it is read. Earlier editions are queried rarely: they take no room from current ones. */
  const isKept = ({ id, bytes }: PackEntry): boolean => {
    const others = [...parts].filter(([key]) => key !== id);
    return !id.includes('@') && others.reduce((sum, [, { held = 0 }]) => sum + held, bytes) <= KEPT_BYTES;
  };
  /** Whether all of a pack is read and checked when it is opened. */
  const isReadWhole = (entry: PackEntry): boolean => entry.bytes <= WHOLE_BYTES && isKept(entry);
  const rowsOf = (entry: PackEntry, bytes?: Buffer | null, ofIndex?: Buffer | null): Omit<Pack, 'derive'> => {
    const broken = (fault: Fault): void => {
      isWhole = false;
      const known = parts.get(entry.id);
      if (known && !isPassing(fault.cause))
        Object.assign(known, { value: fault, stamps: stampsOf([entry.path, entry.index.path]) });
      lost();
    };
    return part(entry.id, `Dataset ${entry.id}`, [entry.path, entry.index.path], () => {
      const isUnchecked = isReadWhole(entry) && bytes === undefined && isStarting();
      const whole = isReadWhole(entry) && !isUnchecked ? (bytes ?? readVerified(root, entry)) : null;
      const held = isKept(entry) ? entry.bytes : 0;
      const index = decodeIndex(ofIndex ?? readVerified(root, entry.index));
      const layout = { rows: entry.rows, bytes: entry.bytes, index };
      const value = openRows(root, entry, layout, { whole, cache: held > 0 ? null : blocks }, broken);
      return { value, isListed: true, held, isUnchecked };
    });
  };
  /** The packs of current editions, and the revisions. */
  const listed = (): PackEntry[] => {
    const { packs: current, revisions } = manifest();
    return revisions ? [...current, revisions] : current;
  };
  const packs = new Map<string, Pack>();
  /** The pack of an id; `bytes` is the whole of it where that was read and checked, and null to have it read now; so is `index`. */
  const pack = (id: string, bytes?: Buffer | null, index?: Buffer | null): Pack => {
    const known = packs.get(id);
    if (known && !(parts.get(id)?.value instanceof Fault)) return known;
    const entry = entryOf(id, release);
    let rows = rowsOf(entry, bytes, index);
    // Files that did not change are not opened again, unless the list of this release has other hashes for them.
    if (rows.entry.sha256 !== entry.sha256 || rows.entry.index.sha256 !== entry.index.sha256) {
      parts.delete(id);
      rows = rowsOf(entry, bytes, index);
    }
    const opened = { ...rows, entry, derive: deriving() };
    packs.set(id, opened);
    return opened;
  };
  const slice = (id: string, values?: Readonly<Record<string, string>>): Pack | null => {
    if (!values || !isStarting() || packs.has(id)) return null;
    const entry = entryOf(id, release);
    try {
      const layout = sliceOf(root, entry, values);
      return layout && { ...openRows(root, entry, layout, { cache: blocks }, lost), derive: deriving() };
    } catch {
      return null; // What is wrong is found again where the pack is opened.
    }
  };
  const release: ReleaseOnDisk = {
    derive: deriving(),
    manifest,
    pack: (id, values) => slice(id, values) ?? pack(id),
    *check() {
      for (const entry of unlessFault(listed, [])) {
        const { id, path } = entry;
        const known = parts.get(id);
        const isRead = isReadWhole(entry) && (!known || known.isUnchecked === true);
        const before = stampOf(join(root, path));
        const bytes = isRead ? yield* readInSteps(root, entry) : undefined;
        const index = isRead || !known ? yield* readInSteps(root, entry.index) : null;
        if (isRead) {
          parts.delete(id);
          packs.delete(id);
        }
        // Damage is reported to the request that needs the file.
        orFault(() => pack(id, stampOf(join(root, path)) === before ? bytes : null, index));
        // Results that were made of its blocks before are no longer used.
        if (parts.get(id)?.value instanceof Fault) lost();
        yield;
      }
    },
    document: (path) =>
      part(`document ${path}`, `The document ${path}`, [path, sidecarPath(path)], () => ({
        value: sums.read(path),
      })),
    sha256: (content) => hash('sha256', content),
    isWhole: () => isWhole,
  };
  return release;
}

/** Whether a file of a part was replaced; for a damaged one, whether any was touched, because a repair may keep the date. */
function isReplaced({ value, stamps }: Part): boolean {
  return stamps.some(([path, stamp, touched]) =>
    value instanceof Fault ? touchedStampOf(path) !== touched : stampOf(path) !== stamp,
  );
}

/** Opens a part. A failure of the file itself becomes its value; `passing` receives a temporary one. */
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

/** Opens the file of a pack: `whole` is all of its checked bytes, else blocks are checked when they are read, and `broken` hears of damage. */
function openRows(
  root: string,
  entry: PackEntry,
  layout: BlockLayout,
  { whole = null, cache }: { whole?: Buffer | null; cache: BlockCache | null },
  broken: (fault: Fault) => void,
): Omit<Pack, 'derive'> {
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
  return { entry, index: layout.index, copy };
}
