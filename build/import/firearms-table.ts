/**
 * The one table of UNODC's Illicit Arms Flows Questionnaire workbook, row by row, as both firearms datasets read it.
 * It knows columns and cells; what a row means is decided by firearms.ts and firearms-tracing.ts.
 */
import type { Geography } from '../lib/dataset.ts';
import { neededText, numberOf, oneOf, refuse, textOf, yearOf } from './cells.ts';
import { count, shown, type SourceFile } from './importer.ts';
import { newGeographies, type Geographies } from './observations.ts';
import { findHeader, otherHeadings, rowsBelow, type Header, type Row } from './table.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** A row of the table. `sex` and `age` are null where the source prints `na`; `value` is null when its cell is blank. */
export interface ArmsRow {
  geography: Pick<Geography, 'code' | 'name'>;
  indicator: string;
  dimension: string;
  category: string;
  sex: string | null;
  age: string | null;
  year: string;
  unit: string;
  value: number | null;
  /** True when another row has the same key and another value. */
  isConflicting: boolean;
  /** The cells it was read from, for locators and refusals. */
  cells: Row<Column>;
}

/** The whole table with the edition's date as printed above the header, `YYYY-MM-DD`, or null. */
export interface ArmsTable {
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
};
type Column = keyof typeof COLUMNS;

/** Reads the workbook's table; anything it does not understand is a Refusal naming the cell. */
export function readArmsTable(file: SourceFile): ArmsTable {
  const sheet = onlySheet(openWorkbook(file));
  const header = findHeader<Column>(sheet, COLUMNS);
  const geographies = newGeographies();
  const names = new Map<string, string>();
  const rows = [...rowsBelow(header)].map(({ row }) => readRow(row, geographies, names));
  if (rows.length === 0) refuse(sheet.cell(header.row + 1, header.column.value), 'a row of data', 'none');
  markConflicts(rows);
  const withheld: Record<string, number> = {};
  for (const { value } of otherHeadings(header)) count(withheld, `column ${shown(value)} is not packaged`);
  return { dated: printedDate(header), rows, geographies: geographies.inOrder(), withheld };
}

function onlySheet(book: Workbook): Sheet {
  const [first, ...others] = book.sheets;
  return first && others.length === 0 ? first : book.sheet(SHEET);
}

function readRow(cells: Row<Column>, geographies: Geographies, names: Map<string, string>): ArmsRow {
  const text = (key: Column): string => neededText(cells[key], `text in column "${COLUMNS[key][0]}"`);
  const orNotApplicable = (key: Column): string | null => (text(key) === 'na' ? null : text(key));
  const code = geographies.coded(cells.iso3, cells.country);
  const name = names.get(code) ?? text('country');
  names.set(code, name);
  if (name !== text('country'))
    refuse(cells.iso3, `one name for ${code}, ${shown(name)}`, shown(cells.country.value));
  return {
    geography: { code, name },
    indicator: text('indicator'),
    dimension: text('dimension'),
    category: text('category'),
    sex: orNotApplicable('sex'),
    age: orNotApplicable('age'),
    year: yearOf(cells.year),
    unit: oneOf(cells.unit, ['Counts'], 'the unit'),
    value: numberOf(cells.value, 'a count of zero or more', { isTyped: true }),
    isConflicting: false,
    cells,
  };
}

/**
 * Two rows of one key with different values: neither can be chosen. The source's column "Source" is not part of the key,
 * because it names the channel a figure came through, not what was counted.
 */
function markConflicts(rows: ArmsRow[]): void {
  const byKey = new Map<string, ArmsRow[]>();
  for (const row of rows) {
    const { geography, indicator, dimension, category, sex, age, year, unit } = row;
    const key = JSON.stringify([geography.code, indicator, dimension, category, sex, age, year, unit]);
    const group = byKey.get(key);
    if (group) group.push(row);
    else byKey.set(key, [row]);
  }
  for (const group of byKey.values()) {
    const isConflicting = new Set(group.map(({ value }) => value)).size > 1;
    for (const row of group) row.isConflicting = isConflicting;
  }
}

/** The edition's date is printed above the header as `26/08/2024`. */
function printedDate({ sheet, row: header }: Header<Column>): string | null {
  for (let row = sheet.firstRow; row < header; row += 1)
    for (const cell of sheet.cells(row)) {
      const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(textOf(cell)) ?? [];
      if (year !== undefined) return `${year}-${month}-${day}`;
    }
  return null;
}
