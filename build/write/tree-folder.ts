/**
 * A published tree as a folder that is replaced whole, by one writer at a time. During a change, or after a kill, there may be next to
 * `<folder>` a folder of this module's own, `.<folder>.writing`, with `next` (being written, worthless), `previous` (the last tree,
 * whole, moved aside), `discarded-...` (being deleted) and what a mirror has fetched so far. Nothing else next to it is touched.
 * After a kill at any moment the folder, or `previous` where there is no folder, holds one whole tree.
 */
import { errorMessage } from '../lib/findings.ts';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { sha256, sha256OfPieces, type NextTree, type TreeFile } from '../lib/tree.ts';
import { filesIn, modeOfFiles, piecesOfFile } from './folder-files.ts';
import { isLockedByOther, lockFolder } from './folder-lock.ts';
import { isKnown, note, readKnown, writeKnown, type KnownHashes } from './known-hashes.ts';
import { deleteSpent, keepTree, placeOfKept, removeRest, takeTree } from './kept-tree.ts';
import { isTree, NotATree, refuseInside, refuseMounted } from './not-a-tree.ts';
import { makeFolder } from '../lib/replace-file.ts';

/**
 * Takes a folder for writing: locks it, recovers from a killed writer, refuses a folder of other files, a mount point, and one inside a tree
 * or `inputs`. Throws Busy, NotATree.
 */
export function claimTree(out: string, inputs: readonly string[] = []): () => void {
  const target = placeOfTree(out);
  refuseMounted(out, target);
  refuseInside(out, target, inputs.map(placeOfTree));
  const unlock = lockFolder(target);
  const unclaim = (): void => {
    tidy(target);
    unlock();
  };
  try {
    recoverTree(target);
    rmSync(inWork(target, 'next'), { recursive: true, force: true });
    const place = statSync(target, { throwIfNoEntry: false });
    const isEmptyFolder = place?.isDirectory() === true && readdirSync(target).length === 0;
    if (place && !isEmptyFolder && !isTree(target)) throw new NotATree(out);
  } catch (error) {
    unclaim();
    throw error;
  }
  return unclaim;
}

/** A place in the folder beside a tree that holds the next tree, the last one, and what a mirror has fetched. */
export function inWork(target: string, name: string): string {
  return join(dirname(target), `.${basename(target)}.writing`, name);
}

/** Removes the folder of work where nothing is left in it. */
function tidy(target: string): void {
  try {
    rmdirSync(inWork(target, ''));
  } catch {
    // There is none, or a mirror goes on with what is in it.
  }
}

type IsSame = (file: string) => boolean;

/** Where trees that follow one another in one place leave something for the next. */
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
  const root = inWork(target, 'next');
  putBack(target);
  rmSync(root, { recursive: true, force: true });
  makeFolder(root);
  const place = kept === null ? null : placeOfKept(kept, target);
  const isTaken = place !== null && takeTree(place, root);
  const deleted = place === null ? null : deleteSpent(place);
  const files = filesIn(root);
  const before = known === null ? null : readKnown(known);
  const now: KnownHashes = new Map();
  const mode = modeOfFiles();
  /** Whether a tree has the same file: what is not known of it, `isSame` says. */
  const isIn = (tree: string, { path, bytes, sha256: hash }: TreeFile, isSame: IsSame): boolean => {
    const file = join(tree, path);
    try {
      const is = lstatSync(file, { throwIfNoEntry: false });
      if (!is?.isFile() || is.size !== bytes || (is.mode & 0o777) !== mode) return false;
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
      if (place !== null) removeRest(root, (path) => has(path) || rest.has(path));
      await deleted;
      await switchTree(target, root, place);
      if (known !== null) writeKnown(known, target, now);
    },
    discard() {
      rmSync(root, { recursive: true, force: true });
      tidy(target);
    },
  };
}

/** Replaces the folder by these files, all or nothing: readers see the old tree or the new one. */
export function replaceTree(out: string, files: Iterable<readonly [path: string, bytes: Uint8Array]>): void {
  const next = nextTree(out);
  try {
    for (const [path, bytes] of files) next.write(path, bytes);
    swap(placeOfTree(out), next.root);
    recoverTree(out);
  } finally {
    // What could not be written whole would fill a full disk further.
    next.discard();
  }
}

/** Puts a whole tree into place; resolves when the last one is deleted, or kept at `kept`. Where it cannot be deleted, says so. */
export async function switchTree(out: string, fresh: string, kept: string | null = null): Promise<void> {
  const target = placeOfTree(out);
  swap(target, fresh);
  const doomed = doom(target);
  if (doomed === null) return;
  try {
    if (kept === null || !keepTree(doomed, kept)) await rm(doomed, { recursive: true, force: true });
  } catch (error) {
    warn(target, error);
  }
  tidy(target);
}

/** Puts a whole tree into place by two renames. */
function swap(target: string, fresh: string): void {
  doom(target);
  if (existsSync(target)) renameSync(target, inWork(target, 'previous'));
  renameSync(fresh, target);
}

/**
 * Puts the last tree back where a writer was killed between its two renames, and deletes what is of no more use. Does nothing while
 * a writer is alive.
 */
export function recoverTree(out: string): void {
  const target = placeOfTree(out);
  if (isLockedByOther(target) || !existsSync(inWork(target, ''))) return;
  doom(putBack(target));
  for (const name of readdirSync(inWork(target, ''))) {
    if (!name.startsWith(DISCARDED)) continue;
    try {
      rmSync(inWork(target, name), { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      warn(target, error);
    }
  }
  tidy(target);
}

/** Puts the last tree back where there is none. */
function putBack(target: string): string {
  const old = inWork(target, 'previous');
  if (existsSync(old) && !existsSync(target)) renameSync(old, target);
  return target;
}

const DISCARDED = 'discarded-';

/** Moves the last tree away before it is deleted, so that what is called `previous` is never half deleted. */
function doom(target: string): string | null {
  const old = inWork(target, 'previous');
  if (!existsSync(old)) return null;
  const doomed = inWork(target, `${DISCARDED}${randomBytes(6).toString('hex')}`);
  renameSync(old, doomed);
  return doomed;
}

/** Says that the old tree is still there: the new one is in place, and nothing is wrong with it. */
function warn(target: string, error: unknown): void {
  const reason = errorMessage(error);
  console.error(
    `${inWork(target, '')} holds an old tree that cannot be deleted; delete it by hand: ${reason}`,
  );
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
