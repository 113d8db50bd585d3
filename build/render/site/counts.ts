/** The records of a dataset that is too large for pages of its rows, counted by indicator and place, from indexes alone. */
import { TEXT_COLUMNS } from '../../../shim/core/site-index.ts';
import {
  readDirectory,
  rowTest,
  seriesAt,
  type SeriesDirectory,
} from '../../../shim/core/series-directory.ts';
import { SERIES_INDEX } from '../../../shim/core/paths.ts';
import { readSeries } from '../../../shim/core/series.ts';
import type { Release } from '../../../shim/core/types.ts';

/** The records of an indicator at a place. */
export interface IndicatorCount {
  indicator: string;
  rows: number;
  /** Rows that have a value. */
  valued: number;
  firstPeriod: string;
  lastPeriod: string;
}

/** Counts by the code of the place, in the order of indicators. */
type PlaceCounts = ReadonlyMap<string, IndicatorCount[]>;

const knownCounts = (_release: Release): Map<string, PlaceCounts> => new Map();

/** The counts of a dataset, which are made once. */
export function countsOf(release: Release, dataset: string): PlaceCounts {
  const known = release.derive(knownCounts);
  const counts = known.get(dataset) ?? counted(release, dataset);
  known.set(dataset, counts);
  return counts;
}

/** Counts by the directory of series; of national context, which is not in it, by the pack's index. */
function counted(release: Release, dataset: string): PlaceCounts {
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
    for (const { geo, observations: rows, numeric: valued, ...series } of seriesListed(release, dataset)) {
      const { indicator, firstPeriod, lastPeriod } = series;
      add(geo, { indicator, rows, valued, firstPeriod, lastPeriod });
    }
  else {
    const { dims, periods, pattern, patternFrom, patternPeriod, row, rows } = pack.derive(readSeries);
    const [indicators = [], geos = []] = dims.map(({ values }) => values);
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

/** The series of a market dataset in their order. */
export function* seriesListed(release: Release, dataset: string): Generator<ReturnType<typeof seriesAt>> {
  const directory = release.derive(directoryOf);
  const isOwn = rowTest(directory, { dataset });
  for (let row = 0; row < directory.rows; row += 1) if (isOwn(row)) yield seriesAt(directory, row);
}

/** What names the series of the market datasets, as parts of a key: it stays the same while only values change. */
export function seriesNames(release: Release): (string | Uint8Array)[] {
  const { column, ...texts } = release.derive(directoryOf);
  const columns = TEXT_COLUMNS.map((name) => column(name));
  return [
    JSON.stringify(texts),
    ...columns.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  ];
}

function directoryOf(release: Release): SeriesDirectory {
  return readDirectory(release.document(SERIES_INDEX));
}
