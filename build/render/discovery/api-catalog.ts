/** .well-known/api-catalog (RFC 9727): a linkset (RFC 9264) of the two interfaces, REST and MCP, with the RFC 8631 relations. */
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import { absolute, API_CATALOG, API_ROOT, DATA_FILES, OPENAPI } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';

/** Renders the catalog. The REST root is an anchor only: its entry document is capabilities, so every target can be read. */
export function renderApiCatalog(siteUrl: string): Artifact {
  const at = (path: string): string => absolute(siteUrl, path);
  const file = (path: string, title: string): JsonObject => ({
    href: at(path),
    type: mediaTypeOf(path),
    title,
  });
  const page = (path: string, title: string): JsonObject => ({ href: at(path), type: 'text/html', title });
  const capabilities = {
    href: at(`${API_ROOT}/capabilities`),
    type: 'application/json',
    title: 'Resources, tools, limits, hashes',
  };
  const overview = file('llms.txt', 'Overview for agents');
  const status = [file(DATA_FILES, 'Every packaged file with its hash, and the freshness of every source')];
  return prettyJsonArtifact(API_CATALOG, {
    linkset: [
      {
        anchor: at(API_CATALOG),
        item: [
          { href: capabilities.href, title: 'Public Evidence API (REST)' },
          { href: at('mcp'), title: 'Public Evidence API (MCP, Streamable HTTP)' },
        ],
      },
      {
        anchor: at(API_ROOT),
        'service-desc': [file(OPENAPI, 'OpenAPI 3.1')],
        'service-doc': [page('docs/', 'The contract for people')],
        'service-meta': [capabilities, file('schemas/index.json', 'JSON Schemas'), overview],
        status,
      },
      {
        anchor: at('mcp'),
        'service-desc': [capabilities],
        'service-doc': [page('docs/#mcp', 'How to connect')],
        'service-meta': [overview],
        status,
      },
    ],
  });
}
