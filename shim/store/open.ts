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
import { blockRows } from './blocks.ts';
import { openForReading, readVerified, readWithSidecar, sha256Hex, stampOf, type Stamp } from './files.ts';

/** A store that can tell whether anything it gave has changed since. */
export interface FileStore extends Store {
  /** Grows whenever a file the store gave was replaced: answers remembered before are void. */
  generation(): number;
}

const RECHECK_MS = 250;
/** Packs up to this size are checked whole when opened and kept in memory. */
const WHOLE_BYTES = 64 * 1024 * 1024;

/** Opens the tree at `root`; nothing is read until it is asked for. `now` is a clock in milliseconds. */
export function openStore(root: string, now: () => number): FileStore {
  const kept = new Map<
    string,
    { value: unknown; stamps: [path: string, stamp: Stamp][]; release: () => void }
  >();
  let checked = now();
  let generation = 0;

  /** Forgets what changed on disk; at most every quarter of a second. */
  const recheck = (): void => {
    if (now() - checked < RECHECK_MS) return;
    checked = now();
    for (const [key, { stamps, release }] of kept) {
      if (stamps.every(([path, stamp]) => stampOf(path) === stamp)) continue;
      kept.delete(key);
      release();
      generation += 1;
    }
  };

  /** What `make` gives, remembered until one of its files changes. Failures are remembered too, so damage is not re-read per request. */
  const remember = <T>(key: string, files: string[], make: () => { value: T; release?: () => void }): T => {
    recheck();
    const known = kept.get(key);
    if (known) {
      if (known.value instanceof Fault) throw known.value;
      return known.value as T;
    }
    const stamps = files.map((path): [string, Stamp] => [join(root, path), stampOf(join(root, path))]);
    try {
      const { value, release } = make();
      kept.set(key, { value, stamps, release: release ?? (() => undefined) });
      return value;
    } catch (cause) {
      const fault = cause instanceof Fault ? cause : unavailable(key, cause);
      kept.set(key, { value: fault, stamps, release: () => undefined });
      throw fault;
    }
  };

  const manifest = (): PackManifest =>
    remember('The packaged data', [PACK_MANIFEST, `${PACK_MANIFEST}.sha256`], () => ({
      value: JSON.parse(readWithSidecar(root, PACK_MANIFEST).toString('utf8')) as PackManifest,
    }));

  return {
    manifest,
    pack(id) {
      const entry = manifest().packs.find((candidate) => candidate.id === id);
      if (!entry) throw unavailable(`Dataset ${id}`);
      return remember(`Dataset ${id}`, [PACK_MANIFEST, entry.path, entry.index.path], () =>
        openPack(root, entry),
      );
    },
    document: (path) =>
      remember(`The document ${path}`, [path, `${path}.sha256`], () => ({
        value: readWithSidecar(root, path),
      })),
    sha256: sha256Hex,
    generation() {
      recheck();
      return generation;
    },
  };
}

function openPack(root: string, entry: PackEntry): { value: Pack; release: () => void } {
  const index = decodeIndex(new Uint8Array(readVerified(root, entry.index)));
  const layout = { rows: entry.rows, bytes: entry.bytes, index };
  if (entry.bytes <= WHOLE_BYTES) {
    const whole = readVerified(root, entry);
    const copy = blockRows(layout, (start, length) => whole.subarray(start, start + length), false);
    return { value: { entry, index, copy }, release: () => undefined };
  }
  const file = openForReading(root, entry);
  const rows = blockRows(layout, file.readAt, true);
  const copy = (from: number, to: number): Uint8Array[] => {
    try {
      return rows(from, to);
    } catch (cause) {
      throw unavailable(`Dataset ${entry.id}`, cause);
    }
  };
  return { value: { entry, index, copy }, release: file.close };
}
