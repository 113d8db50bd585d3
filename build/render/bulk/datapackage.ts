/**
 * data/datapackage.json: the release as a Frictionless Data Package (v2, datapackage.org), a resource per file. Paths are
 * relative to data/, so the document also serves a mirror or a downloaded folder.
 */
import { absolute, DATAPACKAGE } from '../../../shim/core/paths.ts';
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import type { Descriptor, Source } from '../../lib/dataset.ts';
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
  const descriptors = datasets.map(({ descriptor }) => descriptor);
  return jsonArtifact(DATAPACKAGE, {
    $schema: `${PROFILES}/datapackage.json`,
    name: COLLECTION.name,
    id: absolute(siteUrl, DATAPACKAGE),
    title: COLLECTION.title,
    description: COLLECTION.description,
    homepage: absolute(siteUrl, ''),
    version: generatedAt.slice(0, 10),
    created: generatedAt,
    keywords: distinct(descriptors.flatMap(keywordsOf), (word) => word),
    licenses: distinct(descriptors.flatMap(licencesOf), ({ text }) => text).map(licence),
    sources: distinct(
      descriptors.flatMap(({ sources }) => sources),
      ({ title }) => title,
    ).map(({ title, path, publisher, dated }) => ({ title, path, publisher, version: dated })),
    resources: datasets.flatMap(({ descriptor, files }) => files.map((file) => resource(descriptor, file))),
  });
}

function resource(descriptor: Descriptor, file: BulkFile): JsonObject {
  const { path, form, indicator, rows, bytes, sha256 } = file;
  // Nested records have no flat schema; CSV and Parquet of the same dataset have one.
  const flat = form !== 'ndjson' || descriptor.kind === 'observations';
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name: fileName(descriptor.name, file),
    ...(flat ? { type: 'table' } : {}),
    path: path.slice('data/'.length),
    title: indicator === null ? descriptor.title : `${descriptor.title}: ${indicator}`,
    ...(indicator === null ? { description: descriptor.description } : {}),
    format: form,
    mediatype: mediaTypeOf(path).split(';')[0] ?? '',
    ...(form === 'parquet' ? {} : { encoding: 'utf-8' }),
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    ...(form === 'csv' ? { dialect: DIALECT } : {}),
    ...(flat ? { schema: tableSchema(descriptor, file) } : {}),
    licenses: licencesOf(descriptor).map(licence),
    sources: sourcesOf(descriptor, indicator).map((source) => ({
      title: source.title,
      path: source.path,
      publisher: source.publisher,
      version: source.dated,
      sha256: source.sha256,
      bytes: source.bytes,
    })),
  };
}

/** The sources of the records in a file: one indicator has one source. */
function sourcesOf(descriptor: Descriptor, indicator: string | null): Source[] {
  if (indicator === null || descriptor.kind !== 'observations') return descriptor.sources;
  const used = descriptor.indicators.find(({ id }) => id === indicator)?.sourceId;
  return descriptor.sources.filter(({ id }) => id === used);
}

const DIALECT = {
  $schema: `${PROFILES}/tabledialect.json`,
  header: true,
  delimiter: ',',
  lineTerminator: '\r\n',
  quoteChar: '"',
  doubleQuote: true,
};

function tableSchema(descriptor: Descriptor, { columns, form }: BulkFile): JsonObject {
  return {
    $schema: `${PROFILES}/tableschema.json`,
    fields: columns.map((column) => field(column, form)),
    missingValues: [''],
    primaryKey: [...keyOf(descriptor)],
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
