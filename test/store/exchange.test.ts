/** Two trees that take each other's place while they are read, over and over: an answer is that of one of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Dataset } from '../../build/lib/dataset.ts';
import { testApp } from '../_support/doors.ts';
import { treeOf } from '../_support/made-tree.ts';
import { catalogOf, packagedDatasets, packDatasets } from '../_support/packed.ts';
import { temporaryFolder, TEST_SITE } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const TARGETS = words(`/api/v1/market-observations?dataset=coca-cultivation
  /api/v1/market-observations?dataset=drug-prices&limit=1 /api/v1/market-observations?from=2015&limit=5
  /api/v1/series?query=coca /api/v1/series?dataset=drug-prices&limit=1
  /explore/?indicator=coca-cultivation&geo=BOL /explore/?indicator=coca-cultivation&geo=BOL&answer=json`);
/** How long they are exchanged, in milliseconds: at least, and at most. */
const EXCHANGED_MS = 3000;
const MOST_EXCHANGED_MS = 60_000;
/** Exchanges the folders `public` and `other`, as a build puts its tree into place. */
const EXCHANGING = `const { renameSync } = require('node:fs');
setInterval(() => { renameSync('public', 'before'); renameSync('other', 'public'); renameSync('before', 'other'); }, 20);`;

const datasets = packagedDatasets().filter(({ descriptor }) =>
  ['coca-cultivation', 'drug-prices'].includes(descriptor.name),
);

/** The trees of these datasets, one of them with another value in the first row of coca. */
function trees(): string[] {
  const changed = datasets.map((dataset): Dataset =>
    dataset.kind === 'observations' && dataset.descriptor.name === 'coca-cultivation'
      ? { ...dataset, rows: dataset.rows.map((row, at) => (at === 0 ? { ...row, value: 4711 } : row)) }
      : dataset,
  );
  return [datasets, changed].map((each) => {
    const packed = packDatasets(each);
    packed.tree.add([catalogOf(packed)]);
    return treeOf(Object.fromEntries(packed.tree.contents()));
  });
}

/** Which folder has this name, and since when; null while none has. */
function folderAt(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.ctimeMs}` : null;
}

test('an answer is that of one tree, and lacks evidence only where they were exchanged meanwhile', async () => {
  const folder = temporaryFolder();
  const expected = new Map<string, Set<string>>(TARGETS.map((target) => [target, new Set()]));
  for (const [at, tree] of trees().entries()) {
    for (const target of TARGETS) {
      const response = await testApp(tree).fetch(new Request(`${TEST_SITE}${target}`));
      expect(response.status, target).toBe(200);
      expected.get(target)?.add(await response.text());
    }
    renameSync(tree, join(folder, at === 0 ? 'public' : 'other'));
  }
  let { fetch } = testApp(join(folder, 'public'));
  const exchanging = spawn(process.execPath, ['-e', EXCHANGING], { cwd: folder, stdio: 'inherit' });
  const both = new Set([...expected.values()].flatMap((texts) => [...texts]));
  const seen = new Set<string>();
  const lacking: string[] = [];
  let undisturbed = 0;
  let count = 0;
  try {
    const began = performance.now();
    // On a busy machine it takes longer until every answer of both trees was given.
    const goesOn = (took: number): boolean =>
      took < EXCHANGED_MS || (seen.size < both.size && took < MOST_EXCHANGED_MS);
    for (; goesOn(performance.now() - began); count += 1) {
      // What is open already would be given on and on.
      if (count % 7 === 0) ({ fetch } = testApp(join(folder, 'public')));
      const target = TARGETS[count % TARGETS.length] ?? '';
      const before = folderAt(join(folder, 'public'));
      const response = await fetch(new Request(`${TEST_SITE}${target}`));
      const text = await response.text();
      const isWhole = expected.get(target)?.has(text) === true;
      if (isWhole) seen.add(text);
      else if (response.status !== 503) expect(text).toMatch(/"(status|error|code)":"(unavailable|partial)"/);
      const isSame = before !== null && before === folderAt(join(folder, 'public'));
      if (isSame) undisturbed += 1;
      if (isSame && !isWhole) lacking.push(target);
      await new Promise((next) => setTimeout(next, 5));
    }
  } finally {
    exchanging.kill('SIGKILL');
    await once(exchanging, 'exit');
  }
  expect(both.size).toBeGreaterThan(TARGETS.length);
  expect(seen).toEqual(both);
  expect(undisturbed).toBeGreaterThan(0);
  expect(lacking).toEqual([]);
});

test('data that was missing for a moment is given with the next request', async () => {
  const [tree = ''] = trees();
  const away = `${tree}.away`;
  for (const target of TARGETS) {
    const { fetch } = testApp(tree);
    const status = async (): Promise<number> => (await fetch(new Request(`${TEST_SITE}${target}`))).status;
    renameSync(tree, away);
    expect(await status(), target).toBe(target.includes('answer=json') ? 200 : 503);
    renameSync(away, tree);
    expect(await status(), target).toBe(200);
  }
});
