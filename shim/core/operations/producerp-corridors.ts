/** `producerp-corridors`: official country aggregates for China, Myanmar and Pakistan, as the build selected them. */
import output from '../../../schemas/producerp-corridors.schema.json' with { type: 'json' };
import { readJsonDocument } from '../document.ts';
import type { Operation } from '../operation.ts';
import { CORRIDORS } from '../paths.ts';

export const producerpCorridors: Operation = {
  name: 'producerp-corridors',
  tool: 'get_producerp_corridors',
  summary:
    'Official country aggregates for China (CHN), Myanmar (MMR) and Pakistan (PAK): drug seizures, prices, cultivation, prevalence, informal economy, and national indicators as a separate context lane. No parameters. Gives counts over all periods and the records of the latest period of each indicator in native units; queryPath or the bulk file gives the rest. null is unavailable, no_matching_rows is not zero. Do not sum, and do not join datasets causally.',
  parameters: [],
  output,
  freshness: 'data',
  run: (_input, { store }) => readJsonDocument(store, CORRIDORS, 'The country aggregates'),
  prerender: () => [{}],
};
