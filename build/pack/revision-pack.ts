/** The differences between the editions of each dataset, and those of all datasets as one pack. */
import { REVISIONS } from '../../shim/core/paths.ts';
import type { JsonObject, PackEntry } from '../../shim/core/types.ts';
import { groupedBy } from '../../shim/core/groups.ts';
import type { ObservationsDescriptor } from '../lib/dataset.ts';
import { asFile, growingFile, type TreeFile, type TreeFolder } from '../lib/tree.ts';
import { byGroup, merged, recordsIn } from '../load/groups.ts';
import type { Observation, Revision } from '../../shim/core/records.ts';
import type { Coverage } from './coverage.ts';
import type { PackedEdition } from './edition.ts';
import { growingPack, seriesIndexer } from './pack-file.ts';
import {
  byRevisionOrder,
  compareEditions,
  newerDay,
  type Edition,
  type EditionPair,
  type Window,
} from './revisions.ts';
import { seriesKey } from './series-index.ts';

/** The dimensions of the index of revisions, in the fixed order; its period is the day of the newer edition. */
const REVISION_DIMENSIONS = ['dataset', 'indicator', 'geo', 'kind'];

/** A packed edition of observations as the comparison reads it; its periods by the id of the indicator. */
export interface ComparedEdition extends Omit<Edition, 'periods'> {
  file: TreeFile;
  periods: [indicator: string, window: Window][];
}

/** The parts of a packed edition that a comparison needs. */
export function comparedEdition(
  { indicators, sources }: ObservationsDescriptor,
  { entry, coverage }: PackedEdition,
): ComparedEdition {
  const described = { edition: entry.edition, descriptor: { indicators, sources } };
  return { ...described, file: asFile(entry), ...windowsOf(coverage) };
}

/** The periods that an edition covers: by indicator, and by file. */
export function windowsOf({ indicators, sources }: Coverage): Pick<ComparedEdition, 'periods' | 'files'> {
  const windowOf = (first: string | null, last: string | null): Window[] =>
    first === null || last === null ? [] : [{ first, last }];
  return {
    periods: indicators.flatMap(({ id, coverage: { firstPeriod, lastPeriod } }) =>
      windowOf(firstPeriod, lastPeriod).map((window): [string, Window] => [id, window]),
    ),
    files: Object.values(sources).flatMap(({ periods: { first, last } }) => windowOf(first, last)),
  };
}

/** Two neighbouring editions of a dataset. */
export interface Neighbours {
  dataset: string;
  older: ComparedEdition;
  newer: ComparedEdition;
}

/** The differences between two neighbouring editions. */
export interface Compared {
  pair: EditionPair;
  /** The revisions in the fixed order, one per line. */
  part: TreeFile;
}

/** The neighbouring editions of a dataset, whose editions are given oldest first. */
export function neighboursOf(dataset: string, editions: readonly ComparedEdition[]): Neighbours[] {
  return editions.slice(1).flatMap((newer, before) => {
    const older = editions[before];
    return older ? [{ dataset, older, newer }] : [];
  });
}

/** Compares two editions by reading their packs at the same time; writes their revisions into a file that is not published. */
export function comparePair(folder: TreeFolder, { dataset, older, newer }: Neighbours): Compared {
  const comparison = compareEditions(dataset, withPeriods(older), withPeriods(newer));
  const part = growingFile(folder, `.${dataset}@${newer.edition}.revisions`);
  const rows = [older, newer].map((edition) => rowsOf(folder, edition));
  for (const group of consecutive(merged(rows, byGroupOfRow), byGroupOfRow)) {
    const recordsOf = ({ edition }: ComparedEdition): Observation[] =>
      group.flatMap((row) => (row.edition === edition ? row.record : []));
    for (const revision of comparison.add(recordsOf(older), recordsOf(newer)).sort(byRevisionOrder))
      part.add(Buffer.from(`${JSON.stringify(revision)}\n`));
  }
  return { pair: comparison.pair(), part: part.finish() };
}

function withPeriods({ edition, descriptor, periods, files }: ComparedEdition): Edition {
  return { edition, descriptor, periods: new Map(periods), files };
}

interface Row {
  edition: string;
  record: Observation;
}

/** The records of an edition, in the order of their pack. */
function* rowsOf(folder: TreeFolder, { edition, file }: ComparedEdition): Generator<Row> {
  for (const record of recordsIn<Observation>(folder, file)) yield { edition, record };
}

/** Groups items that are next to each other and equal. */
function* consecutive<T>(items: Iterable<T>, compare: (a: T, b: T) => number): Generator<T[]> {
  let group: T[] = [];
  for (const item of items) {
    const [first] = group;
    if (first !== undefined && compare(first, item) !== 0) {
      yield group;
      group = [];
    }
    group.push(item);
  }
  if (group.length > 0) yield group;
}

function byGroupOfRow(a: Row, b: Row): number {
  return byGroup(a.record, b.record);
}

/** The revisions of all datasets. */
export interface PackedRevisions {
  entry: PackEntry;
  /** How many records of each series were revised; one that was revised in several editions counts once. */
  revised: [series: string, records: number][];
}

/** Packs the revisions of all datasets; pairs are in the order of ids and editions. Its `meta` has the pairs with their counts. */
export function packRevisions(
  folder: TreeFolder,
  { compared, tolerances }: { compared: readonly Compared[]; tolerances: Tolerances },
): PackedRevisions {
  const named = { id: REVISIONS, edition: '', kind: 'revisions' } as const;
  const pack = growingPack(folder, named, seriesIndexer(REVISION_DIMENSIONS));
  const revised = new Map<string, number>();
  for (const pairs of groupedBy(compared, ({ pair }) => pair.datasetId).values()) {
    const parts = pairs.map(({ part }) => recordsIn<Revision>(folder, part));
    for (const revisions of consecutive(merged(parts, byRevisionOrder), byGroup)) {
      const records = groupedBy(revisions, seriesKey);
      for (const [series, own] of records)
        revised.set(series, new Set(own.map(({ id }) => id.slice(0, id.lastIndexOf('@')))).size);
      for (const revision of revisions) {
        const { datasetId, indicatorId, geoCode, kind } = revision;
        pack.add(revision, { dims: [datasetId, indicatorId, geoCode, kind], period: newerDay(revision) });
      }
    }
  }
  const entry = pack.finish({
    pairs: compared.map(({ pair }): EditionPair & JsonObject => ({ ...pair })),
    tolerances: { ...tolerances },
  });
  return { entry, revised: [...revised] };
}

/** By the id of the dataset: notes that say which differences count as rounding. */
export type Tolerances = Record<string, string[]>;

/** These notes as the newest of the compared editions of each dataset states them. */
export function tolerancesOf(neighbours: readonly Neighbours[]): Tolerances {
  return Object.fromEntries(
    neighbours.map(({ dataset, newer }) => [
      dataset,
      newer.descriptor.indicators.flatMap(({ id, tolerance }) =>
        tolerance === undefined
          ? []
          : `In ${id}, a difference below ${tolerance} is counted as rounding_only.`,
      ),
    ]),
  );
}
