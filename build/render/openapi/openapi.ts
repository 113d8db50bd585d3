/**
 * openapi.json: the interface as OpenAPI 3.1: the operations, and the published files that programs read (bulk data, feeds,
 * schemas). Nothing about a resource is written here, and only what is published is listed.
 */
import { BOUNDARIES, INTERFACE_VERSION } from '../../../shim/core/operations/capabilities.ts';
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import * as paths from '../../../shim/core/paths.ts';
import type { Context, JsonObject } from '../../../shim/core/types.ts';
import { jsonArtifact, type Artifact, type Tree } from '../../lib/tree.ts';
import { bullets, type SiteFacts } from '../facts.ts';
import { filledText } from '../../lib/template.ts';
import { operationPaths, responseComponents } from './operations.ts';
import { headerComponents, headersOf, responseRef, schemaComponents } from './components.ts';

/** A published file, or several: `{x}` is a name without a slash. */
type Document = [path: string, operationId: string, summary: string];

const DOCUMENTS: Document[] = [
  [paths.packPath('{dataset}'), 'get_dataset_ndjson', 'All records of a dataset, one JSON object per line'],
  [paths.csvPath('{dataset}'), 'get_dataset_csv', 'All records of a dataset as CSV'],
  [paths.parquetPath('{dataset}'), 'get_dataset_parquet', 'All records of a dataset as Parquet'],
  [paths.datasetDocumentPath('{dataset}'), 'get_dataset_document', 'What a dataset is and where it is from'],
  [paths.CATALOG, 'get_catalog_document', 'The market catalog without the envelope'],
  [
    paths.DATA_FILES,
    'get_data_files',
    'Every packaged file with its sha256, and the freshness of every source',
  ],
  [paths.PACK_MANIFEST, 'get_packs', 'The pack files that queries read, with their indexes'],
  [paths.DATAPACKAGE, 'get_datapackage', 'All bulk files as a Frictionless data package'],
  [paths.CROISSANT, 'get_croissant', 'All bulk files as Croissant metadata'],
  [paths.DCAT, 'get_dcat', 'All bulk files as a DCAT catalog'],
  [paths.BRI_ARTIFACT, 'get_bri_artifact', 'The infrastructure-context artifact'],
  [paths.NEWSWIRE_RECEIPT, 'get_newswire_receipt', 'The newswire rights receipt'],
  ['news/feed.json', 'get_feed_json', 'The newsroom as JSON Feed 1.1'],
  ['news/feed.xml', 'get_feed_rss', 'The newsroom as RSS 2.0'],
  ['news/{story}/story.md', 'get_story_source', 'The source text of a story'],
  ['news/{story}/brief.json', 'get_story_brief', 'The machine-readable brief of a story'],
  ['news/{story}/dossier.json', 'get_story_dossier', 'The evidence of a story: every value with its source'],
  ['schemas/{schema}.schema.json', 'get_schema', 'A JSON Schema 2020-12 of a payload, a body or a record'],
  ['schemas/index.json', 'get_schema_list', 'Every schema with its URL and title'],
];

/** Renders the description of the operations, with real responses as examples, and of the files in the tree so far. */
export async function renderOpenapi(facts: SiteFacts, context: Context, tree: Tree): Promise<Artifact> {
  const { siteUrl, operations, examples, source } = facts;
  const resources: JsonObject = {};
  for (const operation of operations) {
    const example = examples.get(operation.name);
    if (example) Object.assign(resources, await operationPaths(operation, example, context));
  }
  return jsonArtifact(paths.OPENAPI, {
    openapi: '3.1.0',
    info: {
      title: 'Public Evidence API',
      version: INTERFACE_VERSION,
      summary: 'Read-only aggregate official evidence on illicit economies.',
      description: filledText(source('content/openapi.md'), { boundaries: bullets(BOUNDARIES) }),
      contact: { name: 'Report a problem', url: paths.absolute(siteUrl, 'docs/#contact') },
      license: { name: 'Apache License 2.0 (the code)', identifier: 'Apache-2.0' },
    },
    servers: [server(siteUrl, paths.API_ROOT, 'The REST interface')],
    security: [],
    tags: [
      { name: 'Resources', description: 'The operations. Each is a read that returns JSON in one envelope.' },
      { name: 'Files', description: 'Published files: bulk data, feeds, schemas.' },
    ],
    externalDocs: { description: 'The same contract for people', url: paths.absolute(siteUrl, 'docs/') },
    paths: { ...resources, ...documentPaths(tree.files.keys(), server(siteUrl, '', 'The site')) },
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
  const url = new URL(path === '' ? siteUrl : paths.absolute(siteUrl, path));
  const address = url.href.replace(/\/$/, '');
  return { url: url.hostname === 'localhost' ? url.pathname : address, description };
}

/** The path items of these published files, below this host. */
function documentPaths(published: Iterable<string>, host: JsonObject): JsonObject {
  const all = [...published].sort();
  const items: JsonObject = {};
  for (const document of DOCUMENTS) {
    const names = matching(document[0], all);
    if (names.length > 0) items[`/${document[0]}`] = { servers: [host], get: item(document, names) };
  }
  return items;
}

/** What `{x}` stands for in the paths that match. */
function matching(path: string, published: string[]): string[] {
  const [before = '', after] = path.split(/\{[a-z]+\}/);
  if (after === undefined) return published.filter((candidate) => candidate === path);
  return published
    .filter((candidate) => candidate.startsWith(before) && candidate.endsWith(after))
    .map((candidate) => candidate.slice(before.length, -after.length))
    .filter((name) => name !== '' && !name.includes('/'));
}

function item([path, operationId, summary]: Document, names: string[]): JsonObject {
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
  const { Link: _ofResources, ...headers } = headersOf(200);
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
    },
  };
}

function contentOf(mediaType: string): JsonObject {
  if (mediaType.endsWith('json')) return { schema: { type: 'object' } };
  return /^text\/|xml$|x-ndjson$/.test(mediaType) ? { schema: { type: 'string' } } : {};
}
