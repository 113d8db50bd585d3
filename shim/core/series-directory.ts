/**
 * The directory of series: which series there are, what each covers, and the query that gives its records. It reads one file
 * and nothing else, so a page in a browser can read it like the service.
 *
 * Index header: `datasets`, `indicators` (with the position of their dataset), the texts of `geos`, `geoNames`, `categories`,
 * `subgroups`, `units` and `periods`. Columns: one of positions for each of these (`unit` counted from 1, 0 where the records of
 * a series have several), and one for each count. Rows are in the order of dataset, indicator, geography code, category and
 * subgroup. What they are found by is in series-words.ts.
 */
import { decodeIndex } from './index-file.ts';
import { apiQuery } from './paths.ts';
import type { JsonObject, PackIndex } from './types.ts';

/** An indicator of the directory; `dataset` is the position of its dataset. */
export interface DirectoryIndicator {
  dataset: number;
  id: string;
  label: string;
  market: string;
}

/** The texts that the rows of the directory point to. */
export interface DirectoryTexts {
  datasets: { id: string; title: string }[];
  indicators: DirectoryIndicator[];
  geos: string[];
  geoNames: string[];
  categories: string[];
  subgroups: string[];
  units: string[];
  periods: string[];
  /** Pages, each by its titles, that are found by the same words: in the search of the site alone. */
  pages?: string[][];
  /** What series are found by: see series-words.ts. */
  words: string[];
  joined: string[];
}

/** The opened directory. */
export interface SeriesDirectory extends DirectoryTexts {
  /** How many series there are. */
  rows: number;
  column(name: string): Uint32Array;
}

/** What a row of the directory must have to be selected; each value exactly as the row has it. */
export interface DirectoryFilter {
  market?: string | undefined;
  dataset?: string | undefined;
  indicator?: string | undefined;
  geo?: string | undefined;
}

/** Opens the bytes of the file; throws an Error when they are not a directory. */
export function readDirectory(bytes: Uint8Array): SeriesDirectory {
  const { header, column }: PackIndex = decodeIndex(bytes);
  return { ...(header as unknown as DirectoryTexts), rows: column('indicator').length, column };
}

/** The rows that a filter selects; null selects none. */
export type RowTest = (row: number) => boolean;

/** Whether a row is one that the filter selects. */
export function rowTest(directory: SeriesDirectory, filter: DirectoryFilter): RowTest {
  const { market, dataset, indicator, geo } = filter;
  const { datasets, indicators, geos } = directory;
  const isAllowed = indicators.map(
    (one) =>
      (market === undefined || one.market === market) &&
      (dataset === undefined || datasets[one.dataset]?.id === dataset) &&
      (indicator === undefined || one.id === indicator),
  );
  const place = geo === undefined ? null : geos.indexOf(geo);
  const [indicatorOf, geoOf] = [directory.column('indicator'), directory.column('geo')];
  return (row) => isAllowed[indicatorOf[row] ?? -1] === true && (place === null || geoOf[row] === place);
}

/** One series: its filter values, and what it covers. */
export function seriesAt({ column, ...texts }: SeriesDirectory, row: number) {
  const at = (name: string): number => column(name)[row] ?? 0;
  const { dataset = 0, id = '', label = '' } = texts.indicators[at('indicator')] ?? {};
  return {
    dataset: texts.datasets[dataset]?.id ?? '',
    indicator: id,
    geo: texts.geos[at('geo')] ?? '',
    geoName: texts.geoNames[at('geoName')] ?? '',
    category: texts.categories[at('category')] ?? '',
    subgroup: texts.subgroups[at('subgroup')] ?? '',
    label,
    unit: texts.units[at('unit') - 1] ?? null,
    firstPeriod: texts.periods[at('firstPeriod')] ?? '',
    lastPeriod: texts.periods[at('lastPeriod')] ?? '',
    observations: at('observations'),
    numeric: at('numeric'),
    zeros: at('zeros'),
    unavailable: at('unavailable'),
    revised: at('revised'),
  };
}

/** The same with the query of its records, as the directory lists it. */
export function lineOf(directory: SeriesDirectory, row: number): JsonObject {
  const series = seriesAt(directory, row);
  const { dataset, indicator, geo, category, subgroup } = series;
  const path = `/${apiQuery('market-observations', { dataset, indicator, geo, category, subgroup })}`;
  return { ...series, path };
}
