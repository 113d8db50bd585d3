/** Some of the packaged datasets, or few rows of each, and builds of them: for tests that are about something else than the rows. */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inject } from 'vitest';
import { build } from '../../build/build.ts';
import { realEffects } from '../../build/write/effects.ts';
import { casesOf } from './share.ts';
import { temporaryFolder, TEST_SITE } from './tree.ts';

/**
 * Builds a site in process, without a word: of the packaged datasets and the project's schemas unless stated, and with what other
 * tests of this run built, as by the command. A test of the cache, or of a build without one, gives its own effects.
 */
export async function buildSite(
  what: { out: string } & Partial<Parameters<typeof build>[0]>,
  effects = realEffects({ cache: join(inject('temporary'), 'cache') }),
): Promise<void> {
  const whole = { datasets: 'datasets', schemas: 'schemas', settings: { siteUrl: TEST_SITE }, ...what };
  await build(whole, { ...effects, progress: () => undefined });
}

/** A new folder with these packaged datasets. */
export function someDatasets(...ids: string[]): string {
  const folder = join(temporaryFolder(), 'datasets');
  mkdirSync(folder);
  for (const id of ids) cpSync(join('datasets', id), join(folder, id), { recursive: true });
  return folder;
}

/** Rows that are kept: of small datasets all of them. */
const ROWS = casesOf(250, 100);

/** Writes every dataset to `to`, the first rows of each edition, and these stories; resolves to the folder. */
export function fewRows(to: string, stories: readonly string[]): string {
  const files = readdirSync('datasets', { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  for (const { parentPath, name } of files) {
    if (parentPath.endsWith('newsroom') && !stories.some((id) => name.startsWith(`${id}.`))) continue;
    const from = join(parentPath, name);
    const file = join(to, relative('datasets', from));
    mkdirSync(dirname(file), { recursive: true });
    if (name !== 'records.csv') copyFileSync(from, file);
    else
      writeFileSync(
        file,
        `${readFileSync(from, 'utf8')
          .split('\n')
          .slice(0, ROWS + 1)
          .join('\n')
          .trimEnd()}\n`,
      );
  }
  return to;
}
