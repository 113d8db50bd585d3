/** Units that titles, notes and headings of one table state: they say the same, or the table is refused. */
import { expect, test } from 'vitest';
import { coca } from '../../build/import/cultivation.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { nationalIndicators } from '../../build/import/national-indicators.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, textFile, workbookFile } from '../_support/workbook.ts';
import { annex, sheetOf, reading, HEAD, FIRST, TITLE, TITLED } from '../_support/annex.ts';

const titled = (...titles: string[]): SourceFile => sheetOf([...titles.map((title) => [title]), HEAD, FIRST]);

test.each([
  'Drug seizures (tonnes), 2019-2023',
  'Drug seizures in tonnes, 2019-2023',
  'Unit: metric tons',
  'All amounts in grams.',
  'Drug seizures, 2019-2023, in metric tons equivalent',
  'Drug seizures, 2019-2023 (tonnes equivalent)',
  'Drug seizures, 2019-2023 (tonnes of gross weight)',
  'Amounts are in litres throughout',
  'Drug seizures in kilotonnes, 2019-2023',
  'Unit: t',
  'Unit: Mt',
  'Unit: mg',
  'Unit = tons',
  'Units of measurement: barrels',
  'All weights are tons',
])('refused: kilograms under "%s"', (title) => {
  for (const file of [titled(title), titled(TITLE, title)])
    expect(reading(file, seizures, { ...TITLED, edition: '2025-06' })).toThrow(
      `expected a table in kilograms, as "Kilograms" says; found "${title}"`,
    );
  const below = annex(FIRST, ['Amounts in tonnes.']);
  expect(reading(below)).toThrow('Seizures!A4: expected a table in kilograms');
});

test.each([
  'Drug seizures (kg), 2019-2023',
  'Amounts in kilograms',
  'Amounts in kilograms, in tonnes where so marked',
  'Reported in tons by two countries and converted by them',
  'Seizures reported in litres have been converted',
  'Amounts in kilograms equivalent',
  'Drug seizures in Hanoi (tonnage is not printed)',
])('kilograms under "%s"', (title) => {
  expect(observationsOf(seizures, [titled(TITLE, title)], TITLED).rows).toHaveLength(1);
});

test.each([
  '(1000s)',
  '1000s',
  '(000)',
  '×1000',
  'x 10^3',
  '10³ kg',
  'Amounts are 10⁶ kg',
  'Please multiply by 1,000',
  'In hundreds',
  'Amounts in thous. of kilograms',
  'Values in mn USD',
  'mn USD',
  'kg/100',
])('refused: a table or a row of units that says "%s"', (scale) => {
  const message = 'expected a table whose numbers are as printed, not in thousands or millions';
  expect(reading(titled(TITLE, scale))).toThrow(`Seizures!A2: ${message}`);
  const below = annex([null, null, null, null, null, scale], FIRST);
  expect(reading(below)).toThrow(`Seizures!F3: ${message}`);
});

test.each([
  'Seizures of more than 1,000 kg were confirmed',
  'About 1000 reports',
  'Cases in hundred districts',
  'Data as of 10 June 2025',
  '7.1 Drug seizures (kg)',
])('numbers are as printed under "%s"', (title) => {
  expect(observationsOf(seizures, [titled(TITLE, title)], TITLED).rows).toHaveLength(1);
});

test.each(['t', 'Mt', 'tonnes', 'barrels', 'in 2015 prices'])(
  'refused: a row of units that says "%s" above the first row of kilograms',
  (unit) => {
    const file = annex([null, null, null, null, null, unit], FIRST);
    expect(reading(file)).toThrow(
      /Seizures!F3: expected (?:values, or the unit of "Kilograms"|a table in kilo)/,
    );
  },
);

test('a row of units that says what the heading says is a note, and so is a text above the names of countries', () => {
  for (const note of [[null, null, null, null, null, '(kg)'], ['Reported by countries']]) {
    const { rows, audit } = observationsOf(seizures, [annex(note, FIRST)], TITLED);
    expect([rows.length, audit.withheld]).toEqual([
      1,
      expect.objectContaining({ 'note under the table': 1 }),
    ]);
  }
});

test('refused: a row of units in a CSV file', () => {
  const text = 'Country Name,Country Code,Year,Value\n,,,national currency\nChina,CHN,2020,1\n';
  expect(
    reading(textFile('ny.gdp.mktp.cd/data.csv', text), nationalIndicators, { ...TITLED, edition: '2026-07' }),
  ).toThrow('data.csv: row 2: expected values, or the unit of "Value", under this heading; found "national');
});

test('refused: areas in two units, but not the unit of a production next to that of areas', () => {
  const areas = (title: string): SourceFile => {
    const rows = [
      ['Coca bush, 2010-2023 (hectares)'],
      [title],
      ['', 2021, 2022, 2023],
      ['Colombia', 1, 2, 3],
    ];
    return workbookFile('coca.xlsx', { Areas: rows });
  };
  const options = { ...TITLED, edition: '2025-06' };
  expect(reading(areas('Area (acres)'), coca, options)).toThrow(
    'Areas!A2: expected a table in hectares, as "Coca bush, 2010-2023 (hectares)" says; found "Area (acres)"',
  );
  const production = areas('Potential production of cocaine (tonnes)');
  expect(observationsOf(coca, [production], options).rows).toHaveLength(3);
});
