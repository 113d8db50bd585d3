/** The market catalog: every dataset, source and indicator with its coverage, read from the records themselves. */
import type { JsonObject } from '../../../shim/core/types.ts';
import { absolute, CATALOG } from '../../../shim/core/paths.ts';
import { dataClock } from '../../lib/clock.ts';
import { byCodeUnits, type Indicator, type ObservationsDescriptor } from '../../lib/dataset.ts';
import type { Observation } from '../../lib/records.ts';
import { sourceFacts, type PackedData } from '../../pack/pack.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';

const LIMITATIONS = [
  'The catalog holds no values. Unavailable is null, never zero; a 0 is a zero the source printed.',
  'Reported quantities, estimates and unavailable cells are counted apart; units are as printed, never converted or summed.',
  'A seizure is an administrative observation, not an estimate of a market; nothing here supports a market total.',
  "Hashes of datasets identify the packaged bytes at path; hashes of sources identify the publisher's file.",
  'stale is judged against generatedAt, the latest retrieval of this release; compare staleAfter with your own clock.',
];

/** Renders data/catalog.json, the payload of `markets`. */
export function renderCatalog(
  descriptors: ObservationsDescriptor[],
  packed: PackedData,
  siteUrl: string,
): Artifact {
  const { generatedAt, unavailable } = packed.manifest;
  const listed = descriptors.filter(({ name }) =>
    packed.manifest.packs.some(({ id, kind }) => id === name && kind === 'observations'),
  );
  return jsonArtifact(CATALOG, {
    schema: 'svc.global-market-catalog.v1',
    status: unavailable.length > 0 ? 'partial' : 'available',
    generatedAt,
    unavailableDatasets: unavailable,
    limitations: LIMITATIONS,
    datasets: listed.map((descriptor) => datasetOf(descriptor, packed)),
    relatedResources: related(siteUrl),
  });
}

function datasetOf(descriptor: ObservationsDescriptor, packed: PackedData): JsonObject {
  const entry = packed.manifest.packs.find(({ id }) => id === descriptor.name);
  const observations = packed.observations.get(descriptor.name) ?? [];
  const used = new Set(observations.map(({ geoCode }) => geoCode));
  const names = descriptor.geographies
    .filter(({ code }) => used.has(code))
    .sort((a, b) => byCodeUnits(a.code, b.code));
  return {
    id: descriptor.name,
    title: descriptor.title,
    generatedAt: dataClock([{ descriptor }]),
    path: `/${entry?.path ?? ''}`,
    bytes: entry?.bytes ?? 0,
    sha256: entry?.sha256 ?? '',
    sources: descriptor.sources.map((source) => sourceFacts(source, packed.manifest.generatedAt)),
    geographyNames: Object.fromEntries(names.map(({ code, name }) => [code, name])),
    indicators: descriptor.indicators.map((indicator) =>
      indicatorOf(
        indicator,
        observations.filter(({ indicatorId }) => indicatorId === indicator.id),
      ),
    ),
    limitations: descriptor.limitations,
  };
}

function indicatorOf(
  { id, sourceId, market, label, measureType, description, limitations }: Indicator,
  observations: Observation[],
): JsonObject {
  const units = distinct(observations.map(({ unit }) => unit));
  return {
    id,
    sourceId,
    market,
    label,
    unit: units.length === 1 ? (units[0] ?? null) : null,
    units,
    measureType,
    description,
    limitations,
    coverage: coverageOf(observations),
    geographies: distinct(observations.map(({ geoCode }) => geoCode)),
    categories: distinct(observations.map(({ category }) => category)),
    subgroups: distinct(observations.map(({ subgroup }) => subgroup)),
  };
}

function coverageOf(observations: Observation[]): JsonObject {
  const status = (name: string): number =>
    observations.filter((observation) => observation.status === name).length;
  const numeric = observations.filter(({ value }) => value !== null);
  const all = distinct(observations.map(({ period }) => period));
  const known = distinct(numeric.map(({ period }) => period));
  return {
    observations: observations.length,
    numeric: numeric.length,
    reported: status('reported'),
    estimated: status('estimated'),
    unavailable: status('unavailable'),
    zeros: numeric.filter(({ value }) => value === 0).length,
    firstPeriod: all[0] ?? null,
    lastPeriod: all.at(-1) ?? null,
    firstNumericPeriod: known[0] ?? null,
    lastNumericPeriod: known.at(-1) ?? null,
  };
}

function distinct(values: string[]): string[] {
  return [...new Set(values)].sort(byCodeUnits);
}

function related(siteUrl: string): JsonObject[] {
  return [
    {
      name: 'market-observations',
      url: absolute(siteUrl, 'api/v1/market-observations'),
      description: 'The observations, filtered and paged.',
    },
    {
      name: 'atlas',
      url: absolute(siteUrl, 'api/v1/atlas'),
      description: 'Country-year records of organized crime and firearms tracing.',
    },
    {
      name: 'entities',
      url: absolute(siteUrl, 'api/v1/entities'),
      description: 'Public designations, official fields only; never joined to observations.',
    },
  ];
}
