/**
 * Family oc-index: the Global Organized Crime Index workbook, one sheet an edition, with the project's own countries of
 * printed country spellings to ISO 3166-1 alpha-3. Years between editions stay absent: nothing is carried forward.
 */
import type { AtlasRow, Dataset, Source } from '../lib/dataset.ts';
import { count, newAudit, type Audit } from './audit.ts';
import {
  describeSource,
  type Family,
  type KnownCopies,
  type SourceFacts,
  type SourceFile,
} from './family.ts';
import { findHeader, type Columns, type Header } from './header.ts';
import { countryOf, readCountryTable, type CountryTable } from './oc-index-countries.ts';
import { SCORES } from './oc-index-fields.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

const FACTS: SourceFacts = {
  id: 'oc-index',
  title: 'Global Organized Crime Index',
  publisher: 'Global Initiative Against Transnational Organized Crime',
  url: 'https://ocindex.net',
  path: 'https://ocindex.net/assets/downloads/global_oc_index.xlsx',
  license: 'Publicly downloadable; no explicit licence found: attribute and link',
  licenseUrl: null,
  cadence: 'P2Y',
  notes: [
    'No explicit licence was found: attribute the publisher, link to the index and ask it before republishing the table as a whole.',
    'The workbook prints no country codes.',
  ],
};

const KNOWN: KnownCopies = {
  '0bdfe8943de5a82bd4f709f92c91c596de5c60a192dca463bc722d88be7b55f5': {
    dated: '2025-10-29',
    retrievedAt: '2025-10-29',
  },
};

/** Imports the index workbook into organized-crime-index. */
export const ocIndex: Family = {
  name: 'oc-index',
  summary: 'Global Organized Crime Index: scores of criminality and resilience by country and edition',
  files: 'global_oc_index.xlsx oc_index_country_to_iso3.csv',
  read(files, options) {
    const book = files.find(({ bytes }) => bytes[0] === 0x50 && bytes[1] === 0x4b);
    const table = files.find((file) => file !== book);
    if (!book || !table || files.length !== 2)
      throw new Refusal(
        'oc-index',
        'the files',
        'one workbook and one country table',
        `${files.length} files`,
      );
    const countries = readCountryTable(table);
    const facts = {
      ...FACTS,
      notes: [
        ...FACTS.notes,
        `Country spellings are mapped to ISO 3166-1 alpha-3 by the project's own table ${table.name.split('/').at(-1) ?? ''} (sha256 ${table.sha256}).`,
      ],
    };
    const source = describeSource(facts, book, KNOWN, options);
    const audit = newAudit();
    const rows = readEditions(book, countries, source.id, audit);
    return [{ dataset: asDataset(source, rows), audit }];
  },
};

/** All editions, the latest first, so that a country is named as its latest edition spells it. */
function readEditions(file: SourceFile, countries: CountryTable, sourceId: string, audit: Audit): AtlasRow[] {
  const editions: { year: number; sheet: Sheet }[] = [];
  for (const sheet of openWorkbook(file.name, file.bytes).sheets) {
    const year = Number(/^(\d{4})_dataset$/.exec(foldSpace(sheet.name))?.[1] ?? 0);
    if (year > 0) editions.push({ year, sheet });
    else if (/^\d{4}_Global_OC_Index$/.test(foldSpace(sheet.name)))
      count(audit.withheld, 'cover sheet without data');
    else
      throw new Refusal(
        file.name,
        'the list of sheets',
        'sheets named "YYYY_dataset" and a cover',
        shown(sheet.name),
      );
  }
  if (editions.length === 0)
    throw new Refusal(file.name, 'the list of sheets', 'a sheet named "YYYY_dataset"', 'none');
  editions.sort((a, b) => b.year - a.year);
  const names = new Map<string, string>();
  return editions.flatMap(({ year, sheet }) =>
    readEdition(file.name, sheet, year, countries, names, sourceId, audit),
  );
}

function readEdition(
  file: string,
  sheet: Sheet,
  year: number,
  countries: CountryTable,
  names: Map<string, string>,
  sourceId: string,
  audit: Audit,
): AtlasRow[] {
  if (year < 2021 || year > 2200)
    throw new Refusal(file, sheet.name, 'an edition from 2021 to 2200', shown(year));
  const assessed = SCORES.filter(({ since }) => since <= year);
  const columns: Columns<string> = Object.fromEntries([
    ['country', ['Country']],
    ['continent', ['Continent']],
    ['region', ['Region']],
    ...assessed.map(({ path, label, spellings }) => [path, [label, ...spellings]]),
  ]);
  const header = findHeader(file, sheet, columns, { optional: ['continent', 'region'] });
  refuseUnknownColumns(file, sheet, header);
  for (const key of ['continent', 'region'])
    if (at(header, key) > 0) count(audit.withheld, `column "${key}" of an edition`);
  const rows: AtlasRow[] = [];
  const seen = new Set<string>();
  for (let row = header.row + 1; row <= sheet.lastRow; row += 1) {
    if (isBlank(sheet, row)) continue;
    audit.read += 1;
    const place = sheet.locator(row, at(header, 'country'));
    const { iso3, printed } = countryOf(file, place, sheet.cell(row, at(header, 'country')).value, countries);
    if (seen.has(iso3))
      throw new Refusal(file, place, `one row for ${iso3}`, `a second one, ${shown(printed)}`);
    seen.add(iso3);
    const name = names.get(iso3) ?? printed;
    names.set(iso3, name);
    if (name !== printed) count(audit.notes, 'country named as its latest edition spells it');
    const values: AtlasRow['values'] = Object.fromEntries(SCORES.map(({ path }) => [path, null]));
    count(audit.unavailable, 'not assessed in the edition', SCORES.length - assessed.length);
    for (const { path } of assessed) {
      const value = score(file, sheet, row, at(header, path));
      values[path] = value;
      if (value === null) count(audit.unavailable, 'blank_in_source');
    }
    rows.push({
      iso3,
      country: name,
      year,
      source: sourceId,
      locator: valueRange(sheet, header, row, assessed),
      values,
    });
    audit.kept += 1;
  }
  if (rows.length === 0) throw new Refusal(file, sheet.locator(header.row + 1, 1), 'a row of data', 'none');
  return rows;
}

function at(header: Header<string>, key: string): number {
  return header.column[key] ?? 0;
}

/** A score column this importer does not know would be lost without a word, so it is refused. */
function refuseUnknownColumns(file: string, sheet: Sheet, header: Header<string>): void {
  const known = new Set(Object.values(header.column));
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    const { value } = sheet.cell(header.row, column);
    if (value !== null && !known.has(column))
      throw new Refusal(file, sheet.locator(header.row, column), 'a known column of the index', shown(value));
  }
}

/** The scale runs from 1 to 10: a zero is never a score. */
function score(file: string, sheet: Sheet, row: number, column: number): number | null {
  const { value, formula } = sheet.cell(row, column);
  const place = sheet.locator(row, column);
  if (formula !== null) throw new Refusal(file, place, 'a number, not a formula', shown(formula));
  if (value === null) return null;
  if (typeof value !== 'number' || value < 1 || value > 10)
    throw new Refusal(file, place, 'a score from 1 to 10', shown(value));
  return value;
}

function valueRange(sheet: Sheet, header: Header<string>, row: number, assessed: { path: string }[]): string {
  const columns = assessed.map(({ path }) => at(header, path));
  const last = sheet.cell(row, Math.max(...columns)).address;
  return `${sheet.locator(row, Math.min(...columns))}:${last}`;
}

function isBlank(sheet: Sheet, row: number): boolean {
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1)
    if (sheet.cell(row, column).value !== null) return false;
  return true;
}

function asDataset(source: Source, rows: AtlasRow[]): Dataset {
  return {
    kind: 'atlas',
    descriptor: {
      name: 'organized-crime-index',
      kind: 'atlas',
      domain: 'organized_crime',
      title: 'Global Organized Crime Index, by country and edition',
      description:
        'Expert scores of criminal markets, criminal actors and resilience to organized crime, with the averages the publisher prints.',
      sources: [source],
      limitations: [
        'Scores are expert assessments on a scale from 1 to 10; they are not counts, and zero is not a score.',
        'The editions are 2021, 2023 and 2025: no year between is scored and nothing is carried forward.',
        'Five criminal markets and private sector actors were not assessed in 2021: those fields are null there, and its averages cover fewer parts.',
        "Every average is the publisher's own; none is computed here.",
        'A higher criminality score means more criminality; a higher resilience score means more resilience.',
      ],
      unit: 'score from 1 to 10',
      rights: 'Public download, no licence found: attribute and link.',
      caveats: ['Expert scores, not counts.'],
      fields: SCORES.map(({ path, label }) => ({ path, label })),
    },
    rows,
  };
}
