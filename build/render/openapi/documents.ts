/** Path items of the published files that programs read: bulk data, feeds, discovery, checksums. Only what is published is listed. */
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import {
  BRI_ARTIFACT,
  CATALOG,
  CROISSANT,
  DATA_FILES,
  DATAPACKAGE,
  DCAT,
  NEWSWIRE_RECEIPT,
  PACK_MANIFEST,
} from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { CACHE_CONTROL, CORS, ETAG, headerRefs } from './headers.ts';

/** A file, or a family of files: `{x}` stands for a name without a slash. */
interface Document {
  path: string;
  id: string;
  summary: string;
  /** What `{x}` is. */
  variable?: string;
}

/** Rows: a file is described by one line here. */
const DOCUMENTS: Document[] = [
  {
    path: 'data/{dataset}.ndjson',
    id: 'get_dataset_ndjson',
    summary: 'All records of a dataset, one JSON object a line, in the fixed order',
    variable: 'Dataset id',
  },
  {
    path: 'data/{dataset}.csv',
    id: 'get_dataset_csv',
    summary: 'All records of a dataset as CSV',
    variable: 'Dataset id',
  },
  {
    path: 'data/{dataset}.parquet',
    id: 'get_dataset_parquet',
    summary: 'All records of a dataset as Parquet',
    variable: 'Dataset id',
  },
  { path: CATALOG, id: 'get_catalog_document', summary: 'The market catalog without the envelope' },
  {
    path: DATA_FILES,
    id: 'get_data_files',
    summary: 'Every packaged file with its size and sha256, and the freshness of every source',
  },
  { path: PACK_MANIFEST, id: 'get_packs', summary: 'The packs a query reads, with their indexes' },
  {
    path: DATAPACKAGE,
    id: 'get_datapackage',
    summary: 'All bulk files as a Frictionless data package',
  },
  { path: CROISSANT, id: 'get_croissant', summary: 'All bulk files as Croissant metadata' },
  { path: DCAT, id: 'get_dcat', summary: 'All bulk files as a DCAT catalog' },
  { path: BRI_ARTIFACT, id: 'get_bri_artifact', summary: 'The infrastructure-context artifact' },
  { path: NEWSWIRE_RECEIPT, id: 'get_newswire_receipt', summary: 'The newswire rights receipt' },
  { path: 'news/feed.json', id: 'get_feed_json', summary: 'The newsroom as JSON Feed 1.1' },
  { path: 'news/feed.xml', id: 'get_feed_rss', summary: 'The newsroom as RSS 2.0' },
  {
    path: 'news/{story}/brief.json',
    id: 'get_story_brief',
    summary: 'The machine brief of a story',
    variable: 'Story id',
  },
  {
    path: 'news/{story}/dossier.json',
    id: 'get_story_dossier',
    summary: 'The cited dossier of a story: every value with record, source hash and locator',
    variable: 'Story id',
  },
  {
    path: 'schemas/{schema}.schema.json',
    id: 'get_schema',
    summary: 'A JSON Schema 2020-12 of a payload, a body or a record',
    variable: 'Name of the schema',
  },
  { path: 'schemas/index.json', id: 'get_schema_list', summary: 'Every schema with its address and title' },
];

/** The path items of what stands in the tree; `siteUrl` is their server. */
export function documentPaths(published: Iterable<string>, server: JsonObject): JsonObject {
  const all = [...published].sort();
  return Object.fromEntries(
    DOCUMENTS.flatMap((document) => {
      const names = matching(document.path, all);
      return names.length === 0
        ? []
        : [[`/${document.path}`, { servers: [server], get: item(document, names) }]];
    }),
  );
}

function matching(path: string, published: string[]): string[] {
  const [before = '', after = ''] = path.split(/\{[a-z]+\}/);
  if (!path.includes('{')) return published.filter((candidate) => candidate === path);
  return published
    .filter((candidate) => candidate.startsWith(before) && candidate.endsWith(after))
    .map((candidate) => candidate.slice(before.length, -after.length))
    .filter((name) => name !== '' && !name.includes('/'));
}

function item({ path, id, summary, variable }: Document, names: string[]): JsonObject {
  const parameter = /\{([a-z]+)\}/.exec(path)?.[1];
  return {
    operationId: id,
    summary,
    description: `${summary}. Its sha256 stands beside it, at the same address with .sha256 behind.`,
    tags: ['Files'],
    ...(parameter && variable
      ? {
          parameters: [
            {
              name: parameter,
              in: 'path',
              required: true,
              description: `${variable}.`,
              schema: { type: 'string', enum: names },
              example: names[0] ?? '',
            },
          ],
        }
      : {}),
    responses: {
      200: {
        description: `${summary}.`,
        headers: headerRefs([ETAG, CACHE_CONTROL, CORS]),
        content: { [mediaTypeOf(path)]: contentOf(mediaTypeOf(path)) },
      },
      304: { $ref: '#/components/responses/NotModified' },
      404: { $ref: '#/components/responses/NotFound' },
    },
  };
}

function contentOf(mediaType: string): JsonObject {
  if (mediaType.endsWith('json')) return { schema: { type: 'object' } };
  return mediaType.startsWith('text/') || mediaType.endsWith('xml') || mediaType.endsWith('x-ndjson')
    ? { schema: { type: 'string' } }
    : {};
}
