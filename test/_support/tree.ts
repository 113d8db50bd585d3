/** The tree the test run was given: read-only for tests; `copyOfTree` where a test damages it. */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openStore, type FileStore } from '../../shim/store/open.ts';

export { TEST_SITE } from './tree-setup.ts';

/** Folder of the built tree, shared by all test files. */
export function builtTree(): string {
  return inject('tree');
}

/** A private copy a test may damage. */
export function copyOfTree(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'evidence-copy-')), 'public');
  cpSync(builtTree(), folder, { recursive: true });
  return folder;
}

/** A store over the built tree. */
export function builtStore(root = builtTree()): FileStore {
  return openStore(root, () => performance.now());
}
