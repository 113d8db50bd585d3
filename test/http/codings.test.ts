/** Compressed forms of published files: every type of text, every size, off the main thread, and asked for in bounded time. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi, type MockInstance } from 'vitest';
import { codingFor, isKnown, requestOf } from '../../shim/http/content.ts';
import { requestsTo } from '../_support/doors.ts';
import { treeFile } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

afterEach(() => void vi.restoreAllMocks());

const ask = requestsTo();
const get = async (target: string, accepted: string, to = ask): Promise<Response> =>
  to(target, { headers: { 'accept-encoding': accepted } });

test.each(
  words(`/data/arms.ndjson /data/drug-seizures.ndjson /data/arms.csv /data/dcat.jsonld
  /data/catalog.json /schemas/observation.schema.json /openapi.json /news/feed.json /news/feed.xml
  /.well-known/api-catalog /SHA256SUMS /llms.txt /assets/explore.js /assets/site.css /docs/`),
)('[CODING] %s is sent compressed', async (target) => {
  const file = treeFile(target.endsWith('/') ? `${target}index.html` : target);
  const plain = (await get(target, 'identity')).headers;
  expect([plain.get('content-length'), plain.get('vary')]).toEqual([String(file.length), 'Accept-Encoding']);
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const response = await get(target, coding);
    const { headers } = response;
    const body = Buffer.from(await response.arrayBuffer());
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
    expect(headers.get('etag')).toBe(plain.get('etag')?.replace(/"$/, `-${coding}"`));
    expect(headers.get('content-length')).toBe(String(body.length));
    expect(body.length).toBeLessThan(file.length);
    expect(decode(body).equals(file)).toBe(true);
    const head = await ask(target, { method: 'HEAD', headers: { 'accept-encoding': coding } });
    for (const name of ['etag', 'content-length', 'content-encoding'])
      expect(head.headers.get(name), name).toBe(headers.get(name));
  }
});

test('[CODING] what is compressed already is sent as it is', async () => {
  expect((await get('/data/arms.parquet', 'br')).headers.get('content-encoding')).toBeNull();
});

test('[CODING] many first requests at once make each form once, off the main thread', async () => {
  const watched = (name: 'brotliCompress' | 'brotliCompressSync' | 'createBrotliCompress'): MockInstance =>
    vi.spyOn(process.getBuiltinModule('node:zlib'), name);
  const beside = watched('brotliCompress');
  const here = [watched('brotliCompressSync'), watched('createBrotliCompress')];
  const fresh = requestsTo();
  const targets = [
    '/data/arms.ndjson',
    '/data/drug-seizures.ndjson',
    '/data/arms.csv',
    '/data/drug-prices.csv',
  ];
  const asked = Array.from({ length: 40 }, (_, at) => get(targets[at % 4] ?? '', 'br', fresh));
  const bodies = await Promise.all(asked.map(async (response) => (await response).arrayBuffer()));
  expect(new Set(bodies.map(({ byteLength }) => byteLength)).size).toBe(4);
  expect([beside, ...here].map(({ mock }) => mock.calls.length)).toEqual([4, 0, 0]);
});

test('[CODING] an endless list of codings costs nothing', async () => {
  const lists = [','.repeat(31_000), 'gzip,'.repeat(6000), `br;${'q=1;'.repeat(7000)}`, ';'.repeat(31_000)];
  const started = performance.now();
  const found = new Set<unknown>();
  for (const list of lists)
    for (let time = 0; time < 250; time += 1) found.add(codingFor('text/csv', 5000, list));
  // Read to their end they took 20 seconds.
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(found).toEqual(new Set([null]));
  for (const list of lists) expect((await get('/data/arms.csv', list)).status).toBe(200);
});

test('[CACHE] an endless list of ETags costs nothing', async () => {
  const request = (known: string): Promise<Response> =>
    ask('/data/catalog.json', { headers: { 'if-none-match': known } });
  const { headers } = await request('"other"');
  const asked = requestOf('GET', '/', () => ','.repeat(31_000));
  const started = performance.now();
  const found = new Set<unknown>();
  for (let time = 0; time < 1000; time += 1) found.add(isKnown(asked, 'a'.repeat(64)));
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(found).toEqual(new Set([false]));
  expect((await request(`${'"x", '.repeat(6000)}${headers.get('etag')}`)).status).toBe(304);
});
