/** Every page of observations names the files its records were read from, and what a reader of them must know. */
import { expect, test } from 'vitest';
import type { DatasetDocument } from '../../shim/core/records.ts';
import { callTool, doorOf } from '../mcp/asking.ts';
import { restDoor, dataAt } from '../_support/doors.ts';
import { treeJson } from '../_support/tree.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';

const door = restDoor();
const mcp = doorOf();

const page = (search: string): Promise<ExploreAnswer> => dataAt(door, `/api/v1/market-observations${search}`);
const documentOf = (id: string): DatasetDocument => treeJson(`data/datasets/${id}.json`);

const DATASETS = new Map(
  ['arms', 'coca-cultivation', 'drug-prices', 'drug-seizures', 'drug-use-prevalence'].map((id) => [
    id,
    documentOf(id),
  ]),
);

const distinct = <T>(values: T[]): T[] => [...new Set(values)];

const SEARCHES = [
  '',
  '?limit=500',
  '?geo=MEX&limit=500',
  '?geo=BEL&from=2020&to=2021&limit=400',
  '?indicator=seizures&geo=BEL&category=Cocaine-type',
  '?category=Opioids&limit=7',
  '?dataset=arms&geo=MEX&limit=300',
];

test.each(SEARCHES)('[MARKETS-SOURCES] "%s" names each source of its records once', async (search) => {
  const { observations, sources } = await page(search);
  const read = distinct(observations.map(({ datasetId, sourceId }) => `${datasetId} ${sourceId}`));
  expect(read.length).toBeGreaterThan(0);
  expect(sources.map(({ datasetId, id }) => `${datasetId} ${id}`)).toEqual(read);
  for (const { id, datasetId, ...source } of sources) {
    const listed = documentOf(datasetId).sources.find((candidate) => candidate.id === id);
    const { name, publisher, dated: edition, sha256, url, license, licenseUrl, rights } = listed ?? {};
    expect(source).toEqual({ name, publisher, edition, sha256, url, license, licenseUrl, rights });
  }
});

test.each(SEARCHES)('[MARKETS-SOURCES] "%s" carries the limitations of its records alone', async (search) => {
  const { observations, limitations } = await page(search);
  const shown = distinct(observations.map(({ datasetId }) => datasetId));
  const indicators = distinct(observations.map(({ indicatorId }) => indicatorId));
  const needed = shown.flatMap((id) => {
    const { limitations: general, indicators: listed } = documentOf(id);
    return [
      ...general,
      ...listed.filter((one) => indicators.includes(one.id)).flatMap((one) => one.limitations),
    ];
  });
  expect(limitations).toEqual(expect.arrayContaining(needed));
  expect(distinct(limitations)).toEqual(limitations);
  const others = [...DATASETS].filter(([id]) => !shown.includes(id)).flatMap(([, one]) => one.limitations);
  expect(limitations.filter((text) => others.includes(text) && !needed.includes(text))).toEqual([]);
});

test('[MARKETS-SOURCES] a zero of 2019 comes with what a zero of 2019 may mean', async () => {
  const { limitations } = await page('?indicator=seizures&from=2019&to=2019&limit=1');
  expect(limitations.join(' ')).toMatch(/less than 0\.5 kg/);
});

test('[MARKETS-SOURCES] no records, no sources', async () => {
  const { sources } = await page('?geo=ZZZ');
  expect(sources).toEqual([]);
});

test('[MARKETS-SOURCES] MCP gives the same sources and limitations as REST, on further pages too', async () => {
  const first = await page('?limit=300&geo=COL');
  const cursor = first.page.next_cursor ?? '';
  const second = await page(`?limit=300&geo=COL&cursor=${cursor}`);
  const { structuredContent } = await callTool(mcp, 'query_market_observations', {
    geo: 'COL',
    limit: 300,
    cursor,
  });
  expect(second.sources.length).toBeGreaterThan(0);
  expect([structuredContent?.['sources'], structuredContent?.['limitations']]).toEqual([
    second.sources,
    second.limitations,
  ]);
});
