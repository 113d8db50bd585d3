/**
 * The store over a published tree: manifest, packs and documents, opened on first use and checked against their hashes.
 * Replaced, damaged or missing files are noticed within a quarter of a second: what changed is opened and checked anew, and
 * what does not check out is unavailable while everything else goes on. It never writes.
 */
import { join } from 'node:path';
import { Fault, unavailable } from '../core/faults.ts';
import { decodeIndex } from '../core/index-file.ts';
import { PACK_MANIFEST } from '../core/paths.ts';
import type { Pack, PackEntry, PackManifest, Store } from '../core/types.ts';
import { blockCache, blockRows, type BlockCache } from './blocks.ts';
import { openForReading, readVerified, readWithSidecar, sha256Hex, stampOf, type Stamp } from './files.ts';

/** A store that can tell whether anything it gave has changed since. */
export interface FileStore extends Store {
  /** Grows whenever a file the store gave was replaced: answers remembered before are void. */
  generation(): number;
}

const RECHECK_MS = 250;
/** Packs are checked whole when opened and kept in memory while they fit in here together; larger ones are read by blocks. */
const WHOLE_BYTES = 64 * 1024 * 1024;
/** Blocks of the other packs kept in memory at most, of all of them together. */
const BLOCKS_BYTES = 32 * 1024 * 1024;
/** Documents kept in memory at most. */
const DOCUMENTS = 32;

/** Opens the tree at `root`; nothing is read until it is asked for. `now` is a clock in milliseconds. */
export function openStore(root: string, now: () => number): FileStore {
  const data = remembering(root, now, Number.POSITIVE_INFINITY);
  const documents = remembering(root, now, DOCUMENTS);
  const room: Room = { whole: WHOLE_BYTES, blocks: blockCache(BLOCKS_BYTES) };
  const manifest = (): PackManifest =>
    data.remember('The packaged data', [PACK_MANIFEST, `${PACK_MANIFEST}.sha256`], () => ({
      value: manifestOf(readWithSidecar(root, PACK_MANIFEST).toString('utf8')),
    }));
  return {
    manifest,
    pack(id) {
      const entry = manifest().packs.find((candidate) => candidate.id === id);
      if (!entry) throw unavailable(`Dataset ${id}`);
      return data.remember(`Dataset ${id}`, [PACK_MANIFEST, entry.path, entry.index.path], () =>
        openPack(root, entry, room),
      );
    },
    document: (path) =>
      documents.remember(`The document ${path}`, [path, `${path}.sha256`], () => ({
        value: readWithSidecar(root, path),
      })),
    sha256: sha256Hex,
    generation: () => data.generation() + documents.generation(),
  };
}

/** A list of packs, or an Error: a well-hashed file of another form is no evidence either. */
function manifestOf(text: string): PackManifest {
  const value = JSON.parse(text) as Partial<PackManifest> | null;
  if (value?.schema !== 'svc.packs.v1' || !Array.isArray(value.packs) || !Array.isArray(value.unavailable))
    throw new Error(`${PACK_MANIFEST} is not a list of packs`);
  return value as PackManifest;
}

/** Values made from files, until one of the files changes. */
interface Remembering {
  remember<T>(key: string, files: string[], make: () => { value: T; release?: () => void }): T;
  generation(): number;
}

function remembering(root: string, now: () => number, most: number): Remembering {
  const kept = new Map<
    string,
    { value: unknown; stamps: [path: string, stamp: Stamp][]; release: () => void }
  >();
  let checked = now();
  let generation = 0;

  const forget = (key: string): void => {
    kept.get(key)?.release();
    kept.delete(key);
    generation += 1;
  };

  /** Forgets what changed on disk; at most every quarter of a second. */
  const recheck = (): void => {
    if (now() - checked < RECHECK_MS) return;
    checked = now();
    for (const [key, { stamps }] of kept)
      if (stamps.some(([path, stamp]) => stampOf(path) !== stamp)) forget(key);
  };

  return {
    generation() {
      recheck();
      return generation;
    },
    /** Damage is remembered too, so that it is not read again with every request. */
    remember<T>(key: string, files: string[], make: () => { value: T; release?: () => void }): T {
      recheck();
      const known = kept.get(key);
      if (known) {
        if (known.value instanceof Fault) throw known.value;
        return known.value as T;
      }
      const stamps = files.map((path): [string, Stamp] => [join(root, path), stampOf(join(root, path))]);
      let made: { value: unknown; release?: () => void };
      try {
        made = make();
      } catch (cause) {
        const fault = cause instanceof Fault ? cause : unavailable(key, cause);
        if (isPassing(cause)) throw fault;
        made = { value: fault };
      }
      if (kept.size >= most) forget(kept.keys().next().value ?? key);
      kept.set(key, { value: made.value, stamps, release: made.release ?? (() => undefined) });
      if (made.value instanceof Fault) throw made.value;
      return made.value as T;
    },
  };
}

/** Codes of the system that tell of the file; all others (no descriptor left, no memory) tell of the moment. */
const OF_THE_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);

function isPassing(cause: unknown): boolean {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code !== undefined && /^E[A-Z]+$/.test(code) && !OF_THE_FILE.has(code);
}

/** What packs may hold of their records in memory. */
interface Room {
  /** Bytes left for packs kept whole. */
  whole: number;
  blocks: BlockCache;
}

function openPack(root: string, entry: PackEntry, room: Room): { value: Pack; release: () => void } {
  const index = decodeIndex(readVerified(root, entry.index));
  const layout = { rows: entry.rows, bytes: entry.bytes, index };
  if (entry.bytes <= room.whole) {
    const whole = readVerified(root, entry);
    room.whole -= entry.bytes;
    const copy = blockRows(layout, (start, length) => whole.subarray(start, start + length), {
      verify: false,
      // Its blocks are views of what is held anyway: none may go, they are joined in place.
      cache: null,
    });
    const release = (): void => {
      room.whole += entry.bytes;
    };
    return { value: { entry, index, copy }, release };
  }
  const file = openForReading(root, entry);
  const rows = blockRows(layout, file.readAt, { verify: true, cache: room.blocks });
  const copy = (from: number, to: number): Uint8Array[] => {
    try {
      return rows(from, to);
    } catch (cause) {
      throw unavailable(`Dataset ${entry.id}`, cause);
    }
  };
  return { value: { entry, index, copy }, release: file.close };
}
