/** Short forms of documents: what they leave out is counted, and they say how to get it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shim/core/types.ts';
import { doorOf, dataOf } from './asking.ts';

const door = doorOf();

describe('[MCP-SHORT] short forms', () => {
  it('of the catalog count what the full form lists, and say how to get it', async () => {
    const short = await dataOf(door, 'get_market_catalog');
    const full = await dataOf(door, 'get_market_catalog', { detail: 'full' });
    type Indicator = Record<'geographies' | 'categories' | 'subgroups' | 'units', string[]> & { id: string };
    const indicatorsOf = (catalog: JsonObject): unknown[] =>
      (catalog['datasets'] as { indicators: unknown[] }[]).flatMap(({ indicators }) => indicators);
    const counted = indicatorsOf(short) as { id: string; counts: Record<string, number> }[];
    const whole = indicatorsOf(full) as Indicator[];
    expect(counted.map(({ id, counts }) => ({ id, counts }))).toEqual(
      whole.map(({ id, geographies, categories, subgroups, units }) => ({
        id,
        counts: {
          geographies: geographies.length,
          categories: categories.length,
          subgroups: subgroups.length,
          units: units.length,
        },
      })),
    );
    expect((short['limitations'] as string[])[0]).toContain('detail=full');
  });

  it('of the catalog for one indicator list its places by name, and no others', async () => {
    const args = { indicator: 'coca-cultivation', detail: 'full' };
    const structuredContent = await dataOf(door, 'get_market_catalog', args);
    const [dataset, ...others] = structuredContent['datasets'] as {
      geographyNames: Record<string, string>;
      indicators: { geographies: string[] }[];
    }[];
    expect(others).toEqual([]);
    expect(Object.keys(dataset?.geographyNames ?? {}).sort()).toEqual(
      dataset?.indicators[0]?.geographies.toSorted(),
    );
  });

  it('of the catalog say when no indicator matches', async () => {
    const { datasets, limitations } = await dataOf(door, 'get_market_catalog', {
      market: 'arms',
      indicator: 'seizures',
    });
    expect([datasets, (limitations as string[])[0]]).toEqual([
      [],
      'No indicator of the catalog matches all of the given filters.',
    ]);
  });

  it('of the country aggregates keep one record of each market table and country, and count the others', async () => {
    type Country = {
      geoCode: string;
      records: { id: string }[];
      latestNotShown: number;
      counts: { records: number };
    };
    type Aggregates = { datasets: { id: string; lane: string; countries: Country[] }[] };
    const read = async (args: JsonObject): Promise<Aggregates> =>
      (await dataOf(door, 'get_producerp_corridors', args)) as unknown as Aggregates;
    const [short, full] = [await read({}), await read({ detail: 'full' })];
    for (const [at, { lane, countries }] of short.datasets.entries())
      for (const [place, country] of countries.entries()) {
        const whole = full.datasets[at]?.countries[place];
        expect(country.counts).toEqual(whole?.counts);
        expect(country.records).toEqual(whole?.records.slice(0, lane === 'market_evidence' ? 1 : 0));
        expect(country.records.length + country.latestNotShown).toBe(
          (whole?.records.length ?? 0) + (whole?.latestNotShown ?? 0),
        );
      }
  });

  it('of the infrastructure context name the full form and keep every count', async () => {
    type Context = {
      interpretation: string;
      data: {
        sourceReadiness: unknown;
        targetCoverage: { targets: { sourceReadiness: unknown; sources: unknown[] }[] }[];
      };
    };
    const read = async (args: JsonObject): Promise<Context> =>
      (await dataOf(door, 'get_producerp_bri_context', args)) as unknown as Context;
    const [short, full] = [await read({}), await read({ detail: 'full' })];
    expect(short.interpretation).toContain('detail=full');
    expect(short.data.sourceReadiness).toEqual(full.data.sourceReadiness);
    const targets = ({ data }: Context): { sourceReadiness: unknown; sources: unknown[] }[] =>
      data.targetCoverage.flatMap((area) => area.targets);
    expect(targets(short).map(({ sourceReadiness }) => sourceReadiness)).toEqual(
      targets(full).map(({ sourceReadiness }) => sourceReadiness),
    );
    expect(targets(short).every(({ sources }) => sources.length === 1)).toBe(true);
  });
});
