/**
 * The two shapes in which the World Bank gives a series: long (`Country Name,Country Code,Year,Value`, its name in a
 * datapackage.json next to it or in its folder) and wide (a preamble, then one country per row and one year per column).
 * Every row is checked; a blank year of the wide shape is not a record, because the long shape has none either.
 */
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import { numberOf, refuse, textOf, yearIn, type Cell } from './cells.ts';
import { count, Refusal, shown, type Audit, type SourceFile } from './importer.ts';
import { refuseTwin } from './observations.ts';
import { csvTable, type CsvTable } from './table.ts';

/** One series of the publisher. */
export interface WdiSeries {
  /** The publisher's code in lower case: indicator id here. */
  id: string;
  /** The publisher's title; another title is another meaning. */
  title: string;
}

/** The series that are packaged, in the order of their ids. */
export const WDI_SERIES: WdiSeries[] = Object.entries({
  'bn.cab.xoka.cd': 'Current account balance (BoP, current US$)',
  'bx.klt.dinv.cd.wd': 'Foreign direct investment, net inflows (BoP, current US$)',
  'dt.dod.dect.cd': 'External debt stocks, total (DOD, current US$)',
  'dt.dod.dect.gn.zs': 'External debt stocks (% of GNI)',
  'dt.dod.dimf.cd': 'Use of IMF credit (DOD, current US$)',
  'dt.dod.dppg.cd': 'External debt stocks, public and publicly guaranteed (PPG) (DOD, current US$)',
  'dt.oda.odat.cd': 'Net official development assistance received (current US$)',
  'dt.tds.dect.ex.zs': 'Total debt service (% of exports of goods, services and primary income)',
  'eg.elc.accs.zs': 'Access to electricity (% of population)',
  'fi.res.totl.cd': 'Total reserves (includes gold, current US$)',
  'fp.cpi.totl.zg': 'Inflation, consumer prices (annual %)',
  'is.shp.good.tu': 'Container port traffic (TEU: 20 foot equivalent units)',
  'ny.gdp.mktp.cd': 'GDP (current US$)',
  'ny.gdp.mktp.kd.zg': 'GDP growth (annual %)',
  'ny.gdp.pcap.cd': 'GDP per capita (current US$)',
  'sp.pop.totl': 'Population, total',
  'tg.val.totl.gd.zs': 'Merchandise trade (% of GDP)',
  'tm.val.mrch.cd.wt': 'Merchandise imports (current US$)',
  'tx.val.mrch.cd.wt': 'Merchandise exports (current US$)',
  'vc.ihr.psrc.p5': 'Intentional homicides (per 100,000 people)',
}).map(([id, title]) => ({ id, title }));

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
export function readWdiPackage({ name, bytes }: SourceFile): WdiPackage {
  const found = parsed(bytes);
  if (typeof found === 'object' && found !== null && 'name' in found && 'title' in found)
    if (typeof found.name === 'string' && typeof found.title === 'string')
      return { id: found.name.toLowerCase(), title: found.title.trim() };
  throw new Refusal(name, 'the file', 'a JSON object with name and title', 'something else');
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
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
  const { header, rows } = csvTable(reading.file, LONG, records);
  const values = rows.flatMap(({ cells, row: { code, name, year: printed, value: cell } }) => {
    checkWidth(code, cells, header);
    const year = yearIn(printed) ?? refuse(printed, 'a year');
    const value = decimalOf(cell);
    return takesRow(reading, code) ? [{ code, name, year, value, locator: cell.place }] : [];
  });
  return once(values);
}

function readWide(reading: Reading, records: CsvRecord[]): WdiFile {
  const { file } = reading;
  const start = records.findIndex(({ cells }) => cells.some((cell) => cell.trim() === WIDE.series));
  const preamble = records.slice(0, Math.max(start, 0));
  const updated = preamble.find(({ cells }) => cells[0]?.trim() === 'Last Updated Date')?.cells[1];
  const table = csvTable(file, WIDE, records.slice(preamble.length));
  if (updated === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(updated))
    throw new Refusal(file.name, 'the preamble', '"Last Updated Date" with a date', shown(updated));
  const years = yearsOf(table);
  let series: WdiSeries | null = null;
  const values: WdiValue[] = [];
  for (const { cells, row } of table.rows) {
    const { code, name } = row;
    checkWidth(code, cells, table.header);
    const own = seriesOf(file.name, textOf(row.series), textOf(row.title));
    if (series !== null && series !== own) refuse(row.series, `the series ${series.id}`, shown(own.id));
    series = own;
    if (!takesRow(reading, code)) continue;
    for (const { column, year } of years) {
      const locator = `${code.place} column ${year}`;
      const cell = { ...(cells[column] ?? code), place: locator };
      if (cell.value === null) count(reading.audit.notes, 'blank year of the wide shape is not a record');
      else values.push({ code, name, year, value: decimalOf(cell), locator });
    }
  }
  if (series === null) throw new Refusal(file.name, 'the file', 'rows under the header', 'none');
  return { series, updated, values: once(values) };
}

function once(values: WdiValue[]): WdiValue[] {
  const seen = new Map<string, string>();
  for (const { code, year, locator } of values)
    refuseTwin(seen, `${textOf(code)} ${year}`, { ...code, place: locator }, 'value');
  return values;
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
