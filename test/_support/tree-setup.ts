/**
 * Builds one tree for the whole test run, in a folder of its own that also takes every temporary folder of the tests.
 * TEST_TREE names a tree built before with SITE_URL of the tests, for short runs while the build itself does not change.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    tree: string;
    temporary: string;
  }
}

export const TEST_SITE = 'https://evidence.example';

const run = promisify(execFile);

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = mkdtempSync(join(tmpdir(), 'evidence-tests-'));
  // Tests and the programs they start put everything there, the cache of tsx included.
  process.env['TMPDIR'] = temporary;
  const tree = process.env['TEST_TREE'] ?? join(temporary, 'public');
  if (process.env['TEST_TREE'] === undefined) await buildTree(tree);
  project.provide('tree', tree);
  project.provide('temporary', temporary);
  // In processes of their own: while this one is busy it does not hear that the last worker has stopped, and leaves it behind.
  return async () => {
    const changed = await changedFiles(tree);
    await run('rm', ['-rf', temporary]);
    if (changed !== '') throw new Error(`a test changed the shared tree:\n${changed}`);
  };
}

/** By the command, without results of earlier builds. */
async function buildTree(tree: string): Promise<void> {
  const words = ['build/run.mjs', 'build', '--out', tree, '--no-cache'];
  await run(process.execPath, words, { env: { ...process.env, SITE_URL: TEST_SITE } });
}

/** Copies of the tree share its files by hard links, so a test that writes in place would change it for all others. */
async function changedFiles(tree: string): Promise<string> {
  const sums = run('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: tree });
  return sums.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}
