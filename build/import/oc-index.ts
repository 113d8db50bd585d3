/**
 * The Global Organized Crime Index workbook, one sheet per edition, with the project's own table of printed country
 * spellings and ISO 3166-1 alpha-3 codes. Years between editions stay absent: nothing is carried forward.
 */
import type { AtlasField, AtlasRow, Dataset, Source } from '../lib/dataset.ts';
import { readCsv } from '../lib/csv.ts';
import { foldSpace } from '../lib/text.ts';
import { geographyOfCode } from '../reference/geography.ts';
import { numberOf, refuse, textOf } from './cells.ts';
import { count, newAudit, Refusal, shown, type Audit, type Importer, type SourceFile } from './importer.ts';
import { describeSource, type SourceFacts } from './sources.ts';
import { cellUnder, csvTable, findHeader, otherHeadings, rowsBelow } from './table.ts';
import { isWorkbook, openWorkbook, type Sheet } from './workbook.ts';

const SOURCE: SourceFacts = {
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
  copies: { '0bdfe8943de5a82bd4f709f92c91c596de5c60a192dca463bc722d88be7b55f5': '2025-10-29' },
};

/** A column of scores by the words of its header, because spelling and order differ by edition. */
interface ScoreColumn extends AtlasField {
  /** Header spellings besides the label. */
  spellings: string[];
  /** First edition that assessed it; an older edition has no such column. */
  since: number;
}

const FIRST = 2021;
const EXTENDED = 2023;

/** Every score of an edition: place in the record, printed name, other spellings, first edition. */
export const SCORES: ScoreColumn[] = [
  average('criminality', 'Criminality avg.', ['Criminality avg,']),
  average('markets.average', 'Criminal markets avg.', ['Criminal markets avg,']),
  ...group('markets', FIRST, [
    'Human trafficking',
    'Human smuggling',
    'Arms trafficking',
    'Flora crimes',
    'Fauna crimes',
    'Non-renewable resource crimes',
    'Heroin trade',
    'Cocaine trade',
    'Cannabis trade',
    'Synthetic drug trade',
  ]),
  ...group('markets', EXTENDED, [
    'Extortion and protection racketeering',
    'Trade in counterfeit goods',
    'Illicit trade in excisable goods',
    'Cyber-dependent crimes',
    'Financial crimes',
  ]),
  average('actors.average', 'Criminal actors avg.', ['Criminal actors avg,', 'Criminal actors']),
  ...group('actors', FIRST, [
    'Mafia-style groups',
    'Criminal networks',
    'State-embedded actors',
    'Foreign actors',
  ]),
  ...group('actors', EXTENDED, ['Private sector actors']),
  average('resilience.average', 'Resilience avg.', ['Resilience avg,', 'Resilience']),
  ...group('resilience', FIRST, [
    'Political leadership and governance',
    'Government transparency and accountability',
    'International cooperation',
    'National policies and laws',
    'Judicial system and detention',
    'Law enforcement',
    'Territorial integrity',
    'Anti-money laundering',
    'Economic regulatory capacity',
    'Victim and witness support',
    'Prevention',
    'Non-state actors',
  ]),
];

function average(path: string, label: string, spellings: string[]): ScoreColumn {
  return { path, label, spellings, since: FIRST };
}

function group(branch: string, since: number, labels: string[]): ScoreColumn[] {
  return labels.map((label) => ({
    path: `${branch}.${label.toLowerCase().replaceAll(/[^a-z]+/g, '_')}`,
    label,
    spellings: [],
    since,
  }));
}

const PLACES = { country: ['Country'], continent: ['Continent'], region: ['Region'] };

/** Imports the index workbook into organized-crime-index. */
export const ocIndex: Importer = {
  name: 'oc-index',
  summary: 'Global Organized Crime Index: scores of criminality and resilience by country and edition',
  datasets: ['organized-crime-index'],
  files: 'global_oc_index.xlsx oc_index_country_to_iso3.csv',
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
    const note = `Country spellings are mapped to ISO 3166-1 alpha-3 by the project's own table ${table.name.split('/').at(-1) ?? ''} (sha256 ${table.sha256}).`;
    const source = describeSource({ ...SOURCE, notes: [...SOURCE.notes, note] }, book, options);
    const audit = newAudit();
    const rows = readEditions(book, readCountries(table), source.id, audit);
    return [{ dataset: asDataset(source, rows), audit }];
  },
};

/**
 * Printed spelling -> alpha-3 code, from the project's own table: the index has no codes, and one edition prints commas
 * for full stops, so one country can have several spellings.
 */
function readCountries(file: SourceFile): Map<string, string> {
  const countries = new Map<string, string>();
  const records = readCsv(file.bytes, { ragged: true });
  for (const { row } of csvTable(file, { spelling: 'country_as_printed', iso3: 'iso3' }, records).rows) {
    const [spelling, iso3] = [textOf(row.spelling), textOf(row.iso3)];
    if (!geographyOfCode(iso3, spelling)) refuse(row.iso3, 'an ISO 3166-1 alpha-3 code');
    if (countries.has(spelling)) refuse(row.spelling, 'each spelling once');
    countries.set(spelling, iso3);
  }
  return countries;
}

/** What is known while the editions are read, the latest first: a country is named as its latest edition spells it. */
interface Reading {
  countries: Map<string, string>;
  names: Map<string, string>;
  sourceId: string;
  audit: Audit;
}

function readEditions(
  file: SourceFile,
  countries: Map<string, string>,
  sourceId: string,
  audit: Audit,
): AtlasRow[] {
  const refuseList = (expected: string, found: string): never => {
    throw new Refusal(file.name, 'the list of sheets', expected, found);
  };
  const editions: { year: number; sheet: Sheet }[] = [];
  for (const sheet of openWorkbook(file).sheets) {
    const name = foldSpace(sheet.name);
    const year = Number(/^(\d{4})_dataset$/.exec(name)?.[1] ?? 0);
    if (year > 0) editions.push({ year, sheet });
    else if (/^\d{4}_Global_OC_Index$/.test(name)) count(audit.withheld, 'cover sheet without data');
    else refuseList('sheets named "YYYY_dataset" and a cover', shown(sheet.name));
  }
  if (editions.length === 0) refuseList('a sheet named "YYYY_dataset"', 'none');
  const reading = { countries, names: new Map<string, string>(), sourceId, audit };
  return editions
    .sort((a, b) => b.year - a.year)
    .flatMap(({ year, sheet }) => readEdition(sheet, year, reading));
}

function readEdition(sheet: Sheet, year: number, reading: Reading): AtlasRow[] {
  const { countries, names, sourceId, audit } = reading;
  if (year < 2021 || year > 2200)
    throw new Refusal(sheet.file, sheet.name, 'an edition from 2021 to 2200', shown(year));
  const assessed = SCORES.filter(({ since }) => since <= year);
  const spellings = assessed.map((score) => [score.path, [score.label, ...score.spellings]]);
  const columns = { ...PLACES, ...Object.fromEntries(spellings) };
  const header = findHeader<keyof typeof PLACES>(sheet, columns, ['continent', 'region']);
  // A score column this importer does not know would be lost without a word, so it is refused.
  for (const heading of otherHeadings(header)) refuse(heading, 'a known column of the index');
  for (const key of ['continent', 'region'] as const)
    if (header.column[key] > 0) count(audit.withheld, `column "${key}" of an edition`);
  const scores: Record<string, number> = header.column;
  const assessedColumns = assessed.map(({ path }) => scores[path] ?? 0);
  const rows: AtlasRow[] = [];
  const seen = new Set<string>();
  for (const { number, row } of rowsBelow(header)) {
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
      // The scale runs from 1 to 10: a zero is never a score.
      const value = numberOf(cell, 'a score from 1 to 10', { min: 1, max: 10, isTyped: true });
      values[path] = value;
      if (value === null) count(audit.unavailable, 'blank_in_source');
    }
    const [first, last] = [Math.min(...assessedColumns), Math.max(...assessedColumns)].map((column) =>
      sheet.cell(number, column),
    );
    const locator = `${first?.place}:${last?.place.split('!').at(-1)}`;
    rows.push({ iso3, country, year, source: sourceId, locator, values });
    audit.kept += 1;
  }
  if (rows.length === 0) refuse(sheet.cell(header.row + 1, 1), 'a row of data', 'none');
  return rows;
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
