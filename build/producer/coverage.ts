/**
 * The economic rows and what is counted of them. A row is `observed` with a value or `unavailable` without one; the maker of the
 * reference and the verifier count with the same function, from the rows alone.
 */
import { csvLine, readCsv } from '../lib/csv.ts';
import { COUNTRIES, type EconomicRegistry } from './contract.ts';

/** One country-year of one series; `value` is null exactly when status is `unavailable`. */
export interface EconomicRow {
  country: (typeof COUNTRIES)[number][0];
  indicator: string;
  year: number;
  value: number | null;
  status: 'observed' | 'forecast' | 'unavailable';
  /** Why a value is unavailable; empty otherwise. */
  reason: string;
  /** `row 17` of the raw series file; empty for a row that is not in it. */
  locator: string;
}

const HEADER = ['country', 'indicator', 'year', 'value', 'status', 'reason', 'locator'] as const;

/** Rows as the producer's CSV file. */
export function economicCsv(rows: readonly EconomicRow[]): Uint8Array {
  const lines = rows.map((row) => csvLine(HEADER.map((name) => String(row[name] ?? ''))));
  return Buffer.from([csvLine([...HEADER]), ...lines].join(''), 'utf8');
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

/** The years of a window. */
export function yearsOf({ fromYear, toYear }: { fromYear: number; toYear: number }): number[] {
  return Array.from({ length: Math.max(0, toYear - fromYear + 1) }, (_, offset) => fromYear + offset);
}

/** Counts and year windows of every country and series, series in the registry's order. */
export function economicCoverage(rows: readonly EconomicRow[], { series }: EconomicRegistry) {
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
  return {
    totals: {
      countries: 3,
      indicators: series.length,
      sourceRows: rows.length,
      observedRows: rowsOf(rows, 'observed').length,
      forecastRows: rowsOf(rows, 'forecast').length,
      unavailableRows: rowsOf(rows, 'unavailable').length,
    },
    countries,
  };
}

function seriesCoverage(rows: readonly EconomicRow[]): object {
  const reasonCounts: Record<string, number> = {};
  for (const { reason } of rows) if (reason !== '') reasonCounts[reason] = (reasonCounts[reason] ?? 0) + 1;
  return {
    annualCoverage: windowOf(rows),
    observed: windowOf(rowsOf(rows, 'observed')),
    forecast: windowOf(rowsOf(rows, 'forecast')),
    unavailable: { ...windowOf(rowsOf(rows, 'unavailable')), reasonCounts },
    sourceRowCount: rows.length,
  };
}

/** First year, last year and their number; nulls when there are no rows. */
function windowOf(rows: readonly EconomicRow[]): object {
  const years = rows.map(({ year }) => year).sort((a, b) => a - b);
  return { fromYear: years[0] ?? null, toYear: years.at(-1) ?? null, yearCount: years.length };
}

function rowsOf(rows: readonly EconomicRow[], status: EconomicRow['status']): EconomicRow[] {
  return rows.filter((row) => row.status === status);
}
