/** Files below a folder on disk: written whole or piece by piece, read whole or in part, copied and linked from elsewhere. */
import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TreeFolder } from '../lib/tree.ts';

/** A folder that also takes files from elsewhere on disk. */
interface FolderOnDisk extends TreeFolder {
  copy(path: string, file: string): void;
  /** Whether it could be linked. */
  link(path: string, file: string): boolean;
}

/** Writes and reads files below a folder. */
export function filesIn(root: string): FolderOnDisk {
  const made = new Set<string>();
  const place = (path: string): string => {
    const file = join(root, path);
    const folder = dirname(file);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    return file;
  };
  const named = <T>(file: string, step: () => T): T => {
    try {
      return step();
    } catch (cause) {
      throw new Error(`${file} cannot be written: ${String(cause)}`, { cause });
    }
  };
  const filesOnDisk: FolderOnDisk = {
    write(path, bytes) {
      const file = place(path);
      named(file, () => writeFileSync(file, bytes));
    },
    has: () => false,
    place({ path, file, read }) {
      if (file === null) filesOnDisk.write(path, read());
      else filesOnDisk.copy(path, file);
    },
    create(path) {
      const file = place(path);
      const descriptor = named(file, () => openSync(file, 'w'));
      return {
        write: (bytes) =>
          named(file, () => {
            for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
          }),
        close: () => closeSync(descriptor),
      };
    },
    read(path, start, length) {
      const file = join(root, path);
      if (start === undefined || length === undefined) return readFileSync(file);
      const descriptor = openSync(file, 'r');
      try {
        const bytes = Buffer.allocUnsafeSlow(length);
        const read = readSync(descriptor, bytes, 0, length, start);
        if (read !== length) throw new Error(`${file} ends early`);
        return bytes;
      } finally {
        closeSync(descriptor);
      }
    },
    remove: (path) => rmSync(join(root, path)),
    copy(path, from) {
      const file = place(path);
      named(file, () => copyFileSync(from, file, constants.COPYFILE_FICLONE));
    },
    link(path, from) {
      const file = place(path);
      try {
        linkSync(from, file);
        return true;
      } catch {
        return false;
      }
    },
  };
  return filesOnDisk;
}

const PIECE = 64 * 1024;

/** The bytes of a file in pieces, each in memory of its own. */
export function* piecesOfFile(path: string): Generator<Buffer> {
  const descriptor = openSync(path, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafeSlow(PIECE);
      const read = readSync(descriptor, piece);
      if (read === 0) return;
      yield piece.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}
