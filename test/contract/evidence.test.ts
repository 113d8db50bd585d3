/** What the answers say of the evidence itself, recomputed from the published bytes; and what they never say of a failure. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { call } from '../../shim/core/call.ts';
import { unavailable } from '../../shim/core/faults.ts';
import { BRI_ARTIFACT, CATALOG, CORRIDORS, EDITIONS } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonObject, JsonValue, MissingDataset, Release } from '../../shim/core/types.ts';
import { requestOf } from '../../shim/http/content.ts';
import { createRoutes } from '../../shim/http/routes.ts';
import { documentStore } from '../_support/documents.ts';
import { dataAt, operationNamed, restAnswer, restDoor, testContext } from '../_support/doors.ts';
import { allAtlas, allEntities, allObservations } from '../_support/records.ts';
import { treeFile } from '../_support/tree.ts';
import { deriving } from '../../shim/store/blocks.ts';

interface Catalog {
  generatedAt: string;
  datasets: {
    id: string;
    path: string;
    bytes: number;
    sha256: string;
    generatedAt: string;
    sources: { retrievedAt: string }[];
  }[];
}

const door = restDoor();
const { text } = await door.ask('/api/v1/markets');
const { data: catalog } = JSON.parse(text) as { data: Catalog };

/** The latest of days, months counted as their first day. */
const latest = (dates: string[]): string =>
  `${dates
    .map((date) => (date.length === 7 ? `${date}-01` : date))
    .sort()
    .at(-1)}T00:00:00Z`;

/** Dotted paths of every null in a value. */
function nullsIn(value: JsonValue, path: string[] = []): string[] {
  if (value === null) return [path.join('.')];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => nullsIn(inner, [...path, key]));
}

test('[CATALOG-SIZE] the catalog stays under 150 kB', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(150_000);
});

test('[CATALOG-HASHES] every dataset is named with the hash and size of the bytes at its path', () => {
  expect(catalog.datasets.length).toBeGreaterThan(5);
  for (const { path, bytes, sha256 } of catalog.datasets) {
    const file = treeFile(path);
    expect([file.length, createHash('sha256').update(file).digest('hex')], path).toEqual([bytes, sha256]);
  }
});

test('[CLOCKS] the catalog and each of its datasets are dated by their latest retrieval', () => {
  const everywhere = fastGlob
    .globSync('datasets/*/[0-9]*/datapackage.json')
    .flatMap((path) => (JSON.parse(readFileSync(path, 'utf8')) as Catalog['datasets'][number]).sources);
  expect(catalog.generatedAt).toBe(latest(everywhere.map(({ retrievedAt }) => retrievedAt)));
  for (const { id, generatedAt, sources } of catalog.datasets)
    expect(generatedAt, id).toBe(latest(sources.map(({ retrievedAt }) => retrievedAt)));
});

test('[MARKETS-NULL] a value is null exactly where the status is unavailable, with a reason; zeros are kept', () => {
  const observations = allObservations();
  const odd = observations.filter(
    ({ value, status, unavailableReason }) =>
      (value === null) !== (status === 'unavailable') || (value === null) === (unavailableReason === null),
  );
  expect(odd.map(({ id }) => id)).toEqual([]);
  expect(observations.some(({ value }) => value === 0)).toBe(true);
  expect(observations.some(({ value }) => value === null)).toBe(true);
});

test('[ATLAS-NULLS] unavailable_fields are the nulls of a record, and availability follows from them', () => {
  for (const { meta, data } of allAtlas()) {
    const nulls = nullsIn(data as JsonValue);
    expect(meta.unavailable_fields).toEqual(nulls);
    expect(meta.availability === 'observed').toBe(nulls.length === 0);
  }
});

test('[ENTITIES-RECORD] official fields only, no adjudication, and a count of those withheld', async () => {
  const entities = allEntities();
  expect(new Set(entities.flatMap((entity) => Object.keys(entity)))).toEqual(
    new Set(['sanctions_entity_number', 'name', 'entity_type', 'programs', 'countries', 'meta']),
  );
  const data = await dataAt<{
    source: { sanctions_list_date: string; withheld_after_withdrawal: number };
    records: { meta: object }[];
  }>(door, '/api/v1/entities?limit=100');
  expect(data.source.sanctions_list_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(data.source.withheld_after_withdrawal).toBeGreaterThan(0);
  for (const { meta } of data.records)
    expect(meta).toMatchObject({ evidence_class: 'administrative_action', adjudication: false });
});

test('[INTERNAL] an unexpected failure is 500 without its text, reported and not stored', async () => {
  const failing = (): never => {
    throw new Error('secret at /etc/secret.ts');
  };
  const context = testContext();
  const heard: unknown[] = [];
  const release = {
    ...context.release,
    derive: deriving(),
    manifest: failing,
    document: failing,
    pack: failing,
  };
  const routes = createRoutes({
    context: { ...context, release },
    files: null,
    probes: null,
    answered: {},
    report: (error) => heard.push(error),
  });
  const reply = await routes.reply(requestOf('GET', '/api/v1/atlas?iso3=MEX', () => null));
  const body = new TextDecoder().decode(reply.body as Uint8Array);
  expect([reply.status, reply.headers.includes('no-store')]).toEqual([500, true]);
  expect(JSON.parse(body)).toEqual({ ok: false, error: 'internal_error', message: expect.any(String) });
  expect(body).not.toMatch(/secret|\.ts|node_modules/);
  expect(heard).toHaveLength(1);
});

describe('[UNAVAILABLE] a document of the release', () => {
  test.each([
    ['markets', CATALOG, 'The market catalog'],
    ['editions', EDITIONS, 'The list of editions'],
    ['producerp-corridors', CORRIDORS, 'The country aggregates'],
    ['producerp-bri', BRI_ARTIFACT, 'The infrastructure-context artifact'],
  ])('%s, that is no object: 503 that names it', async (resource, path, what) => {
    for (const document of ['[]', 'null', '1', '{', '']) {
      const release = documentStore(new Map([[path, Buffer.from(document)]]));
      const { status, body } = await restAnswer(operationNamed(resource), {}, testContext(release));
      expect([document, status, body['message']]).toEqual([
        document,
        503,
        expect.stringMatching(new RegExp(`^${what} is currently unavailable\\. `)),
      ]);
    }
  });

  test('the catalog: dated by the data and with what was left out, as far as the list of packs can be read', async () => {
    const store = documentStore(new Map());
    const leftOut: MissingDataset[] = [{ id: 'arms', kind: 'observations', reason: 'It is not there.' }];
    const known = { ...store, manifest: () => ({ ...store.manifest(), unavailable: leftOut }) };
    const data = async (release: Release): Promise<JsonObject | null> => {
      const result = await call(operationNamed('markets'), {}, testContext(release), () => undefined);
      if (result.ok) throw new Error('there is no catalog');
      expect(validator(operationNamed('markets').output)(result.data)).toBeNull();
      return result.data;
    };
    const empty = { status: 'unavailable', datasets: [] };
    expect(await data(known)).toMatchObject({
      ...empty,
      generatedAt: '2026-07-01T00:00:00Z',
      unavailableDatasets: [{ id: 'arms', reason: 'It is not there.' }],
    });
    const manifest = (): never => {
      throw unavailable('The list of packs');
    };
    expect(await data({ ...store, manifest })).toMatchObject({
      ...empty,
      generatedAt: '1970-01-01T00:00:00Z',
      unavailableDatasets: [],
    });
  });
});
