/** The build through its command: reproducible anywhere, atomic, clear about bad settings. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { realEffects } from '../../build/write/effects.ts';
import { twoThreads } from '../../build/write/second-thread.ts';
import { filesIn } from '../../build/write/folder-files.ts';
import { run } from '../_support/command-line.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { fewRows, buildSite, someDatasets } from '../_support/few-rows.ts';
import { casesOf } from '../_support/share.ts';
import { SEARCH_INDEX } from '../../shim/core/paths.ts';
import { packManifest } from '../_support/records.ts';
import { builtTree, filesOfTree, temporaryFolder, TEST_SITE, treeFile, treeText } from '../_support/tree.ts';

const root = temporaryFolder();

test('[REPRODUCIBLE] another folder, time zone, locale and number of threads give the same tree, byte for byte', async () => {
  const datasets = fewRows(join(root, 'elsewhere', 'ds'), ['peru-coca-area-concepts']);
  const [here, out] = [join(root, 'here'), join(root, 'elsewhere', 'tree')];
  await buildSite({ datasets, out: here, threads: 2 }, realEffects());
  renameSync(datasets, `${datasets}-moved`);
  const words = ['build/run.mjs', 'build', '--datasets', `${datasets}-moved`, '--out', out];
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: process.env['TMPDIR'] ?? root,
      SITE_URL: TEST_SITE,
      TZ: 'Pacific/Kiritimati',
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
    },
    encoding: 'utf8',
  });
  expect(stderr).toContain('files in');
  expect(status).toBe(0);
  execFileSync('diff', ['-r', here, out]);
  expect(readdirSync(join(out, 'places')).length).toBeGreaterThan(casesOf(100, 50));
});

test('[UNAVAILABLE] a dataset that is not packaged is listed in the catalog and gives 503, not 400', async () => {
  const out = join(root, 'fewer-tree');
  const datasets = someDatasets('drug-prices');
  expect((await run(['build', '--datasets', datasets, '--out', out])).status).toBe(0);
  const ask = requestsTo(testApp(out));
  const get = async (target: string): Promise<[number, unknown]> => {
    const response = await ask(`api/v1/${target}`);
    return [response.status, await response.json()];
  };
  const unavailableDatasets = expect.arrayContaining([expect.objectContaining({ id: 'opium-cultivation' })]);
  expect(await get('markets')).toMatchObject([200, { data: { status: 'partial', unavailableDatasets } }]);
  expect(await get('market-observations?dataset=opium-cultivation')).toMatchObject([
    503,
    { error: 'unavailable' },
  ]);
  expect(await get('market-observations?dataset=drug-prices&limit=1')).toMatchObject([200, { ok: true }]);
  // Nothing in the release says which indicators they have: an unknown one is refused, and may be one of theirs.
  const unknown = expect.stringMatching(
    /^Invalid value "opium-cultivation" for parameter "indicator": .*\. The indicators of arms, .*opium-cultivation are not known: they are not in this release\.$/,
  );
  for (const resource of ['market-observations', 'series', 'markets', 'revisions'])
    expect(await get(`${resource}?indicator=opium-cultivation`)).toMatchObject([400, { message: unknown }]);
  // The same for the id of a record, which no edition of the release has.
  expect(await get('market-observations?id=opium-cultivation.AFG.2020.none~000000')).toMatchObject([
    200,
    {
      data: {
        status: 'partial',
        absence: { message: expect.stringMatching(/Unavailable, and not searched: arms, .*opium-cult/) },
        limitations: expect.arrayContaining(['Dataset arms is not in this release. It is not packaged.']),
      },
    },
  ]);
  const page = await ask('r/opium-cultivation.AFG.2020.none~000000');
  expect([page.status, await page.text()]).toEqual([
    404,
    expect.stringMatching(/Unavailable, and not searched: arms, .*opium-cult/),
  ]);
  expect(await get('market-observations?id=prices-retail.AFG.1950.none~000000')).toMatchObject([
    200,
    { data: { status: 'available', absence: { message: expect.not.stringContaining('not searched') } } },
  ]);
});

test('--cache names the folder where results of a build are kept', async () => {
  const cache = join(root, 'own-cache');
  const words = ['--datasets', someDatasets('opium-cultivation'), '--out', join(root, 'cached-tree')];
  expect((await run(['build', ...words, '--cache', cache])).status).toBe(0);
  expect(readdirSync(cache)).toContainEqual(expect.stringMatching(/^edition-[0-9a-f]{64}$/));
});

test('[UNAVAILABLE] a search whose index is damaged is a 503 that says when to ask again', async () => {
  const out = join(root, 'no-index-tree');
  const datasets = someDatasets('opium-cultivation');
  expect((await run(['build', '--datasets', datasets, '--out', out])).status).toBe(0);
  writeFileSync(join(out, SEARCH_INDEX), '{}');
  const response = await requestsTo(testApp(out))('search/?q=opium');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
});

test('[UNAVAILABLE] a domain of the atlas and the designations that are not packaged are not said to come back', async () => {
  const out = join(root, 'one-domain-tree');
  const datasets = someDatasets('firearms-tracing');
  expect((await run(['build', '--datasets', datasets, '--out', out])).status).toBe(0);
  const ask = requestsTo(testApp(out));
  const why = 'Domain organized_crime is unavailable in this release. It is not packaged.';
  for (const target of ['/api/v1/atlas', '/api/v1/atlas?limit=50']) {
    const part = await ask(target);
    expect(part.headers.get('cache-control'), target).toBe(
      'public, max-age=300, stale-while-revalidate=86400',
    );
    expect(await part.json()).toMatchObject({
      data: {
        status: 'partial',
        sources: [{ error: null }, { error: { message: expect.stringContaining(why) } }],
      },
    });
  }
  expect((await ask('/download/atlas.csv')).status).toBe(200);
  for (const target of ['atlas?domain=organized_crime', 'entities']) {
    const response = await ask(`/api/v1/${target}`);
    expect([response.status, response.headers.get('retry-after')], target).toEqual([503, null]);
    expect(await response.text()).not.toMatch(/try again/i);
  }
});

test('[SUMS] sha256sum accepts the sums, and every file has a sidecar with its sum', () => {
  execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: builtTree() });
  const text = treeFile('SHA256SUMS');
  const lines = text.toString('utf8').trimEnd().split('\n');
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  sums.set('SHA256SUMS', createHash('sha256').update(text).digest('hex'));
  const plain = filesOfTree().filter((path) => !path.endsWith('.sha256'));
  expect(plain.toSorted()).toEqual([...sums.keys()].toSorted());
  expect(plain.length).toBeGreaterThan(300);
  for (const path of plain) expect(treeText(`${path}.sha256`)).toBe(`${sums.get(path)}  ${basename(path)}\n`);
});

test('[ATOMIC] a build that fails leaves the last tree as it was and exits 1 with the findings', async () => {
  const datasets = someDatasets('coca-cultivation');
  const out = join(root, 'kept');
  expect((await run(['build', '--datasets', datasets, '--out', out])).status).toBe(0);
  const before = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
  const records = join(datasets, 'coca-cultivation/2025-06/records.csv');
  writeFileSync(records, readFileSync(records, 'utf8').replace('estimated', 'guessed'));
  const failed = await run(['build', '--datasets', datasets, '--out', out]);
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(/coca-cultivation\/2025-06\/records\.csv:\d+: status: /);
  expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe(before);
  expect(readdirSync(root).filter((name) => name.includes('kept'))).toEqual(['kept']);
});

test('work that fails in either thread fails the build, and so does what waits for it', async () => {
  const folder = filesIn(join(root, 'work'));
  const thread = twoThreads({ effects: realEffects(), folder }, join(root, 'work'), () => 0);
  const [entry] = packManifest().packs;
  if (!entry) throw new Error('no pack');
  const bytes = Buffer.from('{"no":"record"}\n');
  folder.write(entry.path, bytes);
  const task = {
    of: { kind: 'revisions', name: 'revisions' },
    entry: { ...entry, bytes: bytes.length },
  } as const;
  const wrong = (): Promise<unknown> => thread.do('forms', task);
  const right = (): Promise<unknown> => thread.do('revisions', { compared: [], tolerances: {} });
  await expect(right()).resolves.toHaveProperty('entry.rows', 0);
  // Bulk forms are done by whoever is free; nothing can be done after a failure.
  const refused = 'record 1 does not fit the columns';
  const waiting = expect.objectContaining({ message: expect.stringContaining(refused) });
  expect(await Promise.allSettled([wrong(), wrong(), wrong()])).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'rejected', reason: waiting })),
  );
  await expect(right()).rejects.toThrow(refused);
  await thread.close();
});
