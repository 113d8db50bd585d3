/** The hashes of a tree's files: those that SHA256SUMS lists for its release, and those in the sidecars of the files. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE, SIDECAR_BYTES, sidecarPath, sidecarText, SUMS } from '../core/paths.ts';
import type { DataFile } from '../core/types.ts';
import {
  MOST_BYTES,
  openFile,
  readInSteps,
  readVerified,
  readWhole,
  RECHECK_MS,
  statOf,
  touchedStampOf,
  type Stamp,
} from './disk.ts';

/** The hashes that a list has for the files of its release; another list is another object. */
export interface Hashes {
  get(path: string): string | undefined;
}

/** The hashes that a tree publishes for its files. */
export interface Sums {
  /** The hashes, null while the list is damaged or missing; the file is looked at again every quarter of a second. */
  hashes(): Hashes | null;
  /** Every file of the list, in its order; null while the list is damaged or missing. */
  lines(): Iterable<{ path: string; sha256: string }> | null;
  /** Looks at the file at once, and says whether it changed. */
  refresh(): boolean;
  /** Reads the whole list, in short steps between which requests are answered. */
  check(): Generator<void, void>;
  /** The hash of a file that its sidecar and SHA256SUMS agree on, or release.json while that list is damaged; throws an Error where the sidecar is damaged or they differ. */
  hashOf(path: string): string;
  /** A whole file as both describe it; throws an Error that names the file otherwise. */
  read(path: string): Buffer;
  /** Reads a file as `read` does, in short steps; the next `read` of it gives what was read, where it is still the same file. */
  readAhead(path: string): Generator<void, void>;
  /** `looked` is called whenever SHA256SUMS was read, with what is wrong with it, or null. */
  watch(looked: (cause: unknown) => void): void;
}

/**
 * The list of the tree at `root`, which is read when it is needed; `now` is a clock in milliseconds. Where `isChecked` says that
 * `check` will be called, only the line of a file is read until then: the whole list would delay the first response.
 */
export function sumsOf(root: string, now: () => number, isChecked = false): Sums {
  let isStarting = isChecked;
  /** The list on disk, until it is checked. */
  const unchecked: Hashes = { get: (path) => listedHash(root, path) };
  let list: Buffer | null = null;
  let made: Hashes | null = null;
  let released: Hashes | null = null;
  let stamp: Stamp | null = null;
  let checked = 0;
  let tell: (cause: unknown) => void = () => undefined;
  let ahead: { path: string; sha256: string; touched: Stamp; bytes: Buffer } | null = null;
  const sizeOf = (path: string): number => Math.min(statOf(join(root, path))?.size ?? 0, MOST_BYTES);
  /** While SHA256SUMS and release.json are both damaged, files are checked against their sidecars alone. */
  const agreed = (path: string, listed?: string): string => {
    const sidecar = readWhole(join(root, sidecarPath(path)), SIDECAR_BYTES).toString('latin1');
    const hash = listed ?? sidecar.slice(0, 64);
    // A file with two hashes is not given under either.
    if (sidecar !== sidecarText(path, hash)) throw new Error(`${sidecarPath(path)} is damaged`);
    return hash;
  };
  /** The hashes of release.json; none where it is damaged, and refused where it is requested. */
  const hashesInRelease = (): Map<string, string> => {
    try {
      const bytes = readVerified(root, { path: RELEASE, sha256: agreed(RELEASE) });
      const { files } = JSON.parse(bytes.toString('utf8')) as { files: DataFile[] };
      return new Map(files.map(({ path, sha256 }) => [path, sha256]));
    } catch {
      return new Map();
    }
  };
  /** Looks at the list; `read` is what it was a moment ago, and checked. */
  const refresh = (read: Buffer | null = null): boolean => {
    isStarting = false;
    checked = now();
    const touched = touchedOfBoth(root, SUMS);
    if (touched === stamp) return false;
    const before = list;
    try {
      list = read ?? readVerified(root, { path: SUMS, sha256: agreed(SUMS) });
      tell(null);
    } catch (cause) {
      list = null;
      tell(cause);
    }
    // What took its place while it was read is read next time.
    stamp = touchedOfBoth(root, SUMS) === touched ? touched : null;
    if (list !== null && before?.equals(list)) return false;
    made = list && hashesIn(list);
    released = null;
    return true;
  };
  const hashes = (): Hashes | null => {
    if (isStarting) return unchecked;
    if (stamp === null || now() - checked >= RECHECK_MS) refresh();
    return made;
  };
  const sums: Sums = {
    refresh: () => refresh(),
    *check() {
      const touched = touchedOfBoth(root, SUMS);
      let read: Buffer | null = null;
      try {
        read = yield* readInSteps(root, { path: SUMS, bytes: sizeOf(SUMS), sha256: agreed(SUMS) });
      } catch {
        // It is read at once, which says what is wrong with it.
      }
      refresh(touchedOfBoth(root, SUMS) === touched ? read : null);
    },
    hashes,
    lines() {
      if (isStarting) refresh();
      return hashes() && list && linesIn(list);
    },
    hashOf(path) {
      const listed = hashes()?.get(path);
      if (listed !== undefined) return agreed(path, listed);
      if (isStarting) refresh();
      const all = made ?? (released ??= hashesInRelease());
      return agreed(path, all.get(path));
    },
    *readAhead(path) {
      const touched = touchedOfBoth(root, path);
      try {
        const sha256 = sums.hashOf(path);
        const bytes = yield* readInSteps(root, { path, bytes: sizeOf(path), sha256 });
        if (bytes) ahead = { path, sha256, touched, bytes };
      } catch {
        // It is read at once, which says what is wrong with it.
      }
    },
    read(path) {
      const known = ahead?.path === path ? ahead : null;
      if (known) ahead = null;
      try {
        const sha256 = sums.hashOf(path);
        if (known?.sha256 === sha256 && known.touched === touchedOfBoth(root, path)) return known.bytes;
        return readVerified(root, { path, sha256 });
      } catch (cause) {
        // A file that does not match may belong to a release that was switched in a moment ago.
        if (!refresh()) throw cause;
        return readVerified(root, { path, sha256: sums.hashOf(path) });
      }
    },
    watch: (looked) => void (tell = looked),
  };
  return sums;
}

/** Bytes of the list that are looked at in a place: the end of a line, and whole lines after it, however long their paths are. */
const PLACE_BYTES = 8192;

/**
 * The hash of a path in a list of `size` bytes: one line each, the hash, two spaces and the path, in the order of the paths. Only the
 * few places that lead to its line are looked at: a table of all would delay the first request, and the list grows with the site.
 */
function hashIn(size: number, placeAt: (at: number) => Buffer, path: string): string | undefined {
  // The line begins at `low` or later, and before `high`.
  let [low, high] = [0, size];
  while (high - low > PLACE_BYTES / 2) {
    const middle = Math.floor((low + high) / 2);
    const place = placeAt(middle);
    const begin = place.indexOf('\n') + 1;
    const end = place.indexOf('\n', begin);
    if (end < 0 || place.toString('latin1', begin + 66, end) > path) high = middle;
    else low = middle + begin;
  }
  // The last may be the beginning of a line.
  const lines = placeAt(low).toString('latin1').split('\n').slice(0, -1);
  return lines.find((line) => line.slice(64) === `  ${path}`)?.slice(0, 64);
}

function hashesIn(list: Buffer): Hashes {
  const placeAt = (at: number): Buffer => list.subarray(at, at + PLACE_BYTES);
  return { get: (path) => hashIn(list.length, placeAt, path) };
}

function* linesIn(list: Buffer): Generator<{ path: string; sha256: string }> {
  for (let at = 0; at < list.length;) {
    const end = list.indexOf('\n', at);
    yield { sha256: list.toString('latin1', at, at + 64), path: list.toString('latin1', at + 66, end) };
    at = end + 1;
  }
}

/** The hash of a path in the list on disk, which is not checked; undefined where it has none or cannot be read. */
function listedHash(root: string, path: string): string | undefined {
  try {
    const file = openFile(join(root, SUMS));
    try {
      const bytes = Buffer.allocUnsafe(PLACE_BYTES);
      const placeAt = (at: number): Buffer => bytes.subarray(0, readSync(file, bytes, 0, PLACE_BYTES, at));
      return hashIn(fstatSync(file).size, placeAt, path);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The stamps of a file and its sidecar, and when the system last touched them. */
export function touchedOfBoth(root: string, path: string): Stamp {
  return [path, sidecarPath(path)].map((each) => touchedStampOf(join(root, each))).join(' ');
}
