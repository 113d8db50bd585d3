/** What is made while a part of the release is damaged claims nothing that rests on that part, and caches keep it as briefly as an error. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sidecarPath } from '../../shim/core/paths.ts';
import { sha256Hex } from '../../shim/store/disk.ts';
import { requestsTo, testApp } from '../_support/doors.ts';
import { copyOfTree, flipBit, writeWithSidecar } from '../_support/tree.ts';

const KEPT = { 'cache-control': 'public, max-age=300, stale-while-revalidate=86400' };
const BRIEFLY = { 'cache-control': 'public, max-age=60' };

/** Requests to a copy of the tree in which a bit of these files is flipped. */
function damaged(...files: string[]): ReturnType<typeof requestsTo> {
  const root = copyOfTree(...files);
  for (const file of files) flipBit(join(root, file));
  return requestsTo(testApp(root));
}

/** The status and the caching of a response. */
async function cachingOf(response: Promise<Response> | Response): Promise<object> {
  const { status, headers } = await response;
  const shared = headers.get('netlify-cdn-cache-control');
  return { status, 'cache-control': headers.get('cache-control'), ...(shared === null ? {} : { shared }) };
}

describe('while the catalog is damaged', () => {
  const get = damaged('data/catalog.json');
  const whole = requestsTo(testApp());
  test.each([
    ['geo=MEX&from=2030&dataset=drug-seizures', 'no_rows_in_period'],
    ['indicator=coca-cultivation&geo=BEL', 'no_rows'],
    ['indicator=coca-cultivation&geo=Bolivia', 'no_rows'],
    ['indicator=coca-cultivation&category=Coca%20bush', 'no_rows'],
    ['id=seizures.MEX.2021.nothing&geo=BEL', 'unknown_value'],
  ])('%s: %s, and no value is called unknown', async (query, reason) => {
    const response = await get(`/api/v1/market-observations?${query}`);
    const { data } = (await response.json()) as { data: { absence: { reason: string; message: string } } };
    expect(data.absence.reason).toBe(reason);
    expect(data.absence.message).not.toMatch(/is not a (geography code|category|subgroup)/);
    if (!query.startsWith('id=')) expect(data.absence.message).toContain('not searched: the catalog.');
    expect(await cachingOf(response)).toEqual({ status: 200, ...BRIEFLY });
  });
  test('a response with records is what it was', async () => {
    const path = '/api/v1/market-observations?indicator=coca-cultivation&geo=BOL';
    expect(await (await get(path)).text()).toBe(await (await whole(path)).text());
  });
  test('revisions and the atlas do not call a place unknown', async () => {
    for (const path of ['revisions?geo=MEX&kind=became_available', 'atlas?iso3=MEX&year=1950'])
      expect(await (await get(`/api/v1/${path}`)).text()).not.toMatch(
        /is not a geography code|Closest codes/,
      );
  });
});

describe('a page of a cell', () => {
  const CELL = '/r/seizures.MEX.2021.amphetamine-type-methamphetamine~7792bb';
  const CITED = `${CELL}@2024-06`;
  test('is kept while all of it can be read', async () => {
    const get = requestsTo(testApp());
    for (const path of [CELL, CITED, `${CITED}.json`])
      expect(await cachingOf(get(path))).toMatchObject({ status: 200, ...KEPT });
  });
  test.each(['data/drug-seizures.ndjson', 'release.json'])('is kept briefly without %s', async (file) => {
    const get = damaged(file);
    for (const path of [CITED, `${CITED}.json`])
      expect(await cachingOf(get(path))).toEqual({ status: 200, ...BRIEFLY });
  });
  test('does not say that one edition has the row where another cannot be read', async () => {
    const text = await (await damaged('data/drug-seizures.ndjson')(CITED)).text();
    expect(text).toContain('Not every edition can be read at the moment.');
    expect(text).not.toContain('One edition of the table has this row.');
  });
});

test('a page whose choices lack a dataset is kept briefly', async () => {
  const path = '/explore/?indicator=seizures&geo=MEX&as_of=2024-06-30';
  expect(await cachingOf(requestsTo(testApp())(path))).toMatchObject({ status: 200, ...KEPT });
  const get = damaged('data/drug-seizures.ndjson');
  expect(await cachingOf(get(path))).toEqual({ status: 200, ...BRIEFLY });
});

test('while the list of packs is damaged, pages of a query say so as pages', async () => {
  const get = damaged('data/packs.json');
  for (const [path, status] of [
    ['/explore/?indicator=seizures&geo=MEX', 503],
    ['/compare/?a=indicator%3Dseizures%26geo%3DMEX', 503],
    ['/search/?q=cocaine', 200],
  ] as const) {
    const response = await get(path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const kept = status === 200 ? BRIEFLY : { 'cache-control': 'no-store' };
    expect([path, await cachingOf(response)]).toEqual([path, { status, ...kept }]);
  }
});

test('while SHA256SUMS is damaged, a file that release.json has another hash for is not given', async () => {
  const [forged, other] = ['data/opium-cultivation.csv', 'data/coca-cultivation.csv'];
  const root = copyOfTree(forged, sidecarPath(forged), 'SHA256SUMS', 'release.json');
  const before = sha256Hex(readFileSync(join(root, forged)));
  flipBit(join(root, forged));
  const bytes = readFileSync(join(root, forged));
  writeWithSidecar(root, forged, bytes);
  const sums = readFileSync(join(root, 'SHA256SUMS'), 'utf8').replace(before, sha256Hex(bytes));
  writeFileSync(join(root, 'SHA256SUMS'), sums);
  const get = requestsTo(testApp(root));
  const statuses = async (): Promise<number[]> => [
    (await get(`/${forged}`)).status,
    (await get(`/${other}`)).status,
  ];
  expect(await statuses()).toEqual([503, 200]);
  flipBit(join(root, 'release.json'));
  expect((await get(`/${other}`)).status).toBe(200);
});

test('while the tree is missing, no file is called unknown', async () => {
  const root = copyOfTree();
  const get = requestsTo(testApp(root));
  const paths = ['/', '/data/arms.csv', '/nowhere', '/api/v1/atlas', '/api/v1/atlas.json', '/r/nothing'];
  renameSync(root, `${root}.away`);
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 503]);
  renameSync(`${root}.away`, root);
  expect([(await get('/data/arms.csv')).status, (await get('/nowhere')).status]).toEqual([200, 404]);
});
