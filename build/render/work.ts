/**
 * The work on records: each task reads files, writes files into the tree that grows, and returns small facts. It is done in this
 * thread, or shared with a second one (build/write/second-thread.ts): the bytes are the same.
 */
import type { PackEntry } from '../../shim/core/types.ts';
import { rowChecker, type LabelKeys } from '../check/rows.ts';
import type { Dataset, Descriptor } from '../lib/dataset.ts';
import type { Finding } from '../lib/findings.ts';
import { sha256, type Artifact, type TreeFile, type TreeFolder } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { listsOf, readEdition, type RowTaker } from '../load/datasets.ts';
import type { Row } from '../load/row.ts';
import {
  orderedGroups,
  OutOfOrder,
  sortedGroups,
  type Grouping,
  type NumberedRow,
  type TakeGroup,
} from '../load/groups.ts';
import {
  observationPacker,
  packInMemory,
  withAllRows,
  type NamedPack,
  type PackedEdition,
} from '../pack/edition.ts';
import type { PackedOf } from '../pack/pack.ts';
import { recordMaker } from '../pack/records.ts';
import {
  comparePair,
  packRevisions,
  type Compared,
  type Neighbours,
  type PackedRevisions,
  type Tolerances,
} from '../pack/revision-pack.ts';
import { formOf, writeTables, type Tables } from './bulk/bulk.ts';
import { evidenceFile, type EvidenceFacts } from './bulk/evidence-file.ts';
import type { BulkFile } from './bulk/release.ts';
import { writeWorkbook, type OpenWorkbook } from './bulk/xlsx.ts';
import type { PlaceInput } from './site/place-group.ts';
import type { PlacesCommon } from './site/coverage.ts';

/** Tasks by their kind: what each takes and gives. */
export interface Tasks {
  /** Reads and checks the edition in a folder; packs it unless `named` is null, or something was found. */
  edition: { takes: EditionTask; gives: ReadEdition };
  /** Writes the forms of a pack: its tables, and then its workbook, which another thread may compress. */
  forms: { takes: FormsTask; gives: BulkFile[] };
  tables: { takes: FormsTask; gives: Tables };
  workbook: { takes: OpenWorkbook; gives: TreeFile };
  /** Compares two neighbouring editions of a dataset. */
  compare: { takes: Neighbours; gives: Compared };
  revisions: { takes: { compared: Compared[]; tolerances: Tolerances }; gives: PackedRevisions };
  /** Writes the SQLite file; none where it would be too large. */
  database: { takes: Omit<EvidenceFacts, 'folder'>; gives: TreeFile[] };
  /** Makes the pages of each of these places, and of its rows. */
  places: { takes: { inputs: readonly PlaceInput[]; common: PlacesCommon }; gives: Artifact[][] };
}

/** A kind of task. */
export type Kind = keyof Tasks;

/** One who does tasks: this thread, or another. */
export interface Work {
  do<K extends Kind>(kind: K, task: Tasks[K]['takes']): Promise<Tasks[K]['gives']>;
  /** Ends the work, whatever is being done: nothing is written after it. */
  close(): Promise<void>;
}

/** What every task may use. */
export interface Tools {
  /** Reads the files of datasets. */
  effects: Pick<BuildEffects, 'read' | 'pieces'>;
  folder: TreeFolder;
}

/** Does one task. */
export async function perform<K extends Kind>(
  kind: K,
  task: Tasks[K]['takes'],
  tools: Tools,
): Promise<Tasks[K]['gives']> {
  type Gives<Each extends Kind> = Tasks[Each]['gives'] | Promise<Tasks[Each]['gives']>;
  const does: { [Each in Kind]: (task: Tasks[Each]['takes']) => Gives<Each> } = {
    edition: (given) => packEdition(given, tools),
    forms: (given) => formsOf(ownWork(tools), given),
    tables: ({ of, entry }) => writeTables(tools.folder, of, entry),
    workbook: (parts) => writeWorkbook(tools.folder, parts),
    compare: (neighbours) => comparePair(tools.folder, neighbours),
    revisions: (given) => packRevisions(tools.folder, given),
    database: (facts) => evidenceFile({ ...facts, folder: tools.folder }),
    async places({ inputs, common }) {
      // Pages are most of the code, and the second thread can often do without it.
      const { pagesOfPlace } = await import('./site/place-group.ts');
      return inputs.map((input) =>
        pagesOfPlace(input, common).map((page) => ({ ...page, sha256: sha256(page.bytes) })),
      );
    },
  };
  return does[kind](task);
}

/** The forms of a pack by two tasks; those of all its records come first. */
export async function formsOf(work: Work, task: FormsTask): Promise<BulkFile[]> {
  const { whole, workbook, parts } = await work.do('tables', task);
  if (!workbook) return [...whole, ...parts];
  const file = await work.do('workbook', workbook);
  return [...whole, formOf(task.of, task.entry, 'xlsx', file), ...parts];
}

/** Does every task at once, in this thread. */
export function ownWork(tools: Tools): Work {
  return { do: (kind, task) => perform(kind, task, tools), close: async () => undefined };
}

/** A pack, and the dataset whose records it has. */
export interface FormsTask {
  of: PackedOf;
  entry: PackEntry;
}

/** An edition that is to be read. */
export interface EditionTask {
  folder: string;
  /** The keys of its labels; null where its descriptor is too faulty to check rows against it. */
  keys: LabelKeys | null;
  named: NamedPack | null;
}

/** The result of reading an edition: findings of reading and of checking its rows, and the pack where there are none. */
export interface ReadEdition {
  /** Whether its rows could be read at all. */
  isRead: boolean;
  unreadable: Finding[];
  wrong: Finding[];
  packed: PackedEdition | null;
}

function packEdition(task: EditionTask, { effects, folder }: Tools): ReadEdition {
  const lists = listsOf(task.folder.slice(0, task.folder.lastIndexOf('/')), effects.read);
  const edition = { folder: task.folder, ...lists };
  const scratch = { folder, path: `.${task.named?.id ?? task.folder.replaceAll('/', '.')}.sorting` };
  const read = (grouping: (take: TakeGroup) => Grouping): ReadEdition => {
    const { value, findings } = readEdition(task.folder, effects, (descriptor) =>
      editionTaker({ ...task, ...edition, descriptor }, grouping, folder),
    );
    const packed = findings.length > 0 ? null : (value?.packed ?? null);
    return { isRead: value !== null, unreadable: findings, wrong: value?.wrong ?? [], packed };
  };
  try {
    return read(orderedGroups);
  } catch (error) {
    if (!(error instanceof OutOfOrder)) throw error;
    return read((take) => sortedGroups(take, scratch));
  }
}

/** Takes the rows of an edition: checks each, and packs them while nothing was found. */
function editionTaker(
  edition: EditionTask & Parameters<typeof rowChecker>[0] & { descriptor: Descriptor },
  grouping: (take: TakeGroup) => Grouping,
  folder: TreeFolder,
): RowTaker<Pick<ReadEdition, 'wrong' | 'packed'>> {
  const { descriptor, named } = edition;
  if (!edition.keys) return { row: () => undefined, finish: () => ({ wrong: [], packed: null }) };
  if (descriptor.kind !== 'observations') {
    const checker = rowChecker(edition, descriptor, edition.keys);
    const rows: Row[] = [];
    return {
      row(row, line) {
        checker.row(row, line);
        rows.push(row);
      },
      finish(count) {
        const wrong = checker.finish();
        if (!named || wrong.length > 0) return { wrong, packed: null };
        // The border: rows are of the kind that their descriptor says.
        const dataset = { kind: descriptor.kind, descriptor, rows } as Exclude<
          Dataset,
          { kind: 'observations' }
        >;
        return { wrong, packed: withAllRows(packInMemory(folder, dataset, named), count) };
      },
    };
  }
  const packer = named ? observationPacker(folder, descriptor, named) : null;
  const recordsOf = recordMaker(descriptor);
  const take = (group: readonly NumberedRow[], ids: string[]): void => {
    packer?.add(
      recordsOf(
        group.map(({ row }) => row),
        ids,
      ),
    );
  };
  const checker = rowChecker(edition, descriptor, edition.keys, { grouping, take });
  return {
    row: checker.row,
    finish(count) {
      const wrong = checker.finish();
      const packed = packer?.finish() ?? null;
      return { wrong, packed: packed && wrong.length === 0 ? withAllRows(packed, count) : null };
    },
  };
}
