/** Missing or damaged evidence fails closed: that resource is unavailable, with its typed 503, and everything else goes on. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationOf } from '../../shim/core/operations/all.ts';
import { PACK_MANIFEST, SERIES_INDEX, sidecarPath } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import { RECHECK_MS, sha256Hex } from '../../shim/store/disk.ts';
import { openReleases } from '../../shim/store/release.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { copyOfTree, listedBy, writeListed, writeWithSidecar, flipBit } from '../_support/tree.ts';

type Damage = [name: string, damage: (path: string) => void];

const DAMAGES: Damage[] = [
  ['missing', (path) => rmSync(path)],
  ['truncated', (path) => truncateSync(path, 100)],
  ['grown', (path) => appendFileSync(path, '\n')],
  ['empty', (path) => writeFileSync(path, '')],
  ['flipped', (path) => flipBit(path)],
  ['a folder', (path) => (rmSync(path), mkdirSync(path))],
  [
    'a pipe that nobody writes to',
    (path) => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
  ],
];

/** [pack file, a filtered request that needs it, one that does not]. */
const PACKS: [file: string, hit: string, spared: string][] = [
  ['data/designations.ndjson', '/api/v1/entities?limit=1', '/api/v1/atlas?limit=1'],
  ['data/index/designations.idx', '/api/v1/entities?limit=1', '/api/v1/atlas?limit=1'],
  [
    'data/organized-crime-index.ndjson',
    '/api/v1/atlas?domain=organized_crime&limit=1',
    '/api/v1/entities?limit=1',
  ],
  [
    'data/drug-seizures.ndjson',
    '/api/v1/market-observations?dataset=drug-seizures&limit=1',
    '/api/v1/market-observations?dataset=drug-prices&limit=1',
  ],
];

/** The list of packs and what says its hash. */
const LIST = listedBy(PACK_MANIFEST);

describe.each(PACKS)('%s', (file, hit, spared) => {
  test.each(DAMAGES)('[UNAVAILABLE] %s: 503 there, 200 elsewhere', async (_name, damage) => {
    const root = copyOfTree(file);
    damage(join(root, file));
    const get = requestsTo(testApp(root));
    const response = await get(hit);
    const body = (await response.json()) as {
      ok: boolean;
      error: string;
      resource?: string;
      data?: { status: string };
    };
    expect(response.status).toBe(503);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ ok: false, error: 'unavailable' });
    const operation = body.resource === undefined ? undefined : operationOf(body.resource);
    if (operation) {
      expect(validator(operation.output)(body.data)).toBeNull();
      expect(body.data?.status).toBe('unavailable');
    } else expect(hit).toContain('market-observations');
    expect((await get(spared)).status).toBe(200);
  });
});

test.each(DAMAGES)(
  '[UNAVAILABLE] %s infrastructure artifact: 503 in the generic envelope',
  async (_name, damage) => {
    const root = copyOfTree('data/svc-producerp-bri-v1.json');
    damage(join(root, 'data/svc-producerp-bri-v1.json'));
    const get = requestsTo(testApp(root));
    const response = await get('/api/v1/producerp-bri');
    expect(response.status).toBe(503);
    const { message, ...body } = (await response.json()) as { message: string };
    expect(body).toEqual({ ok: false, error: 'unavailable' });
    expect(message).not.toContain(root);
    for (const name of ['producerp-corridors', 'markets', 'atlas', 'entities', 'capabilities'])
      expect((await get(`/api/v1/${name}`)).status, name).toBe(200);
  },
);

test.each(['{}', 'null', '{"schema":"svc.packs.v1"}'])(
  '[UNAVAILABLE] list of packs %s, well hashed',
  async (text) => {
    const root = copyOfTree(...LIST);
    writeListed(root, PACK_MANIFEST, text);
    const get = requestsTo(testApp(root));
    for (const path of ['atlas?limit=1', 'entities?limit=1', 'market-observations?limit=1'])
      expect((await get(`/api/v1/${path}`)).status, path).toBe(503);
    expect((await get('/data/nowhere.csv')).status).toBe(404);
  },
);

test('[PARTIAL] one atlas domain damaged: partial, its record_count null, the other complete', async () => {
  const root = copyOfTree('data/organized-crime-index.ndjson');
  flipBit(join(root, 'data/organized-crime-index.ndjson'));
  const response = await requestsTo(testApp(root))('/api/v1/atlas?iso3=MEX');
  const { data } = (await response.json()) as {
    data: { status: string; sources: object[]; records: { domain: string }[] };
  };
  expect(response.status).toBe(200);
  expect(data.status).toBe('partial');
  expect(data.sources).toMatchObject([
    { domain: 'firearms_tracing', status: 'available', error: null },
    {
      domain: 'organized_crime',
      status: 'unavailable',
      record_count: null,
      metadata: null,
      error: { code: 'unavailable' },
    },
  ]);
  expect(new Set(data.records.map(({ domain }) => domain))).toEqual(new Set(['firearms_tracing']));
});

test('[PARTIAL] one market dataset damaged: the others answer and the answer says what is missing', async () => {
  const root = copyOfTree('data/drug-prices.ndjson');
  flipBit(join(root, 'data/drug-prices.ndjson'));
  const response = await requestsTo(testApp(root))('/api/v1/market-observations?geo=MEX&limit=500');
  const { data } = (await response.json()) as {
    data: { status: string; limitations: string[]; observations: { datasetId: string }[] };
  };
  expect([response.status, data.status]).toEqual([200, 'partial']);
  expect(data.limitations.join(' ')).toContain('drug-prices is currently unavailable');
  expect(data.observations.some(({ datasetId }) => datasetId === 'drug-prices')).toBe(false);
});

describe('[UNAVAILABLE] pages whose packs are damaged say what the operation says', () => {
  const cursorOf = (root: string, resource: string): string => {
    const { data } = JSON.parse(readFileSync(join(root, `api/v1/${resource}.json`), 'utf8')) as {
      data: { page: { next_cursor: string } };
    };
    return data.page.next_cursor;
  };

  test.each([
    ['data/designations.ndjson', 'entities', 503],
    ['data/organized-crime-index.ndjson', 'atlas', 'partial'],
    ['data/drug-seizures.ndjson', 'market-observations', 'partial'],
  ] as const)('%s: /%s', async (file, resource, wanted) => {
    const root = copyOfTree();
    rmSync(join(root, file));
    const get = requestsTo(testApp(root));
    const cursor = cursorOf(root, resource);
    for (const path of [resource, `${resource}?`, `${resource}.json`, `${resource}/${cursor}.json`]) {
      const response = await get(`/api/v1/${path}`);
      const body = (await response.json()) as { data: { status: string } };
      if (wanted === 503) expect([response.status, body.data.status], path).toEqual([503, 'unavailable']);
      else expect([response.status, body.data.status], path).toEqual([200, wanted]);
      // A gap may be closed in a moment: nobody keeps it for a day.
      expect(response.headers.get('netlify-cdn-cache-control'), path).toBeNull();
      expect(response.headers.get('cache-control'), path).toBe(
        wanted === 503 ? 'no-store' : 'public, max-age=60',
      );
    }
    for (const other of ['capabilities', 'markets'])
      expect((await get(`/api/v1/${other}`)).status, other).toBe(200);
  });
});

test.each(['not a\nhash', '', '\0'.repeat(76)])(
  '[STATIC] a large file whose sidecar holds %j is not served',
  async (text) => {
    const root = copyOfTree('data/arms.ndjson.sha256');
    writeFileSync(join(root, 'data/arms.ndjson.sha256'), text);
    const response = await requestsTo(testApp(root))('/data/arms.ndjson');
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'unavailable' }]);
  },
);

test.each(['index.html.sha256', 'data/packs.json', 'data/arms.ndjson', 'data/border-drug-seizures.ndjson'])(
  '[RUNTIME] %s of a hundred gigabytes is damaged, and is not read to find that out',
  async (file) => {
    const root = copyOfTree(file);
    truncateSync(join(root, file), 100 * 2 ** 30);
    const response = await requestsTo(testApp(root))(`/${file}`);
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'unavailable' }]);
  },
  20_000,
);

test.each(['SHA256SUMS', 'release.json'])(
  '[RUNTIME] other files are still served next to %s of a hundred gigabytes',
  async (file) => {
    const root = copyOfTree(file);
    truncateSync(join(root, file), 100 * 2 ** 30);
    const get = requestsTo(testApp(root));
    expect([(await get(`/${file}`)).status, (await get('/data/arms.ndjson')).status]).toEqual([503, 200]);
  },
  20_000,
);

test.each(['SHA256SUMS', 'SHA256SUMS.sha256'])('[RUNTIME] without %s the list is damaged', async (file) => {
  const root = copyOfTree(file);
  rmSync(join(root, file));
  const get = requestsTo(testApp(root));
  for (const path of ['/SHA256SUMS', '/SHA256SUMS.sha256'])
    expect([path, (await get(path)).status]).toEqual([path, 503]);
});

test('[RUNTIME] damage while serving is noticed, and so is the repair', async () => {
  const root = copyOfTree('data/designations.ndjson');
  const path = join(root, 'data/designations.ndjson');
  const good = readFileSync(path);
  const get = requestsTo(testApp(root));
  const ask = async (): Promise<number> => (await get('/api/v1/entities?limit=2')).status;
  const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));
  expect(await ask()).toBe(200);
  await settled();
  flipBit(path);
  expect(await ask()).toBe(503);
  await settled();
  writeFileSync(path, good);
  expect(await ask()).toBe(200);
});

test('[RUNTIME] what was answered before damage was found is not given after it', async () => {
  const file = 'data/editions/border-drug-seizures/2026-01.ndjson';
  const root = copyOfTree(file);
  flipBit(join(root, file));
  const lines = readFileSync(join(root, file), 'latin1').split('\n');
  // Of this pack each block is checked when it is read first.
  const [first, damaged] = [0, Math.floor(lines.length / 2)].map(
    (place) => /"id":"([^"]+)"/.exec(lines[place] ?? '')?.[1],
  );
  const get = requestsTo(testApp(root));
  const ask = async (id = ''): Promise<number> =>
    (await get(`/api/v1/market-observations?id=${id}&as_of=2026-02-28`)).status;
  expect([await ask(first), await ask(first)]).toEqual([200, 200]);
  expect(await ask(damaged)).toBe(503);
  expect(await ask(first)).toBe(503);
});

describe('[RUNTIME] a file that was forged together with its sidecar', () => {
  test.each([
    [PACK_MANIFEST, '/api/v1/entities?limit=1'],
    [SERIES_INDEX, '/api/v1/series?query=heroin'],
  ])('%s is not used, while SHA256SUMS is in order', async (path, request) => {
    const root = copyOfTree(path, sidecarPath(path));
    const whole = readFileSync(join(root, path));
    writeWithSidecar(root, path, Buffer.concat([whole, Buffer.from(' ')]));
    const get = requestsTo(testApp(root));
    expect((await get(request)).status).toBe(503);
    writeWithSidecar(root, path, whole);
    await new Promise((done) => setTimeout(done, RECHECK_MS * 2));
    expect((await get(request)).status).toBe(200);
  });
});

test('[RUNTIME] a repair that keeps size and date is seen', async () => {
  const file = 'data/designations.ndjson';
  const root = copyOfTree(file);
  const { atime, mtime } = statSync(join(root, file));
  const flipped = (): void => {
    flipBit(join(root, file));
    utimesSync(join(root, file), atime, mtime);
  };
  flipped();
  const get = requestsTo(testApp(root));
  expect((await get('/api/v1/entities?limit=1')).status).toBe(503);
  flipped();
  await new Promise((done) => setTimeout(done, RECHECK_MS * 2));
  expect((await get('/api/v1/entities?limit=1')).status).toBe(200);
});

test('[RUNTIME] a release in use gives its earlier editions while another takes its place', () => {
  const root = copyOfTree();
  let now = 0;
  const releases = openReleases(root, () => now);
  const release = releases.current();
  const [{ id, path, rows } = { id: '', path: '', rows: 0 }] = release.manifest().editions;
  const pack = release.pack(id);
  const first = Buffer.concat(pack.copy(0, 1));
  rmSync(join(root, path));
  now = 1000;
  expect(releases.current()).not.toBe(release);
  expect(Buffer.concat(pack.copy(0, rows)).subarray(0, first.length)).toEqual(first);
  expect(() => releases.current().pack(id)).toThrow(`Dataset ${id}`);
});

describe('[RUNTIME] in the moment in which a release replaces another', () => {
  /** A tree that lists another first dataset than it has, and what gives it the list of its own. */
  function almostReplaced(): { root: string; entry: { id: string; sha256: string }; replace: () => void } {
    const root = copyOfTree(...LIST);
    const good = readFileSync(join(root, PACK_MANIFEST), 'utf8');
    const { packs } = JSON.parse(good) as { packs: { id: string; sha256: string }[] };
    const entry = packs[0] ?? { id: '', sha256: '' };
    writeListed(root, PACK_MANIFEST, good.replace(entry.sha256, sha256Hex('the pack of the release before')));
    return { root, entry, replace: () => writeListed(root, PACK_MANIFEST, good) };
  }

  test('what could not be opened is looked for again', () => {
    const { root, entry, replace } = almostReplaced();
    const releases = openReleases(root, () => 0);
    expect(releases.current().manifest().packs[0]?.id).toBe(entry.id);
    replace();
    expect(() => releases.current().pack(entry.id)).toThrow(`Dataset ${entry.id}`);
    expect(releases.current().pack(entry.id).entry.sha256).toBe(entry.sha256);
  });

  test('a tree that is not there for an instant is missing for no longer', () => {
    const root = copyOfTree();
    let now = 0;
    const releases = openReleases(root, () => now);
    const before = releases.current().manifest();
    renameSync(root, `${root}.before`);
    now = 1000;
    expect(() => releases.current().manifest()).toThrow('The packaged data');
    renameSync(`${root}.before`, root);
    expect(releases.current().manifest()).toEqual(before);
  });

  test('a document is of the tree that the list is of', () => {
    const { root, replace } = almostReplaced();
    const releases = openReleases(root, () => 0);
    const before = releases.current();
    before.manifest();
    replace();
    expect(() => before.document('data/catalog.json')).toThrow('The document data/catalog.json');
    expect(releases.current()).not.toBe(before);
    expect(releases.current().document('data/catalog.json').length).toBeGreaterThan(0);
  });

  test('a pack that is the same in both is not read again, and described by the one that is there', () => {
    const root = copyOfTree(...LIST);
    let now = 0;
    const releases = openReleases(root, () => now);
    const id = releases.current().manifest().packs[0]?.id ?? '';
    const [before] = releases.current().pack(id).copy(0, 1);
    const text = readFileSync(join(root, PACK_MANIFEST), 'utf8');
    writeListed(root, PACK_MANIFEST, text.replace(/("meta": ?\{)/, '$1"note":"A new note.",'));
    now = 1000;
    const pack = releases.current().pack(id);
    expect(pack.entry.meta['note']).toBe('A new note.');
    expect(pack.copy(0, 1)[0]?.buffer).toBe(before?.buffer);
  });

  test('a request is answered from the release that took the place of the other, of one dataset or of all', async () => {
    for (const ofAll of [false, true]) {
      const { root, entry, replace } = almostReplaced();
      const get = requestsTo(testApp(root));
      expect((await get('/api/v1/entities?limit=1')).status).toBe(200);
      replace();
      const response = await get(
        `/api/v1/market-observations?limit=1&${ofAll ? 'to=2020' : `dataset=${entry.id}`}`,
      );
      const { data } = (await response.json()) as { data: { status: string } };
      expect([response.status, data.status]).toEqual([200, 'available']);
    }
  });
});

test('[STATIC] a published file that does not match its checksum is not served', async () => {
  // The last one is larger than what is kept compressed in memory.
  const files = ['data/catalog.json', 'data/arms.parquet', 'data/arms.ndjson'];
  const root = copyOfTree(...files, 'api/v1/atlas.json');
  const get = requestsTo(testApp(root));
  for (const file of files) {
    flipBit(join(root, file));
    expect((await get(`/${file}`)).status, file).toBe(503);
  }
  flipBit(join(root, 'api/v1/atlas.json'));
  const unfiltered = await get('/api/v1/atlas');
  expect([unfiltered.status, ((await unfiltered.json()) as { ok: boolean }).ok]).toEqual([200, true]);
});

test('[STATIC] while the catalog is damaged no figure is drawn: how not to read it is there', async () => {
  const query = 'dataset=coca-cultivation&geo=BOL';
  const root = copyOfTree('data/catalog.json');
  flipBit(join(root, 'data/catalog.json'));
  const damaged = requestsTo(testApp(root));
  for (const page of [`explore/?${query}`, `embed/?${query}`, `compare/?a=${encodeURIComponent(query)}`]) {
    const response = await damaged(`/${page}`);
    expect([page, response.status, response.headers.get('retry-after')]).toEqual([page, 503, '60']);
    expect(await response.text()).not.toContain('<figure');
  }
});
