/** Small workbooks of our own making for importer tests: rows of plain values, `{ f, v }` for a formula with its cached value, `{ v, z }` for a number in an Excel format, which may have a comment, `{ e }` for an error. */
import { createHash } from 'node:crypto';
import { utils, write, type CellObject, type WorkSheet } from '@e965/xlsx';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import type { Importer, ImportOptions, SourceFile } from '../../build/import/importer.ts';

export type TestCell =
  | string
  | number
  | null
  | { f: string; v?: string | number }
  | { v: number; z: string; comment?: string }
  | { e: number };

/** Notes as publishers print them below a table. */
export const NOTES_BELOW: readonly TestCell[][] = [
  [],
  ['Source: annual questionnaire.'],
  [null, null, '* Provisional.'],
  ['Note:', 'Revised.'],
  ['a)', 'Revised.'],
];

/** What Excel hides of the first sheet, and from which year the workbook counts its dates. */
export interface Oddities {
  hidden?: 'sheet' | 'row' | 'column';
  date1904?: boolean;
  /** Areas of the first sheet that are merged: `F3:F4`. */
  merged?: string[];
}

/** An .xlsx file with these sheets; row 1 is the first array. */
export function workbookFile(
  name: string,
  sheets: Record<string, TestCell[][]>,
  { hidden, date1904 = false, merged }: Oddities = {},
): SourceFile {
  const book = utils.book_new();
  for (const [sheetName, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, worksheet(rows), sheetName);
  const [first] = Object.values(book.Sheets);
  if (first && hidden === 'row') first['!rows'] = [{}, { hidden: true }];
  if (first && hidden === 'column') first['!cols'] = [{}, { hidden: true }];
  if (first && merged) first['!merges'] = merged.map((area) => utils.decode_range(area));
  if (hidden === 'sheet') utils.book_set_sheet_visibility(book, 0, 1);
  if (date1904) book.Workbook = { ...book.Workbook, WBProps: { date1904 } };
  return fileOf(name, new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer));
}

/** A row of a table as it is read: cells between bars, numbers as numbers, blank cells as null. */
export function tableRow(row: string): TestCell[] {
  return row.split('|').map((text) => {
    const cell = text.trim();
    return cell === '' ? null : /^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
  });
}

/** A table with another cell at a place, counted from 0; a short row grows to it. */
export function edited(rows: TestCell[][], row: number, column: number, cell: TestCell): TestCell[][] {
  return rows.map((cells, r) => {
    if (r !== row) return cells;
    const copy = [...cells];
    while (copy.length < column) copy.push(null);
    copy[column] = cell;
    return copy;
  });
}

/** A text file as a source file. */
export function textFile(name: string, text: string): SourceFile {
  return fileOf(name, new TextEncoder().encode(text));
}

/** What an importer of observations makes of these files: its one dataset and audit. */
export function observationsOf(importer: Importer, files: SourceFile[], options: ImportOptions) {
  const [only] = importer.read(files, options);
  if (only?.dataset.kind !== 'observations') throw new Error('no dataset of observations');
  const { dataset, audit } = only;
  return { dataset, audit, descriptor: dataset.descriptor, rows: dataset.rows };
}

/** A row, with whether it names its cell in place of which. */
export function withoutPlace({ sourceLocator, ...rest }: ObservationRow) {
  return { ...rest, hasPlace: sourceLocator.length > 0 };
}

function fileOf(name: string, bytes: Uint8Array): SourceFile {
  return { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function worksheet(rows: TestCell[][]): WorkSheet {
  const sheet = utils.aoa_to_sheet(rows.map((row) => row.map((cell) => cell && cellObject(cell))));
  const width = Math.max(1, ...rows.map(({ length }) => length));
  sheet['!ref'] = utils.encode_range({ r: 0, c: 0 }, { r: Math.max(rows.length - 1, 0), c: width - 1 });
  return sheet;
}

function cellObject(cell: Exclude<TestCell, null>): CellObject {
  if (typeof cell === 'object' && 'e' in cell) return { t: 'e', v: cell.e };
  if (typeof cell === 'object' && 'z' in cell) {
    const comments = cell.comment === undefined ? {} : { c: [{ a: 'UNODC', t: cell.comment }] };
    return { t: 'n', v: cell.v, z: cell.z, ...comments };
  }
  if (typeof cell === 'object' && cell.v === undefined) return { t: 'z', f: cell.f };
  if (typeof cell === 'object')
    return { t: typeof cell.v === 'number' ? 'n' : 's', v: cell.v ?? '', f: cell.f };
  return typeof cell === 'number' ? { t: 'n', v: cell } : { t: 's', v: cell };
}
