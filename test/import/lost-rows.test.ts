/** Rows that a table would lose without a word: each is refused, or the fault is named. */
import { expect, test } from 'vitest';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import { ocIndex } from '../../build/import/oc-index.ts';
import { readFamily } from '../../build/import/family.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, textFile, workbookFile, type TestCell } from '../_support/workbook.ts';
import { table } from '../refresh/fixture.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const SEIZURES: TestCell[][] = [
  'Country DrugGroup DrugSubGroup DrugName ReferenceYear Kilograms msCode'.split(' '),
  ['Kenya', 'Opioids', 'Opiates', 'Heroin', 2022, 1.5, 'KEN'],
];

const REST: TestCell[] = ['Kenya', 'Opioids', 'Opiates', 'Opium', 2022, 2.5, 'KEN'];

const renamed = (heading: string, spelling: string): TestCell[] =>
  (SEIZURES[0] ?? []).map((word) => (word === heading ? spelling : word));

test.each<[string, TestCell[][], number]>([
  ['from its first row on', [REST], 1],
  ['below a title', [['Drug seizures, continued'], REST], 2],
  ['with an amount that is blank', [REST.with(5, null)], 1],
  ['in other columns', [[null, ...REST]], 1],
  ['below a heading that spells the country otherwise', [renamed('Country', 'Country name'), REST], 2],
  ['below a heading that names the unit', [renamed('Kilograms', 'Quantity (kg)'), REST], 2],
  ['below rows without a place', [...Array.from({ length: 80 }, () => ['x', 'x', 'x', 'x']), REST], 81],
  [
    'with fewer columns',
    [
      ['Country', 'Year', 'Drug', 'kg'],
      ['Kenya', 2023, 'Heroin', 2],
    ],
    2,
  ],
])('[IMPORT-REFUSES] a table that goes on in another sheet, %s', (_, rest, row) => {
  const file = workbookFile('7.1.xlsx', { Seizures: SEIZURES, 'Seizures (2)': rest });
  expect(() => seizures.read([file], OPTIONS)).toThrow(
    `7.1.xlsx: Seizures (2)!${row}:${row}: expected the whole table in one sheet, or a word for this one in unreadSheets of build/import/seizures.yaml; found a row like those of the table`,
  );
});

test('a sheet of notes is withheld as before', () => {
  const notes = [['Notes on the table'], ['Kenya', 'reported late', null, null, 2022]];
  const file = workbookFile('7.1.xlsx', { Seizures: SEIZURES, Notes: notes });
  const { rows, audit } = observationsOf(seizures, [file], OPTIONS);
  expect(rows).toHaveLength(1);
  expect(audit.withheld).toMatchObject({ 'sheet "Notes", never read': 1 });
});

test.each([5, '5.5'])('[IMPORT-REFUSES] scores in a sheet whose headings are not known: %s', (score) => {
  const names = Object.values(readFamily('oc-index').datasets['organized-crime-index']?.fields ?? {});
  const known = [
    ['Country', ...names],
    ['Mexico', ...names.map(() => 5)],
  ];
  const unknown = [
    ['País', ...names.map((_, at) => `P${at}`)],
    ['Mexico', ...names.map(() => score)],
  ];
  const file = workbookFile('index.xlsx', { '2025_dataset': known, '2023_dataset': unknown });
  const countries = textFile(
    'countries.csv',
    'country_as_printed,iso3,editions,match\nMexico,MEX,2023|2025,exact\n',
  );
  expect(() => ocIndex.read([countries, file], OPTIONS)).toThrow(
    'index.xlsx: 2023_dataset!2:2: expected a header row with "Country" and the scores above it, among the first rows of the sheet; found a row of numbers without one',
  );
});

const text = table();

test.each<[string, string, string]>([
  ['semicolons', text.replaceAll(',', ';'), 'found cells that are separated by another character'],
  ['tabs', text.replaceAll(',', '\t'), 'found cells that are separated by another character'],
  [
    'a title above the header',
    `Downloaded from the portal\r\n${text}`,
    'row 2: expected CSV: UTF-8 text with a comma between cells, in whole lines; found a row of another form, with more or fewer cells than the first one',
  ],
])('[IMPORT-REFUSES] a CSV file with %s: the fault is named', (_, given, message) => {
  expect(() => informalEmployment.read([textFile('table.csv', given)], OPTIONS)).toThrow(message);
});
