/** Tables in a CSV file. Columns are found by the words of the header, as in a worksheet. */
import { isUtf8 } from 'node:buffer';
import { isCutOff, readCsv, type CsvRecord } from '../lib/csv.ts';
import { textOf, type Cell } from './cells.ts';
import { Refusal, shown, type Audit, type SourceFile } from './importer.ts';
import { countUnread, headingKey, type Row } from './table.ts';
import type { Family } from './family.ts';
import { dataRows } from './notes.ts';
import { isWorkbook } from './workbook.ts';

/** A CSV file with its header: the columns by key, every column in order, and the rows below that are not blank. */
export interface CsvTable<K extends string> {
  header: Cell[];
  /** The columns that no key names, and that have a heading or a value, with their positions. */
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
  const words = head.cells.map(({ value }) => headingKey(String(value ?? '')));
  const keys = Object.keys(columns) as K[];
  const at = keys.map((key): [K, number] => {
    const word = headingKey(columns[key]);
    const column = words.indexOf(word);
    if (column >= 0 && words.lastIndexOf(word) === column) return [key, column];
    const known = keys.map((one) => headingKey(columns[one]));
    const others = head.cells.filter((_, index) => !known.includes(words[index] ?? ''));
    const found = column >= 0 ? 'a second one' : `none, but ${shown(others.map(textOf).join(', '))}`;
    throw new Refusal(file.name, `row ${head.line}`, `one column "${columns[key]}"`, found);
  });
  const headings = at.flatMap(([, column]) => head.cells[column] ?? []);
  const holdsData = dataRows(headings, audit);
  const body = below.filter(({ cells }) => {
    const filled = cells.filter(({ value }) => value !== null);
    // Text in a row with fewer cells may be what is left of a damaged row.
    if (cells.length !== head.cells.length) return filled.length > 0;
    const column = filled[0] ? cells.indexOf(filled[0]) : -1;
    const isValue = column > Math.min(...at.map(([, one]) => one)) && at.some(([, one]) => one === column);
    return holdsData(filled, isValue ? head.cells[column] : undefined);
  });
  if (body.length === 0)
    throw new Refusal(file.name, `row ${head.line + 1}`, 'rows below the header', 'none');
  const rows = body.map(({ line, cells }) => {
    const pairs = at.map(([key, column]) => {
      return [key, { ...(cells[column] ?? csvCell(file, line, '')), heading: columns[key] }];
    });
    return { cells, row: Object.fromEntries(pairs) as Row<K> };
  });
  const named = new Set(at.map(([, column]) => column));
  const isUsed = ({ cells }: { cells: Cell[] }, column: number): boolean =>
    (cells[column]?.value ?? null) !== null;
  const others = head.cells.flatMap((cell, column) =>
    named.has(column) || ![head, ...body].some((row) => isUsed(row, column)) ? [] : [{ cell, column }],
  );
  return { header: head.cells, others, rows };
}

/** Counts the columns that no key names; the column of the key `place` says of which place a row is. */
export function countOthers<K extends string>(
  { others, rows }: CsvTable<K>,
  place: NoInfer<K>,
  family: Family,
  audit: Audit,
): void {
  const columns = others.map(({ cell: heading, column }) => ({
    heading,
    cells: rows.map(({ cells }) => cells[column]),
  }));
  const places = rows.map(({ row }) => row[place]);
  countUnread(family, audit, columns, places);
}

/** Tables of publishers have far fewer cells; reading tens of millions would take all memory, however small the file is. */
const MOST_CELLS = 2_000_000;
const ENDS_OF_CELLS = new Set(Buffer.from(',\r\n'));

/** Refuses a CSV file with more cells than can be read. */
export function refuseManyCells({ name, bytes }: SourceFile): void {
  let cells = 0;
  for (let at = 0; at < bytes.length; at += 1) if (ENDS_OF_CELLS.has(bytes[at] ?? 0)) cells += 1;
  if (cells > MOST_CELLS)
    throw new Refusal(name, 'the file', `at most ${MOST_CELLS} cells`, `${cells} commas and line ends`);
}

/** The records of a CSV file. Throws a Refusal for one that is cut off, has another separator or too many cells. */
export function csvRecords(file: SourceFile, options: { ragged?: boolean } = {}): CsvRecord[] {
  const { name, bytes } = file;
  const expected = 'CSV: UTF-8 text with a comma between cells, in whole lines';
  if (isWorkbook(bytes))
    throw new Refusal(name, 'the file', expected, 'a workbook, or a .zip archive that is not unpacked');
  if (!isUtf8(bytes)) throw new Refusal(name, 'the file', expected, 'bytes that are not UTF-8 text');
  refuseManyCells(file);
  try {
    const records = readCsv(bytes, options);
    const [first] = records;
    if (!first) throw new Refusal(name, 'the file', expected, 'an empty file');
    const [only = ''] = first.cells;
    if (first.cells.length === 1 && /[;\t|]/.test(only))
      throw new Refusal(name, `row ${first.line}`, expected, shown(only));
    if (isCutOff(bytes))
      throw new Refusal(name, `row ${records.at(-1)?.line}`, expected, 'a row without its end');
    return records;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const start = Buffer.from(bytes.subarray(0, 4096)).toString().trimStart();
    const hasOtherSeparator = /^[^,\r\n]*[;\t|][^,\r\n]*[\r\n]/.test(start);
    const separated = hasOtherSeparator ? 'cells that are separated by another character' : undefined;
    return refuseFault(file, expected, error, separated);
  }
}

/** Refuses what the CSV parser could not read, with its row and without the text of any cell. */
export function refuseFault(
  { name }: SourceFile,
  expected: string,
  error: unknown,
  found = csvFault(error),
): never {
  const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 1;
  throw new Refusal(name, `row ${line}`, expected, found);
}

function csvFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted cell that never ends: the file is cut off';
  const isWidth = code.includes('INCONSISTENT');
  return `a row of another form${isWidth ? ', with more or fewer cells than the first one' : ''}`;
}

/** The cells of CSV records; all cells of a record have its line as their place. */
export function csvCells(file: SourceFile, records: CsvRecord[]): { line: number; cells: Cell[] }[] {
  return records.map(({ line, cells }) => ({ line, cells: cells.map((text) => csvCell(file, line, text)) }));
}

function csvCell(file: SourceFile, line: number, text: string): Cell {
  const value = text.trim() === '' ? null : text.trim();
  return { file: file.name, place: `row ${line}`, row: line, value, formula: null, format: null };
}
