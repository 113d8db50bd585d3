/**
 * Tables in a worksheet or a CSV file. Columns are found by the words of the header, never by position: editions move
 * columns and add title rows. This is the one place that matches header words.
 */
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import { foldSpace } from '../lib/text.ts';
import { refuse, textOf, yearIn, type Cell } from './cells.ts';
import { count, Refusal, shown, type Audit, type SourceFile } from './importer.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

/** A column to find: its key in the result and the spellings that mean it (compared folded, case-insensitive). */
export type Columns<K extends string> = Record<K, readonly string[]>;

/** The cells of one row by the keys of its columns. */
export type Row<K extends string> = Record<K, Cell>;

/** A header that was found in a sheet. */
export interface Header<K extends string> {
  sheet: Sheet;
  row: number;
  /** Column number (from 1) of each key; 0 for an optional column that is absent. */
  column: Record<K, number>;
}

/** Looks in the first rows of a sheet for the first one holding every column; `optional` ones may be absent. */
export function findHeader<K extends string>(
  sheet: Sheet,
  columns: Columns<K>,
  optional: readonly K[] = [],
): Header<K> {
  const keys = Object.keys(columns) as K[];
  let best: { row: number; missing: K[] } | null = null;
  for (const row of topRows(sheet)) {
    const column = columnsIn(sheet, row, columns, keys);
    const missing = keys.filter((key) => column[key] === 0 && !optional.includes(key));
    if (missing.length === 0) return { sheet, row, column };
    if (!best || missing.length < best.missing.length) best = { row, missing };
  }
  const { row, missing } = best ?? { row: sheet.firstRow, missing: keys };
  const words = missing.map((key) => `"${columns[key][0] ?? key}"`).join(', ');
  throw new Refusal(sheet.file, rowPlace(sheet, row), `a header row with ${words}`, 'no such column');
}

/** The rows in which titles and headers are looked for. */
export function topRows(sheet: Sheet): number[] {
  const last = Math.min(sheet.lastRow, sheet.firstRow + 30);
  return Array.from({ length: last - sheet.firstRow + 1 }, (_, at) => sheet.firstRow + at);
}

function columnsIn<K extends string>(
  sheet: Sheet,
  row: number,
  columns: Columns<K>,
  keys: K[],
): Record<K, number> {
  const found = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  for (const column of sheet.columns) {
    const cell = sheet.cell(row, column);
    if (typeof cell.value !== 'string') continue;
    const word = folded(cell.value);
    const key = keys.find((candidate) => columns[candidate].some((spelling) => folded(spelling) === word));
    if (key === undefined) continue;
    if (found[key] !== 0)
      refuse(cell, `one column "${columns[key][0] ?? key}"`, `a second one, ${shown(cell.value)}`);
    found[key] = column;
  }
  return found;
}

function folded(text: string): string {
  return foldSpace(text).toLowerCase();
}

/** `Sheet name!5:5`: the locator of a whole row. */
export function rowPlace(sheet: Sheet, row: number): string {
  return `${sheet.name}!${row}:${row}`;
}

/** True for a row without any value. */
export function isBlankRow(sheet: Sheet, row: number): boolean {
  return sheet.columns.every((column) => sheet.cell(row, column).value === null);
}

/** The rows below a header, or from a later row on, that are not blank. */
export function* rowsBelow<K extends string>(
  { sheet, row: header, column }: Header<K>,
  first = header + 1,
): Generator<{ number: number; row: Row<K> }> {
  const keys = Object.keys(column) as K[];
  for (let number = first; number <= sheet.lastRow; number += 1) {
    if (isBlankRow(sheet, number)) continue;
    const cells = keys.map((key) => [key, cellUnder(sheet, number, column[key])]);
    yield { number, row: Object.fromEntries(cells) as Row<K> };
  }
}

/** The cell of a row in a column; blank for column 0, which a layout uses for a column it does not have. */
export function cellUnder(sheet: Sheet, row: number, column: number): Cell {
  if (column > 0) return sheet.cell(row, column);
  const place = rowPlace(sheet, row);
  return { file: sheet.file, place, row, value: null, formula: null, format: null };
}

/** The headings that no key names. */
export function otherHeadings<K extends string>({ sheet, row, column }: Header<K>): Cell[] {
  const read = new Set<number>(Object.values(column));
  return sheet.columns
    .filter((other) => !read.has(other))
    .map((other) => sheet.cell(row, other))
    .filter(({ value }) => value !== null);
}

/** The columns of a header row whose heading is a year; each year once. `others` are columns of another kind. */
export function yearColumns(
  sheet: Sheet,
  row: number,
  others: number[],
): { period: string; column: number }[] {
  const years: { period: string; column: number }[] = [];
  for (const column of sheet.columns) {
    if (others.includes(column)) continue;
    const cell = sheet.cell(row, column);
    const period = yearIn(cell);
    if (period === null || years.some((year) => year.period === period))
      return refuse(cell, 'each year once, from 1900 to 2200');
    years.push({ period, column });
  }
  return years;
}

/** A CSV file with its header: the columns by key, every column in order, and the rows below. */
export interface CsvTable<K extends string> {
  header: Cell[];
  rows: { cells: Cell[]; row: Row<K> }[];
}

/** Reads the CSV records from the one that holds the header; a missing or repeated column is refused. */
export function csvTable<K extends string>(
  file: SourceFile,
  columns: Record<K, string>,
  records = readCsv(file.bytes),
): CsvTable<K> {
  const [head = { line: 1, cells: [] }, ...body] = csvCells(file, records);
  const words = head.cells.map(({ value }) => String(value ?? '').toLowerCase());
  const keys = Object.keys(columns) as K[];
  const at = keys.map((key): [K, number] => {
    const word = columns[key].toLowerCase();
    const column = words.indexOf(word);
    if (column >= 0 && words.lastIndexOf(word) === column) return [key, column];
    const expected = `one column "${columns[key]}"`;
    throw new Refusal(file.name, `row ${head.line}`, expected, shown(words.join(', ')));
  });
  const rows = body.map(({ line, cells }) => {
    const pairs = at.map(([key, column]) => [key, cells[column] ?? csvCell(file, line, '')]);
    return { cells, row: Object.fromEntries(pairs) as Row<K> };
  });
  return { header: head.cells, rows };
}

/** The cells of CSV records; all cells of a record have its line as their place. */
export function csvCells(file: SourceFile, records: CsvRecord[]): { line: number; cells: Cell[] }[] {
  return records.map(({ line, cells }) => ({ line, cells: cells.map((text) => csvCell(file, line, text)) }));
}

function csvCell(file: SourceFile, line: number, text: string): Cell {
  const value = text.trim() === '' ? null : text.trim();
  return { file: file.name, place: `row ${line}`, row: line, value, formula: null, format: null };
}

/** The rows of a UNODC annex, one observation per row; other sheets, unread columns and notes are counted as withheld. Throws a Refusal. */
export function annexRows<K extends string>(
  { file, audit }: { file: SourceFile; audit: Audit },
  name: string,
  columns: Columns<K>,
): Row<K>[] {
  const workbook = openWorkbook(file);
  const sheet = workbook.sheet(name);
  for (const other of workbook.sheets)
    if (other !== sheet) count(audit.withheld, `sheet "${other.name}", never read`);
  const header = findHeader(sheet, columns);
  for (const heading of otherHeadings(header)) count(audit.withheld, `column "${textOf(heading)}"`);
  countUnnamedColumns(header, audit);
  const rows: Row<K>[] = [];
  for (const { number, row } of rowsBelow(header)) {
    audit.read += 1;
    // A lone text is a note or a source line.
    const [filled, ...others] = sheet.cells(number).filter(({ value }) => value !== null);
    if (others.length === 0 && typeof filled?.value === 'string')
      count(audit.withheld, 'line with a single text: a note');
    else rows.push(row);
  }
  return rows;
}

function countUnnamedColumns<K extends string>({ sheet, row: header }: Header<K>, audit: Audit): void {
  for (const column of sheet.columns) {
    if (sheet.cell(header, column).value !== null) continue;
    for (let row = header + 1; row <= sheet.lastRow; row += 1) {
      if (sheet.cell(row, column).value === null) continue;
      count(audit.withheld, 'column without a heading');
      break;
    }
  }
}
