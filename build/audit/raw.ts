/**
 * The raw publisher files as the audit reads them: found by sha256, workbooks through exceljs, CSV through csv-parse. It
 * shares no reader of tables with the importers, or both would be wrong in the same way.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import excel from 'exceljs';
import { readCsv, type CsvRecord } from '../lib/csv.ts';

/** A cell; `value` is null where it is blank, `formula` null where the value was typed. */
export interface Cell {
  value: number | string | null;
  formula: string | null;
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

/** One raw file, opened: a workbook has sheets, any other file has lines. */
export interface RawFile {
  sheets: Sheet[];
  lines: CsvRecord[];
  /** The title in the datapackage.json of its folder; empty where there is none. */
  title: string;
}

/** A row below a header. A word the header lacks reads as a blank cell. */
export interface Row {
  words: string[];
  cell: (word: string) => Cell;
  /** Text or number as printed; empty for a blank cell. */
  text: (word: string) => string;
  /** The locator of a cell: `Sheet name!H3`, or `row 17`. */
  place: (word: string) => string;
}

/** Opens the file with a sha256; null where the folder has none. A file is opened once. */
export function rawFiles(folder: string): (sha256: string) => Promise<RawFile | null> {
  const paths = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) paths.set(createHash('sha256').update(readFileSync(path)).digest('hex'), path);
  }
  const opened = new Map<string, Promise<RawFile>>();
  return async (sha256) => {
    const path = paths.get(sha256);
    if (path === undefined) return null;
    const file = opened.get(sha256) ?? openFile(path);
    opened.set(sha256, file);
    return file;
  };
}

async function openFile(path: string): Promise<RawFile> {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 2).toString() === 'PK')
    return { sheets: await readSheets(bytes).catch(unreadable(path)), lines: [], title: '' };
  let title = '';
  try {
    title = String(JSON.parse(readFileSync(join(dirname(path), 'datapackage.json'), 'utf8')).title);
  } catch {
    // Most files have no datapackage.json: a rule that needs the title then reports a difference.
  }
  return { sheets: [], lines: readLines(bytes), title };
}

/** Names the file that exceljs cannot open: it cannot read some comments and pictures. */
function unreadable(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new Error(
      `${path} could not be opened: ${String(cause)}. Save a copy without comments and pictures.`,
      { cause },
    );
  };
}

/** The worksheets of an .xlsx file. */
export async function readSheets(bytes: Uint8Array): Promise<Sheet[]> {
  const book = new excel.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return book.worksheets.map((worksheet) => {
    const rows: Sheet['rows'] = new Map();
    worksheet.eachRow((row, number) => {
      const cells = new Map<number, Cell>();
      row.eachCell((cell, column) => {
        // Only the first cell of a merged area has a value of its own.
        if (cell.type !== excel.ValueType.Merge) cells.set(column, cellOf(cell));
      });
      rows.set(number, cells);
    });
    return {
      name: worksheet.name,
      rows,
      cell: (row, column) => rows.get(row)?.get(column) ?? { value: null, formula: null },
      place: (row, column) => `${worksheet.name}!${worksheet.getColumn(column).letter}${row}`,
    };
  });
}

function cellOf(cell: excel.Cell): Cell {
  const formula = cell.type === excel.ValueType.Formula ? cell.formula : null;
  const value = formula === null ? cell.value : cell.result;
  if (value === null || value === undefined) return { value: null, formula };
  if (value instanceof Date) return { formula, value: value.getTime() / 86_400_000 + 25_569 };
  if (typeof value === 'boolean') return { formula, value: Number(value) };
  if (typeof value === 'object' && 'richText' in value) return { formula, value: runsOf(value) };
  if (typeof value === 'object') return { formula, value: 'error' in value ? value.error : cell.text };
  return { formula, value };
}

/** The text of runs; a raised mark right after a word does not belong to it. */
function runsOf({ richText }: excel.CellRichTextValue): string {
  let found = '';
  for (const { font, text } of richText)
    found += font?.vertAlign === 'superscript' && /\S$/.test(found) && /^\S/.test(text) ? ` ${text}` : text;
  return found;
}

/** The records of a CSV file; the byte 0x1A at the end of some files is not one. */
export function readLines(bytes: Uint8Array): CsvRecord[] {
  const records = readCsv(bytes, { ragged: true });
  return records.filter(({ cells }) => cells.join('').replaceAll('\u001A', '').trim() !== '');
}

/**
 * The rows below the header of each sheet, or of the CSV file, that prints all these words. Editions differ in the case and
 * the spaces of a heading; `msCode|Iso3_code` is a column under either word.
 */
export function rowsUnder({ sheets, lines }: Pick<RawFile, 'sheets' | 'lines'>, words: string[]): Row[] {
  const rows = sheets.flatMap((sheet) => {
    let at = columnFinder([]);
    const isHeader = (cells: Map<number, Cell>): boolean => {
      at = columnFinder([...cells].map(([column, cell]) => [textOf(cell), column]));
      return words.every((word) => at(word) > 0);
    };
    const [header = Infinity, printed = new Map<number, Cell>()] =
      [...sheet.rows].find(([, cells]) => isHeader(cells)) ?? [];
    return [...sheet.rows.keys()]
      .filter((row) => row > header)
      .map((row) =>
        rowOf([...printed.values()].map(textOf), (word) => [
          sheet.cell(row, at(word)),
          sheet.place(row, at(word) || 1),
        ]),
      );
  });
  let at = columnFinder([]);
  const start = lines.findIndex(({ cells }) => {
    at = columnFinder(cells.map((text, column) => [text, column + 1]));
    return words.every((word) => at(word) > 0);
  });
  const header = lines[start]?.cells ?? [];
  const records = start < 0 ? [] : lines.slice(start + 1);
  const fromLine = ({ line, cells }: CsvRecord): Row =>
    rowOf(header, (word) => [{ value: cells[at(word) - 1]?.trim() || null, formula: null }, `row ${line}`]);
  return [...rows, ...records.map(fromLine)];
}

/** Finds the column of a word among headings, counted from 1; 0 where there is none. */
function columnFinder(headings: [heading: string, column: number][]): (word: string) => number {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');
  const known = new Map(headings.map(([heading, column]) => [plain(heading), column]));
  const found = new Map<string, number>();
  return (word) => {
    const column = found.get(word) ?? word.split('|').flatMap((one) => known.get(plain(one)) ?? [])[0] ?? 0;
    found.set(word, column);
    return column;
  };
}

function rowOf(words: string[], find: (word: string) => [cell: Cell, place: string]): Row {
  return {
    words,
    cell: (word) => find(word)[0],
    text: (word) => textOf(find(word)[0]),
    place: (word) => find(word)[1],
  };
}

/** What a cell prints; empty where there is nothing. */
export function textOf({ value }: Cell): string {
  return String(value ?? '');
}

/** The number of a cell, also one typed as text; null for anything else. */
export function numberOf({ value }: Cell): number | null {
  if (typeof value !== 'string') return value;
  return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value.trim()) ? Number(value) : null;
}

/** Text with white space folded, as printed otherwise. */
export function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
