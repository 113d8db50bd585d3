/** Reads files of a tree on disk, whole, in steps or by position, checks them against their hashes, and notices when they change. */
import { join } from 'node:path';
import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import type { PackEntry } from '../core/types.ts';

/** System errors about the file itself; all others (no descriptor left, no memory) are temporary. */
const OF_THE_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Whether a failure is temporary, so that the next request should try again. */
export function isPassing(cause: unknown): boolean {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code !== undefined && /^E[A-Z]+$/.test(code) && !OF_THE_FILE.has(code);
}

/** The sha256 as bytes. */
export function digest(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

/** How long a file's stamp is trusted before it is looked at again, in milliseconds. */
export const RECHECK_MS = 250;

/** A file's identity, cheap to compare: changes when it is replaced, rewritten or removed. */
export type Stamp = string;

/** The stats of a path; null where there is nothing, or nothing that can be reached (a name too long, a file as folder). */
export function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The stamp of a file, `missing` where there is none. */
export function stampOf(path: string): Stamp {
  return stampIn(statOf(path));
}

function stampIn(stat: Stats | null): Stamp {
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : 'missing';
}

/** The stamp with the time of the last inode change, because a repair may keep the date. Linking to the file changes it too. */
export function touchedStampOf(path: string): Stamp {
  return bothStampsOf(path)[1];
}

/** What `stampOf` and `touchedStampOf` give, from one look at the file. */
export function bothStampsOf(path: string): [stamp: Stamp, touched: Stamp] {
  const stat = statOf(path);
  const stamp = stampIn(stat);
  return [stamp, `${stamp}:${stat?.ctimeMs}`];
}

/** Opens a file of at most so many bytes. Throws for anything else: a pipe would keep the process waiting for a writer. */
export function openFile(path: string, most = Infinity): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stat = fstatSync(descriptor);
  if (stat.isFile() && stat.size <= most) return descriptor;
  closeSync(descriptor);
  throw new Error(
    stat.isFile() ? `${path} has ${stat.size} bytes, expected at most ${most}` : `${path} is not a file`,
  );
}

/** A whole file; throws an Error that names it where it has more than `most` bytes. */
export function readWhole(path: string, most = Infinity): Buffer {
  const descriptor = openFile(path, most);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A file of unknown size that is larger is damaged: reading it would hold up everything else. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** A whole file, checked; throws an Error that names the file where its sha256 or size is not as expected. */
export function readVerified(root: string, file: { path: string; bytes?: number; sha256: string }): Buffer {
  const bytes = readWhole(join(root, file.path), file.bytes ?? MOST_BYTES);
  if (file.bytes !== undefined && bytes.length !== file.bytes)
    throw new Error(`${file.path} has ${bytes.length} bytes, expected ${file.bytes}`);
  if (sha256Hex(bytes) !== file.sha256) throw new Error(`${file.path} does not match its sha256`);
  return bytes;
}

/** Bytes that are read and hashed at a time: about a millisecond of work. */
const STEP_BYTES = 1024 * 1024;

/** A whole file as `readVerified` gives it, in short steps; null where it is not as expected, or cannot be read. */
export function* readInSteps(
  root: string,
  { path, bytes: size, sha256 }: Pick<PackEntry, 'path' | 'bytes' | 'sha256'>,
): Generator<void, Buffer | null> {
  let descriptor: number | null = null;
  try {
    descriptor = openFile(join(root, path));
    if (fstatSync(descriptor).size !== size) return null;
    const bytes = Buffer.allocUnsafeSlow(size);
    const sum = createHash('sha256');
    for (let at = 0; at < size; yield) {
      const read = readSync(descriptor, bytes, at, Math.min(STEP_BYTES, size - at), at);
      if (read === 0) return null;
      sum.update(bytes.subarray(at, at + read));
      at += read;
    }
    return sum.digest('hex') === sha256 ? bytes : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

interface PositionalFile {
  readAt(start: number, length: number): Buffer;
}

/** Closes files once nothing can read them any more: a download may go on after its pack was replaced. */
const unused = new FinalizationRegistry<number>(closeSync);

/** Opens a large file for positional reads; the size must be as expected. */
export function openForReading(root: string, file: { path: string; bytes: number }): PositionalFile {
  const descriptor = openFile(join(root, file.path));
  const { size } = fstatSync(descriptor);
  if (size !== file.bytes) {
    closeSync(descriptor);
    throw new Error(`${file.path} has ${size} bytes, expected ${file.bytes}`);
  }
  const opened: PositionalFile = {
    readAt(start, length) {
      const buffer = Buffer.allocUnsafe(length);
      const read = readSync(descriptor, buffer, 0, length, start);
      if (read !== length) throw new Error(`${file.path} ends early`);
      return buffer;
    },
  };
  unused.register(opened, descriptor);
  return opened;
}

/** Lower-case hex sha256. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}
