/** What REST adds to an answer: methods, CORS, caching, conditional requests, compression, links. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collectionOf, cursorsOf } from '../../shim/core/pagination.ts';
import { requestsTo, testContext } from '../_support/doors.ts';
import { TEST_SITE, treeText } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const ask = requestsTo();
const STATIC = '/api/v1/atlas';
const FILTERED = '/api/v1/atlas?iso3=MEX';

describe('[CACHE] caching', () => {
  test.each([
    [STATIC, 'public, max-age=300, stale-while-revalidate=86400', null],
    [
      FILTERED,
      'public, max-age=300, stale-while-revalidate=86400',
      'public, durable, max-age=86400, stale-while-revalidate=604800',
    ],
    ['/api/v1/federation?lane=producerp-bri', 'public, max-age=60', null],
    ['/api/v1/atlas?x=1', 'public, max-age=60', null],
    ['/api/v1/nope', 'public, max-age=60', null],
    ['/data/catalog.json', 'public, max-age=300, stale-while-revalidate=86400', null],
  ])('%s', async (target, cache, cdn) => {
    const { headers } = await ask(target);
    expect(headers.get('cache-control')).toBe(cache);
    expect(headers.get('netlify-cdn-cache-control')).toBe(cdn);
    expect(headers.get('netlify-vary')).toBe(cdn === null ? null : 'query');
  });

  test.each([STATIC, FILTERED, '/data/catalog.json'])(
    '%s: a strong ETag, of a file its sha256, and 304 for it',
    async (target) => {
      const first = await ask(target);
      const etag = first.headers.get('etag') ?? '';
      const sha256 = createHash('sha256').update(await first.text());
      if (target !== FILTERED) expect(etag).toBe(`"${sha256.digest('hex')}"`);
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
      for (const header of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
        const again = await ask(target, { headers: { 'if-none-match': header } });
        expect([again.status, await again.text(), again.headers.get('etag')], header).toEqual([
          304,
          '',
          etag,
        ]);
      }
      expect((await ask(target, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    },
  );
});

describe('[METHODS] methods', () => {
  test.each([STATIC, FILTERED, '/data/catalog.json', '/api/v1/nope'])(
    'HEAD %s has the headers of GET and no body',
    async (target) => {
      const get = await ask(target);
      const head = await ask(target, { method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(await head.text()).toBe('');
      for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'link'])
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      expect(Number(get.headers.get('content-length'))).toBe(Buffer.byteLength(await get.text()));
    },
  );

  test.each([STATIC, '/api/v1/nope', '/data/catalog.json'])('OPTIONS %s is a preflight', async (target) => {
    const { status, headers } = await ask(target, { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is 405 with Allow', async (method) => {
    for (const target of [STATIC, FILTERED, '/data/catalog.json']) {
      const response = await ask(target, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(await response.json()).toMatchObject({ ok: false, error: 'method_not_allowed' });
    }
  });
});

test('[CORS] every answer may be read from anywhere', async () => {
  for (const target of [
    STATIC,
    FILTERED,
    ...words(`/api/v1/atlas?x=1 /api/v1/nope /api /nope /data/catalog.json /%ff`),
  ]) {
    const { headers } = await ask(target);
    expect(headers.get('access-control-allow-origin'), target).toBe('*');
    expect(headers.get('access-control-expose-headers'), target).toBe(
      'ETag, Link, Retry-After, Accept-Ranges, Content-Range',
    );
  }
});

test('[LINK] every API answer names catalog and description; a further page is linked', async () => {
  for (const target of [STATIC, FILTERED, '/api/v1/atlas?x=1', '/api/v1/nope']) {
    const link = (await ask(target)).headers.get('link') ?? '';
    expect(link, target).toContain(`<${TEST_SITE}/.well-known/api-catalog>; rel="api-catalog"`);
    expect(link, target).toContain(`<${TEST_SITE}/openapi.json>; rel="service-desc"`);
  }
  const page = await ask('/api/v1/atlas?year=2021&limit=5');
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
  const following = await ask(next.slice(TEST_SITE.length));
  expect(await following.json()).toMatchObject({ ok: true, data: { page: { limit: 5, returned: 5 } } });
});

test('[LINK] the next page is asked for in the words of the request', async () => {
  const query = `category=${encodeURIComponent('Amphetamine-type stimulants (excluding “ecstasy”)')}&limit=1`;
  const link = (await ask(`/api/v1/market-observations?${query}`)).headers.get('link');
  expect(link).toContain(`<${TEST_SITE}/api/v1/market-observations?${query}&cursor=`);
});

test('[LINK] an unfiltered page links to the further one too', async () => {
  for (const resource of ['atlas', 'entities', 'market-observations']) {
    const page = await ask(`/api/v1/${resource}`);
    const { data } = (await page.json()) as { data: { page: { next_cursor: string } } };
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    expect(next).toBe(`${TEST_SITE}/api/v1/${resource}?cursor=${data.page.next_cursor}`);
  }
  expect((await ask('/api/v1/markets')).headers.get('link')).not.toContain('rel="next"');
});

test('[CODING] compressed answers carry the same bytes under an ETag of their own', async () => {
  for (const target of [STATIC, FILTERED]) {
    const plain = Buffer.from(await (await ask(target)).arrayBuffer());
    const br = await ask(target, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(br.headers.get('content-encoding')).toBe('br');
    expect(br.headers.get('vary')).toContain('Accept-Encoding');
    expect(br.headers.get('etag')).toMatch(/-br"$/);
    expect(brotliDecompressSync(Buffer.from(await br.arrayBuffer())).equals(plain)).toBe(true);
    const gzip = await ask(target, { headers: { 'accept-encoding': 'br;q=0, gzip' } });
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).equals(plain)).toBe(true);
    const revalidated = await ask(target, {
      headers: { 'accept-encoding': 'br', 'if-none-match': br.headers.get('etag') ?? '' },
    });
    expect(revalidated.status).toBe(304);
  }
});

test.each([
  ['gzip;q=0.5, br;q=0.1', 'gzip'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['identity;q=1, gzip;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['GZIP ; Q=0.8', 'gzip'],
  ['deflate', null],
])('[CODING] %s is answered with %s', async (accepted, coding) => {
  const { headers } = await ask(STATIC, { headers: { 'accept-encoding': accepted } });
  expect(headers.get('content-encoding')).toBe(coding);
});

test('[URI] a URL over 8,192 bytes is 414, one of 8,192 is not', async () => {
  const fill = (length: number): string => `/api/v1/atlas?${'a'.repeat(length - '/api/v1/atlas?'.length)}`;
  expect((await ask(fill(8193))).status).toBe(414);
  expect((await ask(fill(8192))).status).toBe(400);
});

test('[STATIC] files are served as published, nothing above the root, nothing unpublished', async () => {
  const catalog = await ask('/data/catalog.json');
  expect(await catalog.text()).toBe(treeText('data/catalog.json'));
  expect(catalog.headers.get('content-type')).toBe('application/json');
  for (const target of [
    ...words(`/..%2f..%2fetc/passwd /%2e%2e/package.json /data/%00 /data/nope.json /data%5Ccatalog.json
      /.git/config //docs //evil.example/docs /data//catalog.json /api/v1//atlas.json /data/catalog.json/
      /data/catalog.json/index.html`),
    `/${'a'.repeat(300)}`,
    `/api/v1/${'a'.repeat(300)}.json`,
    `/${'a/'.repeat(3000)}`,
  ]) {
    const response = await ask(target);
    expect(response.status, target).toBe(404);
    expect(await response.json()).toMatchObject({ ok: false, error: 'not_found' });
  }
});

test('a page that is not there is a page for who asks for one, and JSON for others', async () => {
  const missing = (accept: string, path = '/nope/'): Promise<Response> => ask(path, { headers: { accept } });
  for (const path of ['/search/x', '/search/x?q=a', '/download/x', '/explore/x'])
    expect((await missing('text/html', path)).headers.get('content-type'), path).toContain('text/html');
  expect((await missing('text/html', '/download/x.csv')).headers.get('content-type')).toContain('json');
  for (const [accept, type] of [
    ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json, text/html;q=0', 'application/json'],
    ['*/*', 'application/json'],
  ] as const) {
    const { status, headers } = await missing(accept);
    const sent = ['content-type', 'vary', 'cache-control'].map((name) => headers.get(name));
    expect([status, ...sent], accept).toEqual([404, type, 'Accept, Accept-Encoding', 'public, max-age=60']);
  }
});

test('[STATIC] every page of a resource is reachable by its file', async () => {
  let target: string | null = '/api/v1/atlas.json';
  let records = 0;
  let matched = 0;
  while (target !== null) {
    const { data } = (await (await ask(target)).json()) as {
      data: { page: { next_cursor: string | null; matched: number }; records: unknown[] };
    };
    records += data.records.length;
    matched = data.page.matched;
    target = data.page.next_cursor === null ? null : `/api/v1/atlas/${data.page.next_cursor}.json`;
  }
  expect(records).toBe(matched);
  expect(records).toBeGreaterThan(500);
});

test('[STATIC] a published page takes no parameters, and none is ignored', async () => {
  const response = await ask('/api/v1/atlas.json?iso3=MEX');
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ ok: false, error: 'invalid_request' });
});

test('[STATIC] [CURSOR] a page of an earlier release says that its cursor is stale', async () => {
  const { release } = testContext();
  const earlier = { ...collectionOf('atlas', release.manifest().packs, release), dataHash: '0'.repeat(16) };
  const cursor = cursorsOf(release, earlier, {}).encode(100);
  const byQuery = await ask(`/api/v1/atlas?cursor=${cursor}`);
  const byFile = await ask(`/api/v1/atlas/${cursor}.json`);
  const body = await byFile.text();
  expect([byFile.status, body]).toEqual([byQuery.status, await byQuery.text()]);
  expect(JSON.parse(body)).toMatchObject({ ok: false, error: 'stale_cursor' });
  for (const other of [`atlas/${cursor}x`, `nothing/${cursor}`])
    expect((await ask(`/api/v1/${other}.json`)).status, other).toBe(404);
});
