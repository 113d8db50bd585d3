/**
 * Excel workbooks as the importers see them, and the only importer of the xlsx library. A cell keeps its address,
 * raw value and formula; nothing is formatted, converted or filled. Merged areas keep their value in the first cell only.
 */
import { foldSpace } from '../lib/text.ts';
import { read, utils, type CellObject, type WorkSheet } from '@e965/xlsx';
import { Refusal } from './refusal.ts';

/** A cell: `value` is null when blank; `formula` is its text without `=`; `format` its Excel number format. */
export interface Cell {
  address: string;
  value: string | number | boolean | null;
  formula: string | null;
  format: string | null;
}

/** A worksheet with rows and columns counted from 1. */
export interface Sheet {
  name: string;
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
  cell(row: number, column: number): Cell;
  /** `Sheet name!H3`: the locator of a cell. */
  locator(row: number, column: number): string;
}

export interface Workbook {
  sheets: Sheet[];
  /** The sheet of this exact name (white space folded); a refusal names the sheets there are. */
  sheet(name: string): Sheet;
}

/** Opens .xlsx bytes; a file that is not a workbook is a Refusal. */
export function openWorkbook(fileName: string, bytes: Uint8Array): Workbook {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new Refusal(fileName, 'the file', 'an .xlsx workbook', 'something else');
  const book = read(bytes, {
    cellFormula: true,
    cellNF: true,
    cellHTML: false,
    cellText: false,
    cellDates: false,
  });
  const sheets = book.SheetNames.map((name) => asSheet(name, book.Sheets[name] ?? {}));
  return {
    sheets,
    sheet(name) {
      const found = sheets.find((sheet) => foldSpace(sheet.name) === foldSpace(name));
      if (found) return found;
      throw new Refusal(
        fileName,
        'the list of sheets',
        `a sheet named "${name}"`,
        sheets.map((sheet) => `"${sheet.name}"`).join(', '),
      );
    },
  };
}

function asSheet(name: string, sheet: WorkSheet): Sheet {
  const range = utils.decode_range(sheet['!ref'] ?? 'A1');
  return {
    name,
    firstRow: range.s.r + 1,
    lastRow: range.e.r + 1,
    firstColumn: range.s.c + 1,
    lastColumn: range.e.c + 1,
    cell(row, column) {
      const address = utils.encode_cell({ r: row - 1, c: column - 1 });
      return asCell(address, sheet[address] as CellObject | undefined);
    },
    locator: (row, column) => `${name}!${utils.encode_cell({ r: row - 1, c: column - 1 })}`,
  };
}

function asCell(address: string, cell: CellObject | undefined): Cell {
  // An error cell keeps its printed mark (`#N/A`) as text: the library's `v` is a number that means nothing here.
  const raw = cell?.t === 'e' ? (cell.w ?? '#ERROR') : cell?.v;
  const value =
    raw === undefined || raw === null || raw instanceof Date || (typeof raw === 'string' && raw.trim() === '')
      ? null
      : raw;
  return { address, value, formula: cell?.f ?? null, format: cell?.z === undefined ? null : String(cell.z) };
}
