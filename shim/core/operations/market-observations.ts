/** `market-observations`: granular cells of the market datasets, filtered and paged, each with its source and locator. */
import output from '../../../schemas/market-observations.schema.json' with { type: 'json' };
import { Fault, unavailable } from '../faults.ts';
import { packOf } from '../manifest.ts';
import type { Input, Operation } from '../operation.ts';
import { cutPage, emptyPage, pageInputs, splitInput, UNCOUNTED, type PageSource } from '../paged.ts';
import { cursorParameter, limitParameter, textParameter } from '../parameters.ts';
import { selectorOf } from '../selectors.ts';
import type { SeriesFilter } from '../series.ts';
import type { Context, JsonObject, PackEntry } from '../types.ts';
import { askedOf, LIMITATIONS, limitationsOf, observationPacks } from './asked-datasets.ts';

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
      description: 'Last period, inclusive, read as "from" is.',
      accepts: PERIOD,
      schema: periodSchema(),
    },
    limitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    cursorParameter(),
  ],
  output,
  freshness: 'data',
  packs: (store) => observationPacks(store),
  run(input, context) {
    const { filters, limit, cursor } = splitInput(input, DEFAULT_LIMIT);
    const asked = askedOf(filters, context.store);
    const { sources, missing } = openSources(filters, asked.packs, context);
    const { page, records } = cutPage(
      { resource: this.name, filters, packs: asked.all, sources, limit, cursor },
      context,
    );
    return {
      schema: 'svc.api.market-observations.v1',
      status: missing.length > 0 ? 'partial' : 'available',
      query: queryOf(filters),
      datasets: asked.datasets,
      page,
      observations: records,
      limitations: missing.length > 0 ? limitationsOf(asked.packs, missing) : asked.limitations,
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
  prerender: (context) =>
    pageInputs('market-observations', observationPacks(context.store), DEFAULT_LIMIT, context),
};

function openSources(
  filters: Input,
  asked: PackEntry[],
  { store }: Context,
): { sources: PageSource[]; missing: string[] } {
  const sources: PageSource[] = [];
  const missing: string[] = [];
  const filter = seriesFilter(filters);
  let damage: unknown = null;
  for (const entry of asked) {
    try {
      const pack = packOf(store, entry);
      sources.push({ entry, copy: pack.copy, ...selectorOf(pack).select(filter) });
    } catch (error) {
      // Only evidence that cannot be given is missing; anything else is a fault of ours and must not look like a gap.
      if (!(error instanceof Fault)) throw error;
      damage = error;
      missing.push(entry.id);
    }
  }
  if (asked.length > 0 && sources.length === 0)
    throw unavailable(
      asked.length === 1 ? `Dataset ${missing.join(', ')}` : 'Every dataset asked for',
      damage,
    );
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

/** The `query` of an answer: every filter, null where it was not given. */
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
