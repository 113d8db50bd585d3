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

test.each<[string, TestCell[][], number]>([
  ['from its first row on', [REST], 1],
  ['below a title', [['Drug seizures, continued'], REST], 2],
  ['with an amount that is blank', [REST.with(5, null)], 1],
  ['in other columns', [[null, ...REST]], 1],
])('[IMPORT-REFUSES] a table that goes on in a sheet without a header, %s', (_, rest, row) => {
  const file = workbookFile('7.1.xlsx', { Seizures: SEIZURES, 'Seizures (2)': rest });
  expect(() => seizures.read([file], OPTIONS)).toThrow(
    `7.1.xlsx: Seizures (2)!${row}:${row}: expected the whole table in one sheet, below its header row; found a row like those of the table, without a header`,
  );
});

test('a sheet of notes, or of another table, is withheld as before', () => {
  const others = {
    Notes: [['Notes on the table'], ['Kenya', 'reported late', null, null, 2022]],
    Purities: [['Country', 'Drug', 'Sub', 'Name', 'Year', 'Purity', 'Code'], SEIZURES[1] ?? []],
  };
  const { rows, audit } = observationsOf(
    seizures,
    [workbookFile('7.1.xlsx', { Seizures: SEIZURES, ...others })],
    OPTIONS,
  );
  expect(rows).toHaveLength(1);
  expect(Object.keys(audit.withheld)).toEqual(
    expect.arrayContaining(['sheet "Notes", never read', 'sheet "Purities", never read']),
  );
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
