/**
 * Opens releases: manifest, packs and documents of a published tree, each opened on first use and checked against its hash. A
 * release is a snapshot. When files on disk change, within a quarter of a second the next snapshot takes its place: it keeps
 * what is unchanged and opens the rest again. What does not check out is unavailable while everything else goes on. The tree
 * is never written to.
 */
import { join } from 'node:path';
import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { Fault, unavailable } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST } from '../core/paths.ts';
import type { Pack, PackEntry, PackManifest, Release } from '../core/types.ts';
import {
  blockCache,
  blockRows,
  type BlockCache,
  deriving,
  entryOf,
  manifestOf,
  rowsInMemory,
} from './blocks.ts';

/** A pack of this size is checked whole when it is opened; of a larger one each block is checked when it is read first. */
const WHOLE_BYTES = 24 * 1024 * 1024;
/** Packs that fit in here together stay in memory as far as they were read. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Blocks of the other packs kept in memory at most, of all of them together. */
const BLOCKS_BYTES = 32 * 1024 * 1024;

/** The release of a tree as it is now. */
export interface Releases {
  current(): Release;
}

/** One thing opened: a value, or the Fault that says why there is none, and the files it was made from. */
interface Part {
  value: unknown;
  stamps: [path: string, stamp: Stamp][];
  close(): void;
}

/** Parts by what they are: damage is one too, so that it is not read again with every request. */
type Parts = Map<string, Part>;

/** What packs may hold of their records in memory. */
interface Room {
  /** Bytes left for packs that stay in memory. */
  kept: number;
  blocks: BlockCache;
}

/** Holds the current release of the tree at `root`; nothing is read until it is needed. `now` is a clock in milliseconds. */
export function openReleases(root: string, now: () => number): Releases {
  const room: Room = { kept: KEPT_BYTES, blocks: blockCache(BLOCKS_BYTES) };
  let parts: Parts = new Map();
  const snapshot = (): Release => openRelease(root, room, parts, () => void (release = snapshot()));
  let release = snapshot();
  let checked = now();
  return {
    current() {
      if (now() - checked < RECHECK_MS) return release;
      checked = now();
      const changed = [...parts].filter(([, { stamps }]) =>
        stamps.some(([path, stamp]) => stampOf(path) !== stamp),
      );
      if (changed.length === 0) return release;
      parts = new Map(parts);
      for (const [key, part] of changed) {
        part.close();
        parts.delete(key);
      }
      release = snapshot();
      return release;
    },
  };
}

/** A snapshot; `lost` is called when a part of it turns out to be damaged, so that nothing made of that part is given any more. */
function openRelease(root: string, room: Room, parts: Parts, lost: () => void): Release {
  /** The part of a key; it is found and opened on first use. `what` the client may see. */
  const part = <T>(
    key: string,
    find: () => { what: string; files: string[]; open: () => { value: T; close?: () => void } },
  ): T => {
    let known = parts.get(key);
    if (!known) {
      const { what, files, open } = find();
      const stamps = files.map((path): [string, Stamp] => [join(root, path), stampOf(join(root, path))]);
      const opened = attempt(what, open);
      known = { value: opened.value, stamps, close: opened.close ?? (() => undefined) };
      parts.set(key, known);
    }
    if (known.value instanceof Fault) throw known.value;
    return known.value as T;
  };
  const manifest = (): PackManifest =>
    part(PACK_MANIFEST, () => ({
      what: 'The packaged data',
      files: [PACK_MANIFEST, `${PACK_MANIFEST}.sha256`],
      open: () => ({ value: manifestOf(readWithSidecar(root, PACK_MANIFEST).toString('utf8')) }),
    }));
  const release: Release = {
    derive: deriving(),
    manifest,
    pack: (id) =>
      part(id, () => {
        const entry = entryOf(id, release);
        const damaged = (fault: Fault): void => {
          const known = parts.get(id);
          if (known) known.value = fault;
          lost();
        };
        return {
          what: `Dataset ${id}`,
          files: [PACK_MANIFEST, entry.path, entry.index.path],
          open: () => openPack(root, entry, room, damaged),
        };
      }),
    document: (path) =>
      part(`document ${path}`, () => ({
        what: `The document ${path}`,
        files: [path, `${path}.sha256`],
        open: () => ({ value: readWithSidecar(root, path) }),
      })),
    sha256: sha256Hex,
  };
  return release;
}

/** Opens a part; a failure that tells of the file is a value too, one that tells of the moment is thrown. */
function attempt<T>(
  what: string,
  open: () => { value: T; close?: () => void },
): { value: T | Fault; close?: () => void } {
  try {
    return open();
  } catch (cause) {
    const fault = cause instanceof Fault ? cause : unavailable(what, cause);
    if (isPassing(cause)) throw fault;
    return { value: fault };
  }
}

/** Codes of the system that tell of the file; all others (no descriptor left, no memory) tell of the moment. */
const OF_THE_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Whether a failure tells of the moment, so that the next request should try again. */
export function isPassing(cause: unknown): boolean {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code !== undefined && /^E[A-Z]+$/.test(code) && !OF_THE_FILE.has(code);
}

/** Opens a pack; `damaged` is called when a block of it is later found damaged: then nothing of it is given any more. */
function openPack(
  root: string,
  entry: PackEntry,
  room: Room,
  damaged: (fault: Fault) => void,
): { value: Pack; close: () => void } {
  const index = decodeIndex(readVerified(root, entry.index));
  const layout = { rows: entry.rows, bytes: entry.bytes, index };
  // Earlier editions are queried rarely: they take no room from the current ones.
  const isKept = !entry.id.includes('@') && entry.bytes <= room.kept;
  const reserved = isKept ? entry.bytes : 0;
  const isWhole = isKept && entry.bytes <= WHOLE_BYTES;
  const file = isWhole ? null : openForReading(root, entry);
  const rows = file
    ? blockRows(layout, ({ start, length }) => file.readAt(start, length), {
        digest,
        cache: isKept ? null : room.blocks,
      })
    : rowsInMemory(layout, readVerified(root, entry));
  room.kept -= reserved;
  const copy: Pack['copy'] = (from, to, chunks) => {
    try {
      return rows(from, to, chunks);
    } catch (cause) {
      const fault = unavailable(`Dataset ${entry.id}`, cause);
      if (!isPassing(cause)) damaged(fault);
      throw fault;
    }
  };
  const close = (): void => void (room.kept += reserved);
  return { value: { entry, index, copy, derive: deriving() }, close };
}

function digest(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

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

/** A file that is read by position. */
interface PositionalFile {
  readAt(start: number, length: number): Buffer;
}

/** Closes what nobody reads any more: a download goes on while the pack it is made of is replaced. */
const unused = new FinalizationRegistry<number>(closeSync);

/** Opens a large file for positional reads; the size must be as expected. */
function openForReading(root: string, file: { path: string; bytes: number }): PositionalFile {
  const descriptor = openSync(join(root, file.path), 'r');
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
