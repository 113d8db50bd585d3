/**
 * The economic rows and their counts. A row is `observed` with a value or `unavailable` without one; the maker of the
 * reference and the verifier count with the same function, from the rows alone.
 */
import { isDeepStrictEqual } from 'node:util';
import { groupedBy } from '../../shim/core/groups.ts';
import { csvText } from '../../shim/core/csv.ts';
import { readCsv } from '../lib/csv.ts';
import { errorMessage } from '../lib/findings.ts';
import { COUNTRIES, DATA } from './contract.ts';
import type { Documents, EconomicSeries, ProducerFiles, Report } from './contract.ts';
import { collectionId, hashPointersOf } from './hash.ts';

/** One country-year of one series; `value` is null exactly when status is `unavailable`. */
export interface EconomicRow {
  country: (typeof COUNTRIES)[number][0];
  indicator: string;
  year: number;
  value: number | null;
  status: (typeof STATUSES)[number];
  /** Why a value is unavailable; empty otherwise. */
  reason: string;
  /** `row 17` of the raw series file; empty for a row that is not in it. */
  locator: string;
}

type Place = Pick<EconomicRow, 'country' | 'indicator' | 'year'>;

const HEADER = ['country', 'indicator', 'year', 'value', 'status', 'reason', 'locator'] as const;
const STATUSES = ['observed', 'forecast', 'unavailable'] as const;

/** Rows as the producer's CSV file. */
export function economicCsv(rows: readonly EconomicRow[]): Uint8Array {
  const lines = rows.map((row) => HEADER.map((name) => String(row[name] ?? '')));
  return Buffer.from(csvText([HEADER, ...lines]), 'utf8');
}

/** Reads the CSV file; throws an Error that names the line which is not a row of the contract. */
export function readEconomicCsv(bytes: Uint8Array): EconomicRow[] {
  const [header, ...records] = readCsv(bytes);
  if (header?.cells.join(',') !== HEADER.join(',')) throw new Error(`line 1: expected ${HEADER.join(',')}`);
  const seen = new Set<string>();
  return records.map(({ line, cells }) => {
    const row = rowOf(cells);
    if (!row) throw new Error(`line ${line}: not an observed, forecast or unavailable row`);
    const key = keyOf(row);
    if (seen.has(key)) throw new Error(`line ${line}: a second row for ${key}`);
    seen.add(key);
    return row;
  });
}

function rowOf(cells: string[]): EconomicRow | null {
  const [country, indicator = '', year = '', printed = '', word, reason = '', locator = ''] = cells;
  const code = COUNTRIES.find(([known]) => known === country)?.[0];
  const status = STATUSES.find((known) => known === word);
  const value = printed === '' ? null : Number(printed);
  if (!code || !status || indicator === '' || !/^(19|20|21)\d\d$/.test(year) || Number.isNaN(value))
    return null;
  const isUnavailable = status === 'unavailable';
  if (isUnavailable !== (value === null) || isUnavailable !== (reason !== '')) return null;
  return { country: code, indicator, year: Number(year), value, status, reason, locator };
}

function keyOf({ country, indicator, year }: Place): string {
  return `${country} ${indicator} ${year}`;
}

/** Checks hash pointers, collection id, rows against the registry's windows, and every count; returns the rows that could be read. */
export function checkEconomics(
  economics: Documents['economics'],
  registry: Documents['registry'],
  files: ProducerFiles,
  report: Report,
): EconomicRow[] {
  const file = `release/${DATA.economics}`;
  const rowsFile = `release/${DATA.observations}`;
  const observations = files.get(rowsFile);
  const registryBytes = files.get(`release/${DATA.registry}`);
  if (!observations || !registryBytes) return [];
  const pointers = hashPointersOf(observations, registryBytes, registry);
  if (!isDeepStrictEqual(economics.hashPointers, pointers))
    report(file, 'hash', 'hashPointers are not those of the files');
  if (economics.collectionId !== collectionId(pointers))
    report(file, 'hash', 'collectionId is not that of the hash pointers');
  let rows: EconomicRow[];
  try {
    rows = readEconomicCsv(observations);
  } catch (error) {
    report(rowsFile, 'content', errorMessage(error));
    return [];
  }
  const wanted = new Set(registry.series.flatMap(windowOf).map(keyOf));
  for (const key of rows.map(keyOf))
    if (!wanted.delete(key)) report(rowsFile, 'content', `${key} is not in a window of the registry`);
  for (const key of wanted) report(rowsFile, 'content', `no row for ${key}`);
  if (!isDeepStrictEqual(economics.coverage, economicCoverage(rows, registry)))
    report(file, 'content', 'coverage is not what is counted from the rows');
  return rows;
}

/** Every country and year that a series must have exactly one row for. */
export function windowOf(series: EconomicSeries): Place[] {
  const { indicatorId, fromYear, toYear } = series;
  const years = Array.from({ length: Math.max(0, toYear - fromYear + 1) }, (_, offset) => fromYear + offset);
  return COUNTRIES.flatMap(([country]) => years.map((year) => ({ country, indicator: indicatorId, year })));
}

/** Counts and year windows of every country and series, series in the registry's order. */
export function economicCoverage(rows: readonly EconomicRow[], { series }: Documents['registry']) {
  const countries = COUNTRIES.map(([countryCode, country]) => {
    const own = rows.filter((row) => row.country === countryCode);
    return {
      countryCode,
      country,
      indicatorCount: series.length,
      sourceRowCount: own.length,
      observedRowCount: rowsOf(own, 'observed').length,
      forecastRowCount: rowsOf(own, 'forecast').length,
      unavailableRowCount: rowsOf(own, 'unavailable').length,
      indicators: series.map(({ indicatorId, unit }) => ({
        seriesId: `world_bank_wdi/${indicatorId}/${countryCode}`,
        indicatorId,
        unit,
        ...seriesCoverage(own.filter((row) => row.indicator === indicatorId)),
      })),
    };
  });
  const totals = {
    countries: COUNTRIES.length,
    indicators: series.length,
    sourceRows: rows.length,
    observedRows: rowsOf(rows, 'observed').length,
    forecastRows: rowsOf(rows, 'forecast').length,
    unavailableRows: rowsOf(rows, 'unavailable').length,
  };
  return { totals, countries };
}

function seriesCoverage(rows: readonly EconomicRow[]): object {
  const reasons = rows.map(({ reason }) => reason).filter((reason) => reason !== '');
  return {
    annualCoverage: yearsOf(rows),
    observed: yearsOf(rowsOf(rows, 'observed')),
    forecast: yearsOf(rowsOf(rows, 'forecast')),
    unavailable: { ...yearsOf(rowsOf(rows, 'unavailable')), reasonCounts: countsOf(reasons) },
    sourceRowCount: rows.length,
  };
}

/** How often each word occurs, in the order of first occurrence. */
export function countsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...groupedBy(words, (word) => word)].map(([word, { length }]) => [word, length]),
  );
}

/** First year, last year and their number; nulls when there are no rows. */
function yearsOf(rows: readonly EconomicRow[]): object {
  const years = rows.map(({ year }) => year).sort((a, b) => a - b);
  return { fromYear: years[0] ?? null, toYear: years.at(-1) ?? null, yearCount: years.length };
}

function rowsOf(rows: readonly EconomicRow[], status: EconomicRow['status']): EconomicRow[] {
  return rows.filter((row) => row.status === status);
}
