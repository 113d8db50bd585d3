/**
 * data/croissant.json: the release in the ML Commons Croissant 1.0 vocabulary. A record set per dataset reads its CSV by
 * column; Parquet and NDJSON of the same records are listed as further files.
 */
import { formsOf } from '../../../shim/core/cite.ts';
import { absolute, CROISSANT } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import type { Field, FieldType } from '../../../shim/core/fields.ts';
import context from './croissant-context.json' with { type: 'json' };
import { LIST_SEPARATOR } from '../../../shim/core/csv.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };
import { COLLECTION, plainMediaType, type BulkDataset, type BulkFile, type BulkRelease } from './release.ts';

const DATA_TYPES: Record<FieldType, string> = vocabulary.croissantTypes;

/** Renders the document. */
export function renderCroissant(release: BulkRelease): Artifact {
  const { siteUrl, datasets } = release;
  const date = release.generatedAt.slice(0, 10);
  return prettyJsonArtifact(CROISSANT, {
    '@context': context,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name: COLLECTION.name,
    alternateName: COLLECTION.title,
    description: COLLECTION.description,
    url: absolute(siteUrl, ''),
    // The format demands this form of a version; the data clock tells two releases apart.
    version: date.split('-').map(Number).join('.'),
    citeAs: citeRelease(release),
    license: release.licences.map(({ text, url }) =>
      url === null ? { '@type': 'sc:CreativeWork', name: text } : url,
    ),
    creator: release.publishers.map((name) => ({ '@type': 'sc:Organization', name })),
    datePublished: date,
    dateModified: date,
    inLanguage: 'en',
    isLiveDataset: false,
    keywords: release.keywords,
    distribution: datasets.flatMap(({ files, rights }) =>
      files
        .filter(({ indicator }) => indicator === null)
        .map((file) => ({
          ...fileObject(siteUrl, file),
          usageInfo: rights.map((text) => ({ '@type': 'sc:CreativeWork', text })),
        })),
    ),
    recordSet: datasets.map(recordSet),
  });
}

/** The release as BibTeX; the page of each dataset says how to cite the dataset. */
function citeRelease({ siteUrl, generatedAt, publishers }: BulkRelease): string {
  const date = generatedAt.slice(0, 10);
  const note = `Published by ${COLLECTION.publisher}, data as of ${date}. Each source's own licence governs its data`;
  return formsOf({
    id: `${COLLECTION.name}-${date}`,
    type: 'dataset',
    author: publishers.join('; '),
    title: COLLECTION.title,
    issued: date,
    accessed: date,
    url: absolute(siteUrl, ''),
    note,
    text: note,
  }).bibtex;
}

function fileObject(siteUrl: string, file: BulkFile): JsonObject {
  const { path, name, bytes, sha256 } = file;
  return {
    '@type': 'cr:FileObject',
    '@id': name,
    name,
    contentUrl: absolute(siteUrl, path),
    contentSize: `${bytes} B`,
    encodingFormat: plainMediaType(file),
    sha256,
  };
}

function recordSet({ document, description, files, key }: BulkDataset): JsonObject {
  const { id, title, edition } = document;
  const csv = files.find(({ form }) => form === 'csv');
  if (!csv) throw new Error(`dataset ${id} has no CSV`);
  return {
    '@type': 'cr:RecordSet',
    '@id': id,
    name: id,
    description: `${title}, edition ${edition}. ${description}`,
    key: key.map((name) => ({ '@id': `${id}/${name}` })),
    field: csv.columns.map((column) => field(id, csv.name, column)),
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
