/** Whether the process is alive, and whether its release is whole: what programs that start and watch it request. */
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp, requestsTo } from '../_support/doors.ts';
import { buildSite, someDatasets } from '../_support/few-rows.ts';
import { temporaryFolder, writeListed } from '../_support/tree.ts';

const PAGE = 'data/catalog.json';
const PACK = 'data/index/coca-cultivation.idx';
/** Longer than a result is given again, and a file's stamp trusted. */
const LATER_MS = 1300;

type Answer = [status: number, body: unknown, caching: string | null];

function asking(root: string): (path: string, method?: string) => Promise<Answer> {
  const ask = requestsTo(testApp(root));
  return async (path, method = 'GET') => {
    const response = await ask(path, { method });
    const text = await response.text();
    return [response.status, text === '' ? null : JSON.parse(text), response.headers.get('cache-control')];
  };
}

const later = (): Promise<void> => new Promise((done) => setTimeout(done, LATER_MS));

function damaged(path: string, because: string): Answer {
  const message = `The release is not whole: ${path} is ${because}.`;
  return [503, { ok: false, error: 'unavailable', message }, 'no-store'];
}

test('[READY] a whole release is ready with its tree hash; a damaged or missing file makes it unready until it is back', async () => {
  const root = join(temporaryFolder(), 'public');
  await buildSite({ out: root, datasets: someDatasets('coca-cultivation') });
  const ask = asking(root);
  const alive: Answer = [200, { ok: true }, 'no-store'];
  const { serial, treeSha256, files } = JSON.parse(readFileSync(join(root, 'release.json'), 'utf8')) as {
    serial: number;
    treeSha256: string;
    files: unknown[];
  };
  const ready: Answer = [200, { ok: true, serial, treeSha256, files: files.length }, 'no-store'];
  expect(await ask('/healthz')).toEqual(alive);
  expect(await ask('/readyz')).toEqual(ready);
  expect((await ask('/readyz', 'HEAD')).slice(0, 2)).toEqual([200, null]);

  const page = readFileSync(join(root, PAGE));
  writeFileSync(join(root, PAGE), page.toString('utf8').replace('Hectares', 'hectares'));
  await later();
  expect(await ask('/readyz')).toEqual(damaged(PAGE, 'missing or damaged'));
  expect(await ask('/healthz')).toEqual(alive);

  // As many bytes of the same date, as by a copy that keeps dates.
  const dated = (text: string): void => {
    writeFileSync(join(root, PAGE), text);
    utimesSync(join(root, PAGE), 1e9, 1e9);
  };
  dated(page.toString('utf8'));
  await later();
  expect(await ask('/readyz')).toEqual(ready);
  dated(page.toString('utf8').replace('Hectares', 'hectares'));
  await later();
  expect(await ask('/readyz')).toEqual(damaged(PAGE, 'missing or damaged'));

  writeFileSync(join(root, PAGE), page);
  const pack = readFileSync(join(root, PACK));
  rmSync(join(root, PACK));
  await later();
  expect(await ask('/readyz')).toEqual(damaged(PACK, 'missing or damaged'));
  writeFileSync(join(root, PACK), pack);
  await later();
  expect(await ask('/readyz')).toEqual(ready);

  for (const path of [`${PACK}.sha256`, 'SHA256SUMS']) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(root, path), text.replace(/^./, 'x'));
    await later();
    expect(await ask('/readyz')).toEqual(damaged(path, 'missing or damaged'));
    writeFileSync(join(root, path), text);
    await later();
  }
  expect(await ask('/readyz')).toEqual(ready);

  const release = readFileSync(join(root, 'release.json'), 'utf8');
  writeListed(
    root,
    'release.json',
    release.replace(treeSha256, treeSha256.replace(/^./, treeSha256.startsWith('0') ? '1' : '0')),
  );
  await later();
  const message = 'The release is not whole: SHA256SUMS and release.json are of different trees.';
  expect(await ask('/readyz')).toEqual([503, { ok: false, error: 'unavailable', message }, 'no-store']);
  writeListed(root, 'release.json', release);
  await later();
  expect(await ask('/readyz')).toEqual(ready);
});

test('[READY] a folder without a release is alive and not ready; other methods are refused', async () => {
  const ask = asking(temporaryFolder());
  expect((await ask('/healthz'))[0]).toBe(200);
  expect(await ask('/readyz')).toMatchObject([503, { ok: false, error: 'unavailable' }, 'no-store']);
  expect((await ask('/healthz', 'POST')).slice(0, 2)).toMatchObject([405, { error: 'method_not_allowed' }]);
});
