/**
 * The two shapes in which the World Bank gives a series: long (`Country Name,Country Code,Year,Value`, its name in a
 * datapackage.json next to it or in its folder) and wide (a preamble, then one country per row and one year per column).
 * Every row is checked; a blank year of the wide shape is not a record, because the long shape has none either.
 */
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import { numberOf, refuse, textOf, yearIn, type Cell } from './cells.ts';
import { count, type Audit, type SourceFile } from './importer.ts';
import { refuseTwin } from './observations.ts';
import { Refusal, shown } from './refusal.ts';
import { csvTable, type CsvTable } from './table.ts';
import { WDI_SERIES, type WdiSeries } from './wdi-series.ts';

/** One published value of a country in scope. */
export interface WdiValue {
  code: Cell;
  name: Cell;
  year: string;
  value: number;
  /** `row 17`, or `row 17 column 1986` in the wide shape. */
  locator: string;
}

/** A file read: its series, its values, and the publisher's own date where the file prints one. */
export interface WdiFile {
  series: WdiSeries;
  updated: string | null;
  values: WdiValue[];
}

const LONG = { name: 'Country Name', code: 'Country Code', year: 'Year', value: 'Value' };
const WIDE = {
  name: 'Country Name',
  code: 'Country Code',
  title: 'Indicator Name',
  series: 'Indicator Code',
};

/** What a datapackage.json next to a long file says about it. */
export interface WdiPackage {
  id: string;
  title: string;
}

/** Reads one CSV file; `countries` are the alpha-3 codes in scope, `given` the folder's datapackage.json. Throws a Refusal. */
export function readWdiFile(
  file: SourceFile,
  given: WdiPackage | null,
  countries: readonly string[],
  audit: Audit,
): WdiFile {
  const records = readCsv(file.bytes, { ragged: true });
  const reading = { file, countries, audit };
  if (records[0]?.cells[0]?.trim() === 'Data Source') return readWide(reading, records);
  const folder = file.name.split('/').at(-2)?.toLowerCase() ?? '';
  const id = given?.id ?? folder;
  if (id !== folder && WDI_SERIES.some((known) => known.id === folder))
    throw new Refusal(file.name, 'its datapackage.json', `the series ${folder} of the folder`, shown(id));
  const series = seriesOf(file.name, id, given?.title ?? null);
  return { series, updated: null, values: readLong(reading, records) };
}

/** The series a datapackage.json names. Throws a Refusal. */
export function readWdiPackage(file: SourceFile): WdiPackage {
  const found: unknown = parsed(file);
  if (typeof found === 'object' && found !== null && 'name' in found && 'title' in found)
    if (typeof found.name === 'string' && typeof found.title === 'string')
      return { id: found.name.toLowerCase(), title: found.title.trim() };
  throw new Refusal(file.name, 'the file', 'a JSON object with name and title', 'something else');
}

function parsed(file: SourceFile): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file.bytes));
  } catch {
    throw new Refusal(file.name, 'the file', 'JSON', 'something else');
  }
}

function seriesOf(file: string, id: string, title: string | null): WdiSeries {
  const series = WDI_SERIES.find((known) => known.id === id.toLowerCase());
  if (!series)
    throw new Refusal(
      file,
      'the series',
      `a datapackage.json next to the file, or a folder named after one of ${WDI_SERIES.length} known series`,
      shown(id),
    );
  if (title !== null && title !== series.title)
    throw new Refusal(file, 'the title of the series', shown(series.title), shown(title));
  return series;
}

interface Reading {
  file: SourceFile;
  countries: readonly string[];
  audit: Audit;
}

function readLong(reading: Reading, records: CsvRecord[]): WdiValue[] {
  const values: WdiValue[] = [];
  const seen = new Map<string, string>();
  const table = csvTable(reading.file, LONG, records);
  for (const { cells, row } of table.rows) {
    checkWidth(row.code, cells, table.header);
    const year = yearIn(row.year) ?? refuse(row.year, 'a year');
    const value = decimalOf(row.value);
    if (!takesRow(reading, row.code)) continue;
    refuseTwin(seen, `${textOf(row.code)} ${year}`, row.code, `one value of ${textOf(row.code)} ${year}`);
    values.push({ code: row.code, name: row.name, year, value, locator: row.value.place });
  }
  return values;
}

function readWide(reading: Reading, records: CsvRecord[]): WdiFile {
  const { file } = reading;
  const start = records.findIndex(({ cells }) => cells.some((cell) => cell.trim() === WIDE.series));
  const preamble = records.slice(0, Math.max(start, 0));
  const updated = preamble.find(({ cells }) => cells[0]?.trim() === 'Last Updated Date')?.cells[1];
  const table = csvTable(file, WIDE, records.slice(Math.max(start, 0)));
  if (updated === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(updated))
    throw new Refusal(file.name, 'the preamble', '"Last Updated Date" with a date', shown(updated));
  const years = yearsOf(table);
  let series: WdiSeries | null = null;
  const values: WdiValue[] = [];
  const seen = new Map<string, string>();
  for (const { cells, row } of table.rows) {
    checkWidth(row.code, cells, table.header);
    const own = seriesOf(file.name, textOf(row.series), textOf(row.title));
    if (series !== null && series !== own) refuse(row.series, `the series ${series.id}`, shown(own.id));
    series = own;
    if (!takesRow(reading, row.code)) continue;
    for (const { column, year } of years) {
      const cell = cells[column];
      const locator = `${row.code.place} column ${year}`;
      if (!cell || cell.value === null)
        count(reading.audit.notes, 'blank year of the wide shape is no record');
      else {
        const place = { ...cell, place: locator };
        refuseTwin(seen, `${textOf(row.code)} ${year}`, place, `one value of ${textOf(row.code)} ${year}`);
        values.push({ code: row.code, name: row.name, year, value: decimalOf(place), locator });
      }
    }
  }
  if (series === null) throw new Refusal(file.name, 'the file', 'rows under the header', 'none');
  return { series, updated, values };
}

/** Every column besides the named ones is a year. */
function yearsOf({ header }: CsvTable<string>): { column: number; year: string }[] {
  const named: string[] = Object.values(WIDE).map((word) => word.toLowerCase());
  return header.flatMap((cell, column) => {
    if (cell.value === null || named.includes(textOf(cell).toLowerCase())) return [];
    return [{ column, year: yearIn(cell) ?? refuse(cell, 'a year') }];
  });
}

function checkWidth(cell: Cell, cells: Cell[], header: Cell[]): void {
  if (cells.length !== header.length) refuse(cell, `${header.length} columns`, String(cells.length));
}

/** Counts the row, and withholds it when it is not of a country in scope. */
function takesRow({ countries, audit }: Reading, code: Cell): boolean {
  if (!/^[A-Z0-9]{3}$/.test(textOf(code))) refuse(code, 'a country code of three characters');
  audit.read += 1;
  const isKept = countries.includes(textOf(code));
  if (isKept) audit.kept += 1;
  else count(audit.withheld, 'row of a country or region outside the scope');
  return isKept;
}

function decimalOf(cell: Cell): number {
  return numberOf(cell, 'a number', { min: -Infinity, inText: true }) ?? refuse(cell, 'a number');
}
