/** A build takes what did not change from the cache: the tree is the same as without, also after a change and back, with one thread or two. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NEWSWIRE_RECEIPT } from '../../shim/core/paths.ts';
import { NO_CACHE } from '../../build/lib/cache.ts';
import { operationExamples } from '../../build/render/openapi/examples.ts';
import { openCache } from '../../build/write/cache.ts';
import { realEffects } from '../../build/write/effects.ts';
import { writeScaleDatasets } from '../bench/scale-datasets.ts';
import { operationNamed, testContext } from '../_support/doors.ts';
import { builtTree, copyOfTree, listedBy, temporaryFolder, treeJson, writeListed } from '../_support/tree.ts';
import { buildSite, someDatasets } from '../_support/few-rows.ts';

const root = temporaryFolder();
const datasets = someDatasets('coca-cultivation', 'opium-cultivation', 'firearms-tracing');
const cache = join(root, 'cache');
const records = join(datasets, 'coca-cultivation/2025-06/records.csv');
const original = readFileSync(records, 'utf8');

async function tree(name: string, threads: 1 | 2, folder?: string, from = datasets): Promise<string> {
  const out = join(root, name);
  await buildSite(
    { datasets: from, out, threads },
    realEffects(folder === undefined ? {} : { cache: folder }),
  );
  return out;
}

function same(one: string, other: string): void {
  execFileSync('diff', ['-r', one, other]);
}

test('[REPRODUCIBLE] with the cache and without, changed and changed back, one thread and two: the same bytes', async () => {
  const plain = await tree('plain', 1);
  same(plain, await tree('filling', 2, cache));
  const kept = readdirSync(cache);
  expect(kept.filter((name) => name.startsWith('place-')).length).toBeGreaterThan(50);

  const [head = '', first = '', ...others] = original.split('\n');
  const changed = first.replace(/\b\d{4,}(?=,)/, (value) => String(Number(value) + 1));
  expect(changed).not.toBe(first);
  writeFileSync(records, [head, changed, ...others].join('\n'));
  const later = await tree('later', 1, cache);
  same(later, await tree('later-plain', 1));
  expect(readFileSync(join(later, 'SHA256SUMS'))).not.toEqual(readFileSync(join(plain, 'SHA256SUMS')));
  // One cell: its edition, its forms, its dataset's pages, the pages of its place, and what is made of all data.
  const added = readdirSync(cache).filter((name) => !kept.includes(name));
  expect(added.filter((name) => name.startsWith('place-'))).toHaveLength(1);
  expect(added.filter((name) => name.startsWith('dataset-'))).toHaveLength(1);
  expect(added.filter((name) => name.startsWith('edition-'))).toHaveLength(1);

  writeFileSync(records, original);
  same(plain, await tree('back', 2, cache));

  // Files that the last tree has are not read from the cache; for a new folder what is damaged there is rendered once more.
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('place-')))
    writeFileSync(join(cache, name, 'small'), 'damaged');
  for (const threads of [1, 2] as const) same(plain, await tree('back', threads, cache));
  same(plain, await tree('elsewhere', 1, cache));
});

test('[REPRODUCIBLE] a link is refused by its name: what it leads to could change unseen', async () => {
  const aside = join(root, 'records.csv');
  const before = await tree('linked', 1, cache);
  renameSync(records, aside);
  symlinkSync(aside, records);
  await expect(tree('linked', 1, cache)).rejects.toThrow(`${records}: link: is a symbolic link`);
  rmSync(aside);
  await expect(tree('linked', 1, cache)).rejects.toThrow(`${records}: link: is a symbolic link`);
  rmSync(records);
  mkdirSync(records);
  await expect(tree('linked', 1, cache)).rejects.toThrow(`${records}: records-present: `);
  rmdirSync(records);
  writeFileSync(records, original);
  same(before, await tree('linked', 1, cache));
});

test('[REPRODUCIBLE] a story is printed again where a dataset it cites or a list of designations changed, and refused where it now names someone', async () => {
  for (const id of ['designations', 'newsroom'])
    cpSync(join('datasets', id), join(datasets, id), { recursive: true });
  const stories = join(datasets, 'newsroom');
  for (const name of readdirSync(stories))
    if (!/^(?:peru-coca|opium)-/.test(name)) rmSync(join(stories, name));
  const printed = async (): Promise<number> => {
    await tree('stories', 1, cache);
    return readdirSync(cache).filter((name) => name.startsWith('story-')).length;
  };
  expect(await printed()).toBe(2);

  const list = join(datasets, 'designations/2023-12-29/records.csv');
  const [header = '', ...rows] = readFileSync(list, 'utf8').split('\n');
  writeFileSync(list, [header, ...rows.filter((row) => !row.startsWith('10902,'))].join('\n'));
  expect(await printed()).toBe(4);

  writeFileSync(records, original.replace(',2023,92800,', ',2023,92801,'));
  expect(await printed()).toBe(5);
  // One story is as it was printed after the first change, the other as after the second.
  same(join(root, 'stories'), await tree('plain', 1));

  // Words of a story that is kept are the name of somebody now.
  writeFileSync(list, [header, '1,"PDR, Lao",individual,SDNTK,', ...rows].join('\n'));
  await expect(tree('stories', 1, cache)).rejects.toThrow(/person/);
});

test('a new edition is compared with the one before it alone, a changed one with its neighbours', async () => {
  const from = join(root, 'editions');
  const own = join(root, 'cache of editions');
  const compared = async (): Promise<number> => {
    await tree('paired', 1, own, from);
    return readdirSync(own).filter((name) => name.startsWith('compare-')).length;
  };
  await writeScaleDatasets(from, { rows: 400, editions: 4 }, () => undefined);
  const dataset = join(from, 'arms');
  const [, second = '', , newest = ''] = readdirSync(dataset).filter((name) => name.startsWith('20'));
  const aside = join(root, newest);
  renameSync(join(dataset, newest), aside);
  expect(await compared()).toBe(2);
  renameSync(aside, join(dataset, newest));
  expect(await compared()).toBe(3);

  const file = join(dataset, second, 'records.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace(',9712.64,', ',9712.65,'));
  expect(await compared()).toBe(5);
  same(join(root, 'paired'), await tree('paired-plain', 1, undefined, from));
});

test('when the documents of the producer change, the example of the federation is not the kept one', async () => {
  const effects = { cache: openCache(join(temporaryFolder(), 'cache'), () => undefined) };
  const other = copyOfTree(...listedBy(NEWSWIRE_RECEIPT));
  const receipt = treeJson<{ verified_at: string }>(NEWSWIRE_RECEIPT);
  writeListed(other, NEWSWIRE_RECEIPT, JSON.stringify({ ...receipt, verified_at: '2026-01-02T03:04:05Z' }));
  const exampleOf = async (of: string, { cache: from }: typeof effects): Promise<unknown> =>
    (await operationExamples([operationNamed('federation')], testContext(of), { cache: from })).get(
      'federation',
    );
  const made = [];
  for (const site of [builtTree(), other, builtTree()]) {
    made.push(JSON.stringify(await exampleOf(site, effects)));
    expect(made.at(-1)).toBe(JSON.stringify(await exampleOf(site, { cache: NO_CACHE })));
  }
  expect(made.map((text) => text.includes('2026-01-02T03:04:05Z'))).toEqual([false, true, false]);
});
