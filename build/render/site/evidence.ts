/**
 * The current records as pages need them, with what differs between editions: read from the packs by query, a group at a time,
 * and not kept. Designations are not part of it.
 */
import { sortedByName } from '../../../shim/core/name-order.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import { newerDay, type EditionPair } from '../../pack/revisions.ts';
import { countsOf, seriesListed, seriesNames } from './counts.ts';
import type {
  AtlasRecord,
  DatasetDocument,
  DatasetIndicator,
  Observation,
  Revision,
} from '../../../shim/core/records.ts';
import { recordsOf } from '../../../shim/core/envelope.ts';
import { lastDay } from '../../../shim/core/editions.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { REVISIONS } from '../../../shim/core/paths.ts';
import { FEWEST_PLACES, lastOfPlaces } from '../../../shim/view/chart/places.ts';
import { lowerBound, readSeries, selectSeries } from '../../../shim/core/series.ts';
import type { RowRange, Series } from '../../../shim/core/run-tables.ts';
import type { Pack, Release } from '../../../shim/core/types.ts';

/** Values of dimensions; one that is not given is any. */
export type Filter = { [dimension: string]: string };

/** One geography. */
export interface PlaceEvidence {
  code: string;
  level: Observation['geoLevel'];
  /** Each name as printed, with the datasets that print it; the first is that of most datasets. */
  names: readonly { name: string; datasets: readonly string[] }[];
  /** Its number of records in each dataset that has any. */
  rows: ReadonlyMap<string, number>;
}

/** Everything that pages show. */
export type Evidence = ReturnType<typeof evidenceOf>;

/** The evidence of a release; `documents` holds every edition by the id of its pack, `siteUrl` has no trailing slash. */
export function evidenceOf(
  release: Release,
  documents: ReadonlyMap<string, DatasetDocument>,
  siteUrl: string,
) {
  const { generatedAt, revisions, packs } = release.manifest();
  return {
    siteUrl,
    /** The data clock, date-time. */
    generatedAt,
    /** The current edition of each dataset by its id, designations included. */
    documents: new Map([...documents].filter(([pack]) => !pack.includes('@'))),
    /** Every edition of each dataset by its id, oldest first. */
    editions: groupedBy(
      [...documents.values()].sort((a, b) => byCodeUnits(a.edition, b.edition)),
      ({ id }) => id,
    ),
    /** Every geography that has records, by its code, in the order of the first name printed for it. */
    places: placesOf(release, documents),
    /** The counts of each pair of neighbouring editions. */
    pairs: (revisions?.meta['pairs'] ?? []) as unknown as readonly EditionPair[],
    /** Records of a dataset of observations in the order of its pack, all or those that match. */
    observations: (dataset: string, filter: { indicator?: string; geo?: string } = {}) =>
      allOf<Observation>(release, dataset, filter),
    /** The same records, a part at a time. */
    passing: (dataset: string, filter: Filter) => passing<Observation>(release.pack(dataset), filter),
    /** Few of the records of an indicator, among them all that its figure of one period is drawn of. */
    lastOf: (dataset: string, indicator: string) => lastOfPack(release.pack(dataset), indicator),
    /** Records of a dataset of the atlas, all or those of a place. */
    atlas: (dataset: string, filter: { iso3?: string } = {}) => allOf<AtlasRecord>(release, dataset, filter),
    /** What differs between neighbouring editions, newest first. */
    revisions: (filter: { dataset?: string; indicator?: string; geo?: string }) =>
      newestFirst(allOf<Revision>(release, REVISIONS, filter)),
    /** What differs between two neighbouring editions, without reading all of it: there may be a million such records. */
    differences: (pair: EditionPair) => differencesOf(release.pack(REVISIONS), pair),
    /** Such records as the text of a JSON array, of any pack: `recordsIn` reads it. */
    text: (pack: string, filter: Filter) => textOf(release, pack, filter),
    /** Whether every row of a dataset is on a page: it is not too large. */
    hasRowPages: (dataset: string) => packs.find(({ id }) => id === dataset)?.rowPages !== false,
    series: (dataset: string) => [...seriesListed(release, dataset)],
    /** What names all series, as parts of a key. */
    seriesNames: () => seriesNames(release),
    counts: (dataset: string) => countsOf(release, dataset),
    /** The periods, ascending, in which each indicator of a dataset has a row; of a dataset of the atlas, by its own id. */
    periods: (dataset: string) => periodsOf(release.pack(dataset)),
  };
}

/** Every indicator of some datasets: its label by its id. */
export function indicatorLabels(
  documents: Iterable<{ indicators: readonly Pick<DatasetIndicator, 'id' | 'label'>[] }>,
): Map<string, string> {
  return new Map(
    [...documents].flatMap((document) => document.indicators.map(({ id, label }) => [id, label])),
  );
}

/** The records of a text of evidence. */
export function recordsIn<T extends Observation | AtlasRecord | Revision>(text: Uint8Array): T[] {
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()) as T[];
}

/** Differences by the day of the newer edition, the newest first. */
export function newestFirst(revisions: Revision[]): Revision[] {
  return revisions.sort((a, b) => byCodeUnits(newerDay(b), newerDay(a)));
}

function textOf(release: Release, id: string, filter: Filter): Buffer {
  const chunks: Uint8Array[] = [];
  const pack = packOf(release, id);
  if (pack)
    for (const [from, to] of selectSeries(pack, { equal: filter }).rows(0, Infinity))
      for (const chunk of pack.copy(from, to)) chunks.push(COMMA, chunk);
  return Buffer.concat([Buffer.from('['), ...chunks.slice(1), Buffer.from(']')]);
}

/** A current pack or the revisions; null where the release has none. */
function packOf(release: Release, id: string): Pack | null {
  const { packs, revisions } = release.manifest();
  return revisions?.id === id || packs.some((pack) => pack.id === id) ? release.pack(id) : null;
}

function allOf<T>(release: Release, id: string, filter: Filter): T[] {
  const pack = packOf(release, id);
  return pack ? [...passing<T>(pack, filter)].flat() : [];
}

function differencesOf(pack: Pack, { datasetId, to }: EditionPair) {
  const day = lastDay(to);
  const rows = (filter: Filter, most: number): RowRange[] =>
    selectSeries(pack, { equal: { dataset: datasetId, ...filter }, from: day, to: day }).rows(0, most);
  return {
    /** The first differences of a kind, at most `most`. */
    first: (kind: Revision['kind'], most: number) =>
      rows({ kind }, most).flatMap(([from, end]) => rowsIn<Revision>(pack, from, end)),
    /** Every place that has any: one of its differences, and how many there are. */
    places: () => {
      const series = pack.derive(readSeries);
      const geo = series.dims.find(({ name }) => name === 'geo');
      const found = new Map<number | undefined, { row: number; count: number }>();
      for (const [from, end] of rows({}, Infinity)) {
        for (let row = from; row < end;) {
          const next = lowerBound(series.row, row + 1, 0, series.row.length);
          const stop = Math.min(end, series.row[next] ?? end);
          const place = geo?.column[next - 1];
          const known = found.get(place) ?? { row, count: 0 };
          found.set(place, { ...known, count: known.count + stop - row });
          row = stop;
        }
      }
      return [...found.values()].flatMap(({ row, count }) =>
        rowsIn<Revision>(pack, row, row + 1).map((one) => ({ one, count })),
      );
    },
  };
}

const COMMA = Buffer.from(',');

/** Records that are parsed at once: large texts take longer to make than to read. */
const TOGETHER = 100;

function* passing<T>(pack: Pack, filter: Filter): Generator<T[]> {
  for (const [from, to] of selectSeries(pack, { equal: filter }).rows(0, Infinity))
    for (let row = from; row < to; row += TOGETHER) yield rowsIn(pack, row, Math.min(to, row + TOGETHER));
}

function rowsIn<T>(pack: Pack, from: number, to: number): T[] {
  return recordsOf(pack.copy(from, to)) as T[];
}

/** Labels of one period that are read for a figure. */
const MOST_LABELS = 20;

/** Of the last period that ten places have under one label, the records of the labels that the most places have. */
function lastOfPack(pack: Pack, indicator: string): Observation[] {
  const series = pack.derive(readSeries);
  const [indicators, , category, subgroup] = series.dims;
  const id = indicators?.values.indexOf(indicator) ?? -1;
  if (id < 0 || !category || !subgroup) return [];
  for (let period = series.periods.length - 1; period >= 0; period -= 1) {
    const text = series.periods[period] ?? '';
    const found = widestLabels(series, id, period).flatMap((label) => {
      const equal = {
        indicator,
        category: category.values[Math.floor(label / subgroup.values.length)] ?? '',
        subgroup: subgroup.values[label % subgroup.values.length] ?? '',
      };
      return selectSeries(pack, { equal, from: text, to: text })
        .rows(0, Infinity)
        .flatMap(([from, to]) => rowsIn<Observation>(pack, from, to))
        .filter((record) => record.period === text);
    });
    if (lastOfPlaces(found) !== null) return found;
  }
  return [];
}

/** The labels of an indicator that ten places have in a period, the widest first; a label is its category and subgroup as one number. */
function widestLabels(
  { dims, groups, pattern, ...series }: Series,
  indicator: number,
  period: number,
): number[] {
  const [, , category, subgroup] = dims;
  const known = new Map<number, boolean>();
  const places = new Map<number, number>();
  const [from, to] = groups[indicator] ?? [0, 0];
  for (let run = from; run < to; run += 1) {
    const own = pattern[run] ?? 0;
    if (!known.has(own)) known.set(own, periodsIn(series, own).includes(period));
    if (known.get(own) !== true) continue;
    const label =
      (category?.column[run] ?? 0) * (subgroup?.values.length ?? 1) + (subgroup?.column[run] ?? 0);
    places.set(label, (places.get(label) ?? 0) + 1);
  }
  return [...places]
    .filter(([, count]) => count >= FEWEST_PLACES)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_LABELS)
    .map(([label]) => label);
}

function periodsIn(
  { patternFrom, patternPeriod }: Pick<Series, 'patternFrom' | 'patternPeriod'>,
  pattern: number,
): Uint32Array {
  return patternPeriod.subarray(patternFrom[pattern], patternFrom[pattern + 1]);
}

/** Of each value of the leading dimension, the periods that its patterns have. */
function periodsOf(pack: Pack): [id: string, periods: string[]][] {
  const { dims, groups, pattern, periods, ...series } = pack.derive(readSeries);
  const isAtlas = pack.entry.kind === 'atlas';
  const ids = isAtlas ? [pack.entry.id] : (dims[0]?.values ?? []);
  return ids.map((id, at) => {
    const [from = 0, to = pattern.length] = isAtlas ? [] : (groups[at] ?? []);
    const found = new Set<number>();
    for (const own of new Set(pattern.subarray(from, to)))
      for (const period of periodsIn(series, own)) found.add(period);
    return [id, [...found].sort((a, b) => a - b).map((period) => periods[period] ?? '')];
  });
}

function placesOf(
  release: Release,
  documents: ReadonlyMap<string, DatasetDocument>,
): Map<string, PlaceEvidence> {
  const known = new Map<
    string,
    { level: Observation['geoLevel']; names: Map<string, string[]>; rows: Map<string, number> }
  >();
  const packs = release.manifest().packs.filter(({ kind }) => kind !== 'entities');
  for (const dataset of packs.map(({ id }) => id).sort()) {
    const pack = release.pack(dataset);
    const dimension = pack.entry.kind === 'atlas' ? 'iso3' : 'geo';
    for (const { code, name, level } of documents.get(dataset)?.geographies ?? []) {
      const place = known.get(code) ?? { level, names: new Map<string, string[]>(), rows: new Map() };
      known.set(code, place);
      place.names.set(name, [...(place.names.get(name) ?? []), dataset]);
      const { matched } = selectSeries(pack, { equal: { [dimension]: code } });
      if (matched > 0) place.rows.set(dataset, matched);
    }
  }
  const nameOf = ({ names }: PlaceEvidence): string => names[0]?.name ?? '';
  const found = [...known].map(([code, { level, names, rows }]): PlaceEvidence => ({
    code,
    level,
    names: [...names]
      .map(([name, datasets]) => ({ name, datasets }))
      .sort((a, b) => b.datasets.length - a.datasets.length || byCodeUnits(a.name, b.name)),
    rows,
  }));
  return new Map(sortedByName(found, nameOf, ({ code }) => code).map((place) => [place.code, place]));
}
