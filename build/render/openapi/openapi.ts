/** openapi.json: the interface as OpenAPI 3.1, a listing of the operations. Nothing about a resource is written here. */
import { BOUNDARIES, INTERFACE_VERSION } from '../../../shim/core/operations/capabilities.ts';
import { absolute, API_ROOT, OPENAPI } from '../../../shim/core/paths.ts';
import type { Context, JsonObject } from '../../../shim/core/types.ts';
import { jsonArtifact, type Artifact, type Tree } from '../../lib/tree.ts';
import { bullets, type SiteFacts } from '../facts.ts';
import { filledText } from '../../lib/template.ts';
import { documentPaths } from './documents.ts';
import { operationPaths, responseComponents } from './operations.ts';
import { schemaComponents } from './schemas.ts';
import { headerComponents } from './tables.ts';

/** Renders the description of the operations, with real responses as examples, and of the files in the tree so far. */
export async function renderOpenapi(facts: SiteFacts, context: Context, tree: Tree): Promise<Artifact> {
  const { siteUrl, operations, examples, source } = facts;
  const paths: JsonObject = {};
  for (const operation of operations) {
    const example = examples.get(operation.name);
    if (example) Object.assign(paths, await operationPaths(operation, example, context));
  }
  return jsonArtifact(OPENAPI, {
    openapi: '3.1.0',
    info: {
      title: 'Public Evidence API',
      version: INTERFACE_VERSION,
      summary: 'Read-only aggregate official evidence on illicit economies.',
      description: filledText(source('content/openapi.md'), { boundaries: bullets(BOUNDARIES) }),
      contact: { name: 'Report a problem', url: absolute(siteUrl, 'docs/#contact') },
      license: { name: 'Apache License 2.0 (the code)', identifier: 'Apache-2.0' },
    },
    servers: [server(siteUrl, API_ROOT, 'The REST interface')],
    security: [],
    tags: [
      { name: 'Resources', description: 'The operations. Each is a read that returns JSON in one envelope.' },
      { name: 'Files', description: 'Published files: bulk data, feeds, schemas.' },
    ],
    externalDocs: { description: 'The same contract for people', url: absolute(siteUrl, 'docs/') },
    paths: { ...paths, ...documentPaths(tree.files.keys(), server(siteUrl, '', 'The site')) },
    components: {
      schemas: schemaComponents(operations),
      responses: await responseComponents(operations, context),
      headers: headerComponents(),
    },
  });
}

/**
 * Where the paths start. A site built for localhost has no public address: its servers are relative to the URL of the
 * description, which OpenAPI allows and linters ask for.
 */
function server(siteUrl: string, path: string, description: string): JsonObject {
  const url = new URL(path === '' ? siteUrl : absolute(siteUrl, path));
  const address = url.href.replace(/\/$/, '');
  return { url: url.hostname === 'localhost' ? url.pathname : address, description };
}
