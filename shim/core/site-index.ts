/**
 * The index of the site's search (assets/search.json) as a directory of series. The file is for browsers, so it is small: it lists
 * names and series, but no counts, and no words, which are made from the names when it is opened. Unlike the directory of the
 * service it also has national context, the atlas and pages. Names of designations are not in it.
 */
import type { DirectoryTexts, SeriesDirectory } from './series-directory.ts';
import { wordIndex } from './series-names.ts';
import type { Steps } from './steps.ts';
import type { TermPair } from './words.ts';

/** The kind of a page that is found by its title. */
export type SitePageKind = 'dataset' | 'source' | 'story' | 'docs' | 'error' | 'page';

/** A page: what it is, its title, its address below the site root, and other texts by which it is found. */
export type IndexedPage = [kind: SitePageKind, title: string, address: string, ...also: string[]];

/** The contents of the file. Positions count from 0; the texts of each list are in the order of code units. */
export interface SiteIndex extends Pick<
  DirectoryTexts,
  'datasets' | 'indicators' | 'categories' | 'subgroups' | 'units' | 'periods'
> {
  /** Places: code, names as datasets print them, and other names, each between two `|`. */
  places: [code: string, printed: string[], others: string][];
  /** First and last periods of series. */
  spans: [first: number, last: number][];
  /** For each dataset, the position of the printed name that each place has there. */
  named: number[][];
  /** The series of each indicator, in the order of place, category, subgroup and unit. */
  series: IndexedSeries[];
  pages: IndexedPage[];
  /** Common names of goods and subjects. */
  terms: TermPair[];
}

/** The series of an indicator: except for `labels`, each list has one entry per series. */
interface IndexedSeries {
  /** Category, subgroup and unit (from 1, 0 for several) of each label, one after the other. */
  labels: number[];
  /** The place of each series, as the difference from that of the series before. */
  place: number[];
  label: number[];
  span: number[];
}

/** Opens the index: the directory, and the words of its names. */
export function* siteDirectory(index: SiteIndex): Steps<SeriesDirectory> {
  const { datasets, indicators, places, categories, subgroups, units, periods, spans, pages } = index;
  const rows = index.series.reduce((sum, { place }) => sum + place.length, 0);
  const columns = {} as Record<(typeof TEXT_COLUMNS)[number], Uint32Array>;
  for (const name of TEXT_COLUMNS) columns[name] = new Uint32Array(rows);
  const geoNames: string[] = [];
  const nameFrom = places.map(([, printed]) => geoNames.push(...printed) - printed.length);
  let row = 0;
  for (const [indicator, { labels, place, label, span }] of index.series.entries()) {
    const named = index.named[indicators[indicator]?.dataset ?? 0] ?? [];
    let geo = 0;
    for (let at = 0; at < place.length; at += 1) {
      geo += place[at] ?? 0;
      const own = (label[at] ?? 0) * 3;
      const [first = 0, last = 0] = spans[span[at] ?? 0] ?? [];
      columns.indicator[row] = indicator;
      columns.geo[row] = geo;
      columns.geoName[row] = (nameFrom[geo] ?? 0) + (named[geo] ?? 0);
      columns.category[row] = labels[own] ?? 0;
      columns.subgroup[row] = labels[own + 1] ?? 0;
      columns.unit[row] = labels[own + 2] ?? 0;
      columns.firstPeriod[row] = first;
      columns.lastPeriod[row] = last;
      row += 1;
    }
  }
  const texts: Omit<DirectoryTexts, 'words' | 'joined'> = {
    datasets,
    indicators,
    geos: places.map(([code]) => code),
    geoNames,
    categories,
    subgroups,
    units,
    periods,
    pages: pages.map(([, title, , ...also]) => [title, ...also]),
  };
  const words = yield* wordIndex(
    texts,
    places.map(([, printed, others]) => ({ printed, names: others.split('|') })),
  );
  const all: Record<string, Uint32Array> = { ...columns, ...words.columns };
  return { ...texts, ...words.header, rows, column: (name) => all[name] ?? new Uint32Array() };
}

/** Columns of the directory of series that hold texts. */
export const TEXT_COLUMNS = [
  'indicator',
  'geo',
  'geoName',
  'category',
  'subgroup',
  'unit',
  'firstPeriod',
  'lastPeriod',
] as const;
