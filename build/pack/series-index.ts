/**
 * The directory of series as one file: a row for each series of the current market datasets, and the words by which it is
 * found. shim/core/series-directory.ts reads it and says what it holds.
 */
import { encodeIndex } from '../../shim/core/index-file.ts';
import { SERIES_INDEX } from '../../shim/core/paths.ts';
import type { Observation, Revision } from '../../shim/core/records.ts';
import { wordIndex, type PlaceNames } from '../../shim/core/series-names.ts';
import { byCodeUnits, type ObservationsDescriptor } from '../lib/dataset.ts';
import type { Artifact } from '../lib/tree.ts';
import { otherNamesOf } from '../reference/place-names.ts';
import { numbered } from './pack-file.ts';

/** The records of a dataset in the order of its pack. */
interface Records {
  descriptor: Pick<ObservationsDescriptor, 'name' | 'title' | 'indicators'>;
  records: readonly Observation[];
}

/** One row while its records are counted. */
export interface SeriesRow {
  dataset: number;
  first: Observation;
  units: Set<string>;
  firstPeriod: string;
  lastPeriod: string;
  observations: number;
  numeric: number;
  zeros: number;
  unavailable: number;
}

/** The directory of these datasets, which are in the order of their ids; `revisions` are those of all editions. */
export function seriesIndexFile(datasets: readonly Records[], revisions: readonly Revision[]): Artifact {
  const rows = datasets.flatMap(({ records }, dataset) => seriesOf(records, dataset));
  const revised = revisedIn(revisions);
  const indicators = datasets.flatMap(({ descriptor }, dataset) =>
    descriptor.indicators
      .toSorted((a, b) => byCodeUnits(a.id, b.id))
      .map(({ id, label, market }) => ({ dataset, id, label, market })),
  );
  const indicatorAt = new Map(indicators.map(({ dataset, id }, at) => [`${dataset} ${id}`, at]));
  const table = (values: (row: SeriesRow) => readonly string[]): Table => tableOf(rows.flatMap(values));
  const geos = table(({ first }) => [first.geoCode]);
  const geoNames = table(({ first }) => [first.geoName]);
  const categories = table(({ first }) => [first.category]);
  const subgroups = table(({ first }) => [first.subgroup]);
  const units = table(({ units: own }) => [...own]);
  const periods = table(({ firstPeriod, lastPeriod }) => [firstPeriod, lastPeriod]);
  const column = (value: (row: SeriesRow) => number): Uint32Array => Uint32Array.from(rows, value);
  const texts = {
    datasets: datasets.map(({ descriptor: { name, title } }) => ({ id: name, title })),
    indicators,
    geos: geos.list,
    geoNames: geoNames.list,
    categories: categories.list,
    subgroups: subgroups.list,
    units: units.list,
    periods: periods.list,
  };
  const words = wordIndex(texts, placesOf(geos.list, rows));
  const bytes = encodeIndex(
    { ...texts, ...words.header },
    {
      indicator: column(({ dataset, first }) => indicatorAt.get(`${dataset} ${first.indicatorId}`) ?? 0),
      geo: column(({ first }) => geos.at(first.geoCode)),
      geoName: column(({ first }) => geoNames.at(first.geoName)),
      category: column(({ first }) => categories.at(first.category)),
      subgroup: column(({ first }) => subgroups.at(first.subgroup)),
      unit: column(({ units: own }) => (own.size === 1 ? units.at([...own][0] ?? '') + 1 : 0)),
      firstPeriod: column(({ firstPeriod }) => periods.at(firstPeriod)),
      lastPeriod: column(({ lastPeriod }) => periods.at(lastPeriod)),
      observations: column(({ observations }) => observations),
      numeric: column(({ numeric }) => numeric),
      zeros: column(({ zeros }) => zeros),
      unavailable: column(({ unavailable }) => unavailable),
      revised: column(({ first }) => revised.get(seriesKey(first)) ?? 0),
      ...words.columns,
    },
  );
  return { path: SERIES_INDEX, bytes };
}

/** The series of records that are in the order of their pack, where those of one series follow one another. */
export function seriesOf(records: readonly Observation[], dataset: number): SeriesRow[] {
  const rows: SeriesRow[] = [];
  for (const record of records) {
    const { first } = rows.at(-1) ?? {};
    if (!first || DIMENSIONS.some((name) => record[name] !== first[name])) {
      const periods = { firstPeriod: record.period, lastPeriod: record.period };
      const counts = { observations: 0, numeric: 0, zeros: 0, unavailable: 0 };
      rows.push({ dataset, first: record, units: new Set(), ...periods, ...counts });
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

function seriesKey(record: Key): string {
  return JSON.stringify(DIMENSIONS.map((name) => record[name]));
}

/** How many records of each series are among the revisions; one that several pairs of editions differ in counts once. */
function revisedIn(revisions: readonly Revision[]): Map<string, number> {
  const records = new Map<string, Set<string>>();
  for (const revision of revisions) {
    const key = seriesKey(revision);
    const ids = records.get(key) ?? new Set();
    records.set(key, ids.add(revision.id.slice(0, revision.id.lastIndexOf('@'))));
  }
  return new Map([...records].map(([key, ids]) => [key, ids.size]));
}

/** Texts by code units, and the position of each. */
interface Table {
  list: string[];
  at(text: string): number;
}

/** Numbers texts by code units. */
export function tableOf(texts: readonly string[]): Table {
  const known = numbered();
  for (const text of texts) known.idOf(text);
  const { list, rank } = known.sorted();
  return { list, at: (text) => rank[known.idOf(text)] ?? 0 };
}

/** What each place is called: the names that datasets print, and others. */
function placesOf(codes: readonly string[], rows: readonly SeriesRow[]): PlaceNames[] {
  const printed = new Map(codes.map((code) => [code, new Set<string>()]));
  for (const { first } of rows) printed.get(first.geoCode)?.add(first.geoName);
  return codes.map((code) => {
    return { printed: [...(printed.get(code) ?? [])], names: otherNamesOf(code) };
  });
}
