/**
 * A published tree as a folder that is replaced whole, by one writer at a time. During a change, or after a kill, there may be next to `<folder>`:
 * `.next` (being written, worthless), `.previous` (the last tree, whole, moved aside), `.discarded` (being deleted), `.lock`.
 * After a kill at any moment the folder, or `.previous` where there is no folder, holds one whole tree.
 *
 * `<folder>.lock` is a symbolic link whose target, `<pid> <start>`, names the process that writes to the folder. A link gets its
 * target in the step that makes it, so a lock is never half written. A lock whose process is gone is taken over.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { sha256, sha256OfPieces, type NextTree, type TreeFile } from '../lib/tree.ts';
import { filesIn, isCode, piecesOfFile } from './folder-files.ts';
import { isKnown, note, readKnown, writeKnown, type KnownHashes } from './known-hashes.ts';
import { keepTree, removeRest, takeTree } from './kept-tree.ts';
import { isTree, NotATree, refuseInside } from './not-a-tree.ts';

/** Another process is writing to the folder. */
export class Busy extends Error {
  constructor(folder: string, pid: number) {
    super(`${folder} is being written by process ${pid}; wait for it, or stop it and run again`);
    this.name = 'Busy';
  }
}

/**
 * Takes a folder for writing: locks it, recovers from a killed writer, refuses a folder of other files, and one inside a tree or
 * `inputs`. Throws Busy, NotATree.
 */
export function claimTree(out: string, inputs: readonly string[] = []): () => void {
  const target = placeOfTree(out);
  refuseInside(out, target, inputs.map(placeOfTree));
  const unlock = lockFolder(target);
  try {
    recoverTree(target);
    rmSync(`${target}.next`, { recursive: true, force: true });
    const place = statSync(target, { throwIfNoEntry: false });
    const isEmptyFolder = place?.isDirectory() === true && readdirSync(target).length === 0;
    if (place && !isEmptyFolder && !isTree(target)) throw new NotATree(out);
  } catch (error) {
    unlock();
    throw error;
  }
  return unlock;
}

type IsSame = (file: string) => boolean;

/** What trees that follow one another share. */
interface Repeated {
  /** The file that has the hashes of the last tree's files, with the place and times that their system gives them. */
  known?: string | null;
  /** Where an earlier tree is kept, with what the last one shares with it: that takes less time than to make all of it. */
  kept?: string | null;
}

/**
 * Starts the tree that will replace the folder. Nobody sees it before; what is left of it after a failure is worthless. A file
 * with the same bytes as in the last tree is linked from there, which takes less time than to write it; where its hash is known
 * and it was not changed since, it is not even read, and where the tree before the last is kept, it need not be linked.
 */
export function nextTree(out: string, { known = null, kept = null }: Repeated = {}): NextTree {
  const target = placeOfTree(out);
  const root = `${target}.next`;
  recoverTree(target);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const isTaken = kept !== null && takeTree(kept, root);
  const files = filesIn(root);
  const before = known === null ? null : readKnown(known);
  const now: KnownHashes = new Map();
  /** Whether a tree has the same file: what is not known of it, `isSame` says. */
  const isIn = (tree: string, { path, bytes, sha256: hash }: TreeFile, isSame: IsSame): boolean => {
    const file = join(tree, path);
    try {
      const is = lstatSync(file, { throwIfNoEntry: false });
      if (!is?.isFile() || is.size !== bytes) return false;
      if (!isKnown(before, path, hash, is) && !isSame(file)) return false;
      note(now, path, hash, is);
      return true;
    } catch {
      return false;
    }
  };
  /** Whether this tree has the file now: what was kept has it, or it is linked from the last tree. */
  const isPlaced = (file: TreeFile, isSame: IsSame): boolean =>
    (isTaken && isIn(root, file, () => false)) ||
    (isIn(target, file, isSame) && files.link(file.path, join(target, file.path)));
  const there = new Set<string>();
  const rest = new Set<string>();
  return {
    root,
    ...files,
    write(path, bytes, hash = sha256(bytes)) {
      const file = { path, bytes: bytes.length, sha256: hash };
      if (isPlaced(file, (last) => readFileSync(last).equals(bytes))) return;
      files.write(path, bytes);
      note(now, path, hash, lstatSync(join(root, path)));
    },
    has(file) {
      const isThere = isPlaced(file, () => false);
      if (isThere) there.add(file.path);
      return isThere;
    },
    place(file) {
      const { path, sha256: hash } = file;
      if (there.has(path) || isPlaced(file, (last) => sha256OfPieces(piecesOfFile(last)) === hash)) return;
      files.place(file);
      note(now, path, hash, lstatSync(join(root, path)));
    },
    keepRest(has) {
      for (const path of fastGlob.globSync('**', { cwd: target, dot: true })) {
        rest.add(path);
        const [is, last] = [root, target].map((tree) =>
          lstatSync(join(tree, path), { throwIfNoEntry: false }),
        );
        if (has(path)) continue;
        const [hash = ''] = before?.get(path) ?? [];
        if (last && isKnown(before, path, hash, last)) note(now, path, hash, last);
        if (is?.ino !== last?.ino) files.link(path, join(target, path));
      }
    },
    async replace(has) {
      // What was taken, or linked for an entry of the cache that turned out to be damaged, may be of no use.
      if (kept !== null) removeRest(root, (path) => has(path) || rest.has(path));
      await switchTree(target, root, kept);
      if (known !== null) writeKnown(known, target, now);
    },
    discard: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Replaces the folder by these files, all or nothing: readers see the old tree or the new one. */
export function replaceTree(out: string, files: Iterable<readonly [path: string, bytes: Uint8Array]>): void {
  const next = nextTree(out);
  try {
    for (const [path, bytes] of files) next.write(path, bytes);
    discard(swapped(out, next.root));
  } finally {
    // What could not be written whole would fill a full disk further.
    next.discard();
  }
}

/** Puts a whole tree into place; resolves when the last one is deleted, or kept at `kept`. */
export async function switchTree(out: string, fresh: string, kept: string | null = null): Promise<void> {
  const doomed = doom(swapped(out, fresh));
  if (!doomed || (kept !== null && keepTree(doomed, kept))) return;
  await rm(doomed, { recursive: true, force: true });
}

/** Puts a whole tree into place by two renames; gives where the last one is. */
function swapped(out: string, fresh: string): string {
  const target = placeOfTree(out);
  const old = `${target}.previous`;
  discard(old);
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  return old;
}

/** Puts the last tree back where a writer was killed between its two renames. Does nothing while a writer is alive. */
export function recoverTree(out: string): void {
  const target = placeOfTree(out);
  if (isLockedByOther(target)) return;
  const old = `${target}.previous`;
  if (existsSync(old) && !existsSync(target)) renameSync(old, target);
  discard(old);
}

/** The real folder of a tree, which may be moved aside: a link to it stays a link. */
export function placeOfTree(out: string): string {
  if (existsSync(out)) return realpathSync(out);
  const place = resolve(out);
  if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return place;
  const target = resolve(dirname(place), readlinkSync(place));
  // Throws where links lead round in a circle.
  statSync(target, { throwIfNoEntry: false });
  return placeOfTree(target);
}

function discard(folder: string): void {
  const doomed = doom(folder);
  if (doomed) rmSync(doomed, { recursive: true, force: true });
}

/** Moves a folder away before it is deleted, so that what is called `.previous` is never half deleted. */
function doom(folder: string): string | null {
  const doomed = `${folder.replace(/\.previous$/, '')}.discarded`;
  rmSync(doomed, { recursive: true, force: true, maxRetries: 5 });
  if (!existsSync(folder)) return null;
  renameSync(folder, doomed);
  return doomed;
}

/** Takes the lock of a folder; returns the function that releases it. Throws Busy. */
export function lockFolder(folder: string): () => void {
  const lock = `${folder}.lock`;
  mkdirSync(dirname(folder), { recursive: true });
  const own = `${process.pid} ${startOf(process.pid)}`;
  for (let attempt = 0; !linked(own, lock); attempt += 1) {
    const holder = livePid(holderOf(lock));
    if (holder !== null || attempt > 3) throw new Busy(folder, holder ?? 0);
    discardLock(lock);
  }
  rmSync(`${lock}.stale`, { force: true });
  return () => rmSync(lock, { force: true });
}

/** Whether another process holds the folder's lock now. */
function isLockedByOther(folder: string): boolean {
  const pid = livePid(holderOf(`${folder}.lock`));
  return pid !== null && pid !== process.pid;
}

function linked(holder: string, lock: string): boolean {
  try {
    symlinkSync(holder, lock);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Two processes may find the same stale lock: one that moves away a live lock by mistake puts it back. */
function discardLock(lock: string): void {
  const aside = `${lock}.stale`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const holder = holderOf(aside);
  if (livePid(holder) !== null) linked(holder, lock);
  rmSync(aside, { force: true });
}

/** The process that a lock names, if it is alive. A younger process with the same number does not count. */
function livePid(holder: string): number | null {
  const [pid = '', start = ''] = holder.split(' ', 2);
  if (!/^[1-9]\d*$/.test(pid) || !isAlive(Number(pid))) return null;
  const now = startOf(Number(pid));
  return start === '' || now === '' || start === now ? Number(pid) : null;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** When a process started, in ticks since boot, where the system says so (field 22 of /proc/<pid>/stat); else empty. */
function startOf(pid: number): string {
  const stat = textOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function holderOf(lock: string): string {
  return textOr(() => readlinkSync(lock));
}

function textOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
