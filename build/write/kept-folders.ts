/**
 * The folders of a tree that was replaced, without its files, for a later one: to make thousands of folders and to delete them takes
 * longer than what is in them. They are moved from place to place whole, so two builds never have the same.
 */
import { readdirSync, renameSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a tree, of which nothing else is wanted any more, is now kept at `place` as folders. */
export function areKept(tree: string, place: string): boolean {
  removeFiles(tree);
  return isMoved(tree, place);
}

/** Puts the folders that are kept at `place` into an empty folder, unless they are of another owner, group or mode than it. */
export function takeFolders(place: string, empty: string): void {
  const [kept, wanted] = [statSync(place, { throwIfNoEntry: false }), statSync(empty)];
  const isAlike = kept?.mode === wanted.mode && kept.uid === wanted.uid && kept.gid === wanted.gid;
  if (isAlike && isMoved(place, empty)) removeFiles(empty);
}

/** Removes the folders in which there is no file; says whether there was none at all. */
export function removeEmpty(folder: string): boolean {
  const all = readdirSync(folder, { withFileTypes: true });
  const empty = all.filter((one) => one.isDirectory() && removeEmpty(join(folder, one.name)));
  if (empty.length < all.length) return false;
  rmdirSync(folder);
  return true;
}

function removeFiles(folder: string): void {
  for (const one of readdirSync(folder, { withFileTypes: true }))
    if (one.isDirectory()) removeFiles(join(folder, one.name));
    else unlinkSync(join(folder, one.name));
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
