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

/**
 * A copy of the tree by hard links. A test may remove any file of it, and change those it names in `changed`: they are real
 * copies. The end of the run checks that no other was changed.
 */
export function copyOfTree(...changed: string[]): string {
  const tree = builtTree();
  const copy = join(temporaryFolder(), 'public');
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const path = from.slice(tree.length + 1);
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    if (changed.includes(path)) copyFileSync(from, join(copy, path));
    else linkSync(from, join(copy, path));
  }
  return copy;
}

/** The release of the built tree, open. */
export function builtStore(root = builtTree()): Release {
  return openReleases(root, () => performance.now()).current();
}
