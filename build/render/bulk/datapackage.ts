/**
 * data/datapackage.json: the release as a Frictionless Data Package (v2, datapackage.org), a resource per file. Paths are
 * relative to data/, so the document also serves a mirror or a downloaded folder.
 */
import { absolute, DATAPACKAGE } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import type { DatasetDocument, DatasetSource } from '../../../shim/core/records.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';
import { licenseOf } from '../../lib/package.ts';
import type { Field } from '../../../shim/core/fields.ts';
import { distinct } from '../../lib/dataset.ts';
import { COLLECTION, plainMediaType } from './release.ts';
import type { BulkDataset, BulkFile, BulkRelease } from './release.ts';
import { LIST_SEPARATOR } from '../../../shim/core/csv.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

const PROFILES = 'https://datapackage.org/profiles/2.0';

/** Renders the package. */
export function renderDatapackage(release: BulkRelease): Artifact {
  const { siteUrl, generatedAt, datasets } = release;
  return jsonArtifact(DATAPACKAGE, {
    $schema: `${PROFILES}/datapackage.json`,
    name: COLLECTION.name,
    id: absolute(siteUrl, DATAPACKAGE),
    title: COLLECTION.title,
    description: COLLECTION.description,
    homepage: absolute(siteUrl, ''),
    version: generatedAt.slice(0, 10),
    created: generatedAt,
    keywords: release.keywords,
    licenses: release.licences.map(({ text, url }) => licenseOf(text, url)),
    sources: distinct(
      datasets.flatMap(({ document }) => document.sources),
      ({ name }) => name,
    ).map(sourceOf),
    resources: datasets.flatMap((dataset) => dataset.files.map((file) => resource(dataset, file))),
  });
}

function resource({ document, description, licences, key }: BulkDataset, file: BulkFile): JsonObject {
  const { path, name, form, indicator, rows, bytes, sha256 } = file;
  // Nested records have no flat schema; CSV and Parquet of the same dataset have one.
  const flat = form !== 'ndjson' || document.kind === 'observations';
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name,
    ...(flat ? { type: 'table' } : {}),
    path: path.slice('data/'.length),
    title: indicator === null ? document.title : `${document.title}: ${indicator}`,
    ...(indicator === null ? { description } : {}),
    format: form,
    mediatype: plainMediaType(file),
    ...(form === 'parquet' || form === 'xlsx' ? {} : { encoding: 'utf-8' }),
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    ...(form === 'csv' ? { dialect: vocabulary.csvDialect } : {}),
    ...(form === 'xlsx' ? { dialect: vocabulary.sheet } : {}),
    ...(flat ? { schema: tableSchema(key, file) } : {}),
    licenses: licences.map(({ text, url }) => licenseOf(text, url)),
    sources: sourcesOf(document, indicator).map((source) => ({
      ...sourceOf(source),
      sha256: source.sha256,
      bytes: source.bytes,
    })),
  };
}

function sourceOf({ name, downloadUrl, publisher, dated, rights }: DatasetSource): JsonObject {
  return { title: name, path: downloadUrl, publisher, version: dated, rights };
}

/** The sources of the records in a file: that of the indicator, and those that no indicator names, which are further tables of all. */
function sourcesOf({ sources, indicators }: DatasetDocument, indicator: string | null): DatasetSource[] {
  if (indicator === null) return sources;
  const others = indicators.filter(({ id }) => id !== indicator).map(({ sourceId }) => sourceId);
  const own = indicators.find(({ id }) => id === indicator)?.sourceId;
  return sources.filter(({ id }) => id === own || !others.includes(id));
}

function tableSchema(key: string[], { columns, form }: BulkFile): JsonObject {
  return {
    $schema: `${PROFILES}/tableschema.json`,
    fields: columns.map((column) => field(column, form)),
    missingValues: [''],
    primaryKey: key,
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
    ...(type === 'list' && (form === 'csv' || form === 'xlsx')
      ? { delimiter: LIST_SEPARATOR, itemType: 'string' }
      : {}),
    ...(nullable || type === 'list' ? {} : { missingValues: [] }),
    ...(Object.keys(constraints).length > 0 ? { constraints } : {}),
  };
}
