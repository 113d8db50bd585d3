/**
 * The economic rows of a release and what is counted of them. A row is `observed` with a value or `unavailable` without
 * one; the importer and the verifier count with the same function, from the rows alone.
 */
import { csvLine, readCsv } from '../lib/csv.ts';
import { sha256Hex } from './hash.ts';
import type {
  CountryCode,
  CountryCoverage,
  EconomicCoverage,
  EconomicObservations,
  EconomicRegistry,
  IndicatorCoverage,
  YearWindow,
} from './contract.ts';

/** One country-year of one series; `value` is null exactly when status is `unavailable`. */
export interface EconomicRow {
  country: CountryCode;
  indicator: string;
  year: number;
  value: number | null;
  status: 'observed' | 'forecast' | 'unavailable';
  /** Why a value is unavailable; empty otherwise. */
  reason: string;
  /** `row 17` of the raw series file; empty for a row that is not in it. */
  locator: string;
}

const HEADER = ['country', 'indicator', 'year', 'value', 'status', 'reason', 'locator'];

/** The three countries in the order they are listed. */
export const COUNTRIES = [
  ['CHN', 'China'],
  ['MMR', 'Myanmar'],
  ['PAK', 'Pakistan'],
] as const;

/** Rows as the CSV file of the release. */
export function economicCsv(rows: readonly EconomicRow[]): Uint8Array {
  const lines = rows.map((row) =>
    csvLine([
      row.country,
      row.indicator,
      String(row.year),
      row.value === null ? '' : String(row.value),
      row.status,
      row.reason,
      row.locator,
    ]),
  );
  return Buffer.from([csvLine(HEADER), ...lines].join(''), 'utf8');
}

/** Reads the CSV file; throws an Error that names the line which is not a row of the contract. */
export function readEconomicCsv(bytes: Uint8Array): EconomicRow[] {
  const [header, ...records] = readCsv(bytes);
  if (!header || header.cells.join(',') !== HEADER.join(','))
    throw new Error(`line 1: expected ${HEADER.join(',')}`);
  const seen = new Set<string>();
  return records.map(({ line, cells }) => {
    const row = rowOf(cells);
    if (!row) throw new Error(`line ${line}: not an observed, forecast or unavailable row`);
    const key = cells.slice(0, 3).join(' ');
    if (seen.has(key)) throw new Error(`line ${line}: a second row for ${key}`);
    seen.add(key);
    return row;
  });
}

function rowOf(cells: string[]): EconomicRow | null {
  const [country, indicator = '', year = '', value = '', status, reason = '', locator = ''] = cells;
  const code = COUNTRIES.find(([known]) => known === country)?.[0];
  const number = value === '' ? null : Number(value);
  if (!code || indicator === '' || !/^(19|20|21)\d\d$/.test(year) || Number.isNaN(number)) return null;
  if (status !== 'observed' && status !== 'forecast' && status !== 'unavailable') return null;
  if ((status === 'unavailable') !== (number === null) || (status === 'unavailable') !== (reason !== ''))
    return null;
  return { country: code, indicator, year: Number(year), value: number, status, reason, locator };
}

/** Counts and year windows of every country and series, series in the registry's order. */
export function economicCoverage(rows: readonly EconomicRow[], registry: EconomicRegistry): EconomicCoverage {
  const countries = COUNTRIES.map(([countryCode, country]): CountryCoverage => {
    const own = rows.filter((row) => row.country === countryCode);
    return {
      countryCode,
      country,
      indicatorCount: registry.series.length,
      sourceRowCount: own.length,
      observedRowCount: counted(own, 'observed'),
      forecastRowCount: counted(own, 'forecast'),
      unavailableRowCount: counted(own, 'unavailable'),
      indicators: registry.series.map(({ indicatorId, unit }) =>
        indicatorCoverage(
          countryCode,
          indicatorId,
          unit,
          own.filter((row) => row.indicator === indicatorId),
        ),
      ),
    };
  });
  return {
    totals: {
      countries: 3,
      indicators: registry.series.length,
      sourceRows: rows.length,
      observedRows: counted(rows, 'observed'),
      forecastRows: counted(rows, 'forecast'),
      unavailableRows: counted(rows, 'unavailable'),
    },
    countries,
  };
}

/** Names the collection by its content: sha256 over the lines of all hash pointers. */
export function collectionId(pointers: EconomicObservations['hashPointers']): string {
  const { observationsSha256, registrySha256, rawResponseSha256s } = pointers;
  return sha256Hex(
    [observationsSha256, registrySha256, ...rawResponseSha256s].map((sum) => `${sum}\n`).join(''),
  );
}

function indicatorCoverage(
  country: CountryCode,
  indicatorId: string,
  unit: string,
  rows: EconomicRow[],
): IndicatorCoverage {
  const reasonCounts: Record<string, number> = {};
  for (const { reason } of rows) if (reason !== '') reasonCounts[reason] = (reasonCounts[reason] ?? 0) + 1;
  return {
    seriesId: `world_bank_wdi/${indicatorId}/${country}`,
    indicatorId,
    unit,
    annualCoverage: yearWindow(rows),
    observed: yearWindow(rows.filter(({ status }) => status === 'observed')),
    forecast: yearWindow(rows.filter(({ status }) => status === 'forecast')),
    unavailable: { ...yearWindow(rows.filter(({ status }) => status === 'unavailable')), reasonCounts },
    sourceRowCount: rows.length,
  };
}

function yearWindow(rows: readonly EconomicRow[]): YearWindow {
  const years = rows.map(({ year }) => year).sort((a, b) => a - b);
  return { fromYear: years[0] ?? null, toYear: years.at(-1) ?? null, yearCount: years.length };
}

function counted(rows: readonly EconomicRow[], status: EconomicRow['status']): number {
  return rows.filter((row) => row.status === status).length;
}
