/** Units that titles, notes and headings of one table state: they say the same, or the table is refused. */
import { expect, test } from 'vitest';
import { coca } from '../../build/import/cultivation.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, workbookFile } from '../_support/workbook.ts';
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
