/**
 * The directory of series: which series there are, what each covers, and the query that gives its records. It reads one file
 * and nothing else, so a page in a browser can read it like the service.
 *
 * Index header: `datasets`, `indicators` (with the position of their dataset), the texts of `geos`, `geoNames`, `categories`,
 * `subgroups`, `units` and `periods`. Columns: one of positions for each of these (`unit` counted from 1, 0 where the records of
 * a series have several), and one for each count. Rows are in the order of dataset, indicator, geography code, category and
 * subgroup. The words by which they are found are described in series-words.ts.
 */
import { decodeIndex } from './index-file.ts';
import { apiAddress } from './paths.ts';
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
  /** The titles of each page that is found by the same words; only the site's search has pages. */
  pages?: string[][];
  /** The words by which series are found: see series-words.ts. */
  words: string[];
  joined: string[];
}

/** The opened directory. */
export interface SeriesDirectory extends DirectoryTexts {
  /** How many series there are. */
  rows: number;
  column(name: string): Uint32Array;
}

/** A filter of rows; each value must be exactly that of the row. */
export interface DirectoryFilter {
  market?: string | undefined;
  dataset?: string | undefined;
  indicator?: string | undefined;
  geo?: string | undefined;
}

/** A directory as its file has it; its columns are read when they are first asked for. */
export interface DirectoryFile extends SeriesDirectory {
  columns: [name: string, ...layout: number[]][];
}

/** Opens the bytes of the file; throws an Error when they are not a directory. */
export function readDirectory(bytes: Uint8Array): DirectoryFile {
  const { header, column }: PackIndex = decodeIndex(bytes);
  const own = header as unknown as DirectoryTexts & Pick<DirectoryFile, 'columns'>;
  return { ...own, rows: column('indicator').length, column };
}

/** Whether a row is selected. */
export type RowTest = (row: number) => boolean;

/** Makes the test of a filter. */
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

/** A series as the API lists it: with the path of the query for its records. */
export function lineOf(directory: SeriesDirectory, row: number): JsonObject {
  const series = seriesAt(directory, row);
  const { dataset, indicator, geo, category, subgroup } = series;
  const path = `/${apiAddress('market-observations', { dataset, indicator, geo, category, subgroup })}`;
  return { ...series, path };
}
