/** A release read over HTTP: the same responses as REST, with few requests, and nothing from a host that is wrong or lies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import type { Observation } from '../../shim/core/records.ts';
import type { Release } from '../../shim/core/types.ts';
import { sidecarText } from '../../shim/core/paths.ts';
import { answerOf } from '../../shim/remote/answers.ts';
import { openRemote, type RemoteRelease, type Trust } from '../../shim/remote/release.ts';
import { httpSource } from '../../shim/remote/source.ts';
import { createService, type Service } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { sha256Hex } from '../../shim/store/disk.ts';
import { publicKeyText, signatureFile } from '../../build/release/minisign.ts';
import { keyOf, OTHER_SEED, SEED } from '../release/fixture.ts';
import { fileServer, flipped, type FileServer, type Sent } from '../_support/file-server.ts';
import { hasNginx, startNginx } from '../_support/nginx.ts';
import { queriesByPack, randomQueries } from '../_support/queries.ts';
import { allObservations, packManifest } from '../_support/records.ts';
import { casesOf } from '../_support/share.ts';
import { builtTree, TEST_SITE, treeFile, treeText } from '../_support/tree.ts';

const records = allObservations();
const manifest = packManifest();
let service: Service;
const servers: { close(): void }[] = [];

beforeAll(() => {
  service = createService({
    root: builtTree(),
    settings: serverSettings({ SITE_URL: TEST_SITE }),
    files: true,
  });
});
afterAll(() => {
  for (const server of servers) server.close();
});

function sidecarOf(path: string, content: string): Uint8Array {
  return Buffer.from(sidecarText(path, sha256Hex(content)));
}

async function host(options: Parameters<typeof fileServer>[1] = {}): Promise<FileServer> {
  const server = await fileServer(builtTree(), options);
  servers.push(server);
  return server;
}

async function opened({ url }: { url: string }, trust: Trust = {}): Promise<RemoteRelease> {
  return openRemote(httpSource(url), trust);
}

async function remote(target: string, from: RemoteRelease): Promise<string> {
  const { status, body } = await answerOf(target, from, OPERATIONS);
  return `${status} ${Buffer.from(body).toString('utf8')}`;
}

async function rest(target: string): Promise<string> {
  const response = await service.fetch(new Request(`${TEST_SITE}${target}`));
  return `${response.status} ${await response.text()}`;
}

/** Responses of federation differ in when they were made. */
function lanesIn(response: string): unknown {
  return (JSON.parse(response.slice(4)) as { data: { lanes: unknown[] } }).data.lanes;
}

/** nginx that knows nothing of this service. */
async function plainNginx(): Promise<{ url: string }> {
  const { url, stop } = await startNginx(
    (port) => `access_log off; server { listen 127.0.0.1:${port}; root ${builtTree()}; }`,
  );
  servers.push({ close: stop });
  return { url: `${url}/` };
}

describe.each([
  [hasNginx() ? 'gives ranges: nginx' : 'gives ranges (nginx is not installed)', true, casesOf(500, 200)],
  ['ignores ranges', false, casesOf(100, 50)],
])('a host of files that %s', (_name, ranges, count) => {
  const files = async (): Promise<{ url: string }> =>
    ranges && hasNginx() ? plainNginx() : host({ ranges });

  test(`${count} random queries are answered as REST answers them`, async () => {
    const release = await opened(await files());
    for (const query of randomQueries(count))
      expect(await remote(query, release), query).toBe(await rest(query));
  });

  test('every resource is answered as REST answers it', async () => {
    const release = await opened(await files());
    for (const { name, freshness } of OPERATIONS.filter((operation) => operation.freshness === 'data'))
      expect(await remote(`/api/v1/${name}`, release), `${name} ${freshness}`).toBe(
        await rest(`/api/v1/${name}`),
      );
    for (const lane of ['producerp-bri', 'producerp-newswire-rights']) {
      const target = `/api/v1/federation?lane=${lane}`;
      const [own, theirs] = [await remote(target, release), await rest(target)];
      expect([own.slice(0, 3), lanesIn(own)]).toEqual(['200', lanesIn(theirs)]);
    }
    expect(await remote('/api/v1/nothing', release)).toBe(await rest('/api/v1/nothing'));
  });
});

test('one series of any dataset needs at most 4 requests and 300 kB when cold, and none when warm', async () => {
  const server = await host();
  for (const { id } of manifest.packs.filter(({ kind }) => kind === 'observations')) {
    const own = records.filter(({ datasetId }) => datasetId === id);
    // A query of one series names all that a series has.
    const { indicatorId, geoCode, category, subgroup } = (own.find(
      (record) => record.category !== '' && record.subgroup !== '',
    ) ?? own[0]) as Observation;
    const filters = { dataset: id, indicator: indicatorId, geo: geoCode, category, subgroup };
    const given = Object.entries(filters).filter(([, value]) => value !== '');
    const query = `/api/v1/market-observations?${new URLSearchParams(given).toString()}`;
    server.requests();
    const release = await opened(server);
    expect(await remote(query, release)).toMatch(/^200 /);
    const cold = server.requests();
    expect(cold.length, id).toBeLessThanOrEqual(4);
    expect(
      cold.reduce((sum, { bytes }) => sum + bytes, 0),
      id,
    ).toBeLessThanOrEqual(300_000);
    await remote(query, release);
    expect(server.requests()).toEqual([]);
  }
});

const first = queriesByPack()[0];
if (!first) throw new Error('the release has no dataset');
const { pack, query } = first;
const earlier = manifest.editions.find(({ id }) => id.startsWith(`${pack.id}@`));

describe('a host that is wrong', () => {
  const onPack = (change: (sent: Sent) => Sent) => ({
    fault: (path: string, sent: Sent) => (path === pack.path ? change(sent) : sent),
  });
  test.each([
    [
      'names another range',
      (sent: Sent): Sent => ({ ...sent, headers: { 'content-range': 'bytes 0-9/10' } }),
      'was requested',
    ],
    [
      'compresses a range',
      (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'content-encoding': 'br' } }),
      'compressed with br',
    ],
    [
      'sends too little',
      (sent: Sent): Sent => ({ ...sent, body: sent.body.subarray(1) }),
      'that were requested',
    ],
    [
      'breaks off',
      (sent: Sent): Sent => ({
        ...sent,
        headers: { ...sent.headers, 'content-length': String(sent.body.length + 9), connection: 'close' },
      }),
      'the host cannot be reached or broke off',
    ],
    [
      'swaps a block with the next',
      (sent: Sent): Sent => ({
        ...sent,
        body: treeFile(pack.path).subarray(sent.body.length, sent.body.length * 2),
      }),
      'belong to another release',
    ],
    [
      'sends those of another edition',
      (sent: Sent): Sent => ({
        ...sent,
        body: treeFile(earlier?.path ?? '').subarray(0, sent.body.length),
      }),
      'belong to another release',
    ],
    [
      'sends too much',
      (sent: Sent): Sent => ({ ...sent, body: Buffer.concat([sent.body, sent.body]) }),
      'more than the',
    ],
    [
      'sends bytes of another place',
      (sent: Sent): Sent => ({ ...sent, body: Buffer.alloc(sent.body.length, 'x') }),
      'belong to another release',
    ],
    [
      'redirects',
      (): Sent => ({ status: 302, headers: { location: 'https://elsewhere.example/' }, body: Buffer.of() }),
      'redirects it to https://elsewhere.example/',
    ],
    ['has no such file', (): Sent => ({ status: 404, headers: {}, body: Buffer.of() }), 'answers 404'],
    ['fails', (): Sent => ({ status: 500, headers: {}, body: Buffer.of() }), 'answers 500'],
    [
      'sends a page in place of the file',
      (): Sent => ({ status: 200, headers: {}, body: Buffer.from('<html>') }),
      'sends 6 bytes of',
    ],
  ])('and %s is refused', async (_name, change, message) => {
    const release = await opened(await host(onPack(change)));
    const failure = await remote(query, release).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).toContain(pack.path);
    expect(String(failure)).toContain(message);
  });

  test('and exchanges the release in the middle of reading is refused, by what is not of the one that was opened', async () => {
    const document = 'data/catalog.json';
    let isExchanged = false;
    const other = (path: string, sent: Sent): Sent =>
      isExchanged && (path === 'data/packs.json.sha256' || path === pack.path)
        ? {
            ...sent,
            body:
              path === pack.path ? Buffer.alloc(sent.body.length, '\n') : sidecarOf('data/packs.json', 'x'),
          }
        : sent;
    const release = await opened(await host({ fault: other }));
    expect(await remote('/api/v1/entities?limit=1', release)).toMatch(/^200 /);
    isExchanged = true;
    await expect(remote(query, release)).rejects.toThrow(`${pack.path}: bytes 0 to`);
    await expect(remote('/api/v1/markets?detail=full', release)).rejects.toThrow(
      `${document}: another release has taken the place of the one that was opened`,
    );
    // What was read before is of the release that was opened.
    expect(await remote('/api/v1/entities?limit=1', release)).toMatch(/^200 /);
  });

  test.each([
    ['data/packs.json', 'svc.packs.v1', 'svc.packs.v2', {}],
    ['release.json', 'svc.release.v1', 'svc.release.v2', { serial: 1 }],
    ['data/packs.json', '"packs":[', '"packs":[null,', {}],
    ['release.json', '"files": [', '"files": [null,', { serial: 1 }],
    ['data/packs.json', '"index":{', '"indices":{', {}],
    ['data/packs.json', '"editions":[', '"editions":[{"id":"arms@1999"},', {}],
  ])('and has %s of a later form is told apart from damage', async (path, form, later, trust) => {
    const text = treeText(path).replace(form, later);
    const newer = (file: string, sent: Sent): Sent =>
      file === path
        ? { ...sent, body: Buffer.from(text) }
        : file === `${path}.sha256`
          ? { ...sent, body: sidecarOf(path, text) }
          : sent;
    await expect(opened(await host({ fault: newer }), trust)).rejects.toThrow(
      new RegExp(`^${path}: is not .* if the copy is newer than the reader, get a newer reader$`),
    );
  });

  test.each([
    ['data/packs.json', '{"schema"', '\uFEFF{"schema"', {}],
    ['data/packs.json', '"schema":', '"schema":"svc.packs.v1","schema":', {}],
    ['release.json', '{\n', '\uFEFF{\n', { serial: 1 }],
    ['release.json', '"serial": 1,', '"serial": 1, "serial": 1,', { serial: 1 }],
  ])('and has %s that readers take for different values is refused', async (path, form, other, trust) => {
    const text = treeText(path).replace(form, other);
    const changed = new Map([
      [path, Buffer.from(text)],
      [`${path}.sha256`, sidecarOf(path, text)],
    ]);
    const fault = (file: string, sent: Sent): Sent => ({ ...sent, body: changed.get(file) ?? sent.body });
    await expect(opened(await host({ fault }), trust)).rejects.toThrow(
      new RegExp(`^${path}: is not strict JSON: `),
    );
  });

  test('a failure that passes is not remembered', async () => {
    let failures = 1;
    const server = await host(
      onPack((sent) => (failures-- > 0 ? { status: 503, headers: {}, body: Buffer.of() } : sent)),
    );
    const release = await opened(server);
    await expect(remote(query, release)).rejects.toThrow('answers 503');
    expect(await remote(query, release)).toBe(await rest(query));
  });

  test('an older release than the one known is refused, and an unsigned one where a key is given', async () => {
    const server = await host();
    await expect(opened(server, { serial: 2 })).rejects.toThrow('is release 1; wanted is release 2 or later');
    expect(await remote(query, await opened(server, { serial: 1 }))).toBe(await rest(query));
    await expect(opened(server, { key: 'RWQ' })).rejects.toThrow('release.json.minisig');
    await expect(opened(server, { serial: 1, now: () => Date.parse('2999-01-01') })).rejects.toThrow(
      'expired at',
    );
    // A moment that has no number.
    const text = treeText('release.json').replace(/"expires": "[^"]*"/, '"expires": "2999-12-31T23:59:60Z"');
    const bodies = new Map([
      ['release.json', Buffer.from(text)],
      ['release.json.sha256', sidecarOf('release.json', text)],
    ]);
    const timeless = await host({
      fault: (path, sent) => ({ ...sent, body: bodies.get(path) ?? sent.body }),
    });
    await expect(opened(timeless, { serial: 1, now: Date.now })).rejects.toThrow('expired at');
  });
});

test('with a key every byte goes back to the signature: another key, an altered manifest and an altered file are refused', async () => {
  const signed = keyOf(SEED);
  const key = publicKeyText(signed);
  const manifestBytes = treeFile('release.json');
  const signature = Buffer.from(signatureFile(manifestBytes, signed, 'file:release.json'));
  const sign = (path: string, sent: Sent): Sent =>
    path === 'release.json.minisig' ? { status: 200, headers: {}, body: signature } : sent;
  const server = await host({ fault: sign });
  expect(await remote(query, await opened(server, { key }))).toBe(await rest(query));
  expect(server.requests().map(({ path }) => path)).not.toContain('data/packs.json.sha256');
  const other = publicKeyText(keyOf(OTHER_SEED));
  await expect(opened(server, { key: other })).rejects.toThrow('is by key');
  for (const [altered, message] of [
    ['release.json', 'release.json.minisig: does not match these bytes'],
    ['release.json.minisig', 'release.json.minisig: '],
    ['data/packs.json', 'data/packs.json: does not match its sha256'],
  ] as const) {
    const wrong = await host({
      fault: (path, sent) => (path === altered ? flipped(sign(path, sent)) : sign(path, sent)),
    });
    await expect(opened(wrong, { key }), altered).rejects.toThrow(message);
  }
});

test('what is made of a release before its files were fetched is not kept', async () => {
  const { release, settled } = await opened(await host());
  const read = (from: Release): { bytes: number } => {
    try {
      return { bytes: from.document('data/catalog.json').length };
    } catch {
      return { bytes: 0 };
    }
  };
  expect(release.derive(read)).toEqual({ bytes: 0 });
  const { length } = treeFile('data/catalog.json');
  expect(await settled(() => release.derive(read))).toEqual({ bytes: length });
  expect(release.derive(read)).toEqual({ bytes: length });
});

test('an address that is not http is refused', () => {
  expect(() => httpSource('file:///etc/')).toThrow('is not an http or https address');
});
