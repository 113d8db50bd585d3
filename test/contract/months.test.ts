/** Monthly records, as REST and MCP give them from the packaged data. */
import { describe, expect, test } from 'vitest';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import type { Observation } from '../../shim/core/records.ts';
import { restAnswer, restDoor, testContext, observationsAt } from '../_support/doors.ts';
import { packDatasets, packedStore } from '../_support/packed.ts';
import { allObservations } from '../_support/records.ts';
import { callTool, doorOf } from '../mcp/asking.ts';
import { made } from '../revisions/made.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';

const rest = restDoor();
const mcp = doorOf();
const observations = allObservations();

/** What REST answers; MCP must answer the same. */
async function found(filters: Record<string, string>): Promise<ExploreAnswer> {
  const data = await observationsAt(rest, { ...filters, limit: '500' });
  const args = { ...filters, limit: 500 };
  const { structuredContent } = await callTool(mcp, 'query_market_observations', args);
  expect(structuredContent).toEqual(data);
  return data;
}

const QUARTER = { from: '2025-10', to: '2025-12' };

describe('[MARKETS-PERIOD]', () => {
  test('months select the monthly records inside them, to both ends', async () => {
    const geo = 'x-us-cbp-laredo-field-office';
    const inside = observations.filter(
      ({ geoCode, period }) => geoCode === geo && ['2025-10', '2025-11', '2025-12'].includes(period),
    );
    expect(inside.length).toBeGreaterThan(30);
    const { page, observations: answered } = await found({ ...QUARTER, geo });
    expect([page.matched, answered]).toEqual([inside.length, inside]);
  });

  test('months over all datasets give no annual record', async () => {
    const { page, observations: answered } = await found(QUARTER);
    expect(page.matched).toBeGreaterThan(1000);
    expect(new Set(answered.map(({ datasetId }) => datasetId))).toEqual(new Set(['border-drug-seizures']));
    expect((await found({ ...QUARTER, dataset: 'drug-seizures' })).page.matched).toBe(0);
  });

  test('a record of a year answers no request for months, even by its id', async () => {
    const annual = observations.find(({ period }) => period === '2016');
    const month = observations.find(({ period }) => period === '2025-10');
    const matched = async (
      record: Observation | undefined,
      bounds: Record<string, string>,
    ): Promise<number> => (await found({ id: record?.id ?? '', ...bounds })).page.matched;
    expect(await matched(annual, { from: '2016', to: '2016' })).toBe(1);
    for (const bounds of [{ to: '2016-10' }, { from: '2015-10' }, { from: '2015-10', to: '2017' }])
      expect(await matched(annual, bounds)).toBe(0);
    expect(await matched(month, { from: '2025', to: '2025-10' })).toBe(1);
    expect(await matched(month, { from: '2025-11' })).toBe(0);
  });

  test('of a series with years between its months any bounds select what they say', async () => {
    const periods = ['2020', '2020-03', '2020-05', '2021', '2021-02', '2021-04', '2022'];
    const packed = packDatasets([made({ edition: '2025-06', rows: periods.map((period) => ({ period })) })]);
    const context = testContext(packedStore(packed));
    for (const [at, from] of periods.entries())
      for (const to of periods.slice(at)) {
        if (from.slice(0, to.length) > to.slice(0, from.length)) continue;
        const { body } = await restAnswer(marketObservations, { from, to }, context);
        const { page, observations: answered } = body['data'] as unknown as ExploreAnswer;
        const inside = periods.filter(
          (period) =>
            (period.length === 7 || (from.length === 4 && to.length === 4)) &&
            period.slice(0, from.length) >= from &&
            period.slice(0, to.length) <= to,
        );
        const printed = answered.map(({ period }) => period);
        expect([from, to, page.matched, printed]).toEqual([from, to, inside.length, inside]);
      }
  });

  test('a year gives the twelve months of the calendar, not of the fiscal year', async () => {
    const { observations: answered } = await found({
      from: '2024',
      to: '2024',
      geo: 'x-us-cbp-san-diego-field-office',
      indicator: 'cbp-seizure-events',
      category: 'Methamphetamine',
      subgroup: 'Office of Field Operations; Southwest Border; Land Only',
    });
    expect(answered.map(({ period }) => period)).toEqual(
      Array.from({ length: 12 }, (_, at) => `2024-${String(at + 1).padStart(2, '0')}`),
    );
  });

  test('a month has the value of each edition', async () => {
    const filters = {
      from: '2025-12',
      to: '2025-12',
      indicator: 'cbp-seizure-events',
      geo: 'x-us-cbp-buffalo-field-office',
      category: 'Marijuana',
      subgroup: 'Office of Field Operations; Northern Border; Land Only',
    };
    const printed = async (more: Record<string, string>) =>
      (await found({ ...filters, ...more })).observations.map(({ edition, value }) => [edition, value]);
    expect(await printed({ as_of: '2026-01-31' })).toEqual([['2026-01', 67]]);
    expect(await printed({})).toEqual([['2026-05', 85]]);
    expect(await printed({ as_of: '2022-12-31' })).toEqual([]);
  });

  test('a drug type is found as it is printed, asterisks included', async () => {
    const { observations: answered } = await found({ ...QUARTER, category: 'Other Drugs**' });
    expect(answered.length).toBeGreaterThan(50);
    expect(new Set(answered.map(({ unit }) => unit))).toEqual(new Set(['Count of Event', 'lbs']));
  });
});
