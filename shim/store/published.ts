/**
 * The published files of a tree as they are served: only those that SHA256SUMS lists, deltas, the statement of provenance
 * and sidecars, and only bytes that match. A file is checked whole before any of it is given, a large one in blocks, so that nothing
 * else waits. One of at most 16 MiB is then kept in memory; of a larger one the hashes of its blocks are kept, and each block is checked
 * again whenever it is read. While SHA256SUMS itself is damaged, files are checked against their sidecars alone.
 */
import { createHash } from 'node:crypto';
// Not from node:fs/promises: that would be loaded when the server starts.
import { promises } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Fault, unavailable } from '../core/faults.ts';
import { isUnlistedPath, RELEASE, SIDECAR_BYTES, sidecarPath, sidecarText, SUMS } from '../core/paths.ts';
import type { DataFile } from '../core/types.ts';
import {
  isPassing,
  MOST_BYTES,
  readWhole,
  readVerified,
  RECHECK_MS,
  sha256Hex,
  statOf,
  type Stamp,
} from './disk.ts';
import { sumsOf, touchedOfBoth, type Hashes, type Sums } from './sums.ts';

/** A file that was checked. */
export interface PublishedFile {
  sha256: string;
  size: number;
  /** Its bytes from `start` up to `end`: at once where it is in memory, else in checked blocks; reading fails on damage. */
  bytes(start: number, end: number): Uint8Array | AsyncIterable<Uint8Array>;
}

/** The published files of a tree. */
export interface PublishedTree {
  /** Whether the release has this file, be it intact or not. Throws unavailable while the tree is missing. */
  has(path: string): boolean;
  /** The file, which the release has. Throws, or rejects with, a Fault where it is damaged, unreadable or gone. */
  open(path: string): PublishedFile | Promise<PublishedFile>;
}

const CACHE_BYTES = 80 * 1024 * 1024;
const KEPT_BYTES = 16 * 1024 * 1024;
const AT_ONCE_BYTES = 1024 * 1024;
const BLOCK_BYTES = 128 * 1024;
const SIDECAR = '.sha256';

/** What the cache holds for a path: the file, or the Fault that says why it is not served. */
interface Known {
  value: PublishedFile | Promise<PublishedFile> | Fault;
  hashes: Hashes | null;
  stamp: Stamp;
  checked: number;
}

/** Serves the tree at `root`; `now` is a clock in milliseconds, `report` receives the Fault of a damaged file, once. */
export function publishedTree(
  root: string,
  now: () => number,
  report: (fault: Fault) => void,
  list: Sums = sumsOf(root, now),
): PublishedTree {
  const reported = new Set<string>();
  const failed = (path: string, cause: unknown): Fault => {
    const message = `The file ${path} is missing or does not match its checksum, and is not served.`;
    const fault = new Fault('unavailable', message, { cause });
    if (!reported.has(path)) report(fault);
    reported.add(path);
    return fault;
  };
  list.watch((cause) => {
    if (cause === null) reported.delete(SUMS);
    else failed(SUMS, cause);
  });
  const cache = new LRUCache<string, Known>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ value }, key) => key.length + 1024 + ('size' in value ? bytesHeld(value.size) : 0),
  });

  const known = (path: string): Known['value'] | null => {
    const kept = cache.get(path);
    if (!kept || kept.hashes !== list.hashes()) return null;
    if (now() - kept.checked >= RECHECK_MS) {
      if (touchedOfBoth(root, path) !== kept.stamp) return null;
      kept.checked = now();
    }
    return kept.value;
  };

  const opened = (path: string): PublishedFile | Promise<PublishedFile> => {
    const value = known(path);
    if (value instanceof Fault) throw value;
    if (value) return value;
    const stamp = touchedOfBoth(root, path);
    const keep = <Value extends Known['value']>(kept: Value): Value => {
      cache.set(path, { value: kept, hashes: list.hashes(), stamp, checked: now() });
      if ('size' in kept) reported.delete(path);
      return kept;
    };
    const recover = (cause: unknown): PublishedFile | Promise<PublishedFile> => {
      cache.delete(path);
      // A file that does not match may belong to a release that was switched in a moment ago.
      if (list.refresh()) return opened(path);
      const fault = failed(path, cause);
      if (!isPassing(cause)) keep(fault);
      throw fault;
    };
    try {
      const file = path.endsWith(SIDECAR) ? readSidecar(path) : readFile(path);
      return keep(file instanceof Promise ? file.then(keep, recover) : file);
    } catch (cause) {
      return recover(cause);
    }
  };

  const readFile = (path: string): PublishedFile | Promise<PublishedFile> => {
    const hash = list.hashOf(path);
    const size = statOf(join(root, path))?.size ?? 0;
    if (size <= AT_ONCE_BYTES) return whole(readVerified(root, { path, sha256: hash }), hash);
    const read = async (): Promise<PublishedFile> => {
      const listed = size > KEPT_BYTES ? await listedSize(path, size) : size;
      if (size !== (listed ?? size)) throw new Error(`${path} has ${size} bytes, expected ${listed}`);
      return readBlocks(join(root, path), { size, sha256: hash }, (cause) => {
        cache.delete(path);
        throw failed(path, cause);
      });
    };
    return size <= KEPT_BYTES ? readsOfKept(read) : read();
  };

  /**
   * The size of a file by the manifest, so that one that has grown is not hashed for minutes; undefined where that says nothing. Its
   * entry is looked for in the text: to parse all of a large list would hold up everything else.
   */
  const listedSize = async (path: string, size: number): Promise<number | undefined> => {
    if (path === RELEASE || path === SUMS) return Math.min(size, MOST_BYTES);
    if (list.hashes()?.get(RELEASE) === undefined) return undefined;
    try {
      const manifest = await opened(RELEASE);
      const parts: Uint8Array[] = [];
      const bytes = manifest.bytes(0, manifest.size);
      for await (const part of bytes instanceof Uint8Array ? [bytes] : bytes) parts.push(part);
      const text = Buffer.concat(parts);
      const at = text.indexOf(`"path": ${JSON.stringify(path)},`);
      if (at < 0) return undefined;
      return (JSON.parse(`{${text.toString('utf8', at, text.indexOf('}', at))}}`) as DataFile).bytes;
    } catch {
      return undefined;
    }
  };

  const readSidecar = (path: string): PublishedFile | Promise<PublishedFile> => {
    const owner = path.slice(0, -SIDECAR.length);
    const read = (hash: string): PublishedFile => {
      const bytes = readWhole(join(root, path), SIDECAR_BYTES);
      if (bytes.toString('latin1') !== sidecarText(owner, hash)) throw new Error(`${path} is damaged`);
      return whole(bytes, sha256Hex(bytes));
    };
    const listed = list.hashes()?.get(owner);
    if (listed !== undefined) return read(listed);
    const file = opened(owner);
    return file instanceof Promise ? file.then(({ sha256 }) => read(sha256)) : read(file.sha256);
  };

  return {
    has(path) {
      const file = path.endsWith(SIDECAR) ? path.slice(0, -SIDECAR.length) : path;
      const isThere = (): boolean => {
        const hashes = list.hashes();
        // A tree without its list is damaged.
        if (file === SUMS || hashes?.get(file) !== undefined) return true;
        const canBe = isUnlistedPath(file) || (hashes === null && !isHidden(file));
        return canBe && [file, sidecarPath(file)].every((each) => statOf(join(root, each))?.isFile());
      };
      // A file that is known is not looked up in a list of thousands.
      if (known(path) || isThere() || (list.refresh() && isThere())) return true;
      // While the whole tree is missing, as it is for a moment when another takes its place, nothing says what it has.
      if (statOf(join(root, SUMS)) === null) throw unavailable('The published site');
      return false;
    },
    open: opened,
  };
}

/** The memory that a file of this size takes, in bytes: for itself, or for the hashes of its blocks. */
function bytesHeld(size: number): number {
  return size <= KEPT_BYTES ? size : Math.ceil(size / BLOCK_BYTES) * 128;
}

/** Whether a part of the path begins with a dot, other than that of `.well-known`. */
function isHidden(path: string): boolean {
  return /(^|\/)\.(?!well-known\/)/.test(path);
}

function whole(bytes: Uint8Array, sha256: string): PublishedFile {
  return { sha256, size: bytes.length, bytes: (start, end) => bytes.subarray(start, end) };
}

/** Checks a file block by block; `damaged` is called when a block that is not kept is later found changed. */
async function readBlocks(
  file: string,
  { size, sha256 }: { size: number; sha256: string },
  damaged: (cause: unknown) => never,
): Promise<PublishedFile> {
  const kept = size <= KEPT_BYTES ? Buffer.allocUnsafeSlow(size) : null;
  const hashes: string[] = [];
  const all = createHash('sha256');
  let read = 0;
  const handle = await promises.open(file);
  try {
    while (read < size) {
      const block = await blockAt(handle, read, kept?.subarray(read, read + BLOCK_BYTES));
      if (block.length === 0) break;
      all.update(block);
      if (!kept) hashes.push(sha256Hex(block));
      read += block.length;
    }
  } finally {
    await handle.close();
  }
  if (all.digest('hex') !== sha256) throw new Error(`${file} does not match its sha256`);
  if (kept) return whole(kept, sha256);
  const reading = new Map<number, Promise<Buffer>>();
  /** Clients whose turn it is get one reading of the block they all want, and share its memory. */
  const shared = (begin: number): Promise<Buffer> => {
    const hash = hashes[begin / BLOCK_BYTES];
    const block = reading.get(begin) ?? checkedBlock(file, begin, hash).finally(() => reading.delete(begin));
    reading.set(begin, block);
    return block;
  };
  return {
    sha256,
    size,
    async *bytes(start, end) {
      for (let at = start; at < end;) {
        const begin = Math.floor(at / BLOCK_BYTES) * BLOCK_BYTES;
        const block = await blockReads(() => shared(begin)).catch(damaged);
        yield block.subarray(at - begin, end - begin);
        at = begin + block.length;
      }
    },
  };
}

/** Reading blocks for hundreds of clients at once would hold up all other requests. */
const blockReads = atMost(8);
/** Files that are read to be kept: each takes memory before the cache knows of it. */
const readsOfKept = atMost(4);

/** Runs at most `most` at once; others wait in order. */
function atMost(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((next) => waiting.push(next));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** One block of a file, which is opened for this block only, so that a slow client holds no descriptor. */
async function checkedBlock(file: string, begin: number, hash: string | undefined): Promise<Buffer> {
  const handle = await promises.open(file);
  try {
    const block = await blockAt(handle, begin);
    if (sha256Hex(block) !== hash) throw new Error(`${file} changed after it was checked`);
    return block;
  } finally {
    await handle.close();
  }
}

/** A block from a position, in `room`; shorter only at the end of the file. */
async function blockAt(
  handle: Awaited<ReturnType<typeof promises.open>>,
  position: number,
  room: Buffer = Buffer.allocUnsafe(BLOCK_BYTES),
): Promise<Buffer> {
  let length = 0;
  while (length < room.length) {
    const { bytesRead } = await handle.read(room, length, room.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return room.subarray(0, length);
}
