/** Rights as data: every source carries a verdict, and a build with --rights leaves the other datasets out, each with its reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import dataFiles from '../../schemas/data-files.schema.json' with { type: 'json' };
import packList from '../../schemas/packs.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import { run } from '../_support/command-line.ts';
import { farApp, testApp, requestsTo, testContext } from '../_support/doors.ts';
import { buildSite, fewRows, someDatasets } from '../_support/few-rows.ts';
import { packManifest } from '../_support/records.ts';
import { answered, doorOf, modern } from '../mcp/asking.ts';
import { addressOf, sitePages, tagsOf, unescaped } from '../_support/site-pages.ts';
import { temporaryFolder, TEST_SITE, treeFile, treeText, treeJson } from '../_support/tree.ts';

interface Source {
  rights: { verdict: string; evidence: string; checked: string };
}

const out = join(temporaryFolder(), 'public');
/** One story cites what is left out. */
const STORIES = ['peru-coca-area-concepts', 'colombia-firearms-zero-and-blank'];
let app: ReturnType<typeof testApp>;
/** A server without data of its own, over the files of the release. */
let far: typeof app;

async function get(target: string): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await requestsTo(app)(`api/v1/${target}`);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const REASON = 'This release holds only data with the rights open or non_commercial; ';

beforeAll(async () => {
  const datasets = fewRows(join(temporaryFolder(), 'datasets'), STORIES);
  const words = ['build', '--datasets', datasets, '--out', out, '--rights', 'open,non_commercial'];
  const { status, stderr } = await run(words);
  if (status !== 0) throw new Error(stderr);
  app = testApp(out);
  far = farApp(out);
});

test('every source of every dataset carries its rights, and so do the catalog and the bulk metadata', () => {
  const documents = packManifest().packs.map(({ id }) =>
    treeJson<{ sources: Source[] }>(`data/datasets/${id}.json`),
  );
  const rights = documents.flatMap(({ sources }) => sources.map((source) => source.rights));
  expect(rights.length).toBeGreaterThan(30);
  for (const { verdict, evidence, checked } of rights) {
    expect(['open', 'non_commercial', 'unresolved']).toContain(verdict);
    expect(evidence).toMatch(/\.$/);
    expect(checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
  const catalog = treeJson<{ datasets: { id: string; sources: Source[] }[] }>('data/catalog.json');
  const verdicts = catalog.datasets.map(({ id, sources }) => [id, sources[0]?.rights.verdict]);
  expect(Object.fromEntries(verdicts)).toMatchObject({
    arms: 'unresolved',
    'drug-seizures': 'non_commercial',
    'informal-employment': 'open',
  });
  expect(treeFile('data/catalog.json').length).toBeLessThan(150_000);
  const bulk = treeJson<{ resources: { sources: Source[] }[] }>('data/datapackage.json');
  for (const { sources } of bulk.resources) for (const source of sources) expect(source.rights).toBeDefined();
  for (const path of ['data/croissant.json', 'data/dcat.jsonld', 'data/drug-seizures/index.html'])
    expect(treeText(path)).toContain('Not for commercial use. UNODC lets');
});

test('a dataset of other rights is left out and named with its reason; verification accepts the site', async () => {
  const { packs } = packManifest(out);
  const left = ['arms', 'firearms-tracing', 'organized-crime-index'];
  expect(packs.map(({ id }) => id).filter((id) => left.includes(id))).toEqual([]);
  expect(packs.map(({ id }) => id)).toContain('designations');
  const catalog = await get('markets');
  expect(catalog).toMatchObject({
    status: 200,
    body: {
      data: {
        status: 'partial',
        unavailableDatasets: left.map((id) => ({ id, reason: expect.stringContaining(REASON) })),
      },
    },
  });
  expect((await run(['verify', out])).status).toBe(0);
});

test('what was left out is a 503 that says why, and does not say to try again', async () => {
  for (const [target, resource] of [
    ['market-observations?dataset=arms'],
    ['market-observations?dataset=organized-crime-index'],
    ['market-observations?indicator=arms-seized'],
    ['market-observations?id=arms-seized.MEX.2020.pistols~1a2b3c'],
    ['market-observations?id=arms-seized.MEX.2020.pistols~1a2b3c@2025-05-12'],
    ['series?dataset=arms'],
    ['series?indicator=arms-seized'],
    ['markets?dataset=arms'],
    ['markets?indicator=arms-seized'],
    ['revisions?dataset=arms'],
    ['revisions?indicator=arms-seized'],
    ['atlas?domain=organized_crime', 'atlas'],
    ['atlas', 'atlas'],
  ]) {
    const { status, headers, body } = await get(target ?? '');
    expect(status, target).toBe(503);
    expect(headers.get('retry-after'), target).toBeNull();
    expect(body).toMatchObject({
      ok: false,
      error: 'unavailable',
      ...(resource ? { resource, data: { status: 'unavailable', records: [] } } : {}),
      message: expect.stringMatching(/rights open or non_commercial; those of source \S+ are unresolved\./),
    });
    expect(JSON.stringify(body)).not.toMatch(/try again/i);
  }
});

/** Addresses of this site that its pages link to, and that answer with anything but a 200. */
async function deadLinks(root: string, others: readonly string[]): Promise<string[]> {
  const targets = new Set(others);
  for (const { path, html } of sitePages(root)) {
    for (const { attributes } of tagsOf(html, /\shref=/)) {
      const url = new URL(attributes.get('href') ?? '', addressOf(path));
      if (url.origin === TEST_SITE) targets.add(`${url.pathname}${url.search}`);
    }
  }
  const site = testApp(root);
  const dead: string[] = [];
  for (const target of targets) {
    const { status, body } = await site.fetch(new Request(`${TEST_SITE}${target}`));
    await body?.cancel();
    if (status !== 200) dead.push(`${target}: ${status}`);
  }
  return dead;
}

test('no page links to what was left out, and the documentation requests none of it', async () => {
  const docs = unescaped(readFileSync(join(out, 'docs/index.html'), 'utf8'));
  const shown = [...docs.matchAll(/curl (?:-O\S* )?'[^']*?(\/(?:api|data|download)\/[^']*)'/g)];
  expect(shown.length).toBeGreaterThan(10);
  const requests = shown.map(([, target = '']) => target);
  expect(await deadLinks(out, requests)).toEqual([]);
}, 60_000);

test('no page of a site with one dataset links to another', async () => {
  const alone = join(temporaryFolder(), 'alone');
  await buildSite({ out: alone, datasets: someDatasets('coca-cultivation') });
  expect(await deadLinks(alone, [])).toEqual([]);
}, 60_000);

test.each([
  ['packs.json', packList],
  ['files.json', dataFiles],
])('data/%s is as its schema says where datasets are left out', (name, schema) => {
  expect(validator(schema)(JSON.parse(readFileSync(join(out, 'data', name), 'utf8')))).toBeNull();
});

test.each([
  '/r/arms-seized.MEX.2020.pistols~1a2b3c.json',
  '/r/arms-seized.MEX.2020.pistols~1a2b3c@2025-05-12.json',
  '/r/organized-crime-index.MEX.2023.json',
  '/download/market-observations.csv?indicator=arms-seized',
  '/data/arms.csv',
  '/data/arms.ndjson.sha256',
  '/data/arms/',
  '/data/datasets/arms.json',
  '/data/index/arms.idx',
  '/data/parquet/arms/indicatorId=arms-seized/part-0.parquet',
  '/data/editions/arms/timemap.link',
  '/data/revisions/arms/feed.xml',
  '/indicators/arms-seized/',
  '/map/arms-convicted/',
])('%s, of a dataset that was left out, is a 503 that says why', async (path) => {
  for (const server of [app, far]) {
    const response = await requestsTo(server)(path);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
    expect(await response.json()).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining(REASON),
    });
  }
});

test('an unknown id is not taken for a dataset that was left out', async () => {
  expect((await get('series?dataset=armse')).status).toBe(400);
  expect((await get('market-observations?indicator=arms-seize')).status).toBe(400);
  for (const path of [
    '/data/armse.csv',
    '/data/arms-seized.csv',
    '/r/arms.MEX.2020.json',
    '/r/arms-seizedx.MEX.2020.json',
    '/indicators/arms/',
    '/docs/data/arms.csv',
    '/docs/indicators/arms-seized/',
    '/data/other/arms.csv',
  ])
    for (const server of [app, far]) expect((await requestsTo(server)(path)).status, path).toBe(404);
});

test('the document of a dataset that was left out is unavailable over MCP too', async () => {
  const mcp = doorOf(testContext(out));
  const read = async (id: string): Promise<string | undefined> =>
    (await answered(mcp, modern('resources/read', { uri: `svc://datasets/${id}` }))).error?.message;
  expect(await read('arms')).toContain(REASON);
  expect(await read('armse')).not.toContain(REASON);
  expect(await read('designations')).toBeUndefined();
});

test('no tool gives an example of what was left out', async () => {
  const { result } = await answered(doorOf(testContext(out)), modern('tools/list'));
  const descriptions = Object.fromEntries(
    (result['tools'] as { name: string; description: string }[]).map((tool) => [tool.name, tool.description]),
  );
  expect(descriptions['get_atlas']).not.toContain('Example:');
  expect(descriptions['query_market_observations']).toContain('Example: {"indicator":"seizures",');
});

test('an answer over all market datasets is partial and names what is not in the release', async () => {
  const { status, headers, body } = await get('market-observations?geo=MEX&limit=1');
  expect(status).toBe(200);
  // It will not be back: the response is kept as long as any other.
  expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400');
  expect(body).toMatchObject({
    data: {
      status: 'partial',
      limitations: expect.arrayContaining([expect.stringMatching(/^Dataset arms is not in this release\. /)]),
    },
  });
});

test.each([
  'market-observations?dataset=drug-seizures',
  'market-observations?indicator=seizures',
  'revisions?dataset=drug-seizures',
  'revisions?indicator=seizures',
  'series?dataset=drug-seizures',
  'series?indicator=seizures',
])('%s asks for what is there, so the answer is whole', async (target) => {
  const { body } = await get(`${target}&limit=1`);
  expect(body).toMatchObject({ data: { status: 'available' } });
  expect(JSON.stringify(body)).not.toContain('not in this release');
});

test('an answer for one record of a dataset that is there is whole', async () => {
  const first = await get('market-observations?indicator=seizures&limit=1');
  const { data } = first.body as { data: { observations: { id: string }[] } };
  const { body } = await get(`market-observations?id=${data.observations[0]?.id}`);
  expect(body).toMatchObject({ data: { status: 'available', page: { matched: 1 } } });
  expect(JSON.stringify(body)).not.toContain('not in this release');
});

test('a story that cites a dataset that was left out is left out too, and the list says why', () => {
  const feed = treeJson<{ items: { url: string }[] }>('news/feed.json', out);
  const ids = feed.items.map(({ url }) => url.split('/').at(-2));
  expect(ids).toContain('peru-coca-area-concepts');
  expect(ids).not.toContain('colombia-firearms-zero-and-blank');
  const list = readFileSync(join(out, 'news/index.html'), 'utf8');
  expect(list).toMatch(
    /<code>colombia-firearms-zero-and-blank<\/code>: It cites dataset arms\. This release/,
  );
});

test('an unknown verdict is wrong usage', async () => {
  const { status, stderr } = await run(['build', '--out', out, '--rights', 'opn']);
  expect(status).toBe(2);
  expect(stderr).toContain('Expected one or more of open, non_commercial, unresolved.');
});
