/**
 * A tree that was replaced, for a later one: its folders, and the files that the tree after it has too. To make thousands of them and to
 * delete them takes longer than what is in them. They are moved from place to place whole, so two builds never have the same. One is
 * kept, and only the folder it was of gets it back: trees in two places share no file.
 */
import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { sha256 } from '../lib/tree.ts';
import { isCode } from './folder-files.ts';
import { makeFolder } from '../lib/replace-file.ts';

/** Files that are deleted at once: node has four threads for files, and others wait for them too. */
const AT_ONCE = 2;

/** Where in a folder the last tree of `target` is kept. */
export function placeOfKept(folder: string, target: string): string {
  return join(folder, sha256(target).slice(0, 16));
}

/** Files put aside are deleted after so long: a disk may be slow to make files in the minutes after many were deleted. */
const SPENT_MS = 600_000;

/** The folder, beside the tree that is kept, of files that are in no other tree: in folders named by the time from which SPENT_MS counts. */
const SPENT = 'spent';
/** Such files are few and take much room: they are deleted with the next tree. */
const LARGE = 1024 * 1024;

/**
 * Keeps a tree that is wanted for nothing else at `place`, and no other tree beside it; false where it cannot be moved there. Its files
 * that are in no other tree are put aside for `deleteSpent`.
 */
export function keepTree(tree: string, place: string): boolean {
  const folder = dirname(place);
  const now = Date.now();
  const placeFor = (time: number): string => join(folder, SPENT, String(time));
  const [large, small] = [placeFor(0), placeFor(now)];
  for (const spent of [large, small]) makeFolder(spent);
  for (const name of readdirSync(folder))
    if (name !== SPENT) rmSync(join(folder, name), { recursive: true, force: true });
  const rest = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  try {
    for (const [at, file] of rest.entries()) {
      const { nlink, size } = lstatSync(file);
      if (nlink === 1) renameSync(file, join(size < LARGE ? small : large, `${now}-${at}`));
    }
  } catch (error) {
    // It is another disk, or another process has just kept its own tree in place of this one.
    if (isCode(error, 'EXDEV', 'ENOENT')) return false;
    throw error;
  }
  return isMoved(tree, place);
}

/** Deletes, while other work goes on, what was put aside long ago beside the tree kept at `place`. */
export async function deleteSpent(place: string): Promise<void> {
  const spent = join(dirname(place), SPENT);
  try {
    for (const name of await readdir(spent)) {
      if (Date.now() - Number(name) < SPENT_MS) continue;
      const files = await readdir(join(spent, name));
      await pMap(files, (file) => unlink(join(spent, name, file)), { concurrency: AT_ONCE });
      await rmdir(join(spent, name));
    }
  } catch {
    // Nothing was put aside, or another process deletes it.
  }
}

/** Puts what is kept at `place` into an empty folder, unless it is of another owner, group or mode than that; says whether it did. */
export function takeTree(place: string, empty: string): boolean {
  const [kept, wanted] = [statSync(place, { throwIfNoEntry: false }), statSync(empty)];
  const isAlike = kept?.mode === wanted.mode && kept.uid === wanted.uid && kept.gid === wanted.gid;
  return isAlike && isMoved(place, empty);
}

/** Removes the files that are not wanted, and the folders in which there is none. Says whether any is left. */
export function removeRest(root: string, isWanted: (path: string) => boolean, folder = ''): boolean {
  let has = false;
  for (const one of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}${one.name}`;
    if (one.isDirectory()) {
      if (removeRest(root, isWanted, `${path}/`)) has = true;
      else rmdirSync(join(root, path));
    } else if (isWanted(path)) has = true;
    else rmSync(join(root, path));
  }
  return has;
}

function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    // Another process has them, or it is another disk.
    return false;
  }
}
