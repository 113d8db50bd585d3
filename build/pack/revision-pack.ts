/** The differences between the editions of each dataset, and those of all datasets as one pack. */
import { REVISIONS } from '../../shim/core/paths.ts';
import type { JsonObject, PackEntry } from '../../shim/core/types.ts';
import { byCodeUnits, type ObservationsDescriptor } from '../lib/dataset.ts';
import { growingFile, piecesOf, type TreeFile, type TreeFolder } from '../lib/tree.ts';
import { linesOf } from '../load/groups.ts';
import type { Observation, Revision } from '../../shim/core/records.ts';
import type { PackedEdition } from './edition.ts';
import { growingPack, seriesIndexer } from './pack-file.ts';
import { byRevisionOrder, compareEditions, newerDay, type Edition, type EditionPair } from './revisions.ts';
import { seriesKey } from './series-index.ts';

/** What distinguishes runs of revisions, in the fixed order; the period of the index is the day of the newer edition. */
const REVISION_DIMENSIONS = ['dataset', 'indicator', 'geo', 'kind'];

/** A packed edition of observations as the comparison reads it; its periods by the id of the indicator. */
export interface ComparedEdition extends Omit<Edition, 'periods'> {
  file: TreeFile;
  periods: [indicator: string, { first: string; last: string }][];
}

/** What a packed edition is compared by. */
export function comparedEdition(
  { indicators, sources }: ObservationsDescriptor,
  { entry, coverage }: PackedEdition,
): ComparedEdition {
  const { edition, path, bytes, sha256 } = entry;
  const periods = coverage.indicators.flatMap(
    ({ id, coverage: { firstPeriod: first, lastPeriod: last } }): ComparedEdition['periods'] =>
      first === null || last === null ? [] : [[id, { first, last }]],
  );
  return { edition, descriptor: { indicators, sources }, file: { path, bytes, sha256 }, periods };
}

/** The differences between the neighbouring editions of a dataset. */
export interface Compared {
  pairs: EditionPair[];
  /** Notes by the id of the dataset, of how a difference is counted. */
  tolerances: Record<string, string[]>;
  /** How many records of each series are among the revisions; one that several pairs of editions differ in counts once. */
  revised: [series: string, records: number][];
  /** The revisions in the fixed order, one per line. */
  part: TreeFile;
}

/** Compares the editions of a dataset, oldest first, by reading their packs at the same time; writes its revisions to `path`. */
export function compareDataset(
  folder: TreeFolder,
  datasetId: string,
  editions: readonly ComparedEdition[],
  path: string,
): Compared {
  const comparisons = editions.flatMap((newer, at) => {
    const older = editions[at - 1];
    if (!older) return [];
    return [compareEditions(datasetId, withPeriods(older), withPeriods(newer))];
  });
  const part = growingFile(folder, path);
  const revised = new Map<string, number>();
  for (const groups of together(editions.map(({ file }) => recordGroups(folder, file)))) {
    const revisions = comparisons
      .flatMap((comparison, at) => comparison.add(groups[at] ?? [], groups[at + 1] ?? []))
      .sort(byRevisionOrder);
    const records = new Map<string, Set<string>>();
    for (const revision of revisions) {
      part.add(Buffer.from(`${JSON.stringify(revision)}\n`));
      const series = seriesKey(revision);
      const ids = records.get(series) ?? new Set();
      records.set(series, ids.add(revision.id.slice(0, revision.id.lastIndexOf('@'))));
    }
    for (const [series, { size }] of records) revised.set(series, size);
  }
  const tolerances = editions
    .slice(-1)
    .map((newest): [string, string[]] => [datasetId, toleranceNotes(newest)]);
  return {
    pairs: comparisons.map((comparison) => comparison.pair()),
    tolerances: Object.fromEntries(tolerances),
    revised: [...revised],
    part: part.finish(),
  };
}

function withPeriods({ edition, descriptor, periods }: ComparedEdition): Edition {
  return { edition, descriptor, periods: new Map(periods) };
}

/** The records of a pack, those of one indicator and place at a time. */
function* recordGroups(folder: TreeFolder, file: TreeFile): Generator<Observation[]> {
  let group: Observation[] = [];
  for (const line of linesOf(piecesOf(folder, file))) {
    const record = JSON.parse(line) as Observation;
    const [first] = group;
    if (first && byPlace(first, record) !== 0) {
      yield group;
      group = [];
    }
    group.push(record);
  }
  if (group.length > 0) yield group;
}

/** The groups of several packs that are of the same indicator and place, in order; empty where a pack has none. */
function* together(packs: readonly Iterator<Observation[]>[]): Generator<Observation[][]> {
  const heads = packs.map((groups) => groups.next());
  for (;;) {
    const first = heads
      .flatMap(({ value }) => (value as Observation[] | undefined)?.[0] ?? [])
      .sort(byPlace)[0];
    if (!first) return;
    yield heads.map((head, at) => {
      const group = head.done ? [] : head.value;
      if (!group[0] || byPlace(group[0], first) !== 0) return [];
      heads[at] = packs[at]?.next() ?? head;
      return group;
    });
  }
}

function byPlace(a: Observation, b: Observation): number {
  return byCodeUnits(a.indicatorId, b.indicatorId) || byCodeUnits(a.geoCode, b.geoCode);
}

/** Packs the revisions of all datasets, which are in the order of their ids. Its `meta` has the pairs of editions with their counts. */
export function packRevisions(folder: TreeFolder, compared: readonly Compared[]): PackEntry {
  const named = { id: REVISIONS, edition: '', kind: 'revisions' } as const;
  const pack = growingPack(folder, named, seriesIndexer(REVISION_DIMENSIONS));
  for (const { part } of compared)
    for (const line of linesOf(piecesOf(folder, part))) {
      const revision = JSON.parse(line) as Revision;
      const { datasetId, indicatorId, geoCode, kind } = revision;
      pack.add(revision, { dims: [datasetId, indicatorId, geoCode, kind], period: newerDay(revision) });
    }
  return pack.finish({
    pairs: compared.flatMap(({ pairs }) => pairs.map((pair): EditionPair & JsonObject => ({ ...pair }))),
    tolerances: Object.assign({}, ...compared.map(({ tolerances }) => tolerances)) as JsonObject,
  });
}

function toleranceNotes({ descriptor: { indicators } }: ComparedEdition): string[] {
  return indicators.flatMap(({ id, tolerance }) =>
    tolerance === undefined ? [] : `In ${id}, a difference below ${tolerance} is counted as rounding_only.`,
  );
}
