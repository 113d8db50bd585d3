/** `markets`: the catalog of market datasets, a document of the build. */
import output from '../../../schemas/markets.schema.json' with { type: 'json' };
import type { Operation } from '../operation.ts';
import { CATALOG } from '../paths.ts';
import type { PackManifest, Payload, Release } from '../types.ts';

/** Given where the contract requires a date and no packaged data has one. */
export const NO_MOMENT = '1970-01-01T00:00:00Z';

export const markets: Operation = {
  name: 'markets',
  tool: 'get_market_catalog',
  summary:
    'Catalog of market datasets (drugs, arms, informal economy): every indicator with its geographies, categories, subgroups, native unit, periods and coverage (numeric, zeros, unavailable), every source with licence, hash and dates. Read it first: query_market_observations takes its ids from here. It holds no observation values.',
  parameters: [],
  output,
  freshness: 'data',
  run(_input, { store }) {
    return JSON.parse(new TextDecoder().decode(store.document(CATALOG))) as Payload;
  },
  unavailable(_input, { store }, message) {
    const { generatedAt, unavailable } = readableManifest(store);
    return {
      schema: 'svc.global-market-catalog.v1',
      status: 'unavailable',
      generatedAt,
      unavailableDatasets: unavailable.map(({ id, reason }) => ({ id, reason })),
      limitations: [
        message,
        'datasets is empty because the catalog cannot be read now, not because there are no datasets.',
        `generatedAt ${NO_MOMENT} means the date of the data could not be read.`,
      ],
      datasets: [],
      relatedResources: [],
    };
  },
  prerender: () => [{}],
};

function readableManifest(store: Release): Pick<PackManifest, 'generatedAt' | 'unavailable'> {
  try {
    return store.manifest();
  } catch {
    return { generatedAt: NO_MOMENT, unavailable: [] };
  }
}
