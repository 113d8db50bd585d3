/**
 * The economic part of the reference, from the packaged national series: every year between the first and the last that any of the
 * three countries has in a series is a row; a year without a published value is `unavailable` with reason `not_in_source`. Nothing is
 * forecast, filled, converted or summed.
 */
import { Refusal, shown } from '../import/importer.ts';
import { byCodeUnits, type ObservationRow, type ObservationsDescriptor } from '../lib/dataset.ts';
import { COUNTRIES, DATA, type EconomicSeries } from './contract.ts';
import { economicCoverage, economicCsv, windowOf, type EconomicRow } from './coverage.ts';
import { prettyJson } from '../lib/tree.ts';
import { collectionId, hashPointersOf } from './hash.ts';
import allTexts from './texts.json' with { type: 'json' };

/** The packaged national series: its descriptor, and the rows the reference draws on. */
export interface NationalSeries {
  descriptor: Pick<ObservationsDescriptor, 'name' | 'sources' | 'indicators'>;
  rows: Pick<ObservationRow, 'indicatorId' | 'geoCode' | 'period' | 'value' | 'unit' | 'sourceLocator'>[];
}

const texts = allTexts.economics;

/** The three economic files, and the day their series were retrieved. */
export function economicFiles(national: NationalSeries): {
  files: [path: string, bytes: Uint8Array][];
  retrieved: string;
} {
  const ids = national.descriptor.indicators.map(({ id }) => id).sort(byCodeUnits);
  const made = ids.map((id) => seriesOf(national, id));
  const rows = made.flatMap((one) => one.rows);
  const registry = {
    schemaVersion: 'producerp.bri-economic-registry.v1',
    windowRule: texts.windowRule,
    series: made.map(({ series }) => series),
  };
  const observations = economicCsv(rows);
  const registryBytes = prettyJson(registry);
  const retrieved = latestDay(national.descriptor.sources.map(({ retrievedAt }) => retrievedAt));
  const moment = `${retrieved}T00:00:00Z`;
  const hashPointers = hashPointersOf(observations, registryBytes, registry);
  const economics = {
    schemaVersion: 'producerp.bri-economic-observations.v1',
    generatedAt: moment,
    collectionId: collectionId(hashPointers),
    source: texts.source,
    rights: texts.rights,
    clocks: {
      generatedAt: moment,
      datasetLastUpdated: retrieved,
      // The copies print no date of their own: their release can be no later than the day of retrieval.
      sourceReleaseUpperBound: `${retrieved}T23:59:59Z`,
      retrievedAt: moment,
    },
    hashPointers,
    contextPolicy: texts.contextPolicy,
    files: { observations: DATA.observations, registry: DATA.registry },
    coverage: economicCoverage(rows, registry),
  };
  const files: [string, Uint8Array][] = [
    [DATA.economics, prettyJson(economics)],
    [DATA.observations, observations],
    [DATA.registry, registryBytes],
  ];
  return { files, retrieved };
}

function seriesOf(
  { descriptor, rows }: NationalSeries,
  id: string,
): { series: EconomicSeries; rows: EconomicRow[] } {
  const refusal = (expected: string, found: string): Refusal =>
    new Refusal(descriptor.name, `series ${id}`, expected, found);
  const own = rows.filter(
    (row) => row.indicatorId === id && COUNTRIES.some(([code]) => code === row.geoCode),
  );
  const years = own.filter(({ value }) => value !== null).map(({ period }) => Number(period));
  const [unit = '', ...otherUnits] = new Set(own.map((row) => row.unit));
  if (years.length === 0) throw refusal('a value for CHN, MMR or PAK', 'none');
  if (unit === '' || otherUnits.length > 0)
    throw refusal('one unit', shown([unit, ...otherUnits].join('; ')));
  const indicator = descriptor.indicators.find((candidate) => candidate.id === id);
  const source = descriptor.sources.find((candidate) => candidate.id === indicator?.sourceId);
  if (!indicator || !source) throw refusal('a source in the descriptor', shown(indicator?.sourceId));
  const series = {
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
  if (byKey.size !== own.length) throw refusal('one row per country and year', 'more');
  const made = windowOf(series).map((place): EconomicRow => {
    const { value = null, sourceLocator = '' } = byKey.get(`${place.country} ${place.year}`) ?? {};
    return value === null
      ? { ...place, value, status: 'unavailable', reason: 'not_in_source', locator: '' }
      : { ...place, value, status: 'observed', reason: '', locator: sourceLocator };
  });
  return { series, rows: made };
}

function latestDay(days: string[]): string {
  const day = days.sort(byCodeUnits).at(-1) ?? '';
  if (/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  throw new Refusal('national series', 'retrievedAt', 'a day YYYY-MM-DD', shown(day));
}
