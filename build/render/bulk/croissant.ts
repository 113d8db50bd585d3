/**
 * data/croissant.json: the release in the ML Commons Croissant 1.0 vocabulary. A record set per dataset reads its CSV by
 * column; Parquet and NDJSON of the same records are listed as further files.
 */
import { absolute, CROISSANT } from '../../../shim/core/paths.ts';
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import type { BulkFile } from './bulk.ts';
import type { Field, FieldType } from '../../lib/fields.ts';
import { LIST_SEPARATOR } from './csv.ts';
import {
  COLLECTION,
  distinct,
  fileName,
  keyOf,
  keywordsOf,
  licencesOf,
  publishersOf,
  type BulkDataset,
  type BulkRelease,
} from './release.ts';

/** The context of Croissant 1.0 (https://docs.mlcommons.org/croissant/docs/croissant-spec.html, appendix 1). */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  fileProperty: 'cr:fileProperty',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  rai: 'http://mlcommons.org/croissant/RAI/',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
};

const DATA_TYPES: Record<FieldType, string> = {
  string: 'sc:Text',
  number: 'sc:Float',
  integer: 'sc:Integer',
  boolean: 'sc:Boolean',
  list: 'sc:Text',
};

/** Renders the document. */
export function renderCroissant({ siteUrl, generatedAt, datasets }: BulkRelease): Artifact {
  const documents = datasets.map(({ document }) => document);
  return prettyJsonArtifact(CROISSANT, {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name: COLLECTION.name,
    alternateName: COLLECTION.title,
    description: COLLECTION.description,
    url: absolute(siteUrl, ''),
    license: distinct(documents.flatMap(licencesOf), ({ text }) => text).map(({ text, url }) =>
      url === null ? { '@type': 'sc:CreativeWork', name: text } : url,
    ),
    creator: distinct(documents.flatMap(publishersOf), (name) => name).map((name) => ({
      '@type': 'sc:Organization',
      name,
    })),
    datePublished: generatedAt.slice(0, 10),
    dateModified: generatedAt.slice(0, 10),
    inLanguage: 'en',
    isLiveDataset: false,
    keywords: distinct(documents.flatMap(keywordsOf), (word) => word),
    distribution: datasets.flatMap(({ document, files }) =>
      files
        .filter(({ indicator }) => indicator === null)
        .map((file) => fileObject(siteUrl, fileName(document.id, file), file)),
    ),
    recordSet: datasets.map(recordSet),
  });
}

function fileObject(siteUrl: string, name: string, { path, bytes, sha256 }: BulkFile): JsonObject {
  return {
    '@type': 'cr:FileObject',
    '@id': name,
    name,
    contentUrl: absolute(siteUrl, path),
    contentSize: `${bytes} B`,
    encodingFormat: mediaTypeOf(path).split(';')[0] ?? '',
    sha256,
  };
}

function recordSet({ document, files }: BulkDataset): JsonObject {
  const { id, title, description } = document;
  const csv = files.find(({ form }) => form === 'csv');
  if (!csv) throw new Error(`dataset ${id} has no CSV`);
  return {
    '@type': 'cr:RecordSet',
    '@id': id,
    name: id,
    description: `${title}. ${description}`,
    key: keyOf(document).map((name) => ({ '@id': `${id}/${name}` })),
    field: csv.columns.map((column) => field(id, fileName(id, csv), column)),
  };
}

function field(dataset: string, file: string, { name, type, description }: Field): JsonObject {
  return {
    '@type': 'cr:Field',
    '@id': `${dataset}/${name}`,
    name,
    description,
    dataType: DATA_TYPES[type],
    ...(type === 'list' ? { repeated: true } : {}),
    source: {
      fileObject: { '@id': file },
      extract: { column: name },
      ...(type === 'list' ? { transform: { separator: LIST_SEPARATOR } } : {}),
    },
  };
}
