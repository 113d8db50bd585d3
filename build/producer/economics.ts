/**
 * The economic part of a reference release, from the packaged national series: every year between the first and the last
 * that any of the three countries has in a series is a row; a year without a published value is `unavailable` with reason
 * `not_in_source`. Nothing is forecast, filled, converted or summed.
 */
import { collectionId, COUNTRIES, economicCoverage, economicCsv, type EconomicRow } from './coverage.ts';
import { DATA, type EconomicObservations, type EconomicRegistry } from './contract.ts';
import { jsonBytes, sha256Hex } from './hash.ts';
import {
  byCodeUnits,
  type ObservationRow,
  type ObservationsDescriptor,
  type Source,
} from '../lib/dataset.ts';
import { ECONOMIC_SOURCE } from './register.ts';
import { Refusal, shown } from '../import/refusal.ts';

/** The packaged national series: its descriptor, and the rows the release draws on. */
export interface NationalSeries {
  descriptor: Pick<ObservationsDescriptor, 'name' | 'sources' | 'indicators'>;
  rows: Pick<ObservationRow, 'indicatorId' | 'geoCode' | 'period' | 'value' | 'unit' | 'sourceLocator'>[];
}

type Series = EconomicRegistry['series'][number];

const WINDOW_RULE =
  'A series has a row for each of the three countries and each year from the first to the last year in which any of the three has a published value. A year without a published value is unavailable (not_in_source), never zero.';

/** The three economic files of a release, and the day their series were retrieved. */
export function economicFiles(national: NationalSeries): {
  files: [path: string, bytes: Uint8Array][];
  retrieved: string;
} {
  const ids = national.descriptor.indicators.map(({ id }) => id).sort(byCodeUnits);
  const made = ids.map((id) => seriesOf(national, id));
  const registry: EconomicRegistry = {
    schemaVersion: 'producerp.bri-economic-registry.v1',
    windowRule: WINDOW_RULE,
    series: made.map(({ series }) => series),
  };
  const rows = made.flatMap((one) => one.rows);
  const observations = economicCsv(rows);
  const registryBytes = jsonBytes(registry);
  const retrieved = latest(national.descriptor.sources);
  const hashPointers = {
    observationsSha256: sha256Hex(observations),
    registrySha256: sha256Hex(registryBytes),
    rawResponseSha256s: [...new Set(registry.series.map(({ rawSha256 }) => rawSha256))].sort(byCodeUnits),
  };
  const economics: EconomicObservations = {
    schemaVersion: 'producerp.bri-economic-observations.v1',
    generatedAt: `${retrieved}T00:00:00Z`,
    collectionId: collectionId(hashPointers),
    ...TERMS,
    clocks: {
      generatedAt: `${retrieved}T00:00:00Z`,
      datasetLastUpdated: retrieved,
      // The copies print no date of their own: the day of retrieval is the latest their release can be.
      sourceReleaseUpperBound: `${retrieved}T23:59:59Z`,
      retrievedAt: `${retrieved}T00:00:00Z`,
    },
    hashPointers,
    contextPolicy: CONTEXT_POLICY,
    files: { observations: DATA.observations, registry: DATA.registry },
    coverage: economicCoverage(rows, registry),
  };
  const files: [string, Uint8Array][] = [
    [DATA.economics, jsonBytes(economics)],
    [DATA.observations, observations],
    [DATA.registry, registryBytes],
  ];
  return { files, retrieved };
}

function seriesOf({ descriptor, rows }: NationalSeries, id: string): { series: Series; rows: EconomicRow[] } {
  const place = `series ${id}`;
  const own = rows.filter(
    (row) => row.indicatorId === id && COUNTRIES.some(([code]) => code === row.geoCode),
  );
  const years = own.filter(({ value }) => value !== null).map(({ period }) => Number(period));
  const [unit = '', ...otherUnits] = new Set(own.map((row) => row.unit));
  if (years.length === 0) throw new Refusal(descriptor.name, place, 'a value for CHN, MMR or PAK', 'none');
  if (unit === '' || otherUnits.length > 0)
    throw new Refusal(descriptor.name, place, 'one unit', shown([unit, ...otherUnits].join('; ')));
  const indicator = descriptor.indicators.find((candidate) => candidate.id === id);
  const source = descriptor.sources.find((candidate) => candidate.id === indicator?.sourceId);
  if (!indicator || !source)
    throw new Refusal(descriptor.name, place, 'a source in the descriptor', shown(indicator?.sourceId));
  const series: Series = {
    indicatorId: id,
    label: indicator.label,
    unit,
    sourceUrl: source.url,
    license: source.license,
    notes: [...indicator.limitations, ...source.notes],
    rawBytes: source.bytes,
    rawSha256: source.sha256,
    fromYear: Math.min(...years),
    toYear: Math.max(...years),
  };
  const byKey = new Map(own.map((row) => [`${row.geoCode} ${row.period}`, row]));
  if (byKey.size !== own.length)
    throw new Refusal(descriptor.name, place, 'one row a country and year', 'more');
  return {
    series,
    rows: COUNTRIES.flatMap(([country]) =>
      yearsOf(series).map((year) => rowOf(country, id, year, byKey.get(`${country} ${year}`))),
    ),
  };
}

function rowOf(
  country: EconomicRow['country'],
  indicator: string,
  year: number,
  row: NationalSeries['rows'][number] | undefined,
): EconomicRow {
  if (!row || row.value === null)
    return {
      country,
      indicator,
      year,
      value: null,
      status: 'unavailable',
      reason: 'not_in_source',
      locator: '',
    };
  return {
    country,
    indicator,
    year,
    value: row.value,
    status: 'observed',
    reason: '',
    locator: row.sourceLocator,
  };
}

function yearsOf({ fromYear, toYear }: Series): number[] {
  return Array.from({ length: toYear - fromYear + 1 }, (_, offset) => fromYear + offset);
}

function latest(sources: readonly Pick<Source, 'id' | 'retrievedAt'>[]): string {
  const day =
    sources
      .map(({ retrievedAt }) => retrievedAt)
      .sort(byCodeUnits)
      .at(-1) ?? '';
  if (!/^\d{4}-\d\d-\d\d$/.test(day))
    throw new Refusal('national series', 'retrievedAt', 'a day YYYY-MM-DD', shown(day));
  return day;
}

const ATTRIBUTION = 'World Bank, World Development Indicators, CC BY 4.0';

const TERMS = {
  source: {
    sourceId: ECONOMIC_SOURCE.id,
    name: 'World Development Indicators',
    publisher: 'World Bank',
    attribution: ATTRIBUTION,
    catalogUrl: 'https://datatopics.worldbank.org/world-development-indicators/',
  },
  rights: {
    license: 'CC BY 4.0',
    licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
    redistributionStatus:
      'open with attribution; some series have third-party origin (UNCTAD, UNODC), named in the registry',
    rightsEvidenceUrl: 'https://datacatalog.worldbank.org/public-licenses',
    attribution: ATTRIBUTION,
  },
};

const CONTEXT_POLICY = {
  aggregateLevel: 'country',
  scope: 'national_economic_context',
  causalityBoundary: 'not_evidence_of_bri_causality',
  missingValuePolicy: 'source_null_remains_unavailable',
  forecastPolicy:
    'The World Development Indicators publish observed values only; this collection holds no forecast, so every forecast count is 0 and every forecast window is empty.',
  downstreamSemantics: {
    observed: 'A value the publisher printed for this country and year, in the unit of the series.',
    forecast: 'A projection by the publisher; there is none in this collection.',
    unavailable:
      'A year inside the window of the series for which the publisher printed no value for this country: unavailable (not_in_source), never zero.',
    join_boundary:
      'National series stand beside other evidence by country and year only; they are never attributed to a project, an area, an actor or a route.',
  },
};
