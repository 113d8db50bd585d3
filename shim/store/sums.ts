/** SHA256SUMS of a tree, which says what each file of its release holds; and the hash that the sidecar of a file says. */
import { join } from 'node:path';
import { sidecarPath, sidecarText, SUMS } from '../core/paths.ts';
import { readVerified, readWhole, RECHECK_MS, sha256Hex, touchedStampOf, type Stamp } from './disk.ts';

/** The hashes of a release by path; null while its list is damaged or missing. */
export type Hashes = Map<string, string> | null;

/** What a tree says of its files. */
export interface Sums {
  /** The hashes; the file is looked at again every quarter of a second. */
  hashes(): Hashes;
  /** Looks at the file at once, and says whether it changed. */
  refresh(): boolean;
  /** The hash of a file that its sidecar and SHA256SUMS agree on; throws an Error where the sidecar is damaged or they differ. */
  hashOf(path: string): string;
  /** A whole file as both describe it; throws an Error that names the file otherwise. */
  read(path: string): Buffer;
  /** `looked` receives what is wrong with SHA256SUMS whenever it was read, null where nothing is. */
  watch(looked: (cause: unknown) => void): void;
}

/** The list of the tree at `root`, which is read when it is needed; `now` is a clock in milliseconds. */
export function sumsOf(root: string, now: () => number): Sums {
  let hashes: Hashes = null;
  let stamp: Stamp | null = null;
  let checked = 0;
  let tell: (cause: unknown) => void = () => undefined;
  /** While SHA256SUMS itself is damaged, files are checked against their sidecars alone. */
  const hashOf = (path: string, listed: Hashes): string => {
    const text = readWhole(join(root, sidecarPath(path))).toString('latin1');
    const hash = listed?.get(path) ?? text.slice(0, 64);
    // A file with two hashes is not given under either.
    if (text !== sidecarText(path, hash)) throw new Error(`${sidecarPath(path)} is damaged`);
    return hash;
  };
  const refresh = (): boolean => {
    checked = now();
    const current = touchedOfBoth(root, SUMS);
    if (current === stamp) return false;
    stamp = current;
    try {
      const sha256 = hashOf(SUMS, null);
      const bytes = readVerified(root, { path: SUMS, sha256 });
      tell(null);
      if (hashes?.get(SUMS) === sha256) return false;
      const lines = bytes.toString('utf8').trimEnd().split('\n');
      hashes = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
      hashes.set(SUMS, sha256Hex(bytes));
    } catch (cause) {
      hashes = null;
      tell(cause);
    }
    return true;
  };
  const sums: Sums = {
    refresh,
    hashes() {
      if (stamp === null || now() - checked >= RECHECK_MS) refresh();
      return hashes;
    },
    hashOf: (path) => hashOf(path, sums.hashes()),
    read(path) {
      try {
        return readVerified(root, { path, sha256: sums.hashOf(path) });
      } catch (cause) {
        // What does not match may belong to a release that was switched in a moment ago.
        if (!refresh()) throw cause;
        return readVerified(root, { path, sha256: sums.hashOf(path) });
      }
    },
    watch: (looked) => void (tell = looked),
  };
  return sums;
}

/** The stamps of a file and its sidecar, and when the system last touched them. */
export function touchedOfBoth(root: string, path: string): Stamp {
  return [path, sidecarPath(path)].map((each) => touchedStampOf(join(root, each))).join(' ');
}
