/**
 * The raw publisher files as the audit reads them: found by sha256, workbooks through exceljs, CSV by a reader of its own.
 * The audit shares no reader with the importers, or both would be wrong in the same way.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import excel from 'exceljs';

/** A cell; `value` is null where it is blank, `formula` null where the value was typed. */
export interface Cell {
  value: number | string | null;
  formula: string | null;
  isError: boolean;
}

/** A worksheet; rows and columns are counted from 1, and blank cells are absent from `rows`. */
export interface Sheet {
  name: string;
  rows: Map<number, Map<number, Cell>>;
  /** The cell of a row and column, blank where there is none. */
  cell: (row: number, column: number) => Cell;
  /** `Sheet name!H3`. */
  place: (row: number, column: number) => string;
}

/** A record of a CSV file and the line it begins on, counted from 1. */
export interface Line {
  line: number;
  cells: string[];
}

/** One raw file; its content is parsed once, when it is first needed. */
export interface RawFile {
  path: string;
  /** The worksheets in order; none for a file that is not a workbook. */
  sheets: () => Promise<Sheet[]>;
  lines: () => Line[];
}

/** Every file below the folder by its sha256. */
export function rawFiles(folder: string): Map<string, RawFile> {
  const found = new Map<string, RawFile>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    let sheets: Promise<Sheet[]> | null = null;
    let lines: Line[] | null = null;
    found.set(createHash('sha256').update(bytes).digest('hex'), {
      path,
      sheets: () => (sheets ??= readSheets(bytes)),
      lines: () => (lines ??= readLines(bytes)),
    });
  }
  return found;
}

/** The worksheets of an .xlsx file; none where the bytes are not a zip file. */
export async function readSheets(bytes: Uint8Array): Promise<Sheet[]> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [];
  const book = new excel.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return book.worksheets.map((worksheet) => {
    const rows = new Map<number, Map<number, Cell>>();
    worksheet.eachRow((row, number) => {
      const cells = new Map<number, Cell>();
      row.eachCell((cell, column) => {
        // Only the first cell of a merged area has a value of its own.
        if (cell.type !== excel.ValueType.Merge) cells.set(column, cellOf(cell));
      });
      rows.set(number, cells);
    });
    return sheetOf(worksheet.name, rows);
  });
}

const BLANK: Cell = { value: null, formula: null, isError: false };

function sheetOf(name: string, rows: Sheet['rows']): Sheet {
  return {
    name,
    rows,
    cell: (row, column) => rows.get(row)?.get(column) ?? BLANK,
    place: (row, column) => `${name}!${columnLetters(column)}${row}`,
  };
}

function cellOf(cell: excel.Cell): Cell {
  const formula = cell.type === excel.ValueType.Formula ? cell.formula : null;
  const value = formula === null ? cell.value : cell.result;
  if (value === null || value === undefined) return { ...BLANK, formula };
  if (value instanceof Date) return { ...BLANK, formula, value: value.getTime() / 86_400_000 + 25_569 };
  if (typeof value === 'object' && 'error' in value) return { value: value.error, formula, isError: true };
  if (typeof value === 'boolean') return { ...BLANK, formula, value: Number(value) };
  return { ...BLANK, formula, value: typeof value === 'object' ? cell.text : value };
}

/** All records of a CSV text that are not blank, without a byte order mark and a trailing 0x1A. */
export function readLines(bytes: Uint8Array): Line[] {
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  const records: Line[] = [];
  let pending = '';
  let begin = 1;
  for (const [index, physical] of text.split('\n').entries()) {
    if (pending === '') begin = index + 1;
    pending += (pending === '' ? '' : '\n') + physical.replace(/\r$/, '');
    // An odd number of quotes: the line break belongs to a quoted cell.
    if ((pending.split('"').length - 1) % 2 === 1) continue;
    if (pending.replaceAll('\u001A', '').trim() !== '')
      records.push({ line: begin, cells: cellsOf(pending) });
    pending = '';
  }
  return records;
}

function cellsOf(record: string): string[] {
  const cells = `,${record}`.matchAll(/,(?:"((?:[^"]|"")*)"[^,]*|([^,]*))/g);
  return [...cells].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

/** The letters of a column: 1 is A, 27 is AA. */
function columnLetters(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? columnLetters(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}
