/** The tree the test run was given: read-only for tests; `copyOfTree` where a test damages it. */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { Release } from '../../shim/core/types.ts';
import { openReleases } from '../../shim/store/release.ts';

export { TEST_SITE } from './tree-setup.ts';

/** Folder of the built tree, shared by all test files. */
export function builtTree(): string {
  return inject('tree');
}

/** A new, empty folder; the test run removes it when it ends. */
export function temporaryFolder(): string {
  return mkdtempSync(join(inject('temporary'), 'test-'));
}

/** Most files of the tree: pages of places and of rows, with their sidecars. */
export const PLACE_PAGE =
  /^(places|data\/(?!datasets|editions|index|parquet)[^/]+)\/.*index\.html(\.sha256)?$/;

/** Every file of the tree. */
export function filesOfTree(): string[] {
  const tree = builtTree();
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .toSorted();
}

/**
 * A copy of the tree by hard links, without the pages of places. A test may remove any file of it, and change those it names in
 * `changed`: they are real copies. The end of the run checks that no other was changed.
 */
export function copyOfTree(...changed: string[]): string {
  return linkedCopy(
    filesOfTree().filter((path) => changed.includes(path) || !PLACE_PAGE.test(path)),
    changed,
  );
}

/** Such a copy with every file. */
export function wholeCopyOfTree(...changed: string[]): string {
  return linkedCopy(filesOfTree(), changed);
}

function linkedCopy(paths: readonly string[], changed: readonly string[]): string {
  const copy = join(temporaryFolder(), 'public');
  const folders = new Set<string>();
  for (const path of paths) {
    const to = join(copy, path);
    const folder = dirname(to);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    if (changed.includes(path)) copyFileSync(join(builtTree(), path), to);
    else linkSync(join(builtTree(), path), to);
  }
  return copy;
}

/** The release of the built tree, open. */
export function builtStore(root = builtTree()): Release {
  return openReleases(root, () => performance.now()).current();
}
