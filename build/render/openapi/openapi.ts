/**
 * openapi.json: the interface as OpenAPI 3.1: the operations, and the published files that programs read (bulk data, feeds,
 * schemas). Nothing about a resource is written here, and only what is published is listed.
 */
import { filledText } from '../../lib/html.ts';
import { type Artifact, type Tree, jsonArtifact } from '../../lib/tree.ts';
import { type SiteFacts, bullets } from '../facts.ts';
import { headerComponents, headersOf, partResponses, responseRef, schemaComponents } from './components.ts';
import { downloadPaths, operationPaths, responseComponents } from './operations.ts';
import { DOWNLOADS } from '../../../shim/core/download.ts';
import { mediaTypeOf } from '../../../shim/core/headers.ts';
import { BOUNDARIES, INTERFACE_VERSION } from '../../../shim/core/operations/all.ts';
import { OPENAPI, absolute } from '../../../shim/core/paths.ts';
import type { Context, JsonObject } from '../../../shim/core/types.ts';
import about from './about.json' with { type: 'json' };
import files from './files.json' with { type: 'json' };

/** Renders the description of the operations, with real responses as examples, and of the files in the tree so far. */
export async function renderOpenapi(facts: SiteFacts, context: Context, tree: Tree): Promise<Artifact> {
  const { siteUrl, operations, examples, source } = facts;
  const paths: JsonObject = {};
  for (const operation of operations) {
    const example = examples.get(operation.name);
    if (example) Object.assign(paths, await operationPaths(operation, example, context));
  }
  for (const [name, { operation }] of DOWNLOADS) {
    const example = examples.get(name);
    if (example) Object.assign(paths, downloadPaths(operation, example, context));
  }
  return jsonArtifact(OPENAPI, {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: INTERFACE_VERSION,
      summary: about.summary,
      description: filledText(source('content/openapi.md'), { boundaries: bullets(BOUNDARIES) }),
      contact: { name: 'Report a problem', url: absolute(siteUrl, 'docs/#contact') },
      license: about.license,
    },
    servers: [{ url: siteUrl, description: 'This site' }],
    security: [],
    tags: about.tags,
    externalDocs: { description: 'The same contract for people', url: absolute(siteUrl, 'docs/') },
    paths: { ...paths, ...filePaths(tree.sorted().map(({ path }) => path)) },
    components: {
      schemas: schemaComponents(operations),
      responses: await responseComponents(operations, context),
      headers: headerComponents(),
    },
  });
}

/** The path items of the published files; `{x}` in a path is a name without a slash. */
function filePaths(published: readonly string[]): JsonObject {
  const items: JsonObject = {};
  for (const file of files) {
    const names = matching(file.path, published);
    if (names.length > 0) items[`/${file.path}`] = { get: item(file, names) };
  }
  return items;
}

/** What `{x}` stands for in the paths that match. */
function matching(path: string, published: readonly string[]): string[] {
  const [before = '', after] = path.split(/\{[a-z]+\}/);
  if (after === undefined) return published.filter((candidate) => candidate === path);
  return published
    .filter((candidate) => candidate.startsWith(before) && candidate.endsWith(after))
    .map((candidate) => candidate.slice(before.length, -after.length))
    .filter((name) => name !== '' && !name.includes('/'));
}

function item({ path, operationId, summary }: (typeof files)[number], names: string[]): JsonObject {
  const [, variable] = /\{([a-z]+)\}/.exec(path) ?? [];
  const parameter = {
    name: variable ?? '',
    in: 'path',
    required: true,
    description: `Id of the ${variable}.`,
    schema: { type: 'string', enum: names },
    example: names[0] ?? '',
  };
  const mediaType = mediaTypeOf(path);
  const { Link: _ofResources, ...partial } = headersOf(206);
  const { 'Content-Range': _ofParts, ...headers } = partial;
  return {
    operationId,
    summary,
    description: `${summary}. Its SHA-256 is at the same URL plus .sha256.`,
    tags: ['Files'],
    ...(variable === undefined ? {} : { parameters: [parameter] }),
    responses: {
      200: { description: `${summary}.`, headers, content: { [mediaType]: contentOf(mediaType) } },
      304: responseRef('NotModified'),
      404: responseRef('NotFound'),
      ...partResponses(mediaType, partial),
      503: responseRef('Unavailable'),
    },
  };
}

function contentOf(mediaType: string): JsonObject {
  if (mediaType.endsWith('json') && !mediaType.endsWith('x-ndjson')) return { schema: { type: 'object' } };
  const text = /^text\/|xml$|x-ndjson$/.test(mediaType);
  return { schema: text ? { type: 'string' } : { type: 'string', format: 'binary' } };
}
