/** Formulas whose cached number is not of the table: what they refer to is in another workbook, lost, or looked up again. */
import { expect, test } from 'vitest';
import { coca } from '../../build/import/cultivation.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { prices } from '../../build/import/seizures-prices.ts';
import { annex, reading, rewritten, withParts, FIRST } from '../_support/annex.ts';
import { observationsOf, workbookFile, type TestCell } from '../_support/workbook.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };

/** Areas with this cell for Peru in 2023; those of Colombia lead to another workbook. */
function areas(cell: TestCell, more: Record<string, TestCell[][]> = {}): SourceFile {
  const rows: TestCell[][] = [
    ['Cultivation of coca bush (hectares)'],
    [null, 2021, 2022, 2023],
    ['Colombia', 1, { f: "'[1]OVERALL'!O6", v: 4624 }, 3],
    ['Bolivia (Plurinational State of)', 5, { f: 'C3', v: 4624 }, 7],
    ['Peru', 9, 10, cell],
  ];
  return workbookFile('coca.xlsx', { Areas: rows, ...more });
}

const peru = (file: SourceFile) =>
  observationsOf(coca, [file], OPTIONS).rows.find(({ sourceLocator }) => sourceLocator === 'Areas!D5');

const BROKEN = { value: null, unavailableReason: 'broken_formula_in_source' };

test.each([
  'C3',
  '$C$3',
  'C4',
  'SUM(B3:C3)',
  'SUM(B3,C4)',
  'SUM(C:C)',
  'SUM(3:3)',
  'Areas!C3',
  "'Areas'!C4*1",
  'Other!A1',
  'SUM(First:Last!C3)',
])('the number of =%s, which comes from another workbook, is unavailable', (f) => {
  const file = areas({ f, v: 5 }, { Other: [[{ f: 'Areas!C4+1', v: 4625 }]] });
  expect(peru(file)).toMatchObject(BROKEN);
});

test.each(['SUM(B3,D3)', 'ROUND(B5,-2)', 'MROUND(230027.62,100)', 'SUM(B3:B4)', 'Other!A2'])(
  'the number of =%s is one of this workbook',
  (f) => {
    const file = areas({ f, v: 5 }, { Other: [[{ f: 'Areas!C4+1', v: 4625 }], [5]] });
    expect(peru(file)).toMatchObject({ value: 5, unavailableReason: null });
  },
);

test('a name that stands for a cell of another workbook, in one step or two, is as that cell', () => {
  const names =
    '<definedName name="area_1">[1]Sheet1!$A$1</definedName><definedName name="Own">area_1</definedName>';
  for (const f of ['area_1', 'AREA_1*2', 'Own'])
    expect(
      peru(
        withParts(
          {
            'xl/workbook.xml': (book) =>
              book.replace(/(<\/sheets>)/, `$1<definedNames>${names}</definedNames>`),
          },
          areas({ f, v: 5 }),
        ),
      ),
    ).toMatchObject(BROKEN);
});

test.each<[string, string]>([
  ['no text', '<f></f>'],
  ['an empty element', '<f/>'],
  ['the text of a formula that is not there', '<f t="shared" si="0"/>'],
])('refused: a formula with %s', (_, element) => {
  const file = rewritten((sheet) => sheet.replace('<v>1.5</v>', `${element}<v>1.5</v>`), annex(FIRST));
  expect(reading(file)).toThrow('Seizures!F3: expected a formula with its text; found one without it');
});

test.each([
  'VLOOKUP(A1,Z:Z,2)',
  'IFERROR(B5,0)',
  'INDIRECT("B5")',
  'WEBSERVICE("https://a.example")',
  'RANDBETWEEN(1,9)',
])('refused: an area that is looked up by =%s, or that refers to one', (f) => {
  expect(reading(areas({ f, v: 5 }), coca, OPTIONS)).toThrow(
    /Areas!D5: expected hectares.* a value that is looked up, =/,
  );
  const over = areas({ f: 'Other!A1', v: 5 }, { Other: [[{ f, v: 5 }]] });
  expect(reading(over, coca, OPTIONS)).toThrow('a value that is looked up, =Other!A1 over Other!A1, =');
});

test('refused: any formula for an amount or a price, as no annex on seizures or prices has one', () => {
  for (const f of ['1+1', 'IFERROR(VLOOKUP(A3,Z:Z,2),0)'])
    expect(reading(annex(FIRST.with(5, { f, v: 0 })))).toThrow(
      'Seizures!F3: expected a number, not a formula',
    );
  const head = 'Country,DrugGroup,Drug,Specify,LevelOfSale,Year,Typical_USD,Minimum_USD,Maximum_USD,Unit';
  const row = ['Kenya', 'Opioids', 'Heroin', null, 'Retail', 2022, 1, 1, { f: 'G2*2', v: 2 }, 'Grams'];
  const file = workbookFile('8.1.xlsx', { Prices: [head.split(','), row] });
  expect(reading(file, prices, OPTIONS)).toThrow('Prices!I2: expected a number, not a formula');
});

test('a chain of thousands of formulas is followed to its end in the time of a test', () => {
  const chain = Array.from({ length: 3000 }, (_, at): TestCell[] => [
    at === 0 ? { f: 'Areas!C3', v: 1 } : { f: `A${at}`, v: 1 },
  ]);
  expect(peru(areas({ f: 'Chain!A3000', v: 1 }, { Chain: chain }))).toMatchObject(BROKEN);
});
