/** `capabilities`: what the service offers and will not do, read from the operations themselves. */
import output from '../../../schemas/capabilities.schema.json' with { type: 'json' };
import type { Operation } from '../operation.ts';
import {
  absolute,
  API_CATALOG,
  API_ROOT,
  DATA_FILES,
  MOST_URL_BYTES,
  OPENAPI,
  payloadSchemaPath,
  responseSchemaPath,
} from '../paths.ts';
import type { JsonObject, JsonValue } from '../types.ts';

/** Version of the interface description. */
export const INTERFACE_VERSION = '1.6.0';

/** The safety boundary, one sentence each. */
export const BOUNDARIES = [
  'Every operation is a read; nothing is created, changed or deleted.',
  'Only aggregate published evidence is exposed: no point-of-sale, real-time, sub-street, navigable, synthesis, chemistry or yield information.',
  'A seizure is an administrative observation, not a direct estimate of market size.',
  'A public designation is an administrative action, not proof of guilt and not an adjudication; aliases, addresses, birth data, documents and allegation text are withheld.',
  'Federation lanes keep their own scope, status, clocks, citations and caveats; no shared score, composite, causal or culpability inference is made.',
  'null means unavailable and an observed zero stays zero; missing, malformed, oversized or late evidence is unavailable, never zero.',
  'Reported quantities, modelled estimates and unavailable cells stay separate; annual data is never split into months; units are never converted and never summed into a market total.',
  "Every value can be traced to its source file (sha256) and cell; each source's licence governs reuse of its data.",
  'The infrastructure-context lane is never joined to drug-market evidence and supports no inference of cause, actor, route, guilt, politics or project attribution.',
  'The newswire-rights lane is a bounded, pinned, historical receipt of restriction, not monitoring.',
];

/** The operation that lists the others (and itself). */
export function capabilitiesOf(others: Operation[]): Operation {
  const self: Operation = {
    name: 'capabilities',
    tool: null,
    summary:
      'What this service offers: resources with their parameters and schemas, MCP tools, feeds, every packaged file with its hash, limits, and the safety boundary.',
    parameters: [],
    output,
    freshness: 'data',
    run(_input, { store, settings: { siteUrl } }) {
      const listing = JSON.parse(new TextDecoder().decode(store.document(DATA_FILES))) as {
        generatedAt: string;
        treeSha256: string;
        files: JsonValue[];
        sources: JsonValue[];
      };
      const all = [self, ...others];
      return {
        schema: 'svc.api.capabilities.v1',
        version: INTERFACE_VERSION,
        generatedAt: listing.generatedAt,
        resources: all.map((operation) => resourceOf(operation, siteUrl)),
        mcp: {
          url: absolute(siteUrl, 'mcp'),
          protocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
          tools: all.flatMap(({ tool, name }) => (tool === null ? [] : [{ name: tool, resource: name }])),
        },
        feeds: { json: absolute(siteUrl, 'news/feed.json'), rss: absolute(siteUrl, 'news/feed.xml') },
        links: {
          openapi: absolute(siteUrl, OPENAPI),
          apiCatalog: absolute(siteUrl, API_CATALOG),
          release: absolute(siteUrl, 'release.json'),
          checksums: absolute(siteUrl, 'SHA256SUMS'),
        },
        data: listing.files,
        sources: listing.sources,
        release: {
          treeSha256: listing.treeSha256,
          covers: 'every file listed in data, sorted by path, one line "<sha256>  <path>" each',
          manifest: absolute(siteUrl, 'release.json'),
        },
        limits: limitsOf(all),
        boundaries: BOUNDARIES,
      };
    },
    prerender: () => [{}],
  };
  return self;
}

function resourceOf(operation: Operation, siteUrl: string): JsonObject {
  return {
    name: operation.name,
    method: 'GET',
    path: `/${API_ROOT}/${operation.name}`,
    url: absolute(siteUrl, `${API_ROOT}/${operation.name}`),
    summary: operation.summary,
    parameters: operation.parameters.map(({ name, description, schema }) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema,
    })),
    schema: absolute(siteUrl, responseSchemaPath(operation.name)),
    dataSchema: absolute(siteUrl, payloadSchemaPath(operation.name)),
    static: operation.freshness === 'data',
  };
}

function limitsOf(operations: Operation[]): JsonObject {
  const pageSizes: JsonObject = {};
  for (const { name, parameters } of operations) {
    const limit = parameters.find((parameter) => parameter.name === 'limit')?.schema;
    if (limit)
      pageSizes[name] = {
        default: limit['default'] ?? null,
        minimum: limit['minimum'] ?? null,
        maximum: limit['maximum'] ?? null,
      };
  }
  return {
    pageSize: pageSizes,
    cursorCharacters: 2048,
    urlBytes: MOST_URL_BYTES,
    mcpBodyBytes: 65536,
    upstream: { requestsPerLane: 1, retries: 0, deadlineMs: 15000, responseBytes: 2000000 },
    rateLimit: null,
  };
}
