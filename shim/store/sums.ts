/** The hashes of a tree's files: those that SHA256SUMS lists for its release, and those in the sidecars of the files. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE, sidecarPath, sidecarText, SUMS } from '../core/paths.ts';
import type { DataFile } from '../core/types.ts';
import {
  openFile,
  readVerified,
  readWhole,
  RECHECK_MS,
  sha256Hex,
  touchedStampOf,
  type Stamp,
} from './disk.ts';

/** More than any sidecar has: a hash and the name of its file. */
export const SIDECAR_BYTES = 4096;

/** The hashes of a release by path; null while its list is damaged or missing. */
export type Hashes = Map<string, string> | null;

/** The hashes that a tree publishes for its files. */
export interface Sums {
  /** The hashes; the file is looked at again every quarter of a second. */
  hashes(): Hashes;
  /** Looks at the file at once, and says whether it changed. */
  refresh(): boolean;
  /** The hash of a file that its sidecar and SHA256SUMS agree on, or release.json while that list is damaged; throws an Error where the sidecar is damaged or they differ. */
  hashOf(path: string): string;
  /** A whole file as both describe it; throws an Error that names the file otherwise. */
  read(path: string): Buffer;
  /** `looked` is called whenever SHA256SUMS was read, with what is wrong with it, or null. */
  watch(looked: (cause: unknown) => void): void;
}

/**
 * The list of the tree at `root`, which is read when it is needed; `now` is a clock in milliseconds. Where `isChecked` says that
 * `refresh` will be called, only the line of a file is read until then: the whole list would delay the first response.
 */
export function sumsOf(root: string, now: () => number, isChecked = false): Sums {
  let isStarting = isChecked;
  let list: Buffer | null = null;
  let made: Hashes = null;
  let released: Hashes = null;
  let stamp: Stamp | null = null;
  let checked = 0;
  let tell: (cause: unknown) => void = () => undefined;
  /** While SHA256SUMS and release.json are both damaged, files are checked against their sidecars alone. */
  const hashOf = (path: string, listed: string | null): string => {
    const sidecar = readWhole(join(root, sidecarPath(path)), SIDECAR_BYTES).toString('latin1');
    const hash = listed ?? sidecar.slice(0, 64);
    // A file with two hashes is not given under either.
    if (sidecar !== sidecarText(path, hash)) throw new Error(`${sidecarPath(path)} is damaged`);
    return hash;
  };
  /** The hashes of release.json; none where it is damaged, and refused where it is requested. */
  const hashesInRelease = (): Map<string, string> => {
    try {
      const bytes = readVerified(root, { path: RELEASE, sha256: hashOf(RELEASE, null) });
      const { files } = JSON.parse(bytes.toString('utf8')) as { files: DataFile[] };
      return new Map(files.map(({ path, sha256 }) => [path, sha256]));
    } catch {
      return new Map();
    }
  };
  const refresh = (): boolean => {
    isStarting = false;
    checked = now();
    const touched = touchedOfBoth(root, SUMS);
    if (touched === stamp) return false;
    const before = list;
    try {
      list = readVerified(root, { path: SUMS, sha256: hashOf(SUMS, null) });
      tell(null);
    } catch (cause) {
      list = null;
      tell(cause);
    }
    // What took its place while it was read is read next time.
    stamp = touchedOfBoth(root, SUMS) === touched ? touched : null;
    if (list !== null && before?.equals(list)) return false;
    [made, released] = [null, null];
    return true;
  };
  const current = (): Buffer | null => {
    if (stamp === null || now() - checked >= RECHECK_MS) refresh();
    return list;
  };
  const sums: Sums = {
    refresh,
    hashes() {
      const read = current();
      return (made ??= hashesIn(read));
    },
    hashOf(path) {
      const listed = isStarting ? listedHash(root, path) : null;
      if (listed !== null) return hashOf(path, listed);
      const read = current();
      if (read !== null) return hashOf(path, hashIn(read, path));
      released ??= hashesInRelease();
      return hashOf(path, released.get(path) ?? null);
    },
    read(path) {
      try {
        return readVerified(root, { path, sha256: sums.hashOf(path) });
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

/** All hashes of the list: one line each, the hash, two spaces and the path. */
function hashesIn(list: Buffer | null): Hashes {
  if (list === null) return null;
  const lines = list.toString('utf8').trimEnd().split('\n');
  return new Map([
    ...lines.map((line) => [line.slice(66), line.slice(0, 64)] as const),
    [SUMS, sha256Hex(list)],
  ]);
}

/** One of them, found without parsing the others, which would delay the first request of a server. */
function hashIn(list: Buffer, path: string): string | null {
  const at = list.indexOf(`  ${path}\n`);
  return at < 64 ? null : list.toString('latin1', at - 64, at);
}

/** Bytes of the list that are read at a place: the end of a line, and whole lines after it, however long their paths are. */
const PLACE_BYTES = 8192;

/** One of the hashes, found on disk in the few places that lead to a line of a list in the order of its paths; null where they do not. */
function listedHash(root: string, path: string): string | null {
  try {
    const file = openFile(join(root, SUMS));
    try {
      // The line begins at `low` or later, and before `high`.
      let [low, high] = [0, fstatSync(file).size];
      const bytes = Buffer.allocUnsafe(PLACE_BYTES);
      const linesAt = (at: number): string[] =>
        bytes.toString('latin1', 0, readSync(file, bytes, 0, PLACE_BYTES, at)).split('\n');
      while (high - low > PLACE_BYTES / 2) {
        const middle = Math.floor((low + high) / 2);
        const [before = '', line = ''] = linesAt(middle);
        if (line.slice(66) > path) high = middle;
        else low = middle + before.length + 1;
      }
      // The last may be the beginning of a line.
      const lines = linesAt(low).slice(0, -1);
      return lines.find((line) => line.slice(64) === `  ${path}`)?.slice(0, 64) ?? null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** The stamps of a file and its sidecar, and when the system last touched them. */
export function touchedOfBoth(root: string, path: string): Stamp {
  return [path, sidecarPath(path)].map((each) => touchedStampOf(join(root, each))).join(' ');
}
