/** Parts of published files (RFC 9110, 14): which bytes are sent, under which status and header fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadataAsync, parquetReadObjects, asyncBufferFromUrl } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, test } from 'vitest';
import { startServer } from '../../shim/node.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { treeOf } from '../_support/made-tree.ts';
import { builtTree, copyOfTree, TEST_SITE, treeFile, flipBit } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const request = requestsTo();
type Fields = Record<string, string>;
const ask = async (target: string, headers: Fields, method = 'GET'): Promise<Response> =>
  request(target, { method, headers });

const FILES = words(`/data/arms.ndjson /data/arms.csv /data/arms.parquet /data/index/arms.idx
  /data/catalog.json.sha256 /schemas/observation.schema.json /api/v1/atlas.json /openapi.json /docs/
  /SHA256SUMS /release.json`);
const bytesOf = (target: string): Buffer => treeFile(target.endsWith('/') ? `${target}index.html` : target);

describe.each(FILES)('[RANGE] %s', (target) => {
  const file = bytesOf(target);
  const size = file.length;

  test('the whole says that parts may be requested', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(target, {}, method);
      expect([status, headers.get('accept-ranges'), headers.get('content-length')]).toEqual([
        200,
        'bytes',
        String(size),
      ]);
    }
  });

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, size],
    ['bytes=10-19', 10, 20],
    ['Bytes=10-19', 10, 20],
    ['bytes=-8', size - 8, size],
    [`bytes=-${size * 2}`, 0, size],
    [`bytes=${size - 1}-`, size - 1, size],
    [`bytes=${size - 5}-${size + 1000}`, size - 5, size],
    [`bytes=20-${'9'.repeat(40)}`, 20, size],
  ])('%s: those bytes, never compressed', async (range, start, end) => {
    const whole = await ask(target, { 'accept-encoding': 'identity' });
    const { status, headers, ...rest } = await ask(target, { range, 'accept-encoding': 'br, gzip' }).then(
      async (response) => ({
        status: response.status,
        headers: response.headers,
        body: Buffer.from(await response.arrayBuffer()),
      }),
    );
    expect(status).toBe(206);
    expect(rest.body.equals(file.subarray(start, end))).toBe(true);
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect(headers.get('content-length')).toBe(String(end - start));
    expect(headers.get('content-encoding')).toBeNull();
    for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'accept-ranges'])
      expect(headers.get(name), name).toBe(whole.headers.get(name));
    expect(headers.get('access-control-expose-headers')).toContain('Content-Range');
  });

  test.each([`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
    '%s is outside: 416 that says how long the file is',
    async (range) => {
      const response = await ask(target, { range });
      const { headers } = response;
      expect([response.status, headers.get('content-range'), headers.get('cache-control')]).toEqual([
        416,
        `bytes */${size}`,
        'no-store',
      ]);
      expect(await response.json()).toMatchObject({
        ok: false,
        error: 'invalid_request',
        message: expect.stringContaining(`has ${size} bytes`),
      });
    },
  );

  test.each([
    'bytes=0-1,3-4',
    'bytes=0-1,',
    'bytes=5-2',
    'bytes=-',
    'bytes=',
    'bytes=a-b',
    'bytes=1x-5',
    'bytes=--5',
    'bytes 0-5',
    'rows=0-5',
    '0-5',
    '',
  ])('%j is not one range of bytes: the whole file', async (range) => {
    const response = await ask(target, { range });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
  });

  test('If-Range: the strong ETag of the file, and nothing else', async () => {
    const etag = (await ask(target, {})).headers.get('etag') ?? '';
    const range = 'bytes=1-2';
    expect((await ask(target, { range, 'if-range': etag })).status).toBe(206);
    for (const other of [
      `W/${etag}`,
      '"other"',
      etag.replace(/"$/, '-br"'),
      etag.replaceAll('"', ''),
      'Sat, 21 Nov 2026 00:00:00 GMT',
    ])
      expect((await ask(target, { range, 'if-range': other })).status, other).toBe(200);
    // What does not hold takes the range with it, one outside included.
    expect((await ask(target, { range: `bytes=${size}-`, 'if-range': '"other"' })).status).toBe(200);
    expect((await ask(target, { range, 'if-none-match': etag })).status).toBe(304);
    expect((await ask(target, { range: `bytes=${size}-`, 'if-none-match': etag })).status).toBe(304);
  });

  test('HEAD has no ranges', async () => {
    const { status, headers } = await ask(target, { range: 'bytes=0-4' }, 'HEAD');
    expect([status, headers.get('content-length'), headers.get('content-range')]).toEqual([
      200,
      String(size),
      null,
    ]);
  });
});

test.each(['/api/v1/atlas', '/api/v1/atlas?iso3=MEX', '/api/v1/capabilities', '/nope'])(
  '[RANGE] %s is not a file: it takes no range',
  async (target) => {
    const plain = await ask(target, {});
    const ranged = await ask(target, { range: 'bytes=0-4' });
    expect([ranged.status, ranged.headers.get('accept-ranges')]).toEqual([plain.status, null]);
    expect(await ranged.text()).toBe(await plain.text());
  },
);

test('[RANGE] [CORS] a page elsewhere may request a part, and read what it got', async () => {
  const { headers } = await ask('/data/arms.csv', {}, 'OPTIONS');
  for (const name of ['Range', 'If-Range', 'If-None-Match'])
    expect(headers.get('access-control-allow-headers')).toContain(name);
});

test('[RANGE] of a damaged file no part is given, the undamaged ones included', async () => {
  const root = copyOfTree('data/arms.csv');
  flipBit(join(root, 'data/arms.csv'), treeFile('data/arms.csv').length - 2);
  const damaged = requestsTo(testApp(root));
  for (const headers of [{ range: 'bytes=0-9' }, { range: 'bytes=-1' }, {}] as Fields[])
    expect((await damaged('/data/arms.csv', { headers })).status).toBe(503);
});

describe('[RANGE] a Parquet reader over HTTP', async () => {
  const rows = 200_000;
  const column = (factor: number): { name: string; data: Float64Array; codec: 'UNCOMPRESSED' } => ({
    name: `c${factor}`,
    data: Float64Array.from({ length: rows }, (_, row) => Math.sin(row * factor)),
    codec: 'UNCOMPRESSED',
  });
  const large = new Uint8Array(
    parquetWriteBuffer({ columnData: Array.from({ length: 14 }, (_, number) => column(number + 1)) }),
  );
  const trees: [name: string, root: string, path: string, column: string, footer: number][] = [
    ['published', builtTree(), 'data/arms.parquet', 'value', 16_000],
    ['too large to be kept in memory', treeOf({ 'large.parquet': large }), 'large.parquet', 'c7', 500_000],
  ];
  const closes: (() => Promise<void>)[] = [];
  afterAll(async () => void (await Promise.all(closes.map((close) => close()))));

  test.each(trees)('%s: one column, by parts alone', async (_name, root, path, name, footer) => {
    const server = await startServer(root, { SITE_URL: TEST_SITE, PORT: '0' });
    closes.push(server.close);
    const statuses: number[] = [];
    let bytes = 0;
    const counting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== 'HEAD') {
        statuses.push(response.status);
        bytes += Number(response.headers.get('content-length'));
      }
      return response;
    };
    const file = await asyncBufferFromUrl({ url: `${server.url}${path}`, fetch: counting });
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: footer });
    const read = await parquetReadObjects({ file, metadata, columns: [name], useOffsetIndex: false });
    const local = readFileSync(join(root, path));
    const whole = local.buffer.slice(local.byteOffset, local.byteOffset + local.length);
    expect(read).toEqual(await parquetReadObjects({ file: whole, columns: [name] }));
    expect(read.length).toBe(Number(metadata.num_rows));
    expect(new Set(statuses)).toEqual(new Set([206]));
    expect(statuses.length).toBeGreaterThan(1);
    expect(bytes).toBeLessThan(file.byteLength / 2);
  });
});
