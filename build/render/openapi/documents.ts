/** Path items of the published files that programs read: bulk data, feeds, schemas. Only what is published is listed. */
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import * as paths from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { headersOf, responseRef } from './tables.ts';

/** A file, or a family of files: `{x}` stands for a name without a slash. */
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

/** The path items of these published files, below this server. */
export function documentPaths(published: Iterable<string>, server: JsonObject): JsonObject {
  const all = [...published].sort();
  const items: JsonObject = {};
  for (const document of DOCUMENTS) {
    const names = matching(document[0], all);
    if (names.length > 0) items[`/${document[0]}`] = { servers: [server], get: item(document, names) };
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
