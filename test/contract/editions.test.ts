/** Editions: what `as_of` and `id` answer, over the packaged datasets and an earlier edition of one that is made up here. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRecordId, lastDay } from '../../shim/core/editions.ts';
import { readQuery } from '../../shim/core/call.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { editionOf, type Dataset } from '../../build/lib/dataset.ts';
import { identifier } from '../../build/lib/identity.ts';
import { datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { renderEditions, renderTimeMaps } from '../../build/render/api/editions.ts';
import { catalogOf, packagedDatasets, packDatasets, packedStore } from '../_support/packed.ts';
import { restAnswer, testApp, testContext, operationNamed } from '../_support/doors.ts';
import { shareOf } from '../_support/share.ts';
import { builtTree, copyOfTree, TEST_SITE } from '../_support/tree.ts';

const packaged = packagedDatasets();
const coca = packaged.find(({ descriptor }) => descriptor.name === 'coca-cultivation');

/** The coca table as an earlier file printed it: one row less, one value changed, every row elsewhere. */
function earlierCoca(): Dataset {
  if (coca?.kind !== 'observations') throw new Error('the packaged coca table is missing');
  const { descriptor } = coca;
  const sources = descriptor.sources.map((source) => ({
    ...source,
    dated: '2024-06',
    sha256: 'e'.repeat(64),
  }));
  const rows = coca.rows.slice(0, -1).map((row, position) => {
    const value = position === 0 ? (row.value ?? 0) + 1 : row.value;
    return { ...row, value, sourceLocator: `Old!Z${position + 9}` };
  });
  return { kind: 'observations', descriptor: { ...descriptor, sources }, rows };
}

/** Rows of an edition: as they are alike, the largest are packed with a share of them. */
const MOST_ROWS = 2000;

const editions: Dataset[] = packaged.flatMap((dataset) => {
  if (dataset === coca) return [earlierCoca(), dataset];
  if (dataset.kind !== 'observations') return [dataset];
  return [{ ...dataset, rows: shareOf(dataset.rows, Math.ceil(dataset.rows.length / MOST_ROWS)) }];
});

/** Asks the service that knows these editions. */
function serviceOf(datasets: Dataset[], packed = packDatasets(datasets)) {
  const documents = datasetDocuments(packed, new Map());
  const list = renderEditions(packed, documents);
  const release = packedStore(packed, [list, catalogOf(packed)]);
  const context = { settings: { siteUrl: TEST_SITE }, release };
  return async (resource: string, search = '') => {
    const operation = operationNamed(resource);
    const { status, body } = await restAnswer(operation, () => readQuery(operation, search), context);
    const data = (body['data'] ?? {}) as JsonObject & { observations: JsonObject[]; page: JsonObject };
    return { status, data, message: String(body['message'] ?? '') };
  };
}

const packed = packDatasets(editions);
const ask = serviceOf(editions, packed);
const COCA = 'dataset=coca-cultivation';

describe('[AS-OF] as_of', () => {
  const asked = editions.filter(
    ({ kind, descriptor }) => kind !== 'entities' && descriptor.name !== 'national-indicators',
  );

  test.each(
    asked.map((dataset) => [dataset.descriptor.name, editionOf(dataset.descriptor), dataset] as const),
  )('gives %s as a service that knows its editions until %s', async (name, edition, { kind, descriptor }) => {
    const until = editions.filter(
      (other) => other.descriptor.name === name && lastDay(editionOf(other.descriptor)) <= lastDay(edition),
    );
    const [resource, search] =
      kind === 'atlas'
        ? ['atlas', `?limit=100&domain=${'domain' in descriptor ? descriptor.domain : ''}`]
        : ['market-observations', `?limit=500&dataset=${name}`];
    const past = await ask(resource, `${search}&as_of=${lastDay(edition)}`);
    const only = await serviceOf(until)(resource, search);
    expect(past.status).toBe(200);
    const records = (data: JsonObject): unknown => data['observations'] ?? data['records'];
    expect(records(past.data)).toEqual(records(only.data));
    expect(past.data.page['matched']).toBe(only.data.page['matched']);
  });

  test('is echoed only where it was given', async () => {
    const with_ = await ask('market-observations', `?${COCA}&as_of=2024-07-01`);
    expect(with_.data['query']).toMatchObject({ as_of: '2024-07-01' });
    expect((await ask('market-observations', `?${COCA}`)).data['query']).not.toHaveProperty('as_of');
    expect((await ask('atlas')).data['query']).not.toHaveProperty('as_of');
  });

  test('shows the values of that day, and says that there is a newer edition', async () => {
    const { data } = await ask('market-observations', `?${COCA}&as_of=2025-06-29`);
    expect(data.observations[0]).toMatchObject({ edition: '2024-06', sourceLocator: 'Old!Z9' });
    expect(data['limitations']).toContain(
      'Dataset coca-cultivation is shown in its edition 2024-06; the current one is 2025-06.',
    );
    const now = await ask('market-observations', `?${COCA}&as_of=2025-06-30`);
    expect(now.data.observations[0]).toMatchObject({ edition: '2025-06' });
  });

  test('reaches the edition of a month that was retrieved in that month', async () => {
    if (coca?.kind !== 'observations') throw new Error('the packaged coca table is missing');
    const { descriptor } = coca;
    const sources = descriptor.sources.map((source) => ({ ...source, retrievedAt: '2025-06' }));
    const alone = serviceOf([{ ...coca, descriptor: { ...descriptor, sources } }]);
    const reached = await alone('market-observations', '?as_of=2025-06-30&limit=1');
    expect(reached.data.observations).toMatchObject([{ edition: '2025-06' }]);
    const later = await alone('market-observations', '?as_of=2025-07-01');
    expect(later.message).toMatch(/expected a day up to 2025-06-30, the date of the data/);
  });

  test('reaches the day on which the data was retrieved', async () => {
    if (coca?.kind !== 'observations') throw new Error('the packaged coca table is missing');
    const { descriptor } = coca;
    const sources = descriptor.sources.map((source) => ({ ...source, retrievedAt: '2025-08-02' }));
    const alone = serviceOf([{ ...coca, descriptor: { ...descriptor, sources } }]);
    expect((await alone('market-observations', '?as_of=2025-08-02')).status).toBe(200);
    const later = await alone('market-observations', '?as_of=2025-08-03');
    expect(later.message).toMatch(/expected a day up to 2025-08-02, the date of the data/);
  });

  test('before everything names the first day that there is', async () => {
    const days = editions.flatMap(({ kind, descriptor }) =>
      kind === 'observations' && descriptor.name !== 'national-indicators'
        ? lastDay(editionOf(descriptor))
        : [],
    );
    const { message } = await ask('market-observations', '?as_of=1990-01-01');
    expect(message).toContain(`by that day; expected one from ${days.toSorted()[0] ?? ''}.`);
  });

  test.each([
    ['2025-06', '2025-06-30'],
    ['2025-05-12', '2025-05-12'],
    ['2024-02', '2024-02-29'],
    ['2000-02', '2000-02-29'],
    ['1900-02', '1900-02-28'],
  ])('takes %s as published on %s', (edition, day) => {
    expect(lastDay(edition)).toBe(day);
  });

  test('says which datasets had no edition yet', async () => {
    const { data } = await ask('market-observations', '?as_of=2024-06-30');
    expect(data['limitations']).toContain(
      'Dataset drug-use-prevalence had no edition by 2024-06-30; its first one is 2025-06.',
    );
  });

  test.each([
    [
      'market-observations',
      `${COCA}&as_of=2024-06-29`,
      /"2024-06-29".*as_of.*Editions: coca-cultivation 2024-06, coca-cultivation 2025-06\./,
    ],
    [
      'market-observations',
      'as_of=2999-01-01',
      /expected a day up to \d{4}-\d{2}-\d{2}, the date of the data/,
    ],
    [
      'market-observations',
      'as_of=2999-01-01&dataset=opium-cultivation&indicator=seizures',
      /the date of the data\. Editions: .*opium-cultivation 20/,
    ],
    ['market-observations', 'as_of=2025-02-29', /expected a day of the calendar/],
    ['market-observations', 'as_of=2025-06', /"as_of": expected a day YYYY-MM-DD/],
    ['market-observations', 'as_of=2025-13-01', /expected a day of the calendar/],
    ['market-observations', 'as_of=2025-00-01', /expected a day of the calendar/],
    ['market-observations', 'as_of=2025-06-00', /expected a day of the calendar/],
    ['atlas', 'as_of=1990-01-01', /Editions: firearms-tracing .*organized-crime-index/],
    [
      'atlas',
      'domain=organized_crime&as_of=1990-01-01',
      /Editions: (?:organized-crime-index [-\d]+(?:, |\.$))+$/,
    ],
    [
      'entities',
      'as_of=2025-01-01',
      /entities does not accept parameter "as_of"\..*not named again.*It accepts "/,
    ],
  ])('of %s?%s is refused', async (resource, search, message) => {
    const refused = await ask(resource, `?${search}`);
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('is bound by cursors', async () => {
    const { data } = await ask('market-observations', `?${COCA}&limit=5&as_of=2024-07-01`);
    const cursor = String(data.page['next_cursor']);
    const next = await ask('market-observations', `?${COCA}&limit=5&as_of=2024-07-01&cursor=${cursor}`);
    expect(next.data.observations).toHaveLength(5);
    for (const other of ['', '&as_of=2025-06-30', '&as_of=2024-07-02'])
      expect((await ask('market-observations', `?${COCA}&limit=5${other}&cursor=${cursor}`)).status).toBe(
        400,
      );
  });
});

describe('id', () => {
  test('gives one record, the current one or that of an edition', async () => {
    const { data } = await ask('market-observations', `?${COCA}&as_of=2024-07-01&limit=1`);
    const [old] = data.observations;
    const id = String(old?.['id']);
    const current = await ask('market-observations', `?id=${id}`);
    expect(current.data.observations).toMatchObject([{ id, edition: '2025-06' }]);
    expect(current.data['datasets']).toMatchObject([{ id: 'coca-cultivation' }]);
    expect((await ask('market-observations', `?id=${id}@2024-06`)).data.observations).toEqual([old]);
    expect((await ask('market-observations', `?id=${id}&as_of=2024-07-01`)).data.observations).toEqual([old]);
  });

  test.each(['@2023-06', '.2', 'x'])('that no record has is empty: %s', async (more) => {
    const { data } = await ask('market-observations', `?${COCA}&limit=1`);
    const { data: found } = await ask(
      'market-observations',
      `?id=${String(data.observations[0]?.['id'])}${more}`,
    );
    expect(found.page['matched']).toBe(0);
  });

  test('that other filters exclude says which of them does', async () => {
    const { data } = await ask('market-observations', `?${COCA}&limit=1`);
    const [record] = data.observations;
    const [id, geo, period] = ['id', 'geoCode', 'period'].map((member) => String(record?.[member]));
    const absence = async (more: string) =>
      (await ask('market-observations', `?id=${id}&${more}`)).data['absence'];
    const dataset = { parameter: 'dataset', given: 'drug-prices', reason: 'no_rows' };
    expect(await absence('dataset=drug-prices')).toMatchObject({ ...dataset, nearest: ['coca-cultivation'] });
    expect(await absence('indicator=prices-retail')).toMatchObject({
      parameter: 'indicator',
      reason: 'no_rows',
      nearest: ['coca-cultivation'],
    });
    expect(await absence('geo=XXX')).toMatchObject({
      parameter: 'geo',
      reason: 'unknown_value',
      nearest: [geo],
    });
    expect(await absence('to=1950')).toMatchObject({
      parameter: 'to',
      reason: 'no_rows_in_period',
      periods: [period],
    });
    expect(await absence('geo=XXX&to=1950')).toMatchObject({ parameter: null, reason: 'no_rows' });
    const another = await ask('market-observations', `?id=${id}@2001-01`);
    expect(another.data['absence']).toMatchObject({
      parameter: 'id',
      reason: 'no_rows',
      nearest: [`${id}@2024-06`, `${id}@2025-06`],
    });
  });

  test('of a later edition than the day is outside of it', async () => {
    const { data } = await ask('market-observations', '?dataset=drug-seizures&from=2023&limit=1');
    const id = String(data.observations[0]?.['id']);
    const found = await ask('market-observations', `?id=${id}&as_of=2024-12-31`);
    expect(found.data['absence']).toMatchObject({
      parameter: 'as_of',
      given: '2024-12-31',
      reason: 'outside_as_of',
      nearest: ['2025-06-30'],
    });
  });

  test('goes with the other filters, and not with two times at once', async () => {
    const { data } = await ask('market-observations', `?${COCA}&limit=1`);
    const [record] = data.observations;
    const id = String(record?.['id']);
    const matched = async (more: string) =>
      (await ask('market-observations', `?id=${id}&${more}`)).data.page['matched'];
    expect(await matched(`geo=${String(record?.['geoCode'])}&from=${String(record?.['period'])}`)).toBe(1);
    expect(await matched('geo=XXX')).toBe(0);
    expect(await matched('from=2030')).toBe(0);
    expect(await matched('to=1950')).toBe(0);
    const twice = await ask('market-observations', `?id=${id}@2024-06&as_of=2024-07-01`);
    expect([twice.status, twice.message]).toEqual([400, expect.stringContaining('cannot be combined')]);
  });

  test.each(['2025-00', '2025-13', '2025-06-00', '2025-06-32'])(
    'with %s, which is no month and no day, is refused',
    async (edition) => {
      const { status, message } = await ask('market-observations', `?id=x@${edition}`);
      expect([status, message]).toEqual([400, expect.stringContaining('an edition (YYYY-MM or YYYY-MM-DD)')]);
    },
  );
});

test('[UNAVAILABLE] a damaged edition leaves the answers that do not need it alone', async () => {
  const root = copyOfTree('data/index/arms.2024-08-26.idx');
  writeFileSync(join(root, 'data/index/arms.2024-08-26.idx'), 'damaged');
  const operation = operationNamed('market-observations');
  const answer = async (search: string) =>
    restAnswer(operation, () => readQuery(operation, search), testContext(root));
  const unknown = await answer('?id=arms-seized.MEX.2018.none~000000');
  expect(unknown).toMatchObject({ status: 200, body: { data: { absence: { reason: 'unknown_value' } } } });
  // The record could be in the edition that cannot be read.
  expect(unknown.text).toContain('Unavailable, and not searched: arms 2024-08-26. An empty response is not');
  // It is kept no longer than an error, as a partial response is: the edition may be back in a moment.
  const cachingOf = async (at: string): Promise<(string | null)[]> => {
    const request = new Request(
      `${TEST_SITE}/api/v1/market-observations?id=arms-seized.MEX.2018.none~000000`,
    );
    const { headers } = await testApp(at).fetch(request);
    return [headers.get('cache-control'), headers.get('netlify-cdn-cache-control')];
  };
  expect(await cachingOf(root)).toEqual(['public, max-age=60', null]);
  expect(await cachingOf(builtTree())).toEqual([
    'public, max-age=300, stale-while-revalidate=86400',
    expect.stringContaining('max-age=86400'),
  ]);
  const known = await answer('?id=arms-seized.MEX.2018.total-total~0415d6');
  expect(known.text).not.toContain('not searched');
  expect((await answer('?dataset=arms&as_of=2024-12-31')).status).toBe(503);
});

test('[IDS] are readable, at most 96 characters long, unique in each edition and hold no position', () => {
  for (const { kind, descriptor, rows } of packaged) {
    if (kind !== 'observations') continue;
    const ids = identifier(descriptor.labelKeys)(rows);
    expect(new Set(ids).size, descriptor.name).toBe(ids.length);
    expect(ids.filter((id) => !isRecordId(id))).toEqual([]);
    const moved = rows.map((row) => ({ ...row, sourceLocator: 'Elsewhere!A1' }));
    expect(identifier(descriptor.labelKeys)(moved)).toEqual(ids);
  }
});

test('a label that an edition spells otherwise keeps its id where the edition maps it', () => {
  const row = { indicatorId: 'i', geoCode: 'KEN', period: '2020', category: 'Male', subgroup: '' };
  const drifted = { ...row, category: 'Sex: Male' };
  expect(identifier({ 'Sex: Male': 'Male' })([drifted])).toEqual(identifier()([row]));
  expect(identifier()([drifted])).not.toEqual(identifier()([row]));
});

test.each(['constructor', 'toString', '__proto__'])('the label "%s" is a label like any other', (label) => {
  const row = { indicatorId: 'i', geoCode: 'KEN', period: '2020', category: label, subgroup: label };
  const [id = ''] = identifier({ 'Sex: Male': 'Male' })([row]);
  expect(id).toMatch(/^i\.KEN\.2020\.[a-z-]*~[0-9a-f]{6}$/);
});

test('[AS-OF] editions lists every source file of every edition', async () => {
  const { data } = await ask('editions');
  const list = data['editions'] as JsonObject[];
  expect(list).toHaveLength(editions.flatMap(({ descriptor }) => descriptor.sources).length);
  const own = list.filter(({ dataset }) => dataset === 'coca-cultivation');
  expect(own).toMatchObject([
    { edition: '2024-06', current: false, sha256: 'e'.repeat(64), rows: (coca?.rows.length ?? 0) - 1 },
    { edition: '2025-06', current: true, rows: coca?.rows.length ?? 0 },
  ]);
  const files = new Map(packed.packs.map(({ entry }) => [entry.id, [entry]]));
  const maps = renderTimeMaps(datasetDocuments(packed, files), TEST_SITE);
  const map = maps.find(({ path }) => path === own[0]?.['timemap']);
  expect(
    Buffer.from(map?.bytes ?? [])
      .toString()
      .split(',\n'),
  ).toEqual([
    `<${TEST_SITE}/data/coca-cultivation.ndjson>;rel="original"`,
    `<${TEST_SITE}/data/editions/coca-cultivation/timemap.link>;rel="self";type="application/link-format"`,
    `<${TEST_SITE}/data/editions/coca-cultivation/2024-06.ndjson>;rel="memento";datetime="Sun, 30 Jun 2024 00:00:00 GMT"`,
    `<${TEST_SITE}/data/coca-cultivation.ndjson>;rel="memento";datetime="Mon, 30 Jun 2025 00:00:00 GMT"\n`,
  ]);
});

test('[AS-OF] an empty response of the atlas names the other editions that have such records', async () => {
  const notesOf = async (search: string): Promise<string> =>
    ((await ask('atlas', `?domain=firearms_tracing&${search}`)).data['limitations'] as string[])
      .slice(0, 2)
      .join(' ');
  const yearsOf = (edition: string): Set<string> =>
    new Set(
      packaged.flatMap((dataset) =>
        dataset.kind === 'atlas' && dataset.descriptor.name === 'firearms-tracing'
          ? dataset.rows.flatMap(({ iso3, year, source }) =>
              dataset.descriptor.sources.some(({ id, dated }) => id === source && dated === edition)
                ? [iso3, `${iso3} ${year}`]
                : [],
            )
          : [],
      ),
    );
  const [old, now] = [yearsOf('2024-08-26'), yearsOf('2025-05-12')];
  const named = 'Other editions have such records: firearms-tracing';
  const gone = [...old].find((key) => key.length === 3 && !now.has(key));
  expect(await notesOf(`iso3=${gone}`)).toContain(`has no record of "${gone}". ${named} 2024-08-26;`);
  const [place, year] =
    [...old].find((key) => key.length > 3 && !now.has(key) && now.has(key.slice(0, 3)))?.split(' ') ?? [];
  expect(await notesOf(`iso3=${place}&year=${year}`)).toContain(`only. ${named} 2024-08-26;`);
  const later = [...now].find((key) => key.length === 3 && !old.has(key));
  expect(await notesOf(`iso3=${later}&as_of=2024-12-31`)).toContain(`${named} 2025-05-12;`);
  expect(await notesOf('iso3=QQQ')).not.toContain('Other editions');
});
