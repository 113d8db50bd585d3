/** Builds one tree for the whole test run, in a folder of its own, from the packaged datasets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../build/build.ts';
import { realEffects } from '../../build/write/effects.ts';

declare module 'vitest' {
  interface ProvidedContext {
    tree: string;
  }
}

export const TEST_SITE = 'https://evidence.example';

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-tree-'));
  const tree = join(folder, 'public');
  const effects = { ...realEffects(), progress: () => undefined };
  await build(
    { datasets: 'datasets', schemas: 'schemas', out: tree, settings: { siteUrl: TEST_SITE } },
    effects,
  );
  project.provide('tree', tree);
  return () => rmSync(folder, { recursive: true, force: true });
}
