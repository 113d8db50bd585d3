/** `market-observations`: granular cells of the market datasets, filtered and paged, each with its source and locator. */
import output from '../../../schemas/market-observations.schema.json' with { type: 'json' };
import { Fault, unavailable } from '../faults.ts';
import { cursorParameter, limitParameter, textParameter, type Input, type Operation } from '../operation.ts';
import { cutPage, emptyPage, pageInputs, splitInput, UNCOUNTED, type PageSource } from '../pagination.ts';
import { selectSeries, type SeriesFilter } from '../series.ts';
import type { JsonObject, PackEntry, Release } from '../types.ts';
import { LIMITATIONS, limitationsOf, marketPacks, selectedPacks } from './dataset-filter.ts';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 500;
/** What no source prints is an empty page, however long: only the URL bounds it. */
const LONGEST_TEXT = 8192;
const PERIOD = 'a year YYYY or a month YYYY-MM';

export const marketObservations: Operation = {
  name: 'market-observations',
  tool: 'query_market_observations',
  summary:
    'Granular observations of drugs, arms and informal-economy indicators from official publications: one record per source cell, with value, bounds, unit as printed, status, source and cell locator. Take dataset, indicator, geography and category ids from the market catalog first. A null value is unavailable (unavailableReason says why), a 0 is an observed zero. Page with page.next_cursor until has_more is false. Never sum across categories, units or countries, never convert units, and infer no market size, cause or culpability.',
  parameters: [
    textParameter(
      'dataset',
      'Dataset id of the market catalog.',
      'a dataset id of the catalog at /api/v1/markets',
    ),
    textParameter(
      'indicator',
      'Indicator id of the market catalog.',
      'an indicator id of the catalog at /api/v1/markets',
    ),
    textParameter(
      'geo',
      'Geography code: ISO 3166-1 alpha-3, or the x- code the catalog lists.',
      `a geography code, 1 to ${LONGEST_TEXT} characters`,
      1,
      LONGEST_TEXT,
    ),
    textParameter(
      'category',
      'Category exactly as printed; empty matches records without one.',
      `a category as printed, or empty; ${LONGEST_TEXT} characters at most`,
      0,
      LONGEST_TEXT,
    ),
    textParameter(
      'subgroup',
      'Subgroup exactly as printed; empty matches records without one.',
      `a subgroup as printed, or empty; ${LONGEST_TEXT} characters at most`,
      0,
      LONGEST_TEXT,
    ),
    {
      name: 'from',
      description:
        'First period: a year takes annual records and months inside it, a month monthly records only.',
      accepts: PERIOD,
      schema: periodSchema(),
    },
    {
      name: 'to',
      description: 'Last period (inclusive), in the same format as "from".',
      accepts: PERIOD,
      schema: periodSchema(),
    },
    limitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    cursorParameter(),
  ],
  output,
  freshness: 'data',
  run(input, { store }) {
    const { filters, limit, cursor } = splitInput(input, DEFAULT_LIMIT);
    const collection = marketPacks(store);
    const packs = selectedPacks(filters, collection);
    const { sources, missing } = openSources(seriesFilter(filters), packs, store);
    const { page, records } = cutPage({ collection, filters, sources, limit, cursor }, store);
    return {
      schema: 'svc.api.market-observations.v1',
      status: missing.length > 0 ? 'partial' : 'available',
      query: queryOf(filters),
      datasets: packs.map(({ id }) => collection.listed.get(id) ?? null),
      page,
      observations: records,
      limitations: limitationsOf(packs, missing),
    };
  },
  unavailable(input, _context, message) {
    const { filters, limit } = splitInput(input, DEFAULT_LIMIT);
    return {
      schema: 'svc.api.market-observations.v1',
      status: 'unavailable',
      query: queryOf(filters),
      datasets: [],
      page: emptyPage(limit),
      observations: [],
      limitations: [message, ...LIMITATIONS, UNCOUNTED],
    };
  },
  prerender: ({ store }) => pageInputs(marketPacks(store), DEFAULT_LIMIT, store),
};

function openSources(
  filter: SeriesFilter,
  packs: PackEntry[],
  release: Release,
): { sources: PageSource[]; missing: string[] } {
  const sources: PageSource[] = [];
  const missing: string[] = [];
  let damage: unknown = null;
  for (const { id } of packs) {
    try {
      const pack = release.pack(id);
      sources.push({ pack, ...selectSeries(pack, filter) });
    } catch (error) {
      // Only evidence that cannot be given is missing; anything else is our own failure and must not look like a gap.
      if (!(error instanceof Fault)) throw error;
      damage = error;
      missing.push(id);
    }
  }
  if (packs.length > 0 && sources.length === 0)
    throw unavailable(packs.length === 1 ? `Dataset ${missing.join(', ')}` : 'All requested data', damage);
  return { sources, missing };
}

function seriesFilter({ indicator, geo, category, subgroup, from, to }: Input): SeriesFilter {
  const equal: SeriesFilter['equal'] = {};
  if (typeof indicator === 'string') equal['indicator'] = indicator;
  if (typeof geo === 'string') equal['geo'] = geo;
  if (typeof category === 'string') equal['category'] = category;
  if (typeof subgroup === 'string') equal['subgroup'] = subgroup;
  return {
    equal,
    from: typeof from === 'string' ? from : undefined,
    to: typeof to === 'string' ? to : undefined,
  };
}

/** The `query` of a response: every filter, null where it was not given. */
export function queryOf({ dataset, indicator, geo, category, subgroup, from, to }: Input): JsonObject {
  return {
    dataset: dataset ?? null,
    indicator: indicator ?? null,
    geo: geo ?? null,
    category: category ?? null,
    subgroup: subgroup ?? null,
    from: from ?? null,
    to: to ?? null,
  };
}

function periodSchema(): JsonObject {
  return { type: 'string', pattern: '^[0-9]{4}(-(0[1-9]|1[0-2]))?$' };
}
