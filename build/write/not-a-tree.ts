/** Folders that no tree may replace, and those that none may be written into. */
import { RELEASE } from '../../shim/core/paths.ts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readWhole } from '../../shim/store/disk.ts';

/** A folder that a tree would not be alone in: replacing it would delete somebody's files, or others are read from around it. */
export class NotATree extends Error {
  constructor(
    folder: string,
    why = `is not empty and is not a published tree (no ${RELEASE} of this project); use an empty or new folder`,
  ) {
    super(`${folder} ${why}`);
    this.name = 'NotATree';
  }
}

/** Whether a folder holds a published tree. */
export function isTree(folder: string): boolean {
  try {
    const value = JSON.parse(readWhole(join(folder, RELEASE)).toString()) as { schema?: unknown };
    return value.schema === 'svc.release.v1';
  } catch {
    return false;
  }
}

/** Throws NotATree for a place inside another tree, which would no longer be as released, inside what it is made from, or around it. */
export function refuseInside(out: string, place: string, inputs: readonly string[]): void {
  for (const input of inputs)
    if (`${input}${sep}`.startsWith(`${place}${sep}`))
      throw new NotATree(out, `holds ${input}, which the build reads; use a folder outside of it`);
  for (let above = dirname(place); above !== dirname(above); above = dirname(above)) {
    if (inputs.includes(above))
      throw new NotATree(out, `is inside ${above}, which the build reads; use a folder outside of it`);
    if (isTree(above))
      throw new NotATree(out, `is inside ${above}, which is a published tree; use a folder outside of it`);
  }
}

/** Where Linux lists what is mounted. That a folder has another device than the one around it is no sign: some of them can be renamed. */
const MOUNTED = '/proc/self/mountinfo';

/** Throws NotATree for a mount point, which cannot be renamed: the next tree could not be put into its place. */
export function refuseMounted(out: string, place: string): void {
  if (!existsSync(MOUNTED)) return;
  // White space and backslashes are listed as three octal digits.
  const listed = place.replaceAll(
    /[ \t\n\\]/g,
    (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  const lines = readFileSync(MOUNTED, 'utf8').split('\n');
  if (lines.some((line) => line.split(' ')[4] === listed))
    throw new NotATree(
      out,
      `is a mount point, which cannot be replaced; use a folder in it, such as ${join(out, 'public')}`,
    );
}
