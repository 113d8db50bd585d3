/** Short forms of documents: what they leave out is counted, and they say how to get it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shim/core/types.ts';
import { words } from '../_support/words.ts';
import { callTool, doorOf, dataOf } from './asking.ts';

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

  it('of the catalog have of each dataset, source and indicator a few members as the full form has them', async () => {
    const short = await dataOf(door, 'get_market_catalog');
    const full = await dataOf(door, 'get_market_catalog', { detail: 'full' });
    type Rows = Record<'sources' | 'indicators', JsonObject[]>;
    const datasetsOf = (catalog: JsonObject): (JsonObject & Rows)[] =>
      catalog['datasets'] as (JsonObject & Rows)[];
    const picked = (row: JsonObject | undefined, names: string): JsonObject =>
      Object.fromEntries(words(names).map((name) => [name, row?.[name] ?? null]));
    expect(datasetsOf(short)).toEqual(
      datasetsOf(full).map((dataset) => ({
        ...picked(dataset, 'id title generatedAt path bytes sha256'),
        sources: dataset.sources.map((source) =>
          picked(source, 'id name publisher url license rights dated sha256'),
        ),
        indicators: dataset.indicators.map((indicator) => ({
          ...picked(indicator, 'id sourceId market label unit measureType'),
          coverage: picked(
            indicator['coverage'] as JsonObject,
            'observations numeric unavailable zeros firstPeriod lastPeriod',
          ),
          counts: expect.any(Object),
        })),
      })),
    );
    expect((short['limitations'] as string[]).slice(1)).toEqual(full['limitations']);
    const { datasets: _short, limitations: _notes, ...others } = short;
    expect(full).toMatchObject(others);
  });

  it('of the catalog for a market have its indicators alone', async () => {
    const marketsOf = async (args: JsonObject): Promise<unknown[]> => {
      const { datasets } = await dataOf(door, 'get_market_catalog', args);
      return (datasets as { indicators: { market: string }[] }[]).map(({ indicators }) =>
        indicators.map(({ market }) => market),
      );
    };
    const all = await marketsOf({});
    const arms = await marketsOf({ market: 'arms' });
    expect(arms.flat()).toEqual(all.flat().filter((market) => market === 'arms'));
    expect(arms.length).toBeLessThan(all.length);
    expect(arms).not.toContainEqual([]);
    const both = { market: 'drugs', dataset: 'drug-prices', indicator: 'prices-retail' };
    expect(await marketsOf(both)).toEqual([['drugs']]);
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

  it('of the country aggregates name the indicators and sources of the records that they keep, and say how many', async () => {
    type Named = { id: string };
    type Aggregates = {
      disclosure: { recordSelection: string; recordsPerCountryTarget: number; level: string };
      datasets: {
        id: string;
        sources: Named[];
        indicators: Named[];
        countries: { records: { indicatorId: string; sourceId: string }[] }[];
      }[];
    };
    const read = async (args: JsonObject): Promise<Aggregates> =>
      (await dataOf(door, 'get_producerp_corridors', args)) as unknown as Aggregates;
    const [short, full] = [await read({}), await read({ detail: 'full' })];
    for (const [at, { sources, indicators, countries }] of short.datasets.entries()) {
      const whole = full.datasets[at];
      const records = countries.flatMap((country) => country.records);
      const isUsed = ({ id }: Named): boolean =>
        records.some(({ indicatorId, sourceId }) => id === indicatorId || id === sourceId);
      expect(sources).toEqual(whole?.sources.filter(isUsed));
      expect(indicators).toEqual(whole?.indicators.filter(isUsed));
    }
    expect(short.disclosure).toMatchObject({ level: full.disclosure.level, recordsPerCountryTarget: 1 });
    expect(short.disclosure.recordSelection).toContain('detail=full');
    expect(full.disclosure.recordSelection).not.toContain('detail=full');
    const { datasets } = await read({ dataset: 'drug-prices' });
    expect(datasets).toEqual(short.datasets.filter(({ id }) => id === 'drug-prices'));
    expect(datasets).toHaveLength(1);
  });

  it('of the country aggregates refuse a dataset that they do not have, with the closest ones', async () => {
    const refused = async (dataset: string): Promise<string> => {
      const { isError, content } = await callTool(door, 'get_producerp_corridors', { dataset });
      expect(isError).toBe(true);
      return content.map(({ text }) => text).join('');
    };
    expect(await refused('drug-price')).toMatch(/expected one of .*drug-seizures.*closest: drug-prices/);
    expect(await refused('designations')).toMatch(/"dataset": expected one of .*national-indicators/);
  });

  it('of the infrastructure context name the full form and keep every count', async () => {
    type Context = {
      interpretation: string;
      data: {
        sourceReadiness: unknown;
        targetCoverage: { targets: { sourceReadiness: unknown; sources: unknown[] }[] }[];
        economicContext: { coverage: { countries: { indicators: unknown[] }[] } };
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
    expect(targets(short).map(({ sources }) => sources)).toEqual(
      targets(full).map(({ sources }) => sources.slice(0, 1)),
    );
    const countries = (of: Context): { indicators: unknown[] }[] =>
      of.data.economicContext.coverage.countries;
    expect(countries(full).some(({ indicators }) => indicators.length > 1)).toBe(true);
    expect(countries(short)).toEqual(
      countries(full).map((country) => ({ ...country, indicators: country.indicators.slice(0, 1) })),
    );
    const withoutLists = ({ data }: Context): object => ({
      ...data,
      targetCoverage: [],
      economicContext: {
        ...data.economicContext,
        coverage: { ...data.economicContext.coverage, countries: [] },
      },
    });
    expect(withoutLists(short)).toEqual(withoutLists(full));
  });
});
