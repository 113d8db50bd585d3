import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { AtlasRow } from '../../build/lib/dataset.ts';
import { readFamily } from '../../build/import/family.ts';
import type { Imported, SourceFile } from '../../build/import/importer.ts';
import { ocIndex } from '../../build/import/oc-index.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { run } from '../_support/command-line.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { textFile, workbookFile, type TestCell } from '../_support/workbook.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const COUNTRIES = textFile(
  'countries.csv',
  'country_as_printed,iso3,editions,match\nMexico,MEX,2021|2023,exact\n"Congo, Rep.",COG,2021,manual\n"Congo, Rep,",COG,2023,manual\n',
);
const FAMILY = readFamily('oc-index');
const SCORES = Object.entries(FAMILY.datasets['organized-crime-index']?.fields ?? {});
const NAMES_2021 = SCORES.filter(([path]) => FAMILY.since[path] === undefined).map(([, label]) => label);
const NAMES = SCORES.map(([, label]) => label);
/** The header words that differ by edition. */
const SPELLED_2021: Record<string, string> = {
  'Criminality avg.': 'Criminality avg,',
  'Criminal markets avg.': 'Criminal markets avg,',
  'Criminal actors avg.': 'Criminal actors',
  'Resilience avg.': 'Resilience',
};

/** Scores 1, 1.25, 1.5 ... in the order of the names, so that each name keeps its own value wherever its column is. */
function scores(names: string[], start: number): TestCell[] {
  return names.map((name) => start + NAMES.indexOf(name) / 8);
}

function edition(
  names: string[],
  lines: [string, number][],
  spell: Record<string, string> = {},
): TestCell[][] {
  return [
    ['Continent', 'Region', 'Country', ...names.map((name) => spell[name] ?? name)],
    ...lines.map(([country, start]) => ['Any', 'Any', country, ...scores(names, start)]),
  ];
}

const SHEETS: Record<string, TestCell[][]> = {
  '2023_Global_OC_Index': [['About']],
  '2021_dataset': edition(
    NAMES_2021,
    [
      ['Mexico', 1],
      ['Congo, Rep.', 2],
    ],
    SPELLED_2021,
  ),
  '2023_dataset': edition(NAMES.toReversed(), [
    ['Mexico', 3],
    ['Congo, Rep,', 4],
  ]),
};

function read(sheets: Record<string, TestCell[][]> = SHEETS, countries: SourceFile = COUNTRIES): Imported {
  const [imported] = ocIndex.read([countries, workbookFile('index.xlsx', sheets)], OPTIONS);
  if (!imported) throw new Error('nothing imported');
  return imported;
}

function record(imported: Imported, iso3: string, year: number): AtlasRow | undefined {
  return (imported.dataset.rows as AtlasRow[]).find((row) => row.iso3 === iso3 && row.year === year);
}

test('[IMPORT-LAYOUT] reads columns by name, whatever the order and spelling of an edition', () => {
  const imported = read();
  expect(imported.dataset.rows).toHaveLength(4);
  expect(record(imported, 'MEX', 2021)?.values).toMatchObject({
    criminality: 1,
    'markets.average': 1.125,
    'actors.average': 1 + NAMES.indexOf('Criminal actors avg.') / 8,
    'resilience.non_state_actors': 1 + NAMES.indexOf('Non-state actors') / 8,
  });
  expect(record(imported, 'MEX', 2023)?.values).toMatchObject({
    criminality: 3,
    'markets.human_trafficking': 3.25,
  });
});

test('[IMPORT-EDITIONS] leaves what 2021 did not assess null and carries nothing between editions', () => {
  const imported = read();
  const values = record(imported, 'MEX', 2021)?.values ?? {};
  expect(Object.keys(values).filter((path) => values[path] === null)).toEqual([
    'markets.extortion_and_protection_racketeering',
    'markets.trade_in_counterfeit_goods',
    'markets.illicit_trade_in_excisable_goods',
    'markets.cyber_dependent_crimes',
    'markets.financial_crimes',
    'actors.private_sector_actors',
  ]);
  expect(Object.values(record(imported, 'MEX', 2023)?.values ?? {})).not.toContain(null);
  expect(record(imported, 'MEX', 2022)).toBeUndefined();
});

test('maps a spelling with commas to its country and names the country as its latest edition does', () => {
  const imported = read();
  expect(record(imported, 'COG', 2021)?.country).toBe('Congo, Rep,');
  expect(record(imported, 'COG', 2023)?.country).toBe('Congo, Rep,');
  expect(imported.audit.notes).toEqual({ 'country named as its latest edition spells it': 1 });
});

test('[IMPORT-LOCATOR] locates the cells of a record', () => {
  expect(record(read(), 'COG', 2021)?.locator).toBe('2021_dataset!D3:AG3');
  expect(record(read(), 'MEX', 2023)?.locator).toBe('2023_dataset!D2:AM2');
});

test('finds the header below title rows, and a table whose name has no year takes it from its title', () => {
  const sheet = SHEETS['2023_dataset'] ?? [];
  const titled = [['Scores'], [], ...sheet];
  expect(record(read({ '2023_dataset': titled }), 'MEX', 2023)?.locator).toBe('2023_dataset!D4:AM4');
  const options = { retrieved: '2026-01-31', edition: '2023-09' };
  const named = [['Scores of 2023'], ...sheet];
  const [only] = ocIndex.read([workbookFile('index.xlsx', { Scores: named }), COUNTRIES], options);
  expect(only?.dataset.rows[0]).toMatchObject({ year: 2023 });
  expect(only?.dataset.descriptor.limitations.join(' ')).toContain('The years are 2023: no year between');
});

test('the averages may be headed without "avg"', () => {
  const short = { 'Criminality avg.': 'Criminality', 'Criminal markets avg.': 'Criminal markets' };
  const renamed = (cell: TestCell): TestCell =>
    typeof cell === 'string' ? (Object.entries(short).find(([long]) => long === cell)?.[1] ?? cell) : cell;
  const sheets = { '2023_dataset': (SHEETS['2023_dataset'] ?? []).map((cells) => cells.map(renamed)) };
  const [before, after] = [SHEETS, sheets].map((own) => record(read(own), 'MEX', 2023)?.values);
  expect(after).toEqual(before);
});

test('[IMPORT-LAYOUT] headings may be in capitals', () => {
  const sheet = (SHEETS['2023_dataset'] ?? []).map((cells, row) =>
    cells.map((cell) => (row === 0 ? String(cell).toUpperCase() : cell)),
  );
  expect(record(read({ '2023_dataset': sheet }), 'MEX', 2023)).toEqual(record(read(), 'MEX', 2023));
});

test('[IMPORT-REFUSES] a market that is not known, and not a column of it that is blank', () => {
  const { audit } = read(with2023(0, 3 + NAMES.length, 'Deepfakes'));
  expect(audit.withheld).toMatchObject({ 'column "Deepfakes"': 1 });
  const scored = (SHEETS['2023_dataset'] ?? []).map((cells, row) => [...cells, row === 0 ? 'Deepfakes' : 5]);
  expect(() => read({ ...SHEETS, '2023_dataset': scored })).toThrow(
    'index.xlsx: 2023_dataset!AN1: expected only columns that are read, or that somebody has looked at and named in unreadColumns of build/import/oc-index.yaml; found "Deepfakes"',
  );
});

test('[IMPORT-AUDIT] accounts for rows, columns and sheets, and says which country table it used', () => {
  const { audit, dataset } = read();
  expect(audit).toMatchObject({ read: 4, kept: 4, unavailable: { 'not assessed in the edition': 12 } });
  expect(audit.withheld).toEqual({
    'column "continent" of an edition': 2,
    'column "region" of an edition': 2,
    'sheet "2023_Global_OC_Index", without a table': 1,
  });
  expect(dataset.descriptor.sources[0]?.notes.join(' ')).toContain(COUNTRIES.sha256);
});

test('carries short rights and one short caveat, because every record repeats them', () => {
  const { descriptor } = read().dataset;
  if (descriptor.kind !== 'atlas') throw new Error('no atlas');
  expect(descriptor.rights.length).toBeLessThan(60);
  expect(descriptor.caveats.map(({ length }) => length)).toEqual([26]);
  expect(descriptor.fields).toHaveLength(36);
});

test('[IMPORT-SAME] gives the same bytes twice', () => {
  expect(datasetFiles(read().dataset)).toEqual(datasetFiles(read().dataset));
});

function with2023(row: number, column: number, cell: TestCell): Record<string, TestCell[][]> {
  const sheet = (SHEETS['2023_dataset'] ?? []).map((cells) => [...cells]);
  const cells = sheet[row];
  if (cells) cells[column] = cell;
  return { '2023_dataset': sheet };
}

test.each<[string, Record<string, TestCell[][]>, RegExp]>([
  ['a zero', with2023(1, 3, 0), /2023_dataset!D2: expected a score from 1 to 10; found 0/],
  ['a score above ten', with2023(2, 4, 10.5), /2023_dataset!E3: expected a score from 1 to 10/],
  ['text', with2023(1, 3, '5,62'), /2023_dataset!D2: expected a score from 1 to 10; found "5,62"/],
  ['a formula', with2023(1, 3, { f: 'A1', v: 5 }), /2023_dataset!D2: expected a number, not a formula/],
  [
    'an unknown country',
    with2023(1, 2, 'Atlantis'),
    /2023_dataset!C2: expected a country spelling .* found "Atlantis"/,
  ],
  ['a second row for a country', with2023(2, 2, 'Mexico'), /2023_dataset!C3: expected one row for MEX/],
  ['a missing score column', with2023(0, 3, null), /expected a header row with "Non-state actors"/],
  [
    'a blank score',
    with2023(1, 3, null),
    /2023_dataset!D2: expected a score from 1 to 10; found a blank cell/,
  ],
  [
    'two tables of one year',
    { ...SHEETS, '2023 again': SHEETS['2023_dataset'] ?? [] },
    /expected one table per edition; found a second one of 2023, "2023 again"/,
  ],
  [
    'one table without a year, although the edition has one',
    { Scores: SHEETS['2023_dataset'] ?? [] },
    /expected one year in the name of each table, or in its titles; found "Scores"/,
  ],
  [
    'a table whose titles name two years',
    { Scores: [['Scores of 2021, changes to 2023'], ...(SHEETS['2023_dataset'] ?? [])] },
    /expected one year in the name of each table, or in its titles; found "Scores"/,
  ],
  ['only a cover', { '2023_Global_OC_Index': [['x']] }, /expected a sheet with a column "Country"/],
  [
    'an edition before the index',
    { '2019_dataset': SHEETS['2021_dataset'] ?? [] },
    /2019_dataset: expected a year from 2021 to 2026/,
  ],
  [
    'a renamed column of countries',
    {
      '2023_dataset': (SHEETS['2023_dataset'] ?? []).map((row) =>
        row.map((cell) => (cell === 'Country' ? 'Country name' : cell)),
      ),
    },
    /2023_dataset!1:1: expected a header row with "Country"/,
  ],
  ['no rows', { '2023_dataset': edition(NAMES, []) }, /2023_dataset!A2: expected a row of data/],
])('refuses %s', (_name, sheets, message) => {
  expect(() => read(sheets)).toThrow(message);
});

test.each<[string, string, RegExp]>([
  [
    'an unknown code',
    'country_as_printed,iso3\nMexico,ZZZ\n',
    /row 2 column iso3: expected an ISO 3166-1 alpha-3 code/,
  ],
  [
    'a spelling twice',
    'country_as_printed,iso3\nMexico,MEX\nMexico,MEX\n',
    /row 3 column country_as_printed: expected each spelling once/,
  ],
  ['the code of another country', 'country_as_printed,iso3\nKenya,CHN\n', /row 2 column iso3: expected KEN/],
  ['a missing column', 'country,iso3\nMexico,MEX\n', /row 1: expected one column "country_as_printed"/],
])('refuses a country table with %s', (_name, text, message) => {
  expect(() => read(SHEETS, textFile('countries.csv', text))).toThrow(message);
});

test('needs the workbook and the country table', () => {
  expect(() => ocIndex.read([COUNTRIES], OPTIONS)).toThrow(/expected one workbook and one country table/);
});

test('notes under the table are counted, and are no rows', () => {
  const notes: TestCell[][] = [
    [],
    ['Source: experts.'],
    [null, null, '* Provisional.'],
    ['Note:', 'Revised.'],
  ];
  const table = SHEETS['2021_dataset'] ?? [];
  const { dataset, audit } = read({ ...SHEETS, '2021_dataset': [...table, ...notes] });
  expect(dataset.rows).toEqual(read().dataset.rows);
  expect(audit).toMatchObject({ read: 7, kept: 4, withheld: { 'note under the table': 3 } });
});

test('what the build would refuse is refused, and nothing is written', async () => {
  const folder = temporaryFolder();
  const datasets = join(folder, 'datasets');
  mkdirSync(datasets);
  const files = [
    workbookFile('index.xlsx', { '2022_dataset': edition(NAMES_2021, [['Mexico', 1]], SPELLED_2021) }),
    textFile('countries.csv', 'country_as_printed,iso3,editions,match\nMexico,MEX,2022,exact\n'),
  ];
  const paths = files.map(({ name, bytes }) => {
    const path = join(folder, basename(name));
    writeFileSync(path, bytes);
    return path;
  });
  const { status, stderr } = await run([
    'import',
    'oc-index',
    ...paths,
    '--datasets',
    datasets,
    '--edition',
    '2026-01',
  ]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('an edition every second year from 2021, none for 2022'),
  ]);
  expect(readdirSync(datasets)).toEqual([]);
});
