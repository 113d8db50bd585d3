/** `npm run get -- --from <address>`: what a service over the same files answers, made from files at an address. */
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { run } from '../_support/command-line.ts';
import { fileServer, flipped } from '../_support/file-server.ts';
import { allObservations } from '../_support/records.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const near = createService({
  root: builtTree(),
  settings: serverSettings({ SITE_URL: TEST_SITE }),
  files: true,
});
let damaged = '';
const host = await fileServer(builtTree(), {
  fault: (path, sent) => (path === damaged ? flipped(sent) : sent),
});
afterAll(() => host.close());
afterEach(() => void vi.restoreAllMocks());

/** Exit code, body and messages of the command. */
async function got(path: string): Promise<{ status: number; body: string; stderr: string }> {
  const body: Uint8Array[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((bytes) => body.push(bytes as Uint8Array) > 0);
  const { status, stderr } = await run(['get', '--from', host.url, path]);
  return { status, body: Buffer.concat(body).toString(), stderr };
}

const [record] = allObservations();
const id = encodeURIComponent(`${record?.id}@${record?.edition}`);

test.each([
  '/',
  '/docs/',
  '/data/coca-cultivation.csv',
  '/api/v1/atlas.json',
  '/api/v1/atlas',
  '/api/v1/atlas?iso3=MEX',
  '/api/v1/atlas?iso3=mex',
  '/api/v1/nothing',
  '/download/market-observations.csv?indicator=coca-cultivation',
  '/download/market-observations.csv?limit=1',
  '/search/?q=cocaine',
  '/explore/?indicator=coca-cultivation',
  '/designations/?program=TCO',
  '/designations/999999999',
  `/r/${id}`,
  `/r/${id}.bib`,
  '/r/nope',
])('%s', async (path) => {
  const response = await near.fetch(new Request(`${TEST_SITE}${path}`));
  expect(await got(path)).toEqual({
    status: response.ok ? 0 : 1,
    body: await response.text(),
    stderr: '',
  });
});

test('a damaged file is named, and nothing is printed', async () => {
  for (const [file, path] of [
    ['data/index/coca-cultivation.idx', '/download/market-observations.csv?indicator=coca-cultivation'],
    ['data/index/coca-cultivation.idx', '/api/v1/market-observations?indicator=coca-cultivation'],
    ['data/index/coca-cultivation.idx', '/explore/?indicator=coca-cultivation'],
    ['data/coca-cultivation.csv', '/data/coca-cultivation.csv'],
  ] as const) {
    damaged = file;
    const { status, body, stderr } = await got(path);
    expect([path, status, body]).toEqual([path, 1, '']);
    expect(stderr).toMatch(new RegExp(`^${file}: does not match its sha256`));
  }
});
