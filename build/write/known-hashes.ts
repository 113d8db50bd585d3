/**
 * Hashes of the files of the last tree with the stamp their system gives them, for the next one: a file that was not touched is not
 * read to know what is in it. A cache: where it cannot be had, is damaged or cannot be kept, the files are read.
 */
import { lstatSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { readWhole } from '../../shim/store/disk.ts';
import { sha256 } from '../lib/tree.ts';
import { makeFolder } from '../lib/replace-file.ts';

/** Hash and stamp of files by their path. */
export type KnownHashes = Map<string, readonly [hash: string, stamp: string]>;

/** Changes when a file is replaced or written to. */
const ofBytes = ({ ino, mtimeMs }: Stats): string => `${ino} ${mtimeMs}`;
/** Changes also when that is hidden by an earlier time, and when the file is linked once more or less. */
const ofFile = (is: Stats): string => `${ofBytes(is)} ${is.ctimeMs}`;

/** Notes the hash of a file while its tree is made. */
export function note(made: KnownHashes, path: string, hash: string, is: Stats): void {
  made.set(path, [hash, ofBytes(is)]);
}

/** Whether it is known that a file of the last tree has this hash. */
export function isKnown(known: KnownHashes | null, path: string, hash: string, is: Stats): boolean {
  const [as, stamp] = known?.get(path) ?? [];
  return as === hash && stamp === ofFile(is);
}

/** What was kept of the last tree. */
export function readKnown(file: string): KnownHashes {
  try {
    const [hash, json = ''] = readWhole(file).toString().split('\n');
    return new Map(
      hash === sha256(json) ? (JSON.parse(json) as [path: string, known: [string, string]][]) : [],
    );
  } catch {
    return new Map();
  }
}

/** Keeps what was noted of a tree that is in place now. */
export function writeKnown(file: string, tree: string, made: KnownHashes): void {
  try {
    const stamped = [...made].flatMap(([path, [hash, stamp]]) => {
      const is = lstatSync(join(tree, path), { throwIfNoEntry: false });
      return is && ofBytes(is) === stamp ? [[path, [hash, ofFile(is)]]] : [];
    });
    const json = JSON.stringify(stamped);
    makeFolder(dirname(file));
    writeFileSync(`${file}.new`, `${sha256(json)}\n${json}`);
    renameSync(`${file}.new`, file);
  } catch {
    // The hashes kept before stay true of the files they are of.
  }
}
