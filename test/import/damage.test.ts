/** Damage to a file that would change, add or hide a value without a word: each is refused or named in the account. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coca } from '../../build/import/cultivation.ts';
import { firearms } from '../../build/import/firearms.ts';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import { prevalence } from '../../build/import/prevalence.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { runImport } from '../../build/refresh/editions.ts';
import { observationsOf, workbookFile, type TestCell } from '../_support/workbook.ts';
import { annex, reading, HEAD, FIRST, TITLE, TITLED } from '../_support/annex.ts';
import { items } from '../_support/words.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const TWINS = 'rows that share all keys with another row, all kept';

test.each(['-0', '-#,##0.00', '(0)', '$(#,##0)', '1#', '0 000.5'])(
  'refused: a sign, bracket or digit that the format %s adds to a number',
  (z) => {
    const file = annex(FIRST.with(5, { v: 5, z }));
    expect(reading(file)).toThrow(`found 5 shown as another number ("${z}")`);
  },
);

test.each(
  items(`0.0 | #,##0_);(#,##0) | # ?/8 | 0.00E+00 | _(* #,##0_);_(* (#,##0);_(* "-"_) |
  _-* #,##0_-`),
)('read: a number in the format %s', (z) => {
  const { rows } = observationsOf(seizures, [annex(FIRST.with(5, { v: 5, z }))], TITLED);
  expect(rows).toMatchObject([{ value: 5 }]);
});

test('refused: a formula that lost what it refers to, whatever number it had before', () => {
  const file = annex(FIRST.with(5, { f: 'SUM(#REF!)', v: 7 }));
  expect(reading(file)).toThrow(
    'Seizures!F3: expected a number of zero or more; found a formula that lost what it refers to, =SUM(#REF!)',
  );
});

test('refused: a row that has slipped by one cell, so that its amount is where its code was', () => {
  const file = annex(FIRST.with(5, null).with(6, 1.5));
  expect(reading(file)).toThrow('Seizures!G3: expected an ISO 3166-1 alpha-3 code; found 1.5');
});

test('a value under a merged cell, which Excel does not show, is read and counted', () => {
  const sheets = { Seizures: [[TITLE], HEAD, FIRST, FIRST.with(5, 2)] };
  const file = workbookFile('7.1.xlsx', sheets, { merged: ['A1:G1', 'F3:F4'] });
  const { rows, audit } = observationsOf(seizures, [file], TITLED);
  expect(rows.map(({ value }) => value)).toEqual([1.5, 2]);
  expect(audit.notes).toMatchObject({ 'hidden cell of "Seizures", not treated otherwise': 1 });
});

test('a table that has lost the column which tells totals says so', () => {
  const read = (...rows: TestCell[][]) =>
    observationsOf(seizures, [workbookFile('7.1.xlsx', { Seizures: [[TITLE], ...rows] })], TITLED);
  const total = FIRST.with(2, 'Total opioids');
  const lost = 'no column "DrugSubGroup": totals that only it tells are in other categories';
  const whole = read(HEAD, total);
  expect(whole.rows).toMatchObject([{ category: 'Reported totals' }]);
  expect(whole.audit.notes).not.toHaveProperty(lost);
  const { rows, audit } = read(HEAD.toSpliced(2, 1), total.toSpliced(2, 1));
  expect(rows).toMatchObject([{ category: 'Opioids' }]);
  expect(audit.notes).toMatchObject({ [lost]: 1 });
  expect(() => read(HEAD.with(2, 'Part of the group'), total)).toThrow('found "Part of the group"');
});

const SURVEYS: TestCell[][] = [
  ['COCAINE'],
  ['Annual Prevalence of Use as a percentage of the population aged 15-64'],
  'Country/Territory|Best|Low|High|Male|Female|Year|Age|Adjustment/notes|Specific notes'.split('|'),
];
const SURVEY: TestCell[] = ['Kenya', 0.1, 0.05, 0.2, null, null, 2016, '15-64', null, 'Crack'];

test('a survey, and a count of arms, that stand twice are named', () => {
  const twice = workbookFile('1.2.xlsx', { Cocaine: [...SURVEYS, SURVEY, SURVEY] });
  expect(observationsOf(prevalence, [twice], OPTIONS).audit.notes).toMatchObject({ [TWINS]: 2 });
  const once = workbookFile('1.2.xlsx', { Cocaine: [...SURVEYS, SURVEY] });
  expect(observationsOf(prevalence, [once], OPTIONS).audit.notes).not.toHaveProperty(TWINS);
  const head = 'Iso3_code|Country|Indicator|Dimension|Category|Sex|Age|Year|Unit of measurement|VALUE';
  const row = ['ARG', 'Argentina', 'Arms seized', 'by type', 'pistol', 'na', 'na', '2021', 'Counts', 12];
  const arms = workbookFile('iafq.xlsx', { data: [head.split('|'), row, row] });
  expect(firearms.read([arms], OPTIONS)[0]?.audit.notes).toMatchObject({ [TWINS]: 2 });
});

test('refused: a specific note that is an error or a formula without a result, since it may name the measure', () => {
  for (const note of [{ e: 23 }, { f: 'A1' }]) {
    const file = workbookFile('1.2.xlsx', { Cocaine: [...SURVEYS, SURVEY.with(9, note)] });
    expect(reading(file, prevalence, OPTIONS)).toThrow('Cocaine!J4: expected text');
  }
});

test('a year that the title of a table of areas names and that has no column is named', () => {
  const read = (years: number[]) => {
    const title = 'Global illicit cultivation of coca bush, 2020-2023 (hectares)';
    const rows: TestCell[][] = [[title], ['', ...years], ['Colombia', ...years.map(() => 5)]];
    return observationsOf(coca, [workbookFile('coca.xlsx', { Areas: rows })], OPTIONS).audit.notes;
  };
  expect(read([2020, 2022, 2023])).toMatchObject({ 'no column of 2021 in "Areas"': 1 });
  expect(Object.keys(read([2020, 2021, 2022, 2023]))).toEqual(['records written']);
});

test('refused: a file that is too large to be one of the publisher', () => {
  const folder = mkdtempSync(join(tmpdir(), 'large-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ilo.csv');
  writeFileSync(path, '');
  truncateSync(path, 65 * 1024 ** 2);
  const request = { family: 'informal-employment', files: [path], datasets: folder, ...OPTIONS };
  expect(() => runImport(request, '2026-11-22')).toThrow(
    'ilo.csv: the file: expected at most 64 MiB; found 65 MiB',
  );
});

test.each(['7.1.xlsx', 'sdn.csv'])('refused: a web page in place of %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, '\n<!DOCTYPE html>\n<html><title>Service unavailable</title></html>\n');
  const request = { family: 'seizures', files: [path], datasets: folder, ...OPTIONS };
  expect(() => runImport(request, '2026-11-22')).toThrow(
    `${name}: the file: expected a file of the publisher; found a web page; download it again`,
  );
});

test('refused: a small file of so many cells that reading them would take all memory', () => {
  const bytes = Buffer.from(`ref_area.label\n${',,,,,,,,\n'.repeat(250_000)}`);
  const file = { name: 'ilo.csv', bytes, sha256: 'a'.repeat(64) };
  expect(() => informalEmployment.read([file], OPTIONS)).toThrow(
    'ilo.csv: the file: expected at most 2000000 cells; found 2250001 commas and line ends',
  );
});

test('a comment on a cell is not packaged, and counted', () => {
  const commented = { v: 1.5, z: '0.0', comment: 'Preliminary figure.' };
  const { rows, audit } = observationsOf(seizures, [annex(FIRST.with(5, commented))], TITLED);
  expect(rows).toMatchObject([{ value: 1.5 }]);
  expect(audit.withheld).toMatchObject({ 'comment on a cell of "Seizures"': 1 });
});

test.each([
  ['C3', 2, 'Opiates', 'text'],
  ['D3', 3, 'Heroin', 'text'],
  ['E3', 4, 2022, 'a year from 1900 to 2200'],
])('refused: a label or year at %s that is a link to another workbook', (place, column, v, expected) => {
  const linked = annex(FIRST.with(column, { f: '[1]Data!A1', v }));
  expect(() => seizures.read([linked], TITLED)).toThrow(
    `Seizures!${place}: expected ${expected}; found a link to another workbook, =[1]Data!A1`,
  );
  const lost = annex(FIRST.with(column, { f: 'Data!#REF!', v }));
  expect(() => seizures.read([lost], TITLED)).toThrow('a formula that lost what it refers to, =Data!#REF!');
});

test.each(['2019-2021', '2019–2021', '2019 to 2021'])('refused: a year after the title, %s', (years) => {
  const file = workbookFile('7.1.xlsx', { Seizures: [[`Drug seizures, ${years}`], HEAD, FIRST] });
  expect(() => seizures.read([file], OPTIONS)).toThrow('E3: expected a year from 2019 to 2021, as the title');
});
