/** A service without data of its own: the same responses as over a folder, read from a host of files that may fail or lie. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicKeyText, signatureFile } from '../../build/release/minisign.ts';
import { Fault } from '../../shim/core/faults.ts';
import { sidecarText } from '../../shim/core/paths.ts';
import { requestOf, type Later } from '../../shim/http/content.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { remoteReleases } from '../../shim/remote/current.ts';
import { Recent } from '../../shim/remote/recent.ts';
import { httpSource } from '../../shim/remote/source.ts';
import { startServer } from '../../shim/node.ts';
import { createService, type Service } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { sha256Hex } from '../../shim/store/disk.ts';
import { ANSWERED, REFUSED } from '../contract/cases.ts';
import { keyOf, OTHER_SEED, SEED } from '../release/fixture.ts';
import {
  fileFetch,
  fileServer,
  flipped,
  type FileFetch,
  type FileServerOptions,
  type Sent,
} from '../_support/file-server.ts';
import { modern } from '../_support/mcp-request.ts';
import { allObservations } from '../_support/records.ts';
import { builtTree, copyOfTree, TEST_SITE, treeJson } from '../_support/tree.ts';

const settings = serverSettings({ SITE_URL: TEST_SITE });
const near = createService({ root: builtTree(), settings, files: false });

/** A service over a host of files, with a clock that a test moves. */
interface Far {
  service: Service;
  files: FileFetch;
  reported: unknown[];
  wait(milliseconds: number): void;
}

function far(options: FileServerOptions = {}, key: string | null = null): Far {
  const files = fileFetch(builtTree(), options);
  return { files, ...serviceOver(files.fetch, key) };
}

function serviceOver(fetch: typeof globalThis.fetch, key: string | null = null): Omit<Far, 'files'> {
  let clock = 0;
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const source = httpSource('https://mirror.example', { fetch, timeout: 100 });
  const releases = remoteReleases(source, key, () => clock, report);
  const service = createService({ root: '', settings, files: true, report, far: releases });
  return { service, reported, wait: (milliseconds) => void (clock += milliseconds) };
}

/** A host that takes a request and says nothing. */
const never: typeof fetch = async (_address, init) =>
  new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });

const HEADERS = ['etag', 'cache-control', 'retry-after', 'link', 'content-type', 'content-disposition'];

/** A path, or what makes a request. */
type Asked = string | (() => Request);

async function said(service: Service, asked: Asked): Promise<string> {
  const response = await service.fetch(
    typeof asked === 'string' ? new Request(`${TEST_SITE}${asked}`) : asked(),
  );
  const headers = HEADERS.map((name) => response.headers.get(name)).join(' ');
  // The clock of a live resource.
  const text = (await response.text()).replaceAll(/(retrieved_at\\*":\\*")2[^"\\]+/g, '$1');
  return `${response.status} ${headers}\n${text}`;
}

const [record] = allObservations();
const PAGES = [
  '/explore/?indicator=dge&from=2018&view=map',
  '/explore/?indicator=seizures&geo=MEX&answer',
  '/compare/?a=indicator%3Dseizures%26geo%3DMEX&b=indicator%3Dseizures%26geo%3DBEL',
  '/embed/?indicator=dge&from=2018&view=map',
  `/oembed?url=${encodeURIComponent(`${TEST_SITE}/explore/?indicator=dge&geo=MEX`)}`,
  '/designations/?query=trading',
  '/designations/999999999',
  '/search/?q=cocaine+belgium',
  `/r/${encodeURIComponent(`${record?.id}@${record?.edition}`)}`,
  `/r/${encodeURIComponent(record?.id ?? '')}.json`,
  '/r/nope',
  '/r/seizures.MEX.2021.nothing~000000',
  '/download/atlas.excel.csv?iso3=MEX',
  '/download/market-observations.csv?geo=MEX',
  '/download/market-observations.csv?limit=1',
];

const CALLS: Asked[] = [
  ...OPERATIONS.flatMap(({ tool, example }) =>
    tool === null ? [] : [() => modern('tools/call', { name: tool, arguments: example })],
  ),
  () => modern('tools/list'),
  () => modern('resources/list'),
  () => modern('resources/read', { uri: 'svc://catalog' }),
  () => modern('resources/read', { uri: 'svc://datasets/arms' }),
  () => modern('prompts/get', { name: 'cite_evidence', arguments: { dataset: 'arms' } }),
];

describe.each([true, false])('[DOORS] a service without data (the host gives ranges: %s)', (ranges) => {
  const { service, files, reported } = far({ ranges });

  test.each([
    ['pages and downloads', PAGES],
    ['queries', [...REFUSED, ...ANSWERED].map(([, target]) => target)],
    ['tools and resources of MCP', CALLS],
  ])('answers %s as one over a folder does, the first time and again', async (_name, requests) => {
    for (const request of requests)
      for (const _time of ['first', 'again'])
        expect(await said(service, request)).toBe(await said(near, request));
    expect(reported).toEqual([]);
  });

  test('reads nothing more for what it answered before', async () => {
    files.requests();
    for (const request of PAGES) await said(service, request);
    expect(files.requests()).toEqual([]);
  });
});

test('what many requests need at the same time is fetched once', async () => {
  const { service, files } = far();
  const targets = ['', '&limit=3', '&geo=MEX', '&geo=BEL', '&geo=MEX&from=2020'].map(
    (filter) => `/api/v1/market-observations?dataset=drug-seizures${filter}`,
  );
  await Promise.all([...targets, ...targets, ...targets].map(async (target) => said(service, target)));
  const parts = files.requests().filter(({ path }) => !path.endsWith('.sha256'));
  const bytes = new Map<string, number>();
  for (const { path, range } of parts) {
    const [, first = 0, last = 0] = /(\d+)-(\d+)/.exec(range ?? '') ?? [];
    for (let at = Number(first); at <= Number(last); at += 1024)
      bytes.set(`${path} ${at}`, (bytes.get(`${path} ${at}`) ?? 0) + 1);
  }
  expect(parts.length).toBeLessThan(12);
  expect([...bytes].filter(([, times]) => times > 1)).toEqual([]);
});

test.each(PAGES)('what was made before all had arrived is kept for nobody: %s', async (page) => {
  const { service } = far();
  const later: Later = async (work) => Promise.resolve().then(work);
  const request = { ...requestOf('GET', page, () => null), later };
  await Promise.all(Array.from({ length: 6 }, async () => service.routes.reply(request)));
  expect(await said(service, page)).toBe(await said(near, page));
});

const TARGET = '/api/v1/market-observations?dataset=drug-seizures&limit=2';
const OTHER = '/api/v1/market-observations?dataset=arms&limit=2';
const PACK = 'data/drug-seizures.ndjson';
const INDEX = 'data/index/drug-seizures.idx';

/** Why something is unavailable, in the end. */
function reasonOf(error: unknown): string {
  return error instanceof Fault && error.cause !== undefined ? reasonOf(error.cause) : String(error);
}

/** A change to what is sent for one file, while it is on. */
function fault(damaged: string, change: (sent: Sent) => Sent): FileServerOptions & { on: boolean } {
  const options = {
    on: true,
    fault: (path: string, sent: Sent): Sent => (options.on && path === damaged ? change(sent) : sent),
  };
  return options;
}

const plainly = (status: number, headers = {}): Sent => ({ status, headers, body: Buffer.of() });
describe('what the host does not send as it should', () => {
  test.each<[string, string, (sent: Sent) => Sent, string]>([
    ['has gone', PACK, () => plainly(404), 'the host answers 404 for it'],
    ['fails', INDEX, () => plainly(500), 'the host answers 500 for it'],
    [
      'is elsewhere',
      PACK,
      () => plainly(302, { location: 'https://elsewhere.example/' }),
      'the host redirects it to https://elsewhere.example/',
    ],
    ['was changed', PACK, flipped, 'do not match their sha256'],
    ['was changed', INDEX, flipped, 'does not match its sha256'],
    ['is cut short', PACK, (sent) => ({ ...sent, body: sent.body.subarray(9) }), 'that were requested'],
    [
      'is too long',
      INDEX,
      (sent) => ({ ...sent, body: Buffer.concat([sent.body, sent.body]) }),
      'more than the',
    ],
    [
      'is another part',
      PACK,
      (sent) => ({ ...sent, headers: { 'content-range': 'bytes 0-9/10' } }),
      'was requested',
    ],
    [
      'is compressed',
      PACK,
      (sent) => ({ ...sent, headers: { ...sent.headers, 'content-encoding': 'br' } }),
      'compressed with br',
    ],
    ['is a page', PACK, () => ({ ...plainly(200), body: Buffer.from('<html>') }), 'sends 6 bytes of'],
  ])(
    '%s (%s): a 503 as over a damaged folder, everything else goes on, and it is tried again',
    async (_name, path, change, reason) => {
      const options = fault(path, change);
      const { service, reported, wait } = far(options);
      const root = copyOfTree();
      rmSync(join(root, path));
      const damaged = createService({ root, settings, files: false, report: () => undefined });
      const answer = await said(service, TARGET);
      expect(answer).toMatch(/^503 .* 60 [^]*"error":"unavailable"/);
      expect(answer).toBe(await said(damaged, TARGET));
      expect(reported.map(reasonOf).join()).toContain(`${path}: `);
      expect(reported.map(reasonOf).join()).toContain(reason);
      expect(await said(service, OTHER)).toBe(await said(near, OTHER));
      // Records of all datasets: what cannot be had is named where it is needed, and nobody keeps such a response.
      const all = '/api/v1/market-observations?geo=MEX';
      expect(await said(service, all)).toBe(await said(path === INDEX ? damaged : near, all));
      options.on = false;
      wait(6000);
      for (const target of [TARGET, all]) expect(await said(service, target)).toBe(await said(near, target));
    },
  );

  test('is late: a 503 too', async () => {
    const { fetch } = fileFetch(builtTree());
    const { service, reported } = serviceOver(async (address, init) =>
      (String(address).endsWith(PACK) ? never : fetch)(address, init),
    );
    expect(await said(service, TARGET)).toMatch(/^503 .* 60 /);
    expect(reasonOf(reported[0])).toContain(`${PACK}: the host took longer than 0.1 seconds`);
    expect(await said(service, OTHER)).toBe(await said(near, OTHER));
  });

  test('never comes: the process is alive all the same, and everything else is a 503', async () => {
    const { service } = serviceOver(never);
    expect(await said(service, '/healthz')).toMatch(/^200 /);
    expect(await said(service, '/readyz')).toMatch(/^503 /);
    expect(await said(service, TARGET)).toMatch(/^503 .* 60 [^]*"error":"unavailable"/);
  });

  test('is all there is: every request is a typed 503, and answered once there is a release', async () => {
    const options = { on: true, fault: (_: string, sent: Sent): Sent => (options.on ? plainly(404) : sent) };
    const { service, wait } = far(options);
    for (const { name } of OPERATIONS)
      expect(await said(service, `/api/v1/${name}`), name).toMatch(
        /^(503 .* 60 [^]*"error":"unavailable"|200 [^]*"retrieved_at")/,
      );
    for (const target of PAGES)
      expect(await said(service, target), target).toMatch(
        /^(503|400) |^200 .*no-store [^]*"fault":{"code":"unavailable"/,
      );
    expect(await said(service, '/readyz')).toMatch(/^503 /);
    expect(await said(service, '/healthz')).toMatch(/^200 /);
    options.on = false;
    wait(1500);
    expect(await said(service, TARGET)).toBe(await said(near, TARGET));
    expect(await said(service, '/readyz')).toMatch(/^200 [^]*"ok":true,"serial":1/);
  });
});

/** The files of the built tree as a later release: without one dataset, and signed where a key is given. */
function laterRelease(serial: number, key: ReturnType<typeof keyOf> | null = null): Map<string, Buffer> {
  const read = (path: string): Record<string, unknown> => treeJson<Record<string, unknown>>(path);
  const files = new Map<string, Buffer>();
  const put = (path: string, value: object): string => {
    const bytes = Buffer.from(JSON.stringify(value));
    files.set(path, bytes);
    files.set(`${path}.sha256`, Buffer.from(sidecarText(path, sha256Hex(bytes))));
    return sha256Hex(bytes);
  };
  const packs = read('data/packs.json');
  const without = (packs['packs'] as { id: string }[]).filter(({ id }) => id !== 'arms');
  const hash = put('data/packs.json', { ...packs, packs: without, generatedAt: '2026-09-01T00:00:00Z' });
  const manifest = read('release.json');
  const listed = (manifest['files'] as { path: string; sha256: string }[]).map((file) =>
    file.path === 'data/packs.json' ? { ...file, sha256: hash } : file,
  );
  put('release.json', { ...manifest, serial, files: listed });
  if (key)
    files.set(
      'release.json.minisig',
      Buffer.from(signatureFile(files.get('release.json') ?? Buffer.of(), key, 'x')),
    );
  return files;
}

describe('a new release', () => {
  /** A host whose files a test exchanges. */
  const changing = () => {
    const options = {
      files: new Map<string, Buffer>(),
      fault: (path: string, sent: Sent): Sent => {
        const body = options.files.get(path);
        return body ? { status: 200, headers: {}, body } : sent;
      },
    };
    return options;
  };
  const dated = '/api/v1/market-observations?dataset=drug-seizures&limit=1';

  test('takes the place of the old one once it is whole; until then the old one answers', async () => {
    const options = changing();
    const { service, wait, reported } = far(options);
    const before = await said(service, dated);
    expect(await said(service, OTHER)).toMatch(/^200 /);
    const later = laterRelease(2);
    // Its manifest arrives before its list of packs.
    options.files = new Map([...later].filter(([path]) => path.startsWith('release.json')));
    wait(61_000);
    expect(await said(service, dated)).toBe(before);
    expect(reasonOf(reported.at(-1))).toContain('data/packs.json: does not match its sha256');
    options.files = later;
    wait(61_000);
    // The cursor is of the other release.
    expect(await said(service, dated)).toMatch(/^200 /);
    expect(await said(service, dated)).not.toBe(before);
    expect(await said(service, OTHER)).toMatch(/^(400|503) /);
    expect(await said(service, '/readyz')).toMatch(/"serial":2/);
  });

  test('is looked for in the background while the last look is recent, and when a file has gone', async () => {
    const options = changing();
    const { service, wait, files } = far(options);
    await said(service, dated);
    options.files = laterRelease(2);
    files.requests();
    wait(4000);
    await said(service, dated);
    expect(files.requests()).toEqual([]);
    wait(2000);
    await said(service, dated);
    await expect.poll(() => said(service, '/readyz')).toMatch(/"serial":2/);
  });

  test('of an older number is not read', async () => {
    const options = changing();
    options.files = laterRelease(5);
    const { service, wait, reported } = far(options);
    const before = await said(service, dated);
    options.files = laterRelease(4);
    wait(61_000);
    expect(await said(service, dated)).toBe(before);
    expect(reasonOf(reported.at(-1))).toContain('release.json: is release 4; wanted is release 5 or later');
  });

  test('must be signed by the key that is set', async () => {
    const [own, other] = [keyOf(SEED), keyOf(OTHER_SEED)];
    const options = changing();
    options.files = laterRelease(2, own);
    const { service, wait, reported } = far(options, publicKeyText(own));
    const before = await said(service, dated);
    expect(before).toMatch(/^200 /);
    options.files = laterRelease(3, other);
    wait(61_000);
    expect(await said(service, dated)).toBe(before);
    expect(reasonOf(reported.at(-1))).toMatch(/release\.json\.minisig: is by key [0-9A-F]{16}, not by/);
  });
});

test('the self-hosted server takes the same setting, and needs no folder', async () => {
  const files = await fileServer(builtTree());
  const env = { SITE_URL: TEST_SITE, DATA_FROM: files.url, PORT: '0' };
  const { url, close } = await startServer('nowhere', env);
  const get = async (target: string): Promise<string> => (await fetch(new URL(target, url))).text();
  expect(await get(TARGET)).toBe((await said(near, TARGET)).replace(/^.*\n/, ''));
  expect(JSON.parse(await get('/readyz'))).toMatchObject({ ok: true, serial: 1 });
  files.close();
  // What was read is kept, and given while the host is away.
  expect(await get(TARGET)).toMatch(/"status":"available"/);
  expect(await get(OTHER)).toMatch(/"error":"unavailable"/);
  await close();
});

test('what is kept is bounded by its bytes, and what was used longest ago goes first', () => {
  const kept = new Recent<string>(10, (text) => text.length);
  const left = (...keys: string[]): string[] => keys.filter((key) => kept.has(key));
  for (const key of ['a', 'b', 'c']) kept.set(key, 'xxxx');
  expect(left('a', 'b', 'c')).toEqual(['b', 'c']);
  kept.get('b');
  kept.set('d', 'xxxx');
  expect(left('b', 'c', 'd')).toEqual(['b', 'd']);
  kept.set('d', 'x'.repeat(20));
  expect(left('b', 'd')).toEqual(['d']);
});

test.each([
  [{ DATA_FROM: 'evidence' }, 'DATA_FROM'],
  [{ DATA_FROM: 'ftp://evidence.example' }, 'DATA_FROM'],
  [{ DATA_FROM: 'https://evidence.example/?a=1' }, 'DATA_FROM'],
  [{ DATA_FROM: '' }, 'DATA_FROM'],
  [{ DATA_FROM: 'https://evidence.example', DATA_KEY: 'key' }, 'DATA_KEY'],
  [{ DATA_KEY: publicKeyText(keyOf(SEED)) }, 'DATA_KEY'],
])('the setting %j is refused, and the message names it', (env, name) => {
  expect(() => serverSettings(env)).toThrow(name);
});
