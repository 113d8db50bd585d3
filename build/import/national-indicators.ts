/**
 * World Development Indicators: national context of China, Myanmar and Pakistan, one source and one indicator per series.
 * The World Bank gives a series in two shapes: long (`Country Name,Country Code,Year,Value`, its name in a datapackage.json
 * next to it or in its folder) and wide (a preamble, then one country per row and one year per column). Every row is
 * checked; a blank year of the wide shape is not a record, because the long shape has none either.
 */
import { isUtf8 } from 'node:buffer';
import { basename, dirname } from 'node:path';
import { geographyOf, geographyOfCode } from '../reference/geography.ts';
import { isObject, jsonIn } from '../../shim/core/json.ts';
import type { CsvRecord } from '../lib/csv.ts';
import { byCodeUnits, type Source } from '../lib/dataset.ts';
import { boundsOf, numberOf, refuse, textOf, yearIn, type Cell } from './cells.ts';
import { describeSource } from './edition.ts';
import { describeImporter, filled, indicatorOf, readFamily, seriesWords } from './family.ts';
import { count, newAudit, Refusal, shown } from './importer.ts';
import type { Audit, Importer, ImportOptions, SourceFile } from './importer.ts';
import { newGeographies, observation, observationsDataset, refuseTwin, sourced } from './observations.ts';
import type { Geographies, UnsourcedRow } from './observations.ts';
import { countOthers, csvRecords, csvTable } from './csv-table.ts';
import { headingKey } from './table.ts';

/** The texts of national-indicators.yaml. */
export const NATIONAL = readFamily('national-indicators');

/** Imports any of the known series as `national-indicators`, all files given at once. */
export const nationalIndicators: Importer = {
  ...describeImporter(NATIONAL),
  read(files, options) {
    const audit = newAudit();
    const geographies = newGeographies();
    const read = readAll(files, audit).sort((a, b) => byCodeUnits(a.found.series.id, b.found.series.id));
    if (read.length === 0)
      throw new Refusal('national-indicators', 'the files', 'one CSV file or more', 'none');
    for (const [index, { file, found }] of read.entries())
      if (read[index - 1]?.found.series.id === found.series.id)
        throw new Refusal(file.name, 'the file', 'each series once', shown(found.series.id));
    const [stated] = NATIONAL.indicators;
    if (!stated) throw new Error('build/import/national-indicators.yaml: the indicator is missing.');
    const parts = read.map(({ file, found }) => {
      const source = sourceOf(file, found, options);
      const rows = sourced(rowsOf(found, geographies), source, file);
      return { source, rows, indicator: filled(indicatorOf(stated, source.id), wordsOf(found.series)) };
    });
    const rows = parts.flatMap((part) => part.rows);
    const described = {
      sources: parts.map(({ source }) => source),
      geographies: geographies.list(),
      indicators: parts.map(({ indicator }) => indicator),
    };
    return [observationsDataset(NATIONAL, 'national-indicators', described, rows, audit)];
  },
};

/** The CSV files with what they hold, each with the datapackage.json of its folder if one is given. */
function readAll(files: SourceFile[], audit: Audit): { file: SourceFile; found: WdiFile }[] {
  const packages = new Map<string, WdiSeries>();
  const descriptions = files.filter(({ name }) => basename(name) === 'datapackage.json');
  for (const file of descriptions) {
    if (packages.has(dirname(file.name)))
      throw new Refusal(file.name, 'the file', 'one datapackage.json per folder', 'a second one');
    packages.set(dirname(file.name), readWdiPackage(file));
  }
  const read = files
    .filter((file) => !descriptions.includes(file))
    .map((file) => ({ file, found: readWdiFile(file, packages.get(dirname(file.name)) ?? null, audit) }));
  for (const one of descriptions)
    if (!read.some(({ file, found }) => dirname(file.name) === dirname(one.name) && !found.isWide))
      throw new Refusal(one.name, 'the files', 'the long CSV file of its folder as well', 'none');
  return read;
}

function sourceOf(file: SourceFile, { series, updated }: WdiFile, options: ImportOptions): Source {
  const known = { printed: updated, isShared: true };
  const described = describeSource(NATIONAL.sources['table'], file, options, known);
  const origin = NATIONAL.origins[series.id];
  const { evidence, notes } = NATIONAL.borrowed;
  const own = filled(described, wordsOf(series));
  if (origin === undefined) return own;
  const borrowed = { rights: { ...own.rights, evidence }, notes: [...own.notes, ...notes] };
  return filled({ ...own, ...borrowed }, { origin });
}

function wordsOf({ id, title }: WdiSeries): Record<string, string> {
  return { ...seriesWords(id), title };
}

function rowsOf({ series, values }: WdiFile, geographies: Geographies): UnsourcedRow[] {
  return values.map(({ code, name, year, value, locator }) =>
    observation({
      indicatorId: series.id,
      geoCode: geographies.coded(code, name),
      period: year,
      value,
      unit: unitOf(series),
      status: 'reported',
      sourceLocator: locator,
    }),
  );
}

/** As printed in the last parentheses of the title; `people` where it prints none. */
function unitOf({ title }: WdiSeries): string {
  return /\(([^()]*)\)$/.exec(title)?.[1] ?? 'people';
}

interface WdiSeries {
  /** The publisher's code in lower case: indicator id here. */
  id: string;
  /** The publisher's title; another title is another meaning. */
  title: string;
}

interface WdiValue {
  code: Cell;
  name: Cell;
  year: string;
  value: number;
  /** `row 17`, or `row 17 column 1986` in the wide shape. */
  locator: string;
}

/** A file read: its series, its values, and the publisher's own date where the file prints one. */
interface WdiFile {
  series: WdiSeries;
  isWide: boolean;
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

/** Reads one CSV file; `given` is the folder's datapackage.json. Throws a Refusal. */
function readWdiFile(file: SourceFile, given: WdiSeries | null, audit: Audit): WdiFile {
  const records = csvRecords(file, { ragged: true });
  const reading = { file, audit };
  if (headingKey(records[0]?.cells[0] ?? '') === headingKey('Data Source')) return readWide(reading, records);
  const folder = file.name.split('/').at(-2)?.toLowerCase() ?? '';
  const id = given?.id ?? folder;
  if (id !== folder && NATIONAL.series[folder] !== undefined)
    throw new Refusal(file.name, 'its datapackage.json', `the series ${folder} of the folder`, shown(id));
  const series = seriesOf(file.name, id, given?.title ?? null);
  return { series, isWide: false, updated: null, values: readLong(reading, records, series) };
}

/** The series a datapackage.json names. Throws a Refusal. */
function readWdiPackage({ name, bytes }: SourceFile): WdiSeries {
  const found = isUtf8(bytes) ? jsonIn(Buffer.from(bytes).toString()) : null;
  const { name: id, title } = isObject(found) ? found : {};
  if (typeof id === 'string' && typeof title === 'string')
    return { id: id.toLowerCase(), title: title.trim() };
  throw new Refusal(name, 'the file', 'a JSON object with name and title', 'something else');
}

function seriesOf(file: string, id: string, title: string | null): WdiSeries {
  const own = id.toLowerCase();
  const known = NATIONAL.series[own];
  if (known === undefined)
    throw new Refusal(
      file,
      'the series',
      `a datapackage.json next to the file, or a folder named after one of ${Object.keys(NATIONAL.series).length} known series`,
      shown(id),
    );
  if (title !== null && title !== known)
    throw new Refusal(file, 'the title of the series', shown(known), shown(title));
  return { id: own, title: known };
}

interface Reading {
  file: SourceFile;
  audit: Audit;
}

function readLong(reading: Reading, records: CsvRecord[], series: WdiSeries): WdiValue[] {
  const table = csvTable(reading.file, LONG, reading.audit, records);
  countOthers(table, 'name', NATIONAL, reading.audit);
  const values = table.rows.flatMap(({ cells, row: { code, name, year: printed, value: cell } }) => {
    checkWidth(cells, table.header);
    const year = yearIn(printed) ?? refuse(printed, 'a year');
    const value = decimalOf(cell, series);
    return takesRow(reading, code, name) ? [{ code, name, year, value, locator: cell.place }] : [];
  });
  return eachOnce(values);
}

function readWide(reading: Reading, records: CsvRecord[]): WdiFile {
  const { file } = reading;
  const start = records.findIndex(({ cells }) =>
    cells.some((cell) => headingKey(cell) === headingKey(WIDE.series)),
  );
  const preamble = records.slice(0, Math.max(start, 0));
  const updated = preamble
    .find(({ cells }) => headingKey(cells[0] ?? '') === headingKey('Last Updated Date'))
    ?.cells[1]?.trim();
  const table = csvTable(file, WIDE, reading.audit, records.slice(preamble.length));
  if (updated === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(updated))
    throw new Refusal(file.name, 'the preamble', '"Last Updated Date" with a date', shown(updated));
  // Every column besides the named ones is a year.
  const years = table.others.map(({ cell, column }) => {
    return { column, year: yearIn(cell) ?? refuse(cell, 'a year') };
  });
  let series: WdiSeries | null = null;
  const values: WdiValue[] = [];
  for (const { cells, row } of table.rows) {
    const { code, name } = row;
    checkWidth(cells, table.header);
    const own = seriesOf(file.name, textOf(row.series), textOf(row.title));
    if (series !== null && series.id !== own.id) refuse(row.series, `the series ${series.id}`, shown(own.id));
    series = own;
    if (!takesRow(reading, code, name)) continue;
    for (const { column, year } of years) {
      const locator = `${code.place} column ${year}`;
      const cell = { ...(cells[column] ?? code), place: locator };
      if (cell.value === null) count(reading.audit.notes, 'blank year of the wide shape is not a record');
      else values.push({ code, name, year, value: decimalOf(cell, own), locator });
    }
  }
  if (series === null) throw new Refusal(file.name, 'the file', 'rows under the header', 'none');
  return { series, isWide: true, updated, values: eachOnce(values) };
}

function eachOnce(values: WdiValue[]): WdiValue[] {
  const seen = new Map<string, string>();
  for (const { code, year, locator } of values)
    refuseTwin(
      seen,
      `${textOf(code)} ${year}`,
      { file: code.file, place: locator, value: code.value },
      'value',
    );
  return values;
}

function checkWidth(cells: Cell[], header: Cell[]): void {
  const [cell] = cells;
  if (cell && cells.length !== header.length) refuse(cell, `${header.length} columns`, String(cells.length));
}

/** Counts the row, and withholds it when its country is not in scope; a code that is not known is named in the count. */
function takesRow({ audit }: Reading, code: Cell, name: Cell): boolean {
  const [printed, words] = [textOf(code), textOf(name)];
  if (!/^[A-Z0-9]{3}$/.test(printed)) refuse(code, 'a country code of three characters');
  audit.read += 1;
  if (NATIONAL.countries.includes(printed)) {
    audit.kept += 1;
    return true;
  }
  const named = geographyOf(words);
  if (named && NATIONAL.countries.includes(named.code))
    refuse(code, `${named.code}, the code of ${shown(words)}`);
  const isKnown = named || geographyOfCode(printed, words) || NATIONAL.regions.includes(printed);
  const unknown = isKnown ? '' : `, with the unknown code ${printed}`;
  count(audit.withheld, `row of a country or region outside the scope${unknown}`);
  return false;
}

function decimalOf(cell: Cell, series: WdiSeries): number {
  const unit = unitOf(series);
  const bounds = { min: -Infinity, ...boundsOf(unit), inText: true };
  const expected = `a number, ${unit}`;
  return numberOf(cell, expected, bounds) ?? refuse(cell, expected);
}
