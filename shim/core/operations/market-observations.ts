/** `market-observations`: granular cells of the market datasets, filtered and paged, each with its source and locator. */
import output from '../../../schemas/market-observations.schema.json' with { type: 'json' };
import { Fault, invalidParameter, quoted, unavailable } from '../faults.ts';
import { cursorParameter, limitParameter, textParameter, type Input, type Operation } from '../operation.ts';
import {
  collectionOf,
  cutPage,
  emptyPage,
  pageInputs,
  splitInput,
  UNCOUNTED,
  type Collection,
  type PageSource,
} from '../pagination.ts';
import { derive } from '../release.ts';
import { selectSeries, type SeriesFilter } from '../series.ts';
import type { JsonObject, PackEntry, Release } from '../types.ts';

const CATALOG_ID = 'an id of the catalog at /api/v1/markets';

/** On every response about observations. */
const LIMITATIONS = [
  'value null means unavailable, never zero; a 0 is a zero the source printed.',
  'Reported quantities, estimates and unavailable cells stay apart; units are as printed, never converted or summed.',
  'A seizure is an administrative observation, not an estimate of a market.',
  'Annual records never answer a request for a month.',
  'Each source governs reuse of its data: see the catalog.',
];
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

/** The market catalog as queries need it: its packs as a collection, and the ids of what could not be packaged. */
export interface MarketPacks extends Collection {
  unavailable: string[];
  /** Each pack as responses list it, by its id. */
  listed: Map<string, JsonObject>;
}

/** The packs of the market catalog. */
export function marketPacks(release: Release): MarketPacks {
  return derive(release, readMarketPacks);
}

function readMarketPacks(release: Release): MarketPacks {
  const { packs: all, unavailable: without } = release.manifest();
  const packs = all.filter(({ kind }) => kind === 'observations');
  return {
    ...collectionOf('market-observations', packs, release),
    unavailable: without.map(({ id }) => id),
    listed: new Map(
      packs.map(({ id, sha256, bytes, path }) => [id, { id, sha256, bytes, path: `/${path}` }]),
    ),
  };
}

/**
 * The packs that the filters select. Throws invalid_request for a period that ends before it begins and for an unknown dataset
 * or indicator, unavailable for a dataset that could not be packaged.
 */
export function selectedPacks({ dataset, indicator, from, to }: Input, market: MarketPacks): PackEntry[] {
  if (
    typeof from === 'string' &&
    typeof to === 'string' &&
    from.slice(0, to.length) > to.slice(0, from.length)
  )
    throw new Fault(
      'invalid_request',
      `Invalid value ${quoted(from)} for parameter "from": it must not be later than "to" (${quoted(to)}).`,
    );
  const { packs } = market;
  if (market.unavailable.includes(String(dataset))) throw unavailable(`Dataset ${String(dataset)}`);
  const named = dataset === undefined ? packs : packs.filter(({ id }) => id === dataset);
  if (named.length === 0 && dataset !== undefined)
    throw invalidParameter('dataset', dataset, `${CATALOG_ID}: ${packs.map(({ id }) => id).join(', ')}`);
  if (indicator === undefined) return named;
  const has = (pack: PackEntry): boolean => indicatorsOf(pack).includes(String(indicator));
  if (!packs.some(has))
    throw invalidParameter(
      'indicator',
      indicator,
      `${CATALOG_ID}: ${packs.flatMap(indicatorsOf).join(', ')}`,
    );
  return named.filter(has);
}

/** The limitations of a response from these packs; the datasets `missing` could not be opened. */
export function limitationsOf(packs: PackEntry[], missing: string[]): string[] {
  return [
    ...LIMITATIONS,
    ...missing.map((id) => `Dataset ${id} is currently unavailable; its records are not included.`),
    ...packs.flatMap(({ meta }) => (meta['staleNotes'] ?? []) as string[]),
  ];
}

function indicatorsOf(pack: PackEntry): string[] {
  return (pack.meta['indicators'] ?? []) as string[];
}

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
