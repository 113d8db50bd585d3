/**
 * Builds one tree for the whole test run, in a folder of its own that also takes every temporary folder of the tests.
 * TEST_TREE names a tree built before with SITE_URL of the tests, for short runs while the build itself does not change.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../build/build.ts';
import { realEffects } from '../../build/write/effects.ts';

declare module 'vitest' {
  interface ProvidedContext {
    tree: string;
    temporary: string;
  }
}

export const TEST_SITE = 'https://evidence.example';

export default async function setup(project: TestProject): Promise<() => void> {
  const temporary = mkdtempSync(join(tmpdir(), 'evidence-tests-'));
  // Tests and the programs they start put everything there, the cache of tsx included.
  process.env['TMPDIR'] = temporary;
  const tree = process.env['TEST_TREE'] ?? join(temporary, 'public');
  if (process.env['TEST_TREE'] === undefined) await buildTree(tree);
  project.provide('tree', tree);
  project.provide('temporary', temporary);
  return () => {
    const changed = changedFiles(tree);
    rmSync(temporary, { recursive: true, force: true });
    if (changed.length > 0) throw new Error(`a test changed the shared tree: ${changed.join(', ')}`);
  };
}

async function buildTree(out: string): Promise<void> {
  const effects = { ...realEffects(), progress: () => undefined };
  await build({ datasets: 'datasets', schemas: 'schemas', out, settings: { siteUrl: TEST_SITE } }, effects);
}

/** Copies of the tree share its files by hard links, so a test that writes in place would change it for all others. */
function changedFiles(tree: string): string[] {
  const lines = readFileSync(join(tree, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const path = line.slice(66);
    const sum = createHash('sha256')
      .update(readFileSync(join(tree, path)))
      .digest('hex');
    return sum === line.slice(0, 64) ? [] : path;
  });
}
