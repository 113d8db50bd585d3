/** `producerp-bri`: the infrastructure-context artifact in its envelope, exactly as published. */
import output from '../../../schemas/producerp-bri.schema.json' with { type: 'json' };
import { readJsonDocument } from '../document.ts';
import type { Operation } from '../operation.ts';
import { absolute, BRI_ARTIFACT, BRI_SCHEMA } from '../paths.ts';

const INTERPRETATION =
  'Parallel context only. It says which public sources exist about five target areas and which years of national series are published for China, Myanmar and Pakistan. It is not evidence of a project, an actor, a route, a cause or guilt, and it cannot be joined to drug-market evidence. Unavailable is never zero.';

export const producerpBri: Operation = {
  name: 'producerp-bri',
  tool: 'get_producerp_bri_context',
  summary:
    'Infrastructure-initiative context from the ProducerP release, verified and pinned: sources about CPEC, Gwadar, CMEC, Kyaukpyu and Balochistan with their readiness and claim classes, and year coverage of national economic series for China, Myanmar and Pakistan. No parameters. Parallel context only: do not join it to drug-market evidence, classify actors, infer routes, causes or guilt, or attribute projects from national series.',
  parameters: [],
  output,
  freshness: 'data',
  pinned: BRI_ARTIFACT,
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
