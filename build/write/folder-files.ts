/** Files below a folder on disk: written whole or piece by piece, read whole or in part, copied and linked from elsewhere. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readSync,
} from 'node:fs';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFile, readWhole } from '../../shim/store/disk.ts';
import { makeFolder } from '../lib/replace-file.ts';
import type { TreeFolder } from '../lib/tree.ts';

/** A folder that also takes files from elsewhere on disk. */
interface FolderOnDisk extends TreeFolder {
  copy(path: string, file: string): void;
  /** Links the path to the file on disk; false where that is not possible. */
  link(path: string, file: string): boolean;
}

/**
 * Writes and reads files below a folder. What is there already is replaced and never written into: another tree may have the same
 * file.
 */
export function filesIn(root: string): FolderOnDisk {
  const made = new Set<string>();
  /** Makes a file at its place, which is free then. */
  const make = <T>(path: string, step: (file: string) => T): T => {
    const file = join(root, path);
    const folder = dirname(file);
    if (!made.has(folder)) makeFreeFolder(folder);
    made.add(folder);
    try {
      return step(file);
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      rmSync(file, { recursive: true });
      return step(file);
    }
  };
  const named = <T>(path: string, step: () => T): T => {
    try {
      return step();
    } catch (cause) {
      throw Object.assign(cause as Error, { path: join(root, path) });
    }
  };
  const filesOnDisk: FolderOnDisk = {
    write(path, bytes) {
      named(path, () => make(path, (file) => writeFileSync(file, bytes, { flag: 'wx' })));
    },
    has: () => false,
    place({ path, file, read }) {
      if (file === null) filesOnDisk.write(path, read());
      else filesOnDisk.copy(path, file);
    },
    create(path) {
      const descriptor = named(path, () => make(path, (file) => openSync(file, 'wx')));
      return {
        write: (bytes) =>
          named(path, () => {
            for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
          }),
        close: () => closeSync(descriptor),
      };
    },
    read(path, start, length) {
      const file = join(root, path);
      if (start === undefined || length === undefined) return readWhole(file);
      const descriptor = openFile(file);
      try {
        const bytes = Buffer.allocUnsafeSlow(length);
        const read = readSync(descriptor, bytes, 0, length, start);
        if (read !== length) throw new Error(`${file} ends early`);
        return bytes;
      } finally {
        closeSync(descriptor);
      }
    },
    pieces: (path) => piecesOfFile(join(root, path)),
    remove: (path) => rmSync(join(root, path)),
    copy(path, from) {
      const mode = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
      named(path, () =>
        make(path, (file) => {
          copyFileSync(from, file, mode);
          chmodSync(file, modeOfFiles());
        }),
      );
    },
    link(path, from) {
      try {
        make(path, (file) => linkSync(from, file));
        return true;
      } catch {
        return false;
      }
    },
  };
  return filesOnDisk;
}

/** The permissions of a new file: a copy has those of its original, which may have been made under another mask. */
export function modeOfFiles(): number {
  return 0o666 & ~process.umask();
}

/** Makes a folder and those that it is in, also where one of them was a file. */
function makeFreeFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    if (!isCode(error, 'EEXIST', 'ENOTDIR')) throw error;
    let inTheWay = folder;
    while (!existsSync(inTheWay)) inTheWay = dirname(inTheWay);
    rmSync(inTheWay);
    makeFolder(folder);
  }
}

const PIECE = 64 * 1024;

/** The bytes of a file in pieces; each is overwritten by the next: new memory for each would take longer than to read them. */
export function* piecesOfFile(path: string): Generator<Buffer> {
  const descriptor = openFile(path);
  try {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    for (;;) {
      const read = readSync(descriptor, piece);
      if (read === 0) return;
      yield piece.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Whether an error of the file system is one of these. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
