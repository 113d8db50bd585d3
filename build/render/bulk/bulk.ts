/** The bulk forms of each pack: CSV, Parquet, workbook, Parquet by indicator, and the three documents that describe them. */
import { fieldsOf, type Field } from '../../../shim/core/fields.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { csvPath, parquetPartitionPath, parquetPath, xlsxPath } from '../../../shim/core/paths.ts';
import type { PackEntry } from '../../../shim/core/types.ts';
import { asFile, piecesOf, type Artifact, type TreeFile, type TreeFolder } from '../../lib/tree.ts';
import { linesOf } from '../../load/groups.ts';
import type { PackedOf } from '../../pack/pack.ts';
import { renderCroissant } from './croissant.ts';
import { renderDatapackage } from './datapackage.ts';
import { renderDcat } from './dcat.ts';
import { rightsText, type BulkFile, type BulkRelease } from './release.ts';
import { csvFile, parquetFile, rowParts, type TableFile } from './table.ts';
import { workbookParts, type OpenWorkbook } from './xlsx.ts';
import { listNote } from '../../lib/clock.ts';
import { editionOf, type Descriptor, type Source } from '../../lib/dataset.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** The release described for machines: data/datapackage.json, croissant.json and dcat.jsonld. */
export function bulkMetadata(release: BulkRelease): Artifact[] {
  return [renderDatapackage(release), renderCroissant(release), renderDcat(release)];
}

/** Most rows of a sheet that a spreadsheet opens easily; a larger dataset has no workbook. */
const MOST_SHEET_ROWS = 100_000;

/** The other forms of a pack. */
export interface Tables {
  whole: BulkFile[];
  /** The workbook, still to be compressed; null where there is none. */
  workbook: OpenWorkbook | null;
  /** Files with the records of one indicator each. */
  parts: BulkFile[];
}

/** Writes the other forms of a pack, reading its records once. Memory grows with the rows of a row group only. */
export function writeTables(folder: TreeFolder, of: PackedOf, entry: PackEntry): Tables {
  const { id, rows } = entry;
  const columns = fieldsOf(of);
  const current = of.kind === 'revisions' || id.includes('@') ? null : of;
  const whole: { form: BulkFile['form']; file: TableFile }[] = [
    { form: 'csv', file: csvFile(folder, csvPath(id), columns) },
    { form: 'parquet', file: parquetFile(folder, parquetPath(id), columns) },
  ];
  const workbook =
    current && rows <= MOST_SHEET_ROWS
      ? workbookParts(folder, xlsxPath(id), { columns, rows, notes: notesOf(current) })
      : null;
  const parts = current?.kind === 'observations' ? partitions(folder, id, columns) : null;
  for (const some of rowParts(of, linesOf(piecesOf(folder, entry)))) {
    for (const { file } of whole) file.add(some);
    workbook?.add(some);
    parts?.add(some);
  }
  return {
    whole: whole.map(({ form, file }) => formOf(of, entry, form, file.finish())),
    workbook: workbook?.finish() ?? null,
    parts: parts?.finish() ?? [],
  };
}

/** The facts of a file that has all records of a pack. */
export function formOf(
  of: PackedOf,
  { id, rows }: PackEntry,
  form: BulkFile['form'],
  file: TreeFile,
): BulkFile {
  return { name: `${id}.${form}`, form, indicator: null, columns: fieldsOf(of), rows, ...file };
}

/** The pack itself as one of its forms: a record per line. */
export function ndjsonOf(of: PackedOf, entry: PackEntry): BulkFile {
  return formOf(of, entry, 'ndjson', asFile(entry));
}

/** The Parquet files of the indicators of a dataset, whose rows come one indicator after the other. */
function partitions(
  folder: TreeFolder,
  id: string,
  all: readonly Field[],
): Pick<TableFile, 'add'> & { finish(): BulkFile[] } {
  // Query engines take the column from the folder's name and refuse it twice.
  const without = 'indicatorId';
  const at = all.findIndex(({ name }) => name === without);
  const columns = all.filter(({ name }) => name !== without);
  const files: BulkFile[] = [];
  let open: { indicator: string; rows: number; file: TableFile } | null = null;
  const close = (): void => {
    if (!open) return;
    const { indicator, rows, file } = open;
    const name = `${id}.${indicator}.parquet`;
    files.push({ name, form: 'parquet', indicator, columns, rows, ...file.finish() });
    open = null;
  };
  return {
    add(rows) {
      for (const [indicator, own] of groupedBy(rows, (row) => String(row[at]))) {
        if (open?.indicator !== indicator) {
          close();
          const path = parquetPartitionPath(id, indicator);
          open = { indicator, rows: 0, file: parquetFile(folder, path, all, without) };
        }
        open.file.add(own);
        open.rows += own.length;
      }
    },
    finish() {
      close();
      return files;
    },
  };
}

/** The notes of a dataset: how its cells are read, what they do not say, and where they come from. */
function notesOf(descriptor: Descriptor): string[][] {
  const { kind, title, description, limitations, sources } = descriptor;
  const { caution, observations, atlas, all } = vocabulary.workbook;
  return [
    ['Dataset', title],
    ['Edition', editionOf(descriptor)],
    ['What it is', description],
    ...(kind === 'entities'
      ? [['Caution', `${caution} ${listNote(descriptor, { stale: false, staleAfter: null })}`]]
      : []),
    ...(kind === 'observations' ? observations : []),
    ...(kind === 'atlas' ? atlas : []),
    ...all,
    ...limitations.map((text) => ['Limitation', text]),
    ...sources.flatMap(sourceNotes),
  ];
}

function sourceNotes(source: Source): string[][] {
  const { id, title, publisher, url, dated, retrievedAt, sha256, license, licenseUrl, rights, notes } =
    source;
  return [
    [`Source ${id}`, `${title}. ${publisher}. Edition ${dated}, copy obtained ${retrievedAt}.`],
    ['Page of the publisher', url],
    ['SHA-256 of the file', sha256],
    ['Licence', licenseUrl === null ? license : `${license} (${licenseUrl})`],
    ['May it be passed on', rightsText(rights)],
    ...notes.map((note) => ['Note', note]),
  ];
}
