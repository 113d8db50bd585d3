/** Columns that are not read: those that a family names, blank ones and those that name groups of places are counted, any other is refused. */
import { expect, test } from 'vitest';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import { nationalIndicators } from '../../build/import/national-indicators.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, textFile, type TestCell } from '../_support/workbook.ts';
import { sheetOf, reading, HEAD, FIRST, TITLE, TITLED } from '../_support/annex.ts';

const OPTIONS = { ...TITLED, edition: '2026-01' };

/** Two rows of Kenya and one of each of two other countries. */
const ROWS: TestCell[][] = [
  FIRST,
  FIRST.with(4, 2021),
  FIRST.with(0, 'Viet Nam').with(6, 'VNM'),
  FIRST.with(0, 'Peru').with(6, 'PER'),
];

/** The annex with a further column, and what its rows have there. */
function withColumn(heading: string | null, ...cells: TestCell[]): SourceFile {
  return sheetOf([[TITLE], [...HEAD, heading], ...ROWS.map((row, at) => [...row, cells[at] ?? null])]);
}

test.each<[string, string | null, TestCell[]]>([
  ['another unit', 'UoM', ['kg', 'litres', 'kg', 'kg']],
  ['one unit', 'Measure', ['Tonnes', 'Tonnes', 'Tonnes', 'Tonnes']],
  ['a power', 'Power of ten', [3, 0, 0, 0]],
  ['a factor in text', 'Factor', ['x10', 'x10', 'x100', 'x1000']],
  ['a part of the year', 'Half-year', ['first', 'second', 'first', 'first']],
  ['a status of single rows', 'Provisional', ['yes', null, null, 'no']],
  ['a status of one country', 'Estimate', ['yes', 'yes', null, null]],
  ['a part of the population', 'Age', ['15-24', '15-24', '15-24', '15-24']],
  ['a part of the country', 'City', ['Nairobi', 'Mombasa', 'Hanoi', 'Lima']],
  ['a unit of each country', 'Unit', ['Kilograms', 'Kilograms', 'Litres', 'Tonnes']],
  ['a currency of each country', 'Currency', ['KES', 'KES', 'VND', 'PEN']],
  ['a measure of each country', 'Measure', ['Annual use', 'Annual use', 'Annual use', 'Lifetime use']],
  ['a status of each country', 'Status', ['Valid', 'Valid', 'Valid', 'Withdrawn']],
  ['a quality of each country', 'Reliability', ['High', 'High', 'Low', 'Low']],
  ['a code of the unit of each country', 'Unit code', ['KGM', 'KGM', 'LTR', 'TNE']],
  ['codes of other countries', 'Seen in', ['PER', 'PER', 'KEN', 'VNM']],
  ['two texts for one country', 'World region', ['Nairobi', 'Mombasa', 'Hanoi', 'Lima']],
  ['a result that is not in the file', 'Scale', [{ f: 'A1' }, null, null, null]],
  ['no heading', null, ['a', 'b', 'a', 'b']],
])('[IMPORT-REFUSES] an unknown column with %s', (_, heading, cells) => {
  expect(reading(withColumn(heading, ...cells))).toThrow(
    '7.1.xlsx: Seizures!H2: expected only columns that are read, or that somebody has looked at and named in unreadColumns of build/import/seizures.yaml; found ' +
      (heading === null ? 'no heading above "a"' : JSON.stringify(heading)),
  );
});

test.each<[string, string, TestCell[]]>([
  ['that is named', 'source', ['ARQ', 'HONLEA', 'ARQ', 2]],
  ['that is named in another way', 'SUB-REGION', ['East Africa', 'x', 'y', 'y']],
  ['that is blank', 'Scale', []],
  ['of regions', 'Continent', ['Africa', 'Africa', 'Asia', 'Americas']],
  ['of groups that some countries are in', 'Income group', ['Low', 'Low', null, 'Middle']],
  ['of names in another language', 'Pays', ['Kenya', 'Kenya', 'Viêt Nam', 'Pérou']],
  ['of names in another language under another heading', 'Estado', ['Kenia', 'Kenia', 'Vietnam', 'Perú']],
  ['of codes', 'Alpha-2', ['KE', 'KE', 'VN', 'PE']],
  ['of numeric codes', 'M49 code', [404, 404, 704, 604]],
  [
    'of parts of the world under another heading',
    'Zone',
    ['Sub-Saharan Africa', 'Sub-Saharan Africa', 'South-Eastern Asia', 'Latin America and the Caribbean'],
  ],
])('a column %s is counted and changes nothing', (_, heading, cells) => {
  const { rows, audit } = observationsOf(seizures, [withColumn(heading, ...cells)], TITLED);
  expect(audit.withheld).toMatchObject({ [`column "${heading}"`]: 1 });
  expect(rows).toEqual(observationsOf(seizures, [sheetOf([[TITLE], HEAD, ...ROWS])], TITLED).rows);
});

test('a note below an unknown column of regions is none of its texts', () => {
  const rows = ROWS.map((row, at) => [['Africa', 'Africa', 'Asia', 'Americas'][at] ?? '', ...row]);
  const file = sheetOf([[TITLE], ['World region', ...HEAD], ...rows, ['Source: questionnaire of 2024.']]);
  expect(observationsOf(seizures, [file], TITLED).audit.withheld).toMatchObject({
    'column "World region"': 1,
    'note under the table': 1,
  });
});

const ILO =
  'ref_area.label,source.label,indicator.label,sex.label,time,obs_value,obs_status.label,note_indicator.label,note_source.label';
const ILO_ROWS = ['Kenya,LFS', 'Kenya,HS', 'Peru,LFS'].map(
  (start) => `${start},Informal employment rate by sex (%),Male,2019,86.5,,,a note of 2019`,
);
const ilo = (heading: string, cells: string[]): SourceFile => {
  const rows = ILO_ROWS.map((row, at) => `${row},${cells[at] ?? ''}`);
  return textFile('ilo.csv', `${[`${ILO},${heading}`, ...rows].join('\n')}\n`);
};

test('a column of a CSV file is counted where it names groups of places', () => {
  const { audit } = observationsOf(informalEmployment, [ilo('region.label', ['A', 'A', 'B'])], OPTIONS);
  expect(audit.withheld).toEqual({
    'column "note_indicator.label"': 1,
    'column "note_source.label"': 1,
    'column "region.label"': 1,
  });
});

test.each([
  ['area.label', ['Urban', 'Urban', 'Urban']],
  ['classif1.label', ['Total', 'Total', 'Total']],
  ['', ['x', 'y', 'x']],
])('[IMPORT-REFUSES] the unknown column "%s" of a CSV file', (heading, cells) => {
  expect(reading(ilo(heading, cells), informalEmployment, OPTIONS)).toThrow(
    'ilo.csv: row 1: expected only columns that are read, or that somebody has looked at and named in unreadColumns of build/import/informal-employment.yaml; found',
  );
});

test.each(['Unit', 'Status'])('[IMPORT-REFUSES] a series with "%s" of each country', (heading) => {
  const series = textFile(
    'ny.gdp.mktp.cd/data.csv',
    `Country Name,Country Code,Year,Value,${heading}\nChina,CHN,2020,1,yuan\nPakistan,PAK,2020,2,US dollars\n`,
  );
  expect(reading(series, nationalIndicators, OPTIONS)).toThrow(
    `data.csv: row 1: expected only columns that are read, or that somebody has looked at and named in unreadColumns of build/import/national-indicators.yaml; found "${heading}"`,
  );
});

test.each(['Multiplier', 'Magnitude'])('[IMPORT-REFUSES] a series with a column "%s"', (heading) => {
  const series = textFile(
    'ny.gdp.mktp.cd/data.csv',
    `Country Name,Country Code,Year,Value,${heading}\nChina,CHN,2020,1,6\n`,
  );
  expect(reading(series, nationalIndicators, OPTIONS)).toThrow(
    `data.csv: row 1: expected only columns that are read, or that somebody has looked at and named in unreadColumns of build/import/national-indicators.yaml; found "${heading}"`,
  );
});
