/** `markets`: the catalog of market datasets. The build makes the document; the operation hands it on. */
import output from '../../../schemas/markets.schema.json' with { type: 'json' };
import type { Operation } from '../operation.ts';
import { CATALOG } from '../paths.ts';
import type { Payload } from '../types.ts';

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
  prerender: () => [{}],
};
