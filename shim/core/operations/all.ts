/** All resources, one line each: routes, tools, pages, OpenAPI and capabilities are derived from this list. */
import { readJson } from '../json.ts';
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/capabilities.schema.json' with { type: 'json' };
import { documentResource } from './definitions.ts';
import { atlas } from './atlas.ts';
import { editions, markets, producerpBri, producerpCorridors } from './documents.ts';
import { entities } from './entities.ts';
import { federation } from './federation.ts';
import { marketObservations } from './market-observations.ts';
import { revisions } from './revisions.ts';
import { series } from './series.ts';
import {
  absolute,
  API_CATALOG,
  API_ROOT,
  DATA_FILES,
  MOST_URL_BYTES,
  OPENAPI,
  errorSchemaPath,
  payloadSchemaPath,
  RELEASE,
  REVISION_FEEDS,
  responseSchemaPath,
  SUMS,
} from '../paths.ts';
import type { JsonObject, JsonValue, Operation } from '../types.ts';

const RESOURCES: Operation[] = [
  markets,
  series,
  marketObservations,
  editions,
  revisions,
  atlas,
  entities,
  federation,
  producerpCorridors,
  producerpBri,
];

/** `capabilities`: what the service offers and will not do, read from the operations themselves. */
export const capabilities = capabilitiesOf(RESOURCES);

/** Every operation, capabilities first. */
export const OPERATIONS: Operation[] = [capabilities, ...RESOURCES];

/** The operation of a resource name. */
export function operationOf(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name);
}

/** Version of the interface description. */
export const INTERFACE_VERSION = '1.6.0';

/** Versions of MCP: the one without a handshake, and those that `initialize` may negotiate, newest first. */
export const MCP_VERSIONS = {
  current: '2026-07-28',
  legacy: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
};

/** The safety boundary, one sentence each. */
export const BOUNDARIES = definitions.capabilities.boundaries;

function capabilitiesOf(others: Operation[]): Operation {
  const self = documentResource('capabilities', output, (_input, { release, settings: { siteUrl } }) => {
    const listing = readJson<
      Record<'generatedAt' | 'treeSha256', string> & Record<'files' | 'sources', JsonValue[]>
    >(release, DATA_FILES);
    const all = [self, ...others];
    return {
      schema: 'svc.api.capabilities.v1',
      version: INTERFACE_VERSION,
      generatedAt: listing.generatedAt,
      resources: all.map((operation) => resourceOf(operation, siteUrl)),
      mcp: {
        url: absolute(siteUrl, 'mcp'),
        protocolVersions: [MCP_VERSIONS.current, ...MCP_VERSIONS.legacy],
        tools: all.flatMap(({ tool, name }) => (tool === null ? [] : [{ name: tool, resource: name }])),
      },
      feeds: { ...feedsIn('news', siteUrl), revisions: feedsIn(REVISION_FEEDS, siteUrl) },
      links: {
        openapi: absolute(siteUrl, OPENAPI),
        apiCatalog: absolute(siteUrl, API_CATALOG),
        release: absolute(siteUrl, RELEASE),
        checksums: absolute(siteUrl, SUMS),
      },
      data: listing.files,
      sources: listing.sources,
      release: {
        treeSha256: listing.treeSha256,
        covers:
          'every file listed in data, sorted by path: the sha256 of the lines "<sha256>  <path>", each with a line feed, where <path> is written without its leading slash',
        manifest: absolute(siteUrl, RELEASE),
      },
      limits: limitsOf(all),
      boundaries: BOUNDARIES,
    };
  });
  return self;
}

function feedsIn(folder: string, siteUrl: string): JsonObject {
  return { json: absolute(siteUrl, `${folder}/feed.json`), rss: absolute(siteUrl, `${folder}/feed.xml`) };
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
    errorSchema: absolute(siteUrl, errorSchemaPath(operation.name)),
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
    urlBytes: MOST_URL_BYTES,
    ...definitions.capabilities.limits,
  };
}
