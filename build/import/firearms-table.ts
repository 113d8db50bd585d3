/**
 * The one table of UNODC's Illicit Arms Flows Questionnaire workbook, row by row, as both firearms datasets read it.
 * It knows columns and cells; what a row means is decided by firearms.ts and firearms-tracing.ts.
 */
import type { Geography } from '../lib/dataset.ts';
import { count } from './audit.ts';
import type { SourceFile } from './family.ts';
import { geographyOfCode } from '../reference/geography.ts';
import { findHeader, type Columns, type Header } from './header.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** A row of the table. `sex` and `age` are null where the source prints `na`; `value` is null when its cell is blank. */
export interface ArmsRow {
  geography: Geography;
  indicator: string;
  dimension: string;
  category: string;
  sex: string | null;
  age: string | null;
  year: number;
  unit: string;
  value: number | null;
  /** True when another row has the same key and another value. */
  conflicting: boolean;
  row: number;
  /** `Sheet!L5`, the value's cell. */
  locator: string;
  /** `Sheet!E5` and the like, for refusals. */
  place: Record<'indicator' | 'dimension' | 'category', string>;
}

/** The whole table with the edition's date as printed above the header, `YYYY-MM-DD`, or null. */
export interface ArmsTable {
  sheet: string;
  valueColumn: string;
  dated: string | null;
  rows: ArmsRow[];
  geographies: Geography[];
  /** Columns not packaged, counted by reason. */
  withheld: Record<string, number>;
}

const SHEET = 'data_iafq_firearms_trafficking';

const COLUMNS = {
  iso3: ['Iso3_code', 'ISO3'],
  country: ['Country'],
  indicator: ['Indicator'],
  dimension: ['Dimension'],
  category: ['Category'],
  sex: ['Sex'],
  age: ['Age'],
  year: ['Year'],
  unit: ['Unit of measurement'],
  value: ['VALUE'],
} satisfies Columns<string>;

type Column = keyof typeof COLUMNS;

/** Reads the workbook's table; anything it does not understand is a Refusal naming the cell. */
export function readArmsTable(file: SourceFile): ArmsTable {
  const sheet = onlySheet(openWorkbook(file.name, file.bytes));
  const header = findHeader<Column>(file.name, sheet, COLUMNS);
  const names = new Map<string, Geography>();
  const rows: ArmsRow[] = [];
  for (let row = header.row + 1; row <= sheet.lastRow; row += 1) {
    if (isBlank(sheet, row)) continue;
    rows.push(readRow(file.name, sheet, header, row, names));
  }
  if (rows.length === 0)
    throw new Refusal(file.name, sheet.locator(header.row + 1, header.column.value), 'a row of data', 'none');
  markConflicts(rows);
  const valueColumn = sheet.cell(header.row, header.column.value).address.replace(/\d+$/, '');
  return {
    sheet: sheet.name,
    valueColumn,
    dated: printedDate(sheet, header.row),
    rows,
    geographies: [...names.values()],
    withheld: withheldColumns(sheet, header),
  };
}

function onlySheet(book: Workbook): Sheet {
  const [first, ...others] = book.sheets;
  return first && others.length === 0 ? first : book.sheet(SHEET);
}

function readRow(
  file: string,
  sheet: Sheet,
  header: Header<Column>,
  row: number,
  names: Map<string, Geography>,
): ArmsRow {
  const place = (key: Column): string => sheet.locator(row, header.column[key]);
  const text = (key: Column): string => {
    const { value } = sheet.cell(row, header.column[key]);
    if (typeof value === 'string') return foldSpace(value);
    throw new Refusal(file, place(key), `text in column "${COLUMNS[key][0]}"`, shown(value));
  };
  const orNotApplicable = (key: Column): string | null => (text(key) === 'na' ? null : text(key));
  const unit = text('unit');
  if (unit !== 'Counts') throw new Refusal(file, place('unit'), 'the unit "Counts"', shown(unit));
  return {
    geography: country(file, place('iso3'), text('iso3'), text('country'), names),
    indicator: text('indicator'),
    dimension: text('dimension'),
    category: text('category'),
    sex: orNotApplicable('sex'),
    age: orNotApplicable('age'),
    year: year(file, place('year'), sheet.cell(row, header.column.year).value),
    unit,
    value: countOf(file, sheet, row, header.column.value),
    conflicting: false,
    row,
    locator: place('value'),
    place: { indicator: place('indicator'), dimension: place('dimension'), category: place('category') },
  };
}

function country(
  file: string,
  place: string,
  code: string,
  printed: string,
  names: Map<string, Geography>,
): Geography {
  const known = names.get(code);
  const geography = known ?? geographyOfCode(code, printed);
  if (!geography) throw new Refusal(file, place, 'an ISO 3166-1 alpha-3 code', shown(code));
  if (geography.name !== printed)
    throw new Refusal(file, place, `one name for ${code}, ${shown(geography.name)}`, shown(printed));
  names.set(code, geography);
  return geography;
}

/** Years stand as text in the table; a number is taken too. */
function year(file: string, place: string, value: string | number | boolean | null): number {
  const printed = String(value).trim();
  const found = /^\d{4}$/.test(printed) ? Number(printed) : 0;
  if (found < 1900 || found > 2200) throw new Refusal(file, place, 'a year from 1900 to 2200', shown(value));
  return found;
}

function countOf(file: string, sheet: Sheet, row: number, column: number): number | null {
  const { value, formula } = sheet.cell(row, column);
  if (formula !== null)
    throw new Refusal(file, sheet.locator(row, column), 'a number, not a formula', shown(formula));
  if (value === null) return null;
  if (typeof value !== 'number' || value < 0)
    throw new Refusal(file, sheet.locator(row, column), 'a count of zero or more', shown(value));
  return value;
}

/**
 * Two rows of one key with different values: neither can be chosen. The source's column "Source" is no part of the key,
 * because it names the channel a figure came through, not what was counted.
 */
function markConflicts(rows: ArmsRow[]): void {
  const byKey = new Map<string, ArmsRow[]>();
  for (const row of rows) {
    const { geography, indicator, dimension, category, sex, age, unit } = row;
    const key = JSON.stringify([geography.code, indicator, dimension, category, sex, age, row.year, unit]);
    const group = byKey.get(key);
    if (group) group.push(row);
    else byKey.set(key, [row]);
  }
  for (const group of byKey.values()) {
    const conflicting = new Set(group.map(({ value }) => value)).size > 1;
    for (const row of group) row.conflicting = conflicting;
  }
}

function isBlank(sheet: Sheet, row: number): boolean {
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1)
    if (sheet.cell(row, column).value !== null) return false;
  return true;
}

/** The edition's date stands above the header as `26/08/2024`. */
function printedDate(sheet: Sheet, headerRow: number): string | null {
  for (let row = sheet.firstRow; row < headerRow; row += 1)
    for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
      const found = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(String(sheet.cell(row, column).value).trim());
      if (found) return `${found[3]}-${found[2]}-${found[1]}`;
    }
  return null;
}

function withheldColumns(sheet: Sheet, header: Header<Column>): Record<string, number> {
  const used = new Set(Object.values(header.column));
  const withheld: Record<string, number> = {};
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    const { value } = sheet.cell(header.row, column);
    if (value !== null && !used.has(column)) count(withheld, `column ${shown(value)} is not packaged`);
  }
  return withheld;
}
