/** The records of a dataset that is too large for pages of its rows, counted by indicator and place, from indexes alone. */
import { readDirectory, type SeriesDirectory } from '../../../shim/core/series-directory.ts';
import { SERIES_INDEX } from '../../../shim/core/paths.ts';
import { readSeries } from '../../../shim/core/series.ts';
import type { Release } from '../../../shim/core/types.ts';

/** The records of an indicator at a place. */
export interface IndicatorCount {
  indicator: string;
  rows: number;
  /** Those that have a value. */
  valued: number;
  firstPeriod: string;
  lastPeriod: string;
}

/** Counts by the code of the place, in the order of indicators. */
export type PlaceCounts = ReadonlyMap<string, IndicatorCount[]>;

/** The counts of a dataset: of the directory of series, or of national context, which is not in it, of the pack's index. */
export function countsOf(release: Release, dataset: string): PlaceCounts {
  const places = new Map<string, Map<string, IndicatorCount>>();
  const add = (geo: string, count: IndicatorCount): void => {
    const place = places.get(geo) ?? new Map<string, IndicatorCount>();
    places.set(geo, place);
    const known = place.get(count.indicator);
    if (!known) return void place.set(count.indicator, count);
    known.rows += count.rows;
    known.valued += count.valued;
    if (count.firstPeriod < known.firstPeriod) known.firstPeriod = count.firstPeriod;
    if (count.lastPeriod > known.lastPeriod) known.lastPeriod = count.lastPeriod;
  };
  const pack = release.pack(dataset);
  if (pack.entry.kind === 'observations')
    for (const { geo, indicator, rows, valued, firstPeriod, lastPeriod } of seriesListed(release, dataset))
      add(geo, { indicator, rows, valued, firstPeriod, lastPeriod });
  else {
    const { dims, periods, pattern, patternFrom, patternPeriod, row, rows } = pack.derive(readSeries);
    const [indicators = [], geos = []] = dims.map(({ values }) => [...values.keys()]);
    for (let run = 0; run < row.length; run += 1) {
      const own = pattern[run] ?? 0;
      const at = (position: number): string => periods[patternPeriod[position] ?? 0] ?? '';
      const count = (row[run + 1] ?? rows) - (row[run] ?? 0);
      add(geos[dims[1]?.column[run] ?? 0] ?? '', {
        indicator: indicators[dims[0]?.column[run] ?? 0] ?? '',
        rows: count,
        valued: count,
        firstPeriod: at(patternFrom[own] ?? 0),
        lastPeriod: at((patternFrom[own + 1] ?? 1) - 1),
      });
    }
  }
  return new Map([...places].map(([geo, counts]) => [geo, [...counts.values()]]));
}

/** A series of a market dataset, as the directory has it; the unit is null where its records have several. */
export interface ListedSeries extends IndicatorCount {
  geo: string;
  category: string;
  subgroup: string;
  unit: string | null;
}

/** The series of a market dataset in their order. */
export function* seriesListed(release: Release, dataset: string): Generator<ListedSeries> {
  const directory = release.derive(directoryOf);
  const { datasets, indicators, geos, categories, subgroups, units, periods, rows, column } = directory;
  const [geo, category, subgroup, unit] = ['geo', 'category', 'subgroup', 'unit'].map(column);
  const [indicator, first, last] = ['indicator', 'firstPeriod', 'lastPeriod'].map(column);
  const [observations, numeric] = ['observations', 'numeric'].map(column);
  for (let at = 0; at < rows; at += 1) {
    const own = indicators[indicator?.[at] ?? 0];
    if (!own || datasets[own.dataset]?.id !== dataset) continue;
    yield {
      indicator: own.id,
      geo: geos[geo?.[at] ?? 0] ?? '',
      category: categories[category?.[at] ?? 0] ?? '',
      subgroup: subgroups[subgroup?.[at] ?? 0] ?? '',
      unit: units[(unit?.[at] ?? 0) - 1] ?? null,
      rows: observations?.[at] ?? 0,
      valued: numeric?.[at] ?? 0,
      firstPeriod: periods[first?.[at] ?? 0] ?? '',
      lastPeriod: periods[last?.[at] ?? 0] ?? '',
    };
  }
}

function directoryOf(release: Release): SeriesDirectory {
  return readDirectory(release.document(SERIES_INDEX));
}
