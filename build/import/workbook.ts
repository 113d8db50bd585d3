/**
 * Excel workbooks as the importers see them, and the only importer of the xlsx library. A cell keeps its place,
 * raw value and formula; nothing is formatted, converted or filled. Merged areas keep their value in the first cell only.
 */
import { read, utils, type CellObject, type WorkSheet } from '@e965/xlsx';
import { foldSpace } from '../lib/text.ts';
import type { Cell } from './cells.ts';
import { Refusal, type SourceFile } from './importer.ts';

/** A worksheet with rows and columns counted from 1. */
export interface Sheet {
  file: string;
  name: string;
  firstRow: number;
  lastRow: number;
  /** Every column from the first to the last that is used. */
  columns: number[];
  /** The cell of a row and column; blank where there is none. */
  cell(row: number, column: number): Cell;
  /** The cells of a row. */
  cells(row: number): Cell[];
}

/** A workbook's sheets in order. */
export interface Workbook {
  sheets: Sheet[];
  /** The sheet of this exact name (white space folded); a refusal names the sheets there are. */
  sheet(name: string): Sheet;
}

/** Opens .xlsx bytes; a file that is not a workbook is a Refusal. */
export function openWorkbook({ name: file, bytes }: SourceFile): Workbook {
  if (!isWorkbook(bytes)) throw new Refusal(file, 'the file', 'an .xlsx workbook', 'something else');
  const book = read(bytes, {
    cellFormula: true,
    cellNF: true,
    cellHTML: false,
    cellText: false,
    cellDates: false,
  });
  const sheets = book.SheetNames.map((name) => asSheet(file, name, book.Sheets[name] ?? {}));
  return {
    sheets,
    sheet(name) {
      const names = sheets.map((sheet) => `"${sheet.name}"`).join(', ');
      const found = sheets.find((sheet) => foldSpace(sheet.name) === foldSpace(name));
      if (!found) throw new Refusal(file, 'the list of sheets', `a sheet named "${name}"`, names);
      return found;
    },
  };
}

/** True for the bytes of a zip file, as every .xlsx workbook is one. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

function asSheet(file: string, name: string, sheet: WorkSheet): Sheet {
  const { s: first, e: last } = utils.decode_range(sheet['!ref'] ?? 'A1');
  const columns = Array.from({ length: last.c - first.c + 1 }, (_, at) => first.c + 1 + at);
  const cell = (row: number, column: number): Cell => {
    const address = utils.encode_cell({ r: row - 1, c: column - 1 });
    const found = sheet[address] as CellObject | undefined;
    return {
      file,
      place: `${name}!${address}`,
      row,
      value: valueOf(found),
      formula: found?.f ?? null,
      format: found?.z === undefined ? null : String(found.z),
    };
  };
  return {
    file,
    name,
    firstRow: first.r + 1,
    lastRow: last.r + 1,
    columns,
    cell,
    cells: (row) => columns.map((column) => cell(row, column)),
  };
}

function valueOf(cell: CellObject | undefined): Cell['value'] {
  // An error cell keeps its printed mark (`#N/A`) as text: the library's `v` is a number that means nothing here.
  const raw = cell?.t === 'e' ? (cell.w ?? '#ERROR') : cell?.v;
  const isBlank = raw === undefined || raw instanceof Date || (typeof raw === 'string' && raw.trim() === '');
  return isBlank ? null : raw;
}
