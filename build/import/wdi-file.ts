/**
 * The two shapes in which the World Bank gives a series: long (`Country Name,Country Code,Year,Value`, its name in a
 * datapackage.json beside it or in its folder) and wide (a preamble, then a country a row and a year a column).
 * Every row is checked; a blank year of the wide shape is no record, because the long shape has none either.
 */
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import { count, type Audit } from './audit.ts';
import { columnsOf } from './csv-columns.ts';
import type { SourceFile } from './family.ts';
import { Refusal, shown } from './refusal.ts';
import { WDI_SERIES, type WdiSeries } from './wdi-series.ts';

/** One published value of a country in scope. */
export interface WdiValue {
  code: string;
  name: string;
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

/** What a datapackage.json beside a long file says about it. */
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
  const [first] = records;
  const reading = { file: file.name, countries, audit };
  if (first?.cells[0]?.trim() === 'Data Source') return readWide(reading, records);
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
      `a datapackage.json beside the file, or a folder named after one of ${WDI_SERIES.length} known series`,
      shown(id),
    );
  if (title !== null && title !== series.title)
    throw new Refusal(file, 'the title of the series', shown(series.title), shown(title));
  return series;
}

interface Reading {
  file: string;
  countries: readonly string[];
  audit: Audit;
}

function readLong(reading: Reading, [header, ...records]: CsvRecord[]): WdiValue[] {
  const columns = columnsOf(reading.file, header, LONG);
  const values: WdiValue[] = [];
  for (const { line, cells } of records) {
    const place = `row ${line}`;
    checkWidth(reading.file, place, cells, header?.cells.length ?? 0);
    const text = (key: keyof typeof LONG): string => (cells[columns[key]] ?? '').trim();
    const year = yearOf(reading.file, place, text('year'));
    const value = numberOf(reading.file, place, text('value'));
    if (!takesRow(reading, text('code'), place)) continue;
    values.push({ code: text('code'), name: text('name'), year, value, locator: place });
  }
  return once(reading.file, values);
}

function readWide(reading: Reading, records: CsvRecord[]): WdiFile {
  const { file } = reading;
  const start = records.findIndex(({ cells }) => cells.some((cell) => cell.trim() === WIDE.series));
  const header = records[start];
  const columns = columnsOf(file, header, WIDE);
  const updated = records.slice(0, start).find(({ cells }) => cells[0]?.trim() === 'Last Updated Date')
    ?.cells[1];
  if (updated === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(updated))
    throw new Refusal(file, 'the preamble', '"Last Updated Date" with a date', shown(updated));
  const others: number[] = Object.values(columns);
  const years = (header?.cells ?? []).flatMap((word, column) =>
    others.includes(column) || word.trim() === ''
      ? []
      : [{ column, year: yearOf(file, `row ${header?.line ?? 0}`, word.trim()) }],
  );
  let series: WdiSeries | null = null;
  const values: WdiValue[] = [];
  for (const { line, cells } of records.slice(start + 1)) {
    const place = `row ${line}`;
    checkWidth(file, place, cells, header?.cells.length ?? 0);
    const text = (key: keyof typeof WIDE): string => (cells[columns[key]] ?? '').trim();
    const own = seriesOf(file, text('series'), text('title'));
    if (series !== null && series !== own)
      throw new Refusal(file, place, `the series ${series.id}`, shown(own.id));
    series = own;
    if (!takesRow(reading, text('code'), place)) continue;
    for (const { column, year } of years) {
      const printed = (cells[column] ?? '').trim();
      const locator = `${place} column ${year}`;
      if (printed === '') count(reading.audit.notes, 'blank year of the wide shape is no record');
      else
        values.push({
          code: text('code'),
          name: text('name'),
          year,
          value: numberOf(file, locator, printed),
          locator,
        });
    }
  }
  if (series === null) throw new Refusal(file, 'the file', 'rows under the header', 'none');
  return { series, updated, values: once(file, values) };
}

function checkWidth(file: string, place: string, cells: string[], width: number): void {
  if (cells.length !== width) throw new Refusal(file, place, `${width} columns`, String(cells.length));
}

/** Counts the row, and withholds it when it is no country of the scope. */
function takesRow({ file, countries, audit }: Reading, code: string, place: string): boolean {
  if (!/^[A-Z0-9]{3}$/.test(code))
    throw new Refusal(file, place, 'a country code of three characters', shown(code));
  audit.read += 1;
  const isKept = countries.includes(code);
  if (isKept) audit.kept += 1;
  else count(audit.withheld, 'row of a country or region outside the scope');
  return isKept;
}

function yearOf(file: string, place: string, printed: string): string {
  const year = Number(printed);
  if (/^\d{4}$/.test(printed) && year >= 1900 && year <= 2200) return printed;
  throw new Refusal(file, place, 'a year', shown(printed));
}

function numberOf(file: string, place: string, printed: string): number {
  const value = Number(printed);
  if (/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(printed) && Number.isFinite(value)) return value;
  throw new Refusal(file, place, 'a number', shown(printed));
}

function once(file: string, values: WdiValue[]): WdiValue[] {
  const seen = new Map<string, string>();
  for (const { code, year, locator } of values) {
    const first = seen.get(`${code} ${year}`);
    if (first !== undefined)
      throw new Refusal(file, locator, `one value of ${code} ${year}`, `another in ${first}`);
    seen.set(`${code} ${year}`, locator);
  }
  return values;
}
