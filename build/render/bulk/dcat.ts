/**
 * data/dcat.jsonld: the release as a DCAT-AP 3 catalogue in JSON-LD: a dataset per packaged dataset, a distribution per
 * file, a data service for the API. It states what the descriptors and the records hold and nothing else, so it names no
 * update frequency; the contact point is the page that says how to report a problem. Every node that the profile gives a range
 * is typed in the graph.
 */
import { absolute, API_ROOT, DCAT, OPENAPI } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import context from './dcat-context.json' with { type: 'json' };
import vocabulary from './vocabulary.json' with { type: 'json' };
import { distinct } from '../../lib/dataset.ts';
import { COLLECTION, plainMediaType } from './release.ts';
import type { BulkDataset, BulkFile, BulkRelease } from './release.ts';

/** EU authority tables, which DCAT-AP requires where they have the value. */
const AUTHORITY = 'http://publications.europa.eu/resource/authority';

const ENGLISH = `${AUTHORITY}/language/ENG`;
const THEMES: Record<string, string> = vocabulary.themes;
const THEME = `${AUTHORITY}/data-theme`;
const SHA256 = 'http://spdx.org/rdf/terms#checksumAlgorithm_sha256';
const IANA = 'https://www.iana.org/assignments/media-types';

/** NDJSON has no entry in either table: it gets a format of our own and no media type. */
const FORMATS: Record<BulkFile['form'], string | null> = {
  csv: `${AUTHORITY}/file-type/CSV`,
  parquet: `${AUTHORITY}/file-type/PARQUET`,
  xlsx: `${AUTHORITY}/file-type/XLSX`,
  ndjson: null,
};

/** Renders the catalogue. */
export function renderDcat(release: BulkRelease): Artifact {
  const at = absolute(release.siteUrl, DCAT);
  return prettyJsonArtifact(DCAT, {
    '@context': context,
    '@graph': [
      ...catalogue(release, at),
      ...release.datasets.map((dataset) => datasetNode(dataset, release.siteUrl, at)),
      ...release.datasets.map((dataset) => licenceNode(dataset, at)),
      ...typedNodes(release, at),
    ],
  });
}

function catalogue({ siteUrl, generatedAt, datasets }: BulkRelease, at: string): JsonObject[] {
  const ids = datasets.map(({ document }) => `${at}#${document.id}`);
  return [
    {
      '@id': `${at}#catalogue`,
      '@type': 'Catalog',
      title: COLLECTION.title,
      description: COLLECTION.description,
      publisher: `${at}#publisher`,
      contactPoint: `${at}#contact`,
      themeTaxonomy: THEME,
      homepage: absolute(siteUrl, ''),
      language: ENGLISH,
      modified: moment(generatedAt),
      dataset: ids,
      service: `${at}#api`,
    },
    { '@id': `${at}#publisher`, '@type': 'Agent', name: COLLECTION.publisher },
    {
      '@id': `${at}#contact`,
      '@type': 'Kind',
      fn: `${COLLECTION.publisher}: report a problem`,
      hasURL: absolute(siteUrl, 'docs/#contact'),
    },
    {
      '@id': `${at}#api`,
      '@type': 'DataService',
      title: `${COLLECTION.publisher}, version 1`,
      endpointURL: absolute(siteUrl, `${API_ROOT}/capabilities`),
      endpointDescription: absolute(siteUrl, OPENAPI),
      servesDataset: ids,
    },
  ];
}

function datasetNode(dataset: BulkDataset, siteUrl: string, at: string): JsonObject {
  const { document, description, files } = dataset;
  const { id, title, sources, geographies, firstPeriod, lastPeriod } = document;
  const retrieved = sources.map(({ retrievedAt }) => retrievedAt).sort();
  return {
    '@id': `${at}#${id}`,
    '@type': 'Dataset',
    identifier: id,
    title,
    description: [description, ...document.limitations].join(' '),
    keyword: dataset.keywords,
    theme: themeOf(dataset),
    contactPoint: `${at}#contact`,
    publisher: `${at}#publisher`,
    creator: dataset.publishers.map((publisher) => ({ '@type': 'Agent', name: publisher })),
    language: ENGLISH,
    modified: moment(retrieved.at(-1) ?? ''),
    page: distinct(sources.map(({ url }) => url)),
    provenance: sources.map(({ name, publisher, dated, retrievedAt: day, downloadUrl, sha256 }) => ({
      '@type': 'ProvenanceStatement',
      label: `Read from ${name} (${publisher}), dated ${dated}, retrieved ${day}, ${downloadUrl}, sha256 ${sha256}.`,
    })),
    ...(firstPeriod === null || lastPeriod === null
      ? {}
      : {
          spatial: geographies.map(({ code }) => place(code, at)),
          temporal: {
            '@type': 'PeriodOfTime',
            startDate: moment(firstPeriod),
            endDate: moment(lastPeriod),
          },
        }),
    distribution: files.map((file) => distribution(dataset, file, siteUrl, at)),
  };
}

function distribution(
  { document, rights }: BulkDataset,
  file: BulkFile,
  siteUrl: string,
  at: string,
): JsonObject {
  const format = FORMATS[file.form];
  const url = absolute(siteUrl, file.path);
  return {
    '@id': `${at}#${file.name}`,
    '@type': 'Distribution',
    title: file.name,
    accessURL: url,
    downloadURL: url,
    format: format ?? `${at}#ndjson`,
    ...(format === null ? {} : { mediaType: ianaType(file) }),
    license: licenceId(document.id, at),
    rights: rights.map((label) => ({ '@type': 'RightsStatement', label })),
    language: ENGLISH,
    byteSize: String(file.bytes),
    checksum: { '@type': 'Checksum', algorithm: SHA256, checksumValue: file.sha256 },
  };
}

/** One document per dataset: a distribution may name one licence only, and sources may have several. */
function licenceNode({ document, licences }: BulkDataset, at: string): JsonObject {
  const urls = licences.flatMap(({ url }) => (url === null ? [] : [url]));
  return {
    '@id': licenceId(document.id, at),
    '@type': 'LicenseDocument',
    title: licences.map(({ text }) => text).join('; '),
    ...(urls.length === 0 ? {} : { 'rdfs:seeAlso': urls.map((url) => ({ '@id': url })) }),
  };
}

function typedNodes({ siteUrl, datasets }: BulkRelease, at: string): JsonObject[] {
  const files = datasets.flatMap((dataset) => dataset.files).filter(({ form }) => FORMATS[form] !== null);
  const formats = files.map(({ form }) => FORMATS[form] ?? '');
  const typed = (type: string, ids: string[]): JsonObject[] =>
    distinct(ids).map((id) => ({ '@id': id, '@type': type }));
  const places = distinct(
    datasets.flatMap(({ document }) => document.geographies),
    ({ code }) => code,
  );
  return [
    { '@id': `${at}#ndjson`, '@type': 'MediaTypeOrExtent', label: 'NDJSON' },
    ...typed('MediaTypeOrExtent', formats),
    ...typed('MediaType', files.map(ianaType)),
    ...typed('LinguisticSystem', [ENGLISH]),
    ...typed('Concept', datasets.map(themeOf)),
    ...typed('ConceptScheme', [THEME]),
    ...typed('ChecksumAlgorithm', [SHA256]),
    ...typed('Document', [
      absolute(siteUrl, ''),
      ...datasets.flatMap(({ document }) => document.sources.map(({ url }) => url)),
    ]),
    ...places.map(({ code, name }) => ({ '@id': place(code, at), '@type': 'Location', label: name })),
  ];
}

/** The EU country table is keyed by ISO alpha-3; a place without such a code is named here. */
function place(code: string, at: string): string {
  return code.startsWith('x-') ? `${at}#${code}` : `country:${code}`;
}

/** The EU theme of a dataset: justice and public safety unless its keyword says otherwise. */
function themeOf({ keywords }: BulkDataset): string {
  const [found = vocabulary.themes.default] = keywords.flatMap((keyword) => THEMES[keyword] ?? []);
  return `${THEME}/${found}`;
}

function licenceId(dataset: string, at: string): string {
  return `${at}#${dataset}.licence`;
}

function ianaType(file: BulkFile): string {
  return `${IANA}/${plainMediaType(file)}`;
}

/** A date as precise as it is known. */
function moment(date: string): JsonObject {
  const type = { 4: 'gYear', 7: 'gYearMonth', 10: 'date' }[date.length] ?? 'dateTime';
  return { '@value': date, '@type': `xsd:${type}` };
}
