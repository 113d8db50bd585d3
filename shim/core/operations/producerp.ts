/** The resources of the context producer, each a document of the release as published. */
import bri from '../../../schemas/producerp-bri.schema.json' with { type: 'json' };
import corridors from '../../../schemas/producerp-corridors.schema.json' with { type: 'json' };
import type { Operation } from '../operation.ts';
import { absolute, BRI_ARTIFACT, BRI_SCHEMA, CORRIDORS } from '../paths.ts';
import { readJsonDocument } from '../release.ts';

const INTERPRETATION =
  'Parallel context only. It says which public sources exist about five target areas and which years of national series are published for China, Myanmar and Pakistan. It is not evidence of a project, an actor, a route, a cause or guilt, and it cannot be joined to drug-market evidence. Unavailable is never zero.';

/** `producerp-bri`: the infrastructure-context artifact in its envelope. */
export const producerpBri: Operation = {
  name: 'producerp-bri',
  tool: 'get_producerp_bri_context',
  summary:
    'Infrastructure-initiative context from the ProducerP release, verified and pinned: sources about CPEC, Gwadar, CMEC, Kyaukpyu and Balochistan with their readiness and claim classes, and year coverage of national economic series for China, Myanmar and Pakistan. No parameters. Parallel context only: do not join it to drug-market evidence, classify actors, infer routes, causes or guilt, or attribute projects from national series.',
  parameters: [],
  output: bri,
  freshness: 'data',
  run(_input, { settings, store }) {
    const canonical = absolute(settings.siteUrl, BRI_ARTIFACT);
    return {
      schema: 'svc.api.producerp-bri-envelope.v1',
      data: readJsonDocument(store, BRI_ARTIFACT, 'The infrastructure-context artifact'),
      links: { canonical, sha256: `${canonical}.sha256`, schema: absolute(settings.siteUrl, BRI_SCHEMA) },
      interpretation: INTERPRETATION,
    };
  },
  prerender: () => [{}],
};

/** `producerp-corridors`: official country aggregates for China, Myanmar and Pakistan, as the build selected them. */
export const producerpCorridors: Operation = {
  name: 'producerp-corridors',
  tool: 'get_producerp_corridors',
  summary:
    'Official country aggregates for China (CHN), Myanmar (MMR) and Pakistan (PAK): drug seizures, prices, cultivation, prevalence, informal economy, and national indicators as a separate context lane. No parameters. Gives counts over all periods and the records of the latest period of each indicator in native units; queryPath or the bulk file gives the rest. null is unavailable, no_matching_rows is not zero. Do not sum, and do not join datasets causally.',
  parameters: [],
  output: corridors,
  freshness: 'data',
  run: (_input, { store }) => readJsonDocument(store, CORRIDORS, 'The country aggregates'),
  prerender: () => [{}],
};
