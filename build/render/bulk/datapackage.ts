/**
 * data/datapackage.json: the release as a Frictionless Data Package (v2, datapackage.org), a resource per file. Paths are
 * relative to data/, so the document also serves a mirror or a downloaded folder.
 */
import { absolute, DATAPACKAGE } from '../../../shim/core/paths.ts';
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import type { DatasetDocument, DatasetSource } from '../../lib/records.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';
import type { BulkFile } from './bulk.ts';
import type { Field } from '../../lib/fields.ts';
import { LIST_SEPARATOR } from './csv.ts';
import {
  COLLECTION,
  distinct,
  fileName,
  keyOf,
  keywordsOf,
  licencesOf,
  type BulkRelease,
  type Licence,
} from './release.ts';

const PROFILES = 'https://datapackage.org/profiles/2.0';

/** Renders the package. */
export function renderDatapackage({ siteUrl, generatedAt, datasets }: BulkRelease): Artifact {
  const documents = datasets.map(({ document }) => document);
  return jsonArtifact(DATAPACKAGE, {
    $schema: `${PROFILES}/datapackage.json`,
    name: COLLECTION.name,
    id: absolute(siteUrl, DATAPACKAGE),
    title: COLLECTION.title,
    description: COLLECTION.description,
    homepage: absolute(siteUrl, ''),
    version: generatedAt.slice(0, 10),
    created: generatedAt,
    keywords: distinct(documents.flatMap(keywordsOf), (word) => word),
    licenses: distinct(documents.flatMap(licencesOf), ({ text }) => text).map(licence),
    sources: distinct(
      documents.flatMap(({ sources }) => sources),
      ({ name }) => name,
    ).map(({ name, downloadUrl, publisher, dated }) => ({
      title: name,
      path: downloadUrl,
      publisher,
      version: dated,
    })),
    resources: datasets.flatMap(({ document, files }) => files.map((file) => resource(document, file))),
  });
}

function resource(document: DatasetDocument, file: BulkFile): JsonObject {
  const { path, form, indicator, rows, bytes, sha256 } = file;
  // Nested records have no flat schema; CSV and Parquet of the same dataset have one.
  const flat = form !== 'ndjson' || document.kind === 'observations';
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name: fileName(document.id, file),
    ...(flat ? { type: 'table' } : {}),
    path: path.slice('data/'.length),
    title: indicator === null ? document.title : `${document.title}: ${indicator}`,
    ...(indicator === null ? { description: document.description } : {}),
    format: form,
    mediatype: mediaTypeOf(path).split(';')[0] ?? '',
    ...(form === 'parquet' ? {} : { encoding: 'utf-8' }),
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    ...(form === 'csv' ? { dialect: DIALECT } : {}),
    ...(flat ? { schema: tableSchema(document, file) } : {}),
    licenses: licencesOf(document).map(licence),
    sources: sourcesOf(document, indicator).map((source) => ({
      title: source.name,
      path: source.downloadUrl,
      publisher: source.publisher,
      version: source.dated,
      sha256: source.sha256,
      bytes: source.bytes,
    })),
  };
}

/** The sources of the records in a file: one indicator has one source. */
function sourcesOf({ sources, indicators }: DatasetDocument, indicator: string | null): DatasetSource[] {
  if (indicator === null) return sources;
  const used = indicators.find(({ id }) => id === indicator)?.sourceId;
  return sources.filter(({ id }) => id === used);
}

const DIALECT = {
  $schema: `${PROFILES}/tabledialect.json`,
  header: true,
  delimiter: ',',
  lineTerminator: '\r\n',
  quoteChar: '"',
  doubleQuote: true,
};

function tableSchema(document: DatasetDocument, { columns, form }: BulkFile): JsonObject {
  return {
    $schema: `${PROFILES}/tableschema.json`,
    fields: columns.map((column) => field(column, form)),
    missingValues: [''],
    primaryKey: [...keyOf(document)],
  };
}

/** An empty cell is missing in a nullable column only: an empty category is a text, not a gap. */
function field(
  { name, type, description, nullable, blank, values }: Field,
  form: BulkFile['form'],
): JsonObject {
  const constraints = {
    ...(nullable || blank ? {} : { required: true }),
    ...(values === null ? {} : { enum: [...values] }),
  };
  return {
    name,
    type,
    description,
    ...(type === 'list' && form === 'csv' ? { delimiter: LIST_SEPARATOR, itemType: 'string' } : {}),
    ...(nullable || type === 'list' ? {} : { missingValues: [] }),
    ...(Object.keys(constraints).length > 0 ? { constraints } : {}),
  };
}

/** Open Definition has ids for open licences only; publishers' own terms are said in `title`. */
function licence({ text, url }: Licence): JsonObject {
  return {
    name: text.startsWith('CC BY 4.0') ? 'CC-BY-4.0' : 'other-source-terms',
    title: text,
    ...(url === null ? {} : { path: url }),
  };
}
