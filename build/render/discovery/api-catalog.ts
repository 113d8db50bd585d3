/** .well-known/api-catalog (RFC 9727): a linkset (RFC 9264) of the two interfaces, REST and MCP, with the RFC 8631 relations. */
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import { absolute, API_CATALOG, API_ROOT, OPENAPI } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';

/**
 * Renders the catalog. The REST root is an anchor only: its entry document is capabilities, so every target can be read.
 */
export function renderApiCatalog(siteUrl: string): Artifact {
  const link = (path: string, type: string, title: string): JsonObject => ({
    href: absolute(siteUrl, path),
    type,
    title,
  });
  const file = (path: string, title: string): JsonObject => link(path, mediaTypeOf(path), title);
  const page = (path: string, title: string): JsonObject => link(path, 'text/html', title);
  const rest = absolute(siteUrl, API_ROOT);
  const mcp = absolute(siteUrl, 'mcp');
  const capabilities = link(
    `${API_ROOT}/capabilities`,
    'application/json',
    'Resources, tools, limits, hashes',
  );
  return prettyJsonArtifact(API_CATALOG, {
    linkset: [
      {
        anchor: absolute(siteUrl, API_CATALOG),
        item: [
          { href: absolute(siteUrl, `${API_ROOT}/capabilities`), title: 'Public Evidence API (REST)' },
          { href: mcp, title: 'Public Evidence API (MCP, Streamable HTTP)' },
        ],
      },
      {
        anchor: rest,
        'service-desc': [file(OPENAPI, 'OpenAPI 3.1')],
        'service-doc': [page('docs/', 'The contract for people')],
        'service-meta': [
          capabilities,
          file('schemas/index.json', 'JSON Schemas'),
          file('llms.txt', 'Overview for agents'),
        ],
        status: [
          file('data/files.json', 'Every packaged file with its hash, and the freshness of every source'),
        ],
      },
      {
        anchor: mcp,
        'service-desc': [capabilities],
        'service-doc': [page('docs/#mcp', 'How to connect')],
        'service-meta': [file('llms.txt', 'Overview for agents')],
        status: [
          file('data/files.json', 'Every packaged file with its hash, and the freshness of every source'),
        ],
      },
    ],
  });
}
