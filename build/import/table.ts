/**
 * Tables in a worksheet or a CSV file. Columns are found by the words of the header, never by position: editions move
 * columns and add title rows. This is the one place that matches header words.
 */
import { isUtf8 } from 'node:buffer';
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import { foldSpace } from '../lib/text.ts';
import { geographyOf } from '../reference/geography.ts';
import { refuse, refuseScale, textOf, yearIn, type Cell } from './cells.ts';
import type { Family } from './family.ts';
import { count, Refusal, shown, type Audit, type SourceFile } from './importer.ts';
import { isWorkbook, type Sheet, type Workbook } from './workbook.ts';

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
  optional: readonly NoInfer<K>[] = [],
): Header<K> {
  const found = lookForHeader(sheet, columns, optional);
  return found.missing.length === 0 ? found : refuseHeader(found, columns);
}

/**
 * The one sheet of a workbook that holds the columns, whatever its name. Two of them are refused, since nothing says which is
 * meant; where none does, the refusal is about the sheet that comes nearest.
 */
export function findTable<K extends string>(
  { file, sheets }: Workbook,
  columns: Columns<K>,
  optional: readonly NoInfer<K>[] = [],
): Header<K> {
  const all = sheets.map((sheet) => lookForHeader(sheet, columns, optional));
  const whole = all.filter(({ missing }) => missing.length === 0);
  const names = whole.map(({ sheet }) => `"${sheet.name}"`).join(' and ');
  if (whole.length > 1)
    throw new Refusal(file, 'the list of sheets', 'one sheet with this header row', names);
  const [nearest] = whole.length > 0 ? whole : all.sort((a, b) => a.missing.length - b.missing.length);
  if (!nearest) throw new Refusal(file, 'the list of sheets', 'a sheet', 'none');
  return whole.length > 0 ? nearest : refuseHeader(nearest, columns);
}

/** A header row, or the row that comes nearest to it with the columns it lacks. */
interface FoundHeader<K extends string> extends Header<K> {
  missing: K[];
}

function lookForHeader<K extends string>(
  sheet: Sheet,
  columns: Columns<K>,
  optional: readonly K[],
): FoundHeader<K> {
  const keys = Object.keys(columns) as K[];
  let best: FoundHeader<K> | null = null;
  for (const row of topRows(sheet)) {
    const { column, second } = columnsIn(sheet, row, columns, keys);
    const missing = keys.filter((key) => column[key] === 0 && !optional.includes(key));
    if (missing.length === 0 && second)
      refuse(
        second.cell,
        `one column "${columns[second.key][0] ?? second.key}"`,
        `a second one, ${shown(second.cell.value)}`,
      );
    if (missing.length === 0) refuseScale(textsAbove(sheet, row));
    if (missing.length === 0) return { sheet, row, column, missing };
    if (!best || missing.length < best.missing.length) best = { sheet, row, column, missing };
  }
  return best ?? { sheet, row: 1, column: columnsIn(sheet, 0, columns, keys).column, missing: keys };
}

function refuseHeader<K extends string>({ sheet, row, missing }: FoundHeader<K>, columns: Columns<K>): never {
  const words = missing.map((key) => `"${columns[key][0] ?? key}"`).join(', ');
  throw new Refusal(sheet.file, rowPlace(sheet, row), `a header row with ${words}`, 'no such column');
}

/** The rows in which titles and headers are looked for. */
export function topRows(sheet: Sheet): number[] {
  const [first = 1] = sheet.rows;
  return sheet.rows.filter((row) => row <= first + 50);
}

/** Whether one of the first rows of a sheet has one of these headings: a sheet of explanations, or an empty one, has none. */
export function hasHeading(sheet: Sheet, spellings: readonly string[]): boolean {
  const headings = new Set(spellings.map(folded));
  return topRows(sheet).some((row) =>
    sheet.cells(row).some(({ value }) => headings.has(folded(String(value)))),
  );
}

/** The texts above a row: titles and dates. */
export function textsAbove(sheet: Sheet, row: number): Cell[] {
  return topRows(sheet)
    .filter((above) => above < row)
    .flatMap((above) => sheet.cells(above))
    .filter(({ value }) => typeof value === 'string');
}

function columnsIn<K extends string>(
  sheet: Sheet,
  row: number,
  columns: Columns<K>,
  keys: K[],
): { column: Record<K, number>; second: { key: K; cell: Cell } | null } {
  const column = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  let second: { key: K; cell: Cell } | null = null;
  for (const at of sheet.columns) {
    const cell = sheet.cell(row, at);
    if (typeof cell.value !== 'string') continue;
    const word = folded(cell.value);
    const key = keys.find((candidate) => columns[candidate].some((spelling) => folded(spelling) === word));
    if (key === undefined) continue;
    if (column[key] === 0) column[key] = at;
    else second ??= { key, cell };
  }
  return { column, second };
}

/** Editions write a heading as `DrugName`, `Drug name` or `drug_name`. */
export function folded(text: string): string {
  return foldSpace(text)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
}

/** `Sheet name!5:5`: the locator of a whole row. */
export function rowPlace(sheet: Sheet, row: number): string {
  return `${sheet.name}!${row}:${row}`;
}

/** What marks the text next to it as a note. */
const NOTE_MARK = /^(?:(?:sources?|notes?)\b.*|[*†‡]+|\(?[a-z\d]{1,2}[.)]?)$/i;

/** Whether filled cells hold data. They do not where a text is alone and names no place, or follows the mark of a note; the audit counts these. */
function holdsData(filled: readonly Cell[], audit: Audit): boolean {
  const [first, second] = filled.map(({ value }) => (typeof value === 'string' ? value.trim() : null));
  const isNote =
    (filled.length === 1 && typeof first === 'string' && geographyOf(first) === null) ||
    (filled.length === 2 && typeof second === 'string' && NOTE_MARK.test(first ?? ''));
  if (!isNote) return filled.length > 0;
  refuseScale(filled);
  audit.read += 1;
  count(audit.withheld, 'note under the table');
  return false;
}

/** The rows below a header, or from a later row on, that hold data. */
export function* rowsBelow<K extends string>(
  { sheet, row: header, column }: Header<K>,
  audit: Audit,
  first = header + 1,
): Generator<{ number: number; row: Row<K> }> {
  const keys = Object.keys(column) as K[];
  for (const number of sheet.rows.filter((row) => row >= first)) {
    const filled = sheet.cells(number).filter((cell) => cell.value !== null || cell.isUncalculated);
    if (!holdsData(filled, audit)) continue;
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

/** Counts the columns that no key names; one whose heading is on the family's list of decisive ones is refused. */
export function countOtherColumns<K extends string>(
  { sheet, row, column }: Header<K>,
  { decisive }: Pick<Family, 'decisive'>,
  audit: Audit,
): void {
  const read = new Set<number>(Object.values(column));
  for (const at of sheet.columns.filter((other) => !read.has(other))) {
    const heading = sheet.cell(row, at);
    const name = textOf(heading);
    if (name === '' && isFilled(sheet, row, at)) count(audit.withheld, 'column without a heading');
    if (name === '') continue;
    if (decisive.some((word) => folded(word) === folded(name)))
      refuse(heading, 'a table without this column, which changes what a value means');
    count(audit.withheld, `column "${name}"`);
  }
}

function isFilled(sheet: Sheet, header: number, column: number): boolean {
  return sheet.rows.some((row) => row > header && sheet.cell(row, column).value !== null);
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
    if (cell.value === null && !isFilled(sheet, row, column)) continue;
    const period = yearIn(cell);
    if (period === null || years.some((year) => year.period === period))
      return refuse(cell, 'each year once, from 1900 to 2200');
    years.push({ period, column });
  }
  return years;
}

/** A CSV file with its header: the columns by key, every column in order, and the rows below that are not blank. */
export interface CsvTable<K extends string> {
  header: Cell[];
  /** The columns that no key names, and that have a heading, with their positions. */
  others: { cell: Cell; column: number }[];
  rows: { cells: Cell[]; row: Row<K> }[];
}

/** Reads the CSV records from the one that holds the header; a missing or repeated column is refused. */
export function csvTable<K extends string>(
  file: SourceFile,
  columns: Record<K, string>,
  audit: Audit,
  records = csvRecords(file),
): CsvTable<K> {
  const [head = { line: 1, cells: [] }, ...below] = csvCells(file, records);
  const body = below.filter(({ cells }) => {
    const filled = cells.filter(({ value }) => value !== null);
    // A text in a row of less cells may be what is left of a row.
    return cells.length === head.cells.length ? holdsData(filled, audit) : filled.length > 0;
  });
  const words = head.cells.map(({ value }) => folded(String(value ?? '')));
  const keys = Object.keys(columns) as K[];
  const at = keys.map((key): [K, number] => {
    const word = folded(columns[key]);
    const column = words.indexOf(word);
    if (column >= 0 && words.lastIndexOf(word) === column) return [key, column];
    const expected = `one column "${columns[key]}"`;
    throw new Refusal(file.name, `row ${head.line}`, expected, shown(head.cells.map(textOf).join(', ')));
  });
  if (body.length === 0)
    throw new Refusal(file.name, `row ${head.line + 1}`, 'rows below the header', 'none');
  const rows = body.map(({ line, cells }) => {
    const pairs = at.map(([key, column]) => [key, cells[column] ?? csvCell(file, line, '')]);
    return { cells, row: Object.fromEntries(pairs) as Row<K> };
  });
  const named = new Set(at.map(([, column]) => column));
  const others = head.cells.flatMap((cell, column) =>
    named.has(column) || cell.value === null ? [] : [{ cell, column }],
  );
  return { header: head.cells, others, rows };
}

/** The records of a CSV file; one that is cut off, or separated otherwise, is a Refusal. */
export function csvRecords({ name, bytes }: SourceFile, options: { ragged?: boolean } = {}): CsvRecord[] {
  const expected = 'CSV: UTF-8 text with a comma between cells, in whole lines';
  if (isWorkbook(bytes)) throw new Refusal(name, 'the file', expected, 'a workbook');
  if (!isUtf8(bytes)) throw new Refusal(name, 'the file', expected, 'bytes that are not UTF-8 text');
  try {
    const records = readCsv(bytes, options);
    const [first] = records;
    if (!first) throw new Refusal(name, 'the file', expected, 'an empty file');
    const [only = ''] = first.cells;
    if (first.cells.length === 1 && /[;\t|]/.test(only))
      throw new Refusal(name, `row ${first.line}`, expected, shown(only));
    return records;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 1;
    const isOpen = error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED';
    const found = isOpen ? 'a quoted cell that never ends: the file is cut off' : 'a row of another form';
    throw new Refusal(name, `row ${line}`, expected, found);
  }
}

/** The cells of CSV records; all cells of a record have its line as their place. */
export function csvCells(file: SourceFile, records: CsvRecord[]): { line: number; cells: Cell[] }[] {
  return records.map(({ line, cells }) => ({ line, cells: cells.map((text) => csvCell(file, line, text)) }));
}

function csvCell(file: SourceFile, line: number, text: string): Cell {
  const value = text.trim() === '' ? null : text.trim();
  return { file: file.name, place: `row ${line}`, row: line, value, formula: null, format: null };
}
