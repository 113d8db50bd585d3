import { describe, expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { packDatasets, packagedTree, packedStore } from '../_support/packed.ts';
import { selectRecords, MAX_BYTES, renderCorridors } from '../../build/render/api/corridors.ts';
import { currentDocuments, datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import schema from '../../schemas/producerp-corridors.schema.json' with { type: 'json' };
import observationSchema from '../../schemas/observation.schema.json' with { type: 'json' };
import { producerpCorridors } from '../../shim/core/operations/documents.ts';
import { validator } from '../../shim/core/schema.ts';
import { restAnswer } from '../_support/doors.ts';
import { TEST_SITE } from '../_support/tree.ts';

interface Country {
  geoCode: string;
  coverageStatus: string;
  counts: { records: number; reported: number; estimated: number; unavailable: number; zeros: number };
  records: Observation[];
  latestNotShown: number;
  queryPath: string | null;
}
interface Corridors {
  dataAsOf: string;
  datasets: {
    id: string;
    lane: string;
    path: string;
    document: string;
    sources: { id: string; notes: string[] }[];
    indicators: { id: string; label: string; unit: string | null }[];
    countries: Country[];
  }[];
  unavailableDatasets: { id: string }[];
  disclosure: { recordsPerCountryTarget: number; recordSelection: string };
}

const packed = packagedTree();
const documents = currentDocuments(
  datasetDocuments(packed, new Map(packed.packs.map(({ entry }) => [entry.id, [entry]]))),
);
const rendered = renderCorridors(documents, packedStore(packed));
const corridors = JSON.parse(new TextDecoder().decode(rendered.bytes)) as Corridors;

describe('the corridors of the packaged data', () => {
  test('are valid, bounded and dated by the data', () => {
    expect(validator(schema)(corridors)).toBeNull();
    expect(rendered.bytes.length).toBeLessThanOrEqual(MAX_BYTES);
    expect(MAX_BYTES).toBeLessThan(80_000);
    const shown = documents.filter(({ id }) => corridors.datasets.some((dataset) => dataset.id === id));
    expect(corridors.dataAsOf).toBe(
      shown
        .map(({ generatedAt }) => generatedAt)
        .sort()
        .at(-1),
    );
    expect(corridors.dataAsOf < packed.manifest.generatedAt).toBe(true);
    expect(corridors.unavailableDatasets).toEqual([]);
  });

  test('[CORRIDORS-RECORDS] carry records exactly as packaged, none of another country', () => {
    for (const { id, countries } of corridors.datasets) {
      const lines = new Set(packed.observationsOf(id).map((record) => JSON.stringify(record)));
      for (const { geoCode, records } of countries)
        for (const record of records) {
          expect(lines.has(JSON.stringify(record))).toBe(true);
          expect(record.geoCode).toBe(geoCode);
        }
    }
  });

  test('[CORRIDORS-RECORDS] count every record of the country, and say what is not shown', () => {
    for (const { id, countries } of corridors.datasets) {
      for (const { geoCode, counts, coverageStatus, records, latestNotShown } of countries) {
        const own = packed.observationsOf(id).filter((record) => record.geoCode === geoCode);
        expect(counts.records).toBe(own.length);
        expect(counts.reported + counts.estimated + counts.unavailable).toBe(own.length);
        expect(coverageStatus).toBe(own.length > 0 ? 'observed' : 'no_matching_rows');
        const last = new Map<string, string>();
        for (const { indicatorId, period } of own)
          if (period > (last.get(indicatorId) ?? '')) last.set(indicatorId, period);
        expect(records.length + latestNotShown).toBe(
          own.filter(({ indicatorId, period }) => last.get(indicatorId) === period).length,
        );
      }
    }
  });

  test('say how many records of a country are shown', () => {
    const { recordSelection, recordsPerCountryTarget: target } = corridors.disclosure;
    expect(recordSelection).toContain('one of each indicator, and further ones');
    expect(recordSelection).toContain(`while a dataset has fewer than ${target} for the country.`);
    for (const { records, latestNotShown } of corridors.datasets.flatMap(({ countries }) => countries)) {
      const indicators = new Set(records.map(({ indicatorId }) => indicatorId)).size;
      const most = Math.max(indicators, target);
      expect(records.length).toBe(Math.min(records.length + latestNotShown, most));
    }
  });

  test('name each indicator and source of their records, with hash, address and licence', () => {
    for (const { id, path, document, sources, indicators, countries } of corridors.datasets) {
      expect([path, document]).toEqual([`/data/${id}.ndjson`, `/data/datasets/${id}.json`]);
      for (const { records, queryPath } of countries) {
        if (queryPath !== null) expect(queryPath).toMatch(/^\/api\/v1\/market-observations\?dataset=/);
        for (const { indicatorId, sourceId, unit } of records) {
          const indicator = indicators.find((one) => one.id === indicatorId);
          expect(indicator?.label).toMatch(/\w/);
          expect([unit, null]).toContain(indicator?.unit);
          expect(sources.find((one) => one.id === sourceId)).toMatchObject({
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            url: expect.stringMatching(/^https:/),
            license: expect.stringMatching(/\w/),
          });
        }
      }
    }
    const national = corridors.datasets.find(({ id }) => id === 'national-indicators');
    expect(national?.sources.flatMap(({ notes }) => notes)).toEqual([
      'The World Bank takes this series from UNCTAD.',
      'The World Bank takes this series from UNODC.',
    ]);
  });

  test('keep the national lane apart', () => {
    const national = corridors.datasets.filter(({ lane }) => lane === 'national_context');
    expect(national.map(({ id }) => id)).toEqual(['national-indicators']);
    expect(national[0]?.countries.every(({ queryPath }) => queryPath === null)).toBe(true);
    expect(
      corridors.datasets
        .find(({ id }) => id === 'opium-cultivation')
        ?.countries.map(({ coverageStatus }) => coverageStatus),
    ).toEqual(['no_matching_rows', 'observed', 'no_matching_rows']);
  });
});

test('a dataset that is not packaged is unavailable, not without rows', async () => {
  const others = documents.filter(({ id }) => id !== 'drug-prices');
  const artifact = renderCorridors(others, packedStore(packed));
  const { bytes } = artifact;
  const document = JSON.parse(new TextDecoder().decode(bytes)) as Corridors;
  expect(validator(schema)(document)).toBeNull();
  expect(document.datasets.some(({ id }) => id === 'drug-prices')).toBe(false);
  expect(document.unavailableDatasets.map(({ id }) => id)).toEqual(['drug-prices']);
  const context = {
    settings: { siteUrl: TEST_SITE },
    release: packedStore(packDatasets([]), [artifact]),
  };
  for (const more of [{}, { detail: 'summary' }]) {
    const { status, body } = await restAnswer(
      producerpCorridors,
      { dataset: 'drug-prices', ...more },
      context,
    );
    expect([status, body['message']]).toEqual([
      503,
      'Dataset drug-prices is unavailable in this release. It is not packaged. No substitute values are returned.',
    ]);
    const shown = await restAnswer(producerpCorridors, { dataset: 'drug-seizures', ...more }, context);
    expect(shown.status).toBe(200);
    const unknown = await restAnswer(producerpCorridors, { dataset: 'drug-price', ...more }, context);
    expect([unknown.status, unknown.body['message']]).toEqual([
      400,
      expect.stringMatching(/expected one of drug-seizures, .*drug-prices; closest: drug-prices, /),
    ]);
  }
});

test('selection takes the latest period of each indicator, and gives each indicator and category a record before another gives its second', () => {
  const record = (indicatorId: string, category: string, subgroup: string, period: string): Observation =>
    ({
      id: [indicatorId, category, subgroup, period].join('.'),
      indicatorId,
      category,
      subgroup,
      period,
    }) as Observation;
  const records = [
    record('i', 'a', '1', '2019'),
    record('i', 'a', '1', '2020'),
    record('i', 'a', '2', '2020'),
    record('i', 'b', '1', '2020'),
    record('i', 'c', '1', '2018'),
    record('j', '', '', '2001'),
  ];
  const ids = (cap: number): string[] => selectRecords(records, cap).map(({ id }) => id);
  expect(ids(1)).toEqual(['i.a.1.2020', 'j...2001']);
  expect(ids(3)).toEqual(['i.a.1.2020', 'i.b.1.2020', 'j...2001']);
  expect(ids(4)).toEqual(['i.a.1.2020', 'i.a.2.2020', 'i.b.1.2020', 'j...2001']);
});

test('the schema of a record is that of observations', () => {
  const { $schema: _dialect, ...record } = observationSchema;
  const properties = Object.entries(record.properties).map(([name, property]) => {
    const { description: _words, 'x-csv': _place, ...constraints } = { 'x-csv': 0, ...property };
    return [name, constraints];
  });
  expect(schema.$defs.observation).toEqual({ ...record, properties: Object.fromEntries(properties) });
});
