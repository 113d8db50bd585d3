/** Reading published files with their hashes checked: the store is the first client of its own checksums. */
import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** How long a file's stamp is trusted before it is looked at again, in milliseconds. */
export const RECHECK_MS = 250;

/** A file's identity, cheap to compare: changes when it is replaced, rewritten or removed. */
export type Stamp = string;

/** What the system says of a path; null where there is nothing, or nothing that can be reached (a name too long, a file as folder). */
export function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The stamp of a file, `missing` where there is none. */
export function stampOf(path: string): Stamp {
  const stat = statOf(path);
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : 'missing';
}

/** A whole file, its sha256 and size as expected; throws an Error that names the file otherwise. */
export function readVerified(root: string, file: { path: string; bytes?: number; sha256: string }): Buffer {
  const bytes = readFileSync(join(root, file.path));
  if (file.bytes !== undefined && bytes.length !== file.bytes)
    throw new Error(`${file.path} has ${bytes.length} bytes, expected ${file.bytes}`);
  if (sha256Hex(bytes) !== file.sha256) throw new Error(`${file.path} does not match its sha256`);
  return bytes;
}

/** A whole file checked against the sidecar beside it. */
export function readWithSidecar(root: string, path: string): Buffer {
  const line = readFileSync(join(root, `${path}.sha256`), 'utf8');
  return readVerified(root, { path, sha256: line.slice(0, 64) });
}

/** Opens a large file for positional reads; the size must be as expected. Call `close` when done. */
export function openForReading(
  root: string,
  file: { path: string; bytes: number },
): { readAt(start: number, length: number): Buffer; close(): void } {
  const descriptor = openSync(join(root, file.path), 'r');
  const { size } = fstatSync(descriptor);
  if (size !== file.bytes) {
    closeSync(descriptor);
    throw new Error(`${file.path} has ${size} bytes, expected ${file.bytes}`);
  }
  return {
    readAt(start, length) {
      const buffer = Buffer.allocUnsafe(length);
      const read = readSync(descriptor, buffer, 0, length, start);
      if (read !== length) throw new Error(`${file.path} ends early`);
      return buffer;
    },
    close: () => closeSync(descriptor),
  };
}

/** Lower-case hex sha256. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}
