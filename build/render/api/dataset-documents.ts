/**
 * data/datasets/<id>.json: what a dataset is, what its records cover, where they come from and in which files they are
 * published. Each document is made once; the catalog, the bulk metadata, the corridors and files.json read these objects.
 */
import { dataClock } from '../../lib/clock.ts';
import { type Dataset, type Geography, type Indicator, byCodeUnits, pick } from '../../lib/dataset.ts';
import type { DatasetDocument, DatasetIndicator, Observation } from '../../../shim/core/records.ts';
import { type Artifact, jsonArtifact } from '../../lib/tree.ts';
import { type PackedData, sourceFacts } from '../../pack/pack.ts';
import { geographyOf } from '../../reference/geography.ts';
import { mediaTypeOf } from '../../../shim/core/headers.ts';
import { datasetDocumentPath } from '../../../shim/core/paths.ts';

/** The documents of packed datasets by the id of their pack, in order; `files` are the published forms of each, NDJSON first. */
export function datasetDocuments(
  datasets: readonly Dataset[],
  { manifest, packs, observations }: PackedData,
  files: ReadonlyMap<string, readonly Omit<DatasetDocument['files'][number], 'mediaType'>[]>,
): Map<string, DatasetDocument> {
  const documents = new Map<string, DatasetDocument>();
  for (const [position, { entry }] of packs.entries()) {
    const dataset = datasets[position];
    if (!dataset) continue;
    const { descriptor } = dataset;
    const records = observations.get(entry.id) ?? [];
    const forms = [...(files.get(entry.id) ?? []), entry.index];
    documents.set(entry.id, {
      schema: 'svc.dataset.v1',
      id: descriptor.name,
      ...pick(descriptor, 'title', 'description'),
      kind: dataset.kind,
      edition: entry.edition,
      generatedAt: dataClock([dataset]),
      ...ownFacts(dataset),
      sources: descriptor.sources.map((source) => sourceFacts(source, manifest.generatedAt)),
      records: entry.rows,
      ...coverageOf(dataset, records),
      indicators:
        dataset.kind === 'observations'
          ? dataset.descriptor.indicators.map((indicator) => indicatorFacts(indicator, records))
          : [],
      fields: dataset.kind === 'atlas' ? dataset.descriptor.fields : [],
      limitations: descriptor.limitations,
      files: forms.map(({ path, bytes, sha256 }) => {
        return { path, mediaType: mediaTypeOf(path), bytes, sha256 };
      }),
    });
  }
  return documents;
}

/** The documents of the current editions. */
export function currentDocuments(documents: ReadonlyMap<string, DatasetDocument>): DatasetDocument[] {
  return [...documents].flatMap(([pack, document]) => (pack.includes('@') ? [] : document));
}

/** A document as it is published. */
export function datasetArtifact([pack, document]: readonly [
  pack: string,
  document: DatasetDocument,
]): Artifact {
  return jsonArtifact(datasetDocumentPath(pack), document);
}

/** What only one kind of dataset has. */
function ownFacts(dataset: Dataset): Partial<DatasetDocument> {
  if (dataset.kind === 'observations') return {};
  if (dataset.kind === 'entities') {
    const { listDate, withheldAfterWithdrawal, withheldInDoubt, programs } = dataset.descriptor;
    return { listDate, withheldAfterWithdrawal, withheldInDoubt, programs };
  }
  const { domain, unit, rights, caveats } = dataset.descriptor;
  return { domain, unit, rights, caveats };
}

/** The places and periods the records speak of, read from the records. */
function coverageOf(
  dataset: Dataset,
  records: readonly Observation[],
): Pick<DatasetDocument, 'firstPeriod' | 'lastPeriod' | 'geographies'> {
  const places = new Map<string, Geography>();
  const periods = new Set<string>();
  for (const { geoCode, geoName, geoLevel, period } of records) {
    places.set(geoCode, { code: geoCode, name: geoName, level: geoLevel });
    periods.add(period);
  }
  if (dataset.kind === 'atlas')
    for (const { iso3, country, year } of dataset.rows) {
      places.set(iso3, { code: iso3, name: country, level: geographyOf(country)?.level ?? 'country' });
      periods.add(String(year));
    }
  const sorted = [...periods].sort(byCodeUnits);
  return {
    firstPeriod: sorted[0] ?? null,
    lastPeriod: sorted.at(-1) ?? null,
    geographies: [...places.values()].sort((a, b) => byCodeUnits(a.code, b.code)),
  };
}

function indicatorFacts(indicator: Indicator, records: readonly Observation[]): DatasetIndicator {
  const own = records.filter(({ indicatorId }) => indicatorId === indicator.id);
  const units = distinct(own.map(({ unit }) => unit));
  const numeric = own.filter(({ value }) => value !== null);
  const periods = distinct(own.map(({ period }) => period));
  const known = distinct(numeric.map(({ period }) => period));
  return {
    ...pick(indicator, 'id', 'sourceId', 'market', 'label'),
    unit: units.length === 1 ? (units[0] ?? null) : null,
    units,
    ...pick(indicator, 'measureType', 'description', 'limitations'),
    coverage: {
      observations: own.length,
      numeric: numeric.length,
      ...countsOf(own),
      firstPeriod: periods[0] ?? null,
      lastPeriod: periods.at(-1) ?? null,
      firstNumericPeriod: known[0] ?? null,
      lastNumericPeriod: known.at(-1) ?? null,
    },
    geographies: distinct(own.map(({ geoCode }) => geoCode)),
    categories: distinct(own.map(({ category }) => category)),
    subgroups: distinct(own.map(({ subgroup }) => subgroup)),
  };
}

/** How many records have each status, and how many are a zero the source printed. */
export function countsOf(records: readonly Observation[]): Record<Observation['status'] | 'zeros', number> {
  const counted = (status: Observation['status']): number =>
    records.filter((record) => record.status === status).length;
  return {
    reported: counted('reported'),
    estimated: counted('estimated'),
    unavailable: counted('unavailable'),
    zeros: records.filter(({ value }) => value === 0).length,
  };
}

function distinct(values: string[]): string[] {
  return [...new Set(values)].sort(byCodeUnits);
}
