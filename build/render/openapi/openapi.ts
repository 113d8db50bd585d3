/** openapi.json: the interface as OpenAPI 3.1, a listing of the operations. Nothing about a resource is written here. */
import { INTERFACE_VERSION, BOUNDARIES } from '../../../shim/core/operations/capabilities.ts';
import type { Operation } from '../../../shim/core/operation.ts';
import { absolute, API_ROOT, OPENAPI } from '../../../shim/core/paths.ts';
import type { Context, JsonObject } from '../../../shim/core/types.ts';
import { jsonArtifact, type Artifact, type Tree } from '../../lib/tree.ts';
import { documentPaths } from './documents.ts';
import type { OperationExample } from './examples.ts';
import { headerComponents } from './headers.ts';
import { operationPaths, responseComponents } from './operations.ts';
import { schemaComponents } from './schemas.ts';

/** Renders the description of these operations, with these answers as examples, and of the files in the tree so far. */
export async function renderOpenapi(
  operations: Operation[],
  examples: ReadonlyMap<string, OperationExample>,
  context: Context,
  tree: Tree,
): Promise<Artifact> {
  const { siteUrl } = context.settings;
  const paths: JsonObject = {};
  for (const operation of operations) {
    const example = examples.get(operation.name);
    if (example) Object.assign(paths, operationPaths(operation, example, context));
  }
  return jsonArtifact(OPENAPI, {
    openapi: '3.1.0',
    info: {
      title: 'Public Evidence API',
      version: INTERFACE_VERSION,
      summary: 'Read-only aggregate official evidence on illicit economies.',
      description: description(),
      contact: { name: 'How to report a fault', url: absolute(siteUrl, 'docs/#contact') },
      license: { name: 'Apache License 2.0 (the code)', identifier: 'Apache-2.0' },
    },
    servers: [server(siteUrl, API_ROOT, 'The REST interface')],
    security: [],
    tags: [
      { name: 'Resources', description: 'The operations. Each is a read that answers JSON in one envelope.' },
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
 * Where the paths stand. A tree built for localhost is nobody's address: its servers are relative to where the description
 * is read, which OpenAPI allows and linters ask for.
 */
function server(siteUrl: string, path: string, words: string): JsonObject {
  const url = new URL(path === '' ? siteUrl : absolute(siteUrl, path));
  const address = url.href.replace(/\/$/, '');
  return { url: url.hostname === 'localhost' ? url.pathname : address, description: words };
}

function description(): string {
  return `${[
    'Every operation is a GET that needs no key. HEAD answers the same headers without the body; OPTIONS answers 204 with the methods and the CORS headers; any other method is 405.',
    'An answer is `{"ok": true, "resource", "data"}`, a failure `{"ok": false, "error", "message"}`. Where evidence is unavailable the status is 503, and atlas, entities and federation carry a complete payload whose status is `unavailable`.',
    'Send an ETag back in If-None-Match to get 304 while nothing changed. Collections are paged: repeat the request with `cursor` set to `page.next_cursor` until it is null.',
    "The code is under the Apache License 2.0. It does not cover the data: each source's own licence, named beside the data, governs reuse.",
  ].join('\n\n')}\n\n${BOUNDARIES.map((boundary) => `- ${boundary}`).join('\n')}`;
}
