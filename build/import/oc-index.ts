/**
 * The Global Organized Crime Index workbook, one sheet per edition, with the project's own table of printed country
 * spellings and ISO 3166-1 alpha-3 codes. Years between editions stay absent: nothing is carried forward.
 */
import type { AtlasRow, Source } from '../lib/dataset.ts';
import { listOf } from '../lib/text.ts';
import { geographyOf, geographyOfCode } from '../reference/geography.ts';
import { isNumber, numberOf, refuse, textOf } from './cells.ts';
import { csvRecords, csvTable } from './csv-table.ts';
import { describeSource } from './edition.ts';
import { atlasDescriptor, columnsOf, describeImporter, filled, readFamily } from './family.ts';
import { count, newAudit, Refusal, shown, type Audit, type Importer, type SourceFile } from './importer.ts';
import {
  cellUnder,
  countOtherColumns,
  findHeader,
  headingRow,
  rowPlace,
  rowsBelow,
  textsAbove,
} from './table.ts';
import { countHidden, isWorkbook, openWorkbook, type Sheet } from './workbook.ts';

const FIRST_EDITION = 2021;
const FAMILY = readFamily('oc-index');

/** Every score of an edition: place in the record, headings of its column, first edition that assessed it. */
const SCORES = Object.entries(FAMILY.datasets['organized-crime-index']?.fields ?? {}).map(
  ([path, label]) => ({
    path,
    headings: [label, ...(FAMILY.spellings[path] ?? [])],
    since: FAMILY.since[path] ?? FIRST_EDITION,
  }),
);

const PLACES = columnsOf(FAMILY, 'country', 'continent', 'region');

/** Imports the index workbook into organized-crime-index. */
export const ocIndex: Importer = {
  ...describeImporter(FAMILY),
  read(files, options) {
    const book = files.find(({ bytes }) => isWorkbook(bytes));
    const table = files.find((file) => file !== book);
    if (!book || !table || files.length !== 2)
      throw new Refusal(
        'oc-index',
        'the files',
        'one workbook and one country table',
        `${files.length} files`,
      );
    const described = describeSource(FAMILY.sources['table'], book, options);
    const source = filled(described, { sha256: table.sha256 });
    const audit = newAudit();
    const reading = {
      countries: readCountries(table, audit),
      names: new Map<string, string>(),
      source,
      audit,
    };
    const rows = readEditions(book, reading);
    countHidden(openWorkbook(book), audit);
    const years = [...new Set(rows.map(({ year }) => String(year)))].sort();
    const facts = atlasDescriptor(FAMILY, 'organized-crime-index', [source]);
    const descriptor = filled(facts, { editions: listOf(years) });
    return [{ dataset: { kind: 'atlas', descriptor, rows }, audit }];
  },
};

/**
 * Printed spelling -> alpha-3 code, from the project's own table: the index has no codes, and one edition prints commas
 * for full stops, so one country can have several spellings.
 */
function readCountries(file: SourceFile, audit: Audit): Map<string, string> {
  const countries = new Map<string, string>();
  const records = csvRecords(file, { ragged: true });
  const columns = { spelling: 'country_as_printed', iso3: 'iso3' };
  for (const { row } of csvTable(file, columns, audit, records).rows) {
    const [spelling, iso3] = [textOf(row.spelling), textOf(row.iso3)];
    const known = geographyOf(spelling)?.code ?? iso3;
    if (!geographyOfCode(iso3, spelling)) refuse(row.iso3, 'an ISO 3166-1 alpha-3 code');
    if (known !== iso3) refuse(row.iso3, `${known}, the code of ${shown(spelling)}`);
    if (countries.has(spelling)) refuse(row.spelling, 'each spelling once');
    countries.set(spelling, iso3);
  }
  return countries;
}

/** What is known while the editions are read, the latest first: a country is named as its latest edition spells it. */
interface Reading {
  countries: Map<string, string>;
  names: Map<string, string>;
  source: Source;
  audit: Audit;
}

function readEditions(file: SourceFile, reading: Reading): AtlasRow[] {
  const refuseList = (expected: string, found: string): never => {
    throw new Refusal(file.name, 'the list of sheets', expected, found);
  };
  const { sheets } = openWorkbook(file);
  const headings = [...PLACES.country, ...SCORES.flatMap((score) => score.headings)];
  const tables = sheets.filter((sheet) => headingRow(sheet, headings) !== undefined);
  for (const sheet of sheets.filter((one) => !tables.includes(one))) {
    refuseScores(sheet);
    count(reading.audit.withheld, `sheet "${sheet.name}", without a table`);
  }
  const editions = tables.map((sheet) => {
    const named = yearsIn([sheet.name]);
    const [printed, ...others] =
      named.size > 0 ? named : yearsIn(textsAbove(sheet, headingRow(sheet, PLACES.country) ?? 0).map(textOf));
    if (printed === undefined || others.length > 0)
      refuseList('one year in the name of each table, or in its titles', shown(sheet.name));
    const year = Number(printed);
    return { year, sheet };
  });
  if (editions.length === 0) refuseList('a sheet with a column "Country"', 'none');
  const twin = editions.find(({ year }, at) =>
    editions.some((one, other) => other < at && one.year === year),
  );
  if (twin) refuseList('one table per edition', `a second one of ${twin.year}, ${shown(twin.sheet.name)}`);
  return editions
    .sort((a, b) => b.year - a.year)
    .flatMap(({ year, sheet }) => readEdition(sheet, year, reading));
}

function yearsIn(texts: string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.replaceAll('_', ' ').match(/\b20\d{2}(?!\d)/g) ?? []));
}

/** Refuses a sheet without a known heading that has rows of scores: it would be an edition that is not read. */
function refuseScores(sheet: Sheet): void {
  const numbersIn = (row: number): number =>
    sheet.cells(row).filter(({ value }) => typeof value === 'number' || isNumber(value)).length;
  const row = sheet.rows.find((one) => numbersIn(one) > SCORES.length / 2);
  if (row === undefined) return;
  const expected = 'a header row with "Country" and the scores above it, among the first rows of the sheet';
  throw new Refusal(sheet.file, rowPlace(sheet, row), expected, 'a row of numbers without one');
}

function readEdition(sheet: Sheet, year: number, reading: Reading): AtlasRow[] {
  const { countries, names, source, audit } = reading;
  const latest = source.dated.slice(0, 4);
  if (year < FIRST_EDITION || year > Number(latest))
    throw new Refusal(
      sheet.file,
      sheet.name,
      `a year from ${FIRST_EDITION} to ${latest}, that of the edition`,
      shown(year),
    );
  const assessed = SCORES.filter(({ since }) => since <= year);
  const headings = assessed.map((score) => [score.path, score.headings]);
  const columns = { ...PLACES, ...Object.fromEntries(headings) };
  const header = findHeader<keyof typeof PLACES>(sheet, columns, ['continent', 'region']);
  countOtherColumns(header, FAMILY, audit);
  for (const key of ['continent', 'region'] as const)
    if (header.column[key] > 0) count(audit.withheld, `column "${key}" of an edition`);
  const scores: Record<string, number> = header.column;
  const assessedColumns = assessed.map(({ path }) => scores[path] ?? 0);
  const rows: AtlasRow[] = [];
  const seen = new Set<string>();
  for (const { number, row } of rowsBelow(header, audit)) {
    audit.read += 1;
    const printed = textOf(row.country);
    const iso3 = countries.get(printed) ?? refuse(row.country, 'a country spelling of the country table');
    if (seen.has(iso3)) refuse(row.country, `one row for ${iso3}`, `a second one, ${shown(printed)}`);
    seen.add(iso3);
    const country = names.get(iso3) ?? printed;
    names.set(iso3, country);
    if (country !== printed) count(audit.notes, 'country named as its latest edition spells it');
    const values: AtlasRow['values'] = Object.fromEntries(SCORES.map(({ path }) => [path, null]));
    count(audit.unavailable, 'not assessed in the edition', SCORES.length - assessed.length);
    for (const { path } of assessed) {
      const cell = cellUnder(sheet, number, scores[path] ?? 0);
      // The scale runs from 1 to 10, so a zero is never a score.
      // No score may be blank: what an edition did not assess has no column in it.
      const value = numberOf(cell, 'a score from 1 to 10', { min: 1, max: 10, isTyped: true });
      values[path] = value ?? refuse(cell, 'a score from 1 to 10');
    }
    const [first, last] = [Math.min(...assessedColumns), Math.max(...assessedColumns)].map((column) =>
      sheet.cell(number, column),
    );
    const locator = `${first?.place}:${last?.place.split('!').at(-1)}`;
    rows.push({ iso3, country, year, source: source.id, locator, values });
    audit.kept += 1;
  }
  if (rows.length === 0) refuse(sheet.cell(header.row + 1, 1), 'a row of data', 'none');
  return rows;
}
