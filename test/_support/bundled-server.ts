/** The built server of the shared tree, bundled once in a test run. Nothing may be changed in it: a test that does takes a copy. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { bundleFolder, keepCompiled } from '../../build/bundle/bundle.ts';
import { builtTree, temporaryFolder } from './tree.ts';

/** Folder of the server, with what node compiled of its code. */
export async function bundledServer(): Promise<string> {
  const shared = join(inject('temporary'), 'server');
  if (existsSync(shared)) return shared;
  const own = join(temporaryFolder(), 'server');
  await bundleFolder(own);
  await keepCompiled(own, builtTree());
  try {
    renameSync(own, shared);
  } catch {
    // Another worker was faster; what it bundled has the same bytes.
  }
  return shared;
}
