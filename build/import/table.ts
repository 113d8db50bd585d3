/**
 * Tables in a worksheet. Columns are found by the words of the header, never by position: editions move
 * columns and add title rows. This is the one place that matches header words.
 */
import { foldSpace } from '../lib/text.ts';
import { geographyOf } from '../reference/geography.ts';
import { saysWhere } from '../reference/groupings.ts';
import { refuse, textOf, type Cell, type Window } from './cells.ts';
import type { Family, Columns } from './family.ts';
import { count, Refusal, shown, type Audit } from './importer.ts';
import { dataRows } from './notes.ts';
import { refuseOtherUnit, refuseScale } from './units.ts';
import type { Sheet, Workbook } from './workbook.ts';

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
  return wholeHeader(lookForHeader(sheet, columns, optional), columns);
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
  const [nearest] = all.sort((a, b) => a.missing.length - b.missing.length);
  if (!nearest) throw new Refusal(file, 'the list of sheets', 'a sheet', 'none');
  return wholeHeader(nearest, columns);
}

/** The rows of the one table of a workbook with its header; other sheets, and columns that no key names, are counted as withheld. */
export function readTable<K extends string>(
  workbook: Workbook,
  columns: Columns<K>,
  family: Family,
  audit: Audit,
  optional: readonly NoInfer<K>[] = [],
): { header: Header<K>; rows: Row<K>[] } {
  const header = findTable(workbook, columns, optional);
  const width = Object.values<number>(header.column).filter((at) => at > 0).length;
  countOtherSheets(workbook, [header.sheet], width / 2, family, audit);
  countOtherColumns(header, family, audit);
  return { header, rows: [...rowsBelow(header, audit)].map(({ row }) => row) };
}

/** Counts the sheets that are not read. One with a row that names a place and has as many cells as half a row of the table may hold the rest of it: it is refused, unless its name or its first row has a word by which the family knows it. */
export function countOtherSheets(
  { sheets }: Workbook,
  read: readonly Sheet[],
  half: number,
  { name, unreadSheets }: Family,
  audit: Audit,
): void {
  const isPlace = ({ value }: Cell): boolean =>
    typeof value === 'string' && geographyOf(foldSpace(value)) !== null;
  for (const sheet of sheets.filter((one) => !read.includes(one))) {
    const filled = (row: number): Cell[] => sheet.cells(row).filter(({ value }) => value !== null);
    const texts = sheet.rows.slice(0, 1).flatMap((row) => filled(row).map(({ value }) => String(value)));
    const isKnown = unreadSheets.some((word) =>
      new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i').test([sheet.name, ...texts].join(' ')),
    );
    const isRest = (row: number): boolean => filled(row).length >= half && filled(row).some(isPlace);
    const rest = isKnown ? undefined : sheet.rows.find(isRest);
    const expected = `the whole table in one sheet, or a word for this one in unreadSheets of build/import/${name}.yaml`;
    if (rest !== undefined)
      throw new Refusal(sheet.file, rowPlace(sheet, rest), expected, 'a row like those of the table');
    count(audit.withheld, `sheet "${sheet.name}", never read`);
  }
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
    if (missing.length === 0) {
      if (second)
        refuse(second.cell, `one column "${second.heading}"`, `a second one, ${shown(second.cell.value)}`);
      refuseScale(textsAbove(sheet, row));
      refuseOtherUnit(textsAbove(sheet, row), headingsOf({ sheet, row, column }));
      return { sheet, row, column, missing };
    }
    if (!best || missing.length < best.missing.length) best = { sheet, row, column, missing };
  }
  return best ?? { sheet, row: 1, column: columnsIn(sheet, 0, columns, keys).column, missing: keys };
}

/** A header that lacks no column; any other is refused. */
function wholeHeader<K extends string>(found: FoundHeader<K>, columns: Columns<K>): Header<K> {
  const { sheet, row, column, missing } = found;
  if (missing.length === 0) return found;
  const words = missing.map((key) => columns[key].map((word) => `"${word}"`).join(' or ')).join(', ');
  const read = Object.values<number>(column);
  const others = sheet.columns.filter((at) => !read.includes(at)).map((at) => sheet.cell(row, at));
  const texts = others.flatMap(({ value }) => (typeof value === 'string' ? foldSpace(value) : []));
  const instead = `no such column${texts.length > 0 ? `, but ${shown(texts.join(', '))}` : ''}`;
  throw new Refusal(sheet.file, rowPlace(sheet, row), `a header row with ${words}`, instead);
}

/** The rows in which titles and headers are looked for. */
export function topRows(sheet: Sheet): number[] {
  const [first = 1] = sheet.rows;
  return sheet.rows.filter((row) => row <= first + 50);
}

/** The first row near the top of a sheet that has one of these headings: a sheet of explanations, or an empty one, has none. */
export function headingRow(sheet: Sheet, spellings: readonly string[]): number | undefined {
  const headings = new Set(spellings.map(headingKey));
  return topRows(sheet).find((row) =>
    sheet.cells(row).some(({ value }) => headings.has(headingKey(String(value)))),
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
): { column: Record<K, number>; second: { heading: string; cell: Cell } | null } {
  const column = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  let second: { heading: string; cell: Cell } | null = null;
  for (const at of sheet.columns) {
    const cell = sheet.cell(row, at);
    if (typeof cell.value !== 'string') continue;
    const word = headingKey(cell.value);
    const key = keys.find((candidate) =>
      columns[candidate].some((spelling) => headingKey(spelling) === word),
    );
    if (key === undefined) continue;
    if (column[key] === 0) column[key] = at;
    else second ??= { heading: columns[key][0] ?? key, cell };
  }
  return { column, second };
}

/** A heading as it is compared: small letters without spaces, dashes or underscores, accents kept. Editions write `DrugName`, `Drug name` or `drug_name`. */
export function headingKey(text: string): string {
  return foldSpace(text)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
}

/** `Sheet name!5:5`: the locator of a whole row. */
export function rowPlace(sheet: Sheet, row: number): string {
  return `${sheet.name}!${row}:${row}`;
}

function headingsOf<K extends string>({ sheet, row, column }: Header<K>): Cell[] {
  return Object.values<number>(column).map((at) => cellUnder(sheet, row, at));
}

/** The rows below a header, or from a later row on, that hold data. */
export function* rowsBelow<K extends string>(
  header: Header<K>,
  audit: Audit,
  first = header.row + 1,
): Generator<{ number: number; row: Row<K> }> {
  const { sheet, column } = header;
  const keys = Object.keys(column) as K[];
  const headings = headingsOf(header);
  const holdsData = dataRows(headings, audit);
  const names = cellUnder(sheet, header.row, column['country' as K] ?? Math.min(...sheet.columns));
  const columnOf = ({ place }: Cell): string => place.replace(/\d+$/, '');
  for (const number of sheet.rows.filter((row) => row >= first)) {
    const filled = sheet.cells(number).filter((cell) => cell.value !== null || cell.isUncalculated);
    const [above] = filled.flatMap((cell) => headings.filter((one) => columnOf(one) === columnOf(cell)));
    if (!holdsData(filled, above?.place === names.place ? undefined : above)) continue;
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

/** Counts the columns that no key names; the column of the key `country` says of which place a row is. */
export function countOtherColumns(
  { sheet, row, column }: Header<string>,
  family: Family,
  audit: Audit,
): void {
  const read = new Set<number>(Object.values(column));
  const others = sheet.columns.filter((at) => !read.has(at) && isUsed(sheet, row, at));
  const below = sheet.rows.filter((number) => number > row);
  const cellsIn = (at = 0): Cell[] => below.map((number) => cellUnder(sheet, number, at));
  const columns = others.map((at) => ({ heading: sheet.cell(row, at), cells: cellsIn(at) }));
  countUnread(family, audit, columns, cellsIn(column['country']));
}

/** A column that is not read: its heading and its cells, one for each row of the table. */
export interface UnreadColumn {
  heading: Cell;
  cells: readonly (Cell | undefined)[];
}

/** Counts columns that are not read. One that the family does not name is refused, unless it says no more than the places of the rows do. */
export function countUnread(
  { name: family, unreadColumns }: Family,
  audit: Audit,
  columns: readonly UnreadColumn[],
  places: readonly Cell[],
): void {
  const known = new Set(unreadColumns.map(headingKey));
  for (const { heading, cells } of columns) {
    const name = heading.value === null ? '' : textOf(heading);
    const expected = `only columns that are read, or that somebody has looked at and named in unreadColumns of build/import/${family}.yaml`;
    if (!known.has(headingKey(name)) && !isOfPlaces(name, cells, places)) {
      const below = cells.find((cell) => (cell?.value ?? null) !== null);
      refuse(heading, expected, name === '' && below ? `no heading above ${shown(below.value)}` : undefined);
    }
    count(audit.withheld, name === '' ? 'column without a heading' : `column "${name}"`);
  }
}

/** Whether a column is blank, or says where the places of the rows are. */
function isOfPlaces(name: string, cells: UnreadColumn['cells'], places: readonly Cell[]): boolean {
  const rows = cells.flatMap((cell, at) => (cell && places[at]?.value ? { cell, place: places[at] } : []));
  if (rows.every(({ cell }) => cell.value === null)) return !rows.some(({ cell }) => cell.isUncalculated);
  return saysWhere(
    name,
    rows.map(({ cell, place }) => ({ place: textOf(place), value: cell.value })),
  );
}

/** Whether a column has a heading in this row, or anything below. */
export function isUsed(sheet: Sheet, header: number, column: number): boolean {
  return sheet.rows.some((row) => row >= header && sheet.cell(row, column).value !== null);
}

/** Counts the years that a table has no column for, between its first and its last one or those that its title names. */
export function countMissingYears(
  { name }: Sheet,
  years: readonly { period: string }[],
  audit: Audit,
  window: Window | null = null,
): void {
  const periods = years.map(({ period }) => Number(period));
  const last = Number(window?.last ?? Math.max(...periods));
  for (let year = Number(window?.first ?? Math.min(...periods)); year <= last; year += 1)
    if (!periods.includes(year)) count(audit.notes, `no column of ${year} in "${name}"`);
}
