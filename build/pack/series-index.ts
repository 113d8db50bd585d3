/**
 * The directory of series as one file: a row for each series of the current market datasets, and the words by which it is
 * found. shim/core/series-directory.ts reads it and describes what it holds.
 */
import { encodeIndex } from '../../shim/core/index-file.ts';
import { SERIES_INDEX } from '../../shim/core/paths.ts';
import type { Observation } from '../../shim/core/records.ts';
import { wordIndex, type PlaceNames, type WordIndex } from '../../shim/core/series-names.ts';
import { finished } from '../../shim/core/steps.ts';
import { TEXT_COLUMNS } from '../../shim/core/site-index.ts';
import { remembered, type BuildCache } from '../lib/cache.ts';
import { byCodeUnits, type ObservationsDescriptor } from '../lib/dataset.ts';
import type { Artifact } from '../lib/tree.ts';
import { otherNamesOf } from '../reference/place-names.ts';
import { numbered } from './pack-file.ts';

/** A dataset of the directory: its series in the order of its pack. */
export interface ListedDataset {
  descriptor: Pick<ObservationsDescriptor, 'name' | 'title' | 'indicators'>;
  series: SeriesTable;
}

/** Columns of the directory that hold counts. */
const COUNTS = ['observations', 'numeric', 'zeros', 'unavailable'] as const;

/** The series of a dataset as columns: texts by their position in `texts`. A series with several units has the unit -1. */
export interface SeriesTable {
  texts: string[];
  /** Every unit, also of series with several units, by its position in `texts`. */
  units: number[];
  columns: Record<(typeof TEXT_COLUMNS)[number] | (typeof COUNTS)[number], number[]>;
}

/** Collects the series of records that come in the order of their pack, whole series at a time. */
export function seriesCollector(): { add(records: readonly Observation[]): void; finish(): SeriesTable } {
  const texts = numbered();
  const units = new Set<number>();
  const columns = Object.fromEntries(
    [...TEXT_COLUMNS, ...COUNTS].map((name) => [name, []]),
  ) as unknown as SeriesTable['columns'];
  return {
    add(records) {
      for (const row of seriesOf(records)) {
        const { indicatorId: indicator, geoCode: geo, geoName, category, subgroup } = row.first;
        const { firstPeriod, lastPeriod } = row;
        for (const unit of row.units) units.add(texts.idOf(unit));
        const own = { indicator, geo, geoName, category, subgroup, firstPeriod, lastPeriod };
        for (const name of TEXT_COLUMNS) if (name !== 'unit') columns[name].push(texts.idOf(own[name]));
        columns.unit.push(row.units.size === 1 ? texts.idOf([...row.units][0] ?? '') : -1);
        for (const name of COUNTS) columns[name].push(row[name]);
      }
    },
    finish: () => ({ texts: texts.list(), units: [...units], columns }),
  };
}

/** One row while its records are counted. */
interface SeriesRow {
  first: Observation;
  units: Set<string>;
  firstPeriod: string;
  lastPeriod: string;
  observations: number;
  numeric: number;
  zeros: number;
  unavailable: number;
}

/** The directory of these datasets, which are in the order of their ids; `revised` counts the records of a series that differ between editions. */
export function seriesIndexFile(
  datasets: readonly ListedDataset[],
  revised: ReadonlyMap<string, number>,
  cache: BuildCache,
): Artifact {
  const indicators = datasets.flatMap(({ descriptor }, dataset) =>
    descriptor.indicators
      .toSorted((a, b) => byCodeUnits(a.id, b.id))
      .map(({ id, label, market }) => ({ dataset, id, label, market })),
  );
  const indicatorAt = new Map(indicators.map(({ dataset, id }, at) => [`${dataset} ${id}`, at]));
  const table = (used: (series: SeriesTable) => readonly number[]): Table =>
    tableOf(datasets.flatMap(({ series }) => [...new Set(used(series))].map((id) => series.texts[id] ?? '')));
  const geos = table(({ columns }) => columns.geo);
  const geoNames = table(({ columns }) => columns.geoName);
  const categories = table(({ columns }) => columns.category);
  const subgroups = table(({ columns }) => columns.subgroup);
  const units = table((series) => series.units);
  const periods = table(({ columns }) => [...new Set([...columns.firstPeriod, ...columns.lastPeriod])]);
  const length = datasets.reduce((sum, { series }) => sum + series.columns.geo.length, 0);
  /** A column of all datasets; `valueIn` gives the function that turns a value of a dataset into the written one. */
  const column = (
    name: keyof SeriesTable['columns'],
    valueIn: (dataset: number, series: SeriesTable) => (value: number) => number = () => (value) => value,
  ): Uint32Array => {
    const all = new Uint32Array(length);
    let at = 0;
    for (const [dataset, { series }] of datasets.entries()) {
      const value = valueIn(dataset, series);
      for (const own of series.columns[name]) all[at++] = value(own);
    }
    return all;
  };
  const texts = (name: (typeof TEXT_COLUMNS)[number], { at }: Table): Uint32Array =>
    column(name, (_, series) => {
      const ranks = series.texts.map(at);
      return (id) => ranks[id] ?? 0;
    });
  const lists = {
    datasets: datasets.map(({ descriptor: { name, title } }) => ({ id: name, title })),
    indicators,
    geos: geos.list,
    geoNames: geoNames.list,
    categories: categories.list,
    subgroups: subgroups.list,
    units: units.list,
    periods: periods.list,
  };
  const words = wordsOf(lists, printedNames(geos.list, datasets), cache);
  const bytes = encodeIndex(
    { ...lists, ...words.header },
    {
      indicator: column('indicator', (dataset, series) => {
        const places = series.texts.map((id) => indicatorAt.get(`${dataset} ${id}`) ?? 0);
        return (id) => places[id] ?? 0;
      }),
      geo: texts('geo', geos),
      geoName: texts('geoName', geoNames),
      category: texts('category', categories),
      subgroup: texts('subgroup', subgroups),
      unit: column('unit', (_, series) => {
        const ranks = series.texts.map(units.at);
        return (id) => (id < 0 ? 0 : (ranks[id] ?? 0) + 1);
      }),
      firstPeriod: texts('firstPeriod', periods),
      lastPeriod: texts('lastPeriod', periods),
      observations: column('observations'),
      numeric: column('numeric'),
      zeros: column('zeros'),
      unavailable: column('unavailable'),
      revised: revisedColumn(datasets, revised, length),
      ...words.columns,
    },
  );
  return { path: SERIES_INDEX, bytes };
}

function revisedColumn(
  datasets: readonly ListedDataset[],
  revised: ReadonlyMap<string, number>,
  length: number,
): Uint32Array {
  const all = new Uint32Array(length);
  if (revised.size === 0) return all;
  let at = 0;
  for (const { descriptor, series } of datasets) {
    const { texts, columns } = series;
    const text = (name: (typeof TEXT_COLUMNS)[number], row: number): string =>
      texts[columns[name][row] ?? 0] ?? '';
    for (const row of columns.geo.keys())
      all[at++] =
        revised.get(
          seriesKey({
            datasetId: descriptor.name,
            indicatorId: text('indicator', row),
            geoCode: text('geo', row),
            category: text('category', row),
            subgroup: text('subgroup', row),
          }),
        ) ?? 0;
  }
  return all;
}

/** The series of records that are in the order of their pack, where those of one series follow one another. */
export function seriesOf(records: readonly Observation[]): SeriesRow[] {
  const rows: SeriesRow[] = [];
  for (const record of records) {
    const { first } = rows.at(-1) ?? {};
    if (!first || DIMENSIONS.some((name) => record[name] !== first[name])) {
      const periods = { firstPeriod: record.period, lastPeriod: record.period };
      const counts = { observations: 0, numeric: 0, zeros: 0, unavailable: 0 };
      rows.push({ first: record, units: new Set(), ...periods, ...counts });
    }
    const row = rows.at(-1);
    if (!row) continue;
    row.units.add(record.unit);
    if (record.period < row.firstPeriod) row.firstPeriod = record.period;
    if (record.period > row.lastPeriod) row.lastPeriod = record.period;
    row.observations += 1;
    if (record.value === null) row.unavailable += 1;
    else row.numeric += 1;
    if (record.value === 0) row.zeros += 1;
  }
  return rows;
}

/** What the records of a series share. */
const DIMENSIONS = ['datasetId', 'indicatorId', 'geoCode', 'category', 'subgroup'] as const;
type Key = Pick<Observation, (typeof DIMENSIONS)[number]>;

/** The key of a series in the directory. */
export function seriesKey(record: Key): string {
  return JSON.stringify(DIMENSIONS.map((name) => record[name]));
}

/** Texts by code units, and the position of each. */
interface Table {
  list: string[];
  at(text: string): number;
}

/** Numbers texts by code units. */
export function tableOf(texts: readonly string[]): Table {
  const list = [...new Set(texts)].sort(byCodeUnits);
  const places = new Map(list.map((text, place) => [text, place]));
  return { list, at: (text) => places.get(text) ?? 0 };
}

function printedNames(codes: readonly string[], datasets: readonly ListedDataset[]): string[][] {
  const printed = new Map(codes.map((code) => [code, new Set<string>()]));
  for (const { series } of datasets) {
    const { texts, columns } = series;
    for (const [row, geo] of columns.geo.entries())
      printed.get(texts[geo] ?? '')?.add(texts[columns.geoName[row] ?? 0] ?? '');
  }
  return [...printed.values()].map((names) => [...names]);
}

/** The words of these texts and of the names of their places: those of an earlier build, or made now. */
function wordsOf(
  lists: Parameters<typeof wordIndex>[0],
  printed: readonly string[][],
  cache: BuildCache,
): WordIndex {
  const key = cache.key('words', JSON.stringify([lists, printed]));
  const { header, columns } = remembered(cache, key, () => {
    const places = lists.geos.map((code, at): PlaceNames => {
      return { printed: printed[at] ?? [], names: otherNamesOf(code) };
    });
    const made = finished(wordIndex(lists, places));
    return {
      header: made.header,
      columns: Object.entries(made.columns).map(([name, all]) => [name, [...all]] as const),
    };
  });
  return { header, columns: Object.fromEntries(columns.map(([name, all]) => [name, Uint32Array.from(all)])) };
}
