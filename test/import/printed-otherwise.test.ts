/** Cells whose format, marks or place make another number of them, and tables and lines of other units: each is refused. */
import { expect, test } from 'vitest';
import { coca } from '../../build/import/cultivation.ts';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { prevalence } from '../../build/import/prevalence.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, textFile, workbookFile } from '../_support/workbook.ts';
import { annex, sheetOf, reading, HEAD, FIRST, TITLE, TITLED, rewritten } from '../_support/annex.ts';

const ILO =
  'ref_area.label,source.label,indicator.label,sex.label,time,obs_value,obs_status.label,note_indicator.label,note_source.label';

test.each([
  '"<"0',
  '\\<0',
  '"~"0',
  '0"*"',
  '"("0")"',
  '0\\k\\g',
  '0\\%',
  '0\\0\\0',
  '€0',
  '[$€-407]#,##0.00',
  '"-"0',
])('refused: an amount of 5 in the format %s', (z) => {
  const file = annex(FIRST.with(5, { v: 5, z }));
  expect(reading(file)).toThrow('Seizures!F3: expected a number of zero or more');
});

test('refused: a number with a raised mark, a cell that is there twice, the beginning of a file', () => {
  const file = annex(FIRST);
  const withCell = (cell: string): SourceFile =>
    rewritten((sheet) => sheet.replace(/<c r="F3".*?(?:<\/c>|\/>)/, cell));
  const run = (text: string, set = ''): string => `<r><rPr>${set}</rPr><t>${text}</t></r>`;
  const marked = `<c r="F3" t="inlineStr"><is>${run('2.1')}${run('3', '<vertAlign val="superscript"/>')}</is></c>`;
  expect(reading(withCell(marked))).toThrow('Seizures!F3: expected a plain text');
  const twin = '<c r="F3"><v>1</v></c><c r="F3"><v>2</v></c>';
  expect(reading(withCell(twin))).toThrow('Seizures!F3: expected each cell once');
  for (const length of [30, 100, 400, 900])
    expect(reading({ ...file, bytes: file.bytes.slice(0, length) })).toThrow('a broken or incomplete one');
});

/** A workbook in which the text of a cell ends with a raised mark. */
function raised(file: SourceFile, address: string, text: string, mark: string): SourceFile {
  const runs = `<r><t xml:space="preserve">${text}</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>${mark}</t></r>`;
  const cell = `<c r="${address}" t="inlineStr"><is>${runs}</is></c>`;
  return rewritten((sheet) => sheet.replace(new RegExp(`<c r="${address}".*?(?:</c>|/>)`), cell), file);
}

test('a raised mark does not belong to the word that it follows', () => {
  const titled = raised(annex(FIRST.with(4, 2024)), 'A1', TITLE, '1');
  expect(reading(titled, seizures, { ...TITLED, edition: '2026-01' })).toThrow(
    'Seizures!E3: expected a year from 2019 to 2023',
  );
  for (const [address, text, message] of [
    ['D3', 'Heroin', 'D3: expected a label without the mark of a footnote; found "Heroin 1"'],
    ['A3', 'Kenya', 'A3: expected a known country or territory'],
    [
      'F2',
      'Kilograms',
      '2:2: expected a header row with "Kilograms"; found no such column, but "Kilograms 1"',
    ],
  ] as const)
    expect(reading(raised(annex(FIRST), address, text, '1'))).toThrow(`Seizures!${message}`);
  const areas = workbookFile('6.1.xlsx', {
    Areas: [
      ['Coca bush (hectares)'],
      [null, 2010, 2011, 2012],
      ['Colombia a', 1, 2, 3],
      ['Sources: a country'],
      ['a) Net area on 31 December.'],
    ],
  });
  const { rows } = observationsOf(coca, [raised(areas, 'A3', 'Colombia', 'a')], {
    ...TITLED,
    edition: '2026-01',
  });
  expect(rows.map(({ category }) => category)).toEqual(Array(3).fill('Net area on 31 December.'));
});

test('refused: an age group with a raised mark, which would be another age', () => {
  const file = workbookFile('1.2.xlsx', {
    Cannabis: [
      ['CANNABIS'],
      ['Annual prevalence of use as a percentage of the population aged 15-64'],
      ['Country/Territory', 'Total', 'Male', 'Female', 'Year', 'Age', 'Specific notes'],
      ['Kenya', 1, null, null, 2020, '15-64'],
    ],
  });
  expect(reading(raised(file, 'F4', '15-64', '1'), prevalence, { ...TITLED, edition: '2026-01' })).toThrow(
    'Cannabis!F4: expected an age group like 15-64 or 12+; found "15-64 1"',
  );
});

/** A number as printed, and what is read of it; null where digits of it would be lost. */
const PRINTED: [text: string, read: number | null][] = [
  ['0.30000000000000004', 0.1 + 0.2],
  ['0.29999999999999999', 0.3],
  ['0.1000000000000000055511151231257827', 0.1],
  ['9007199254740992', 2 ** 53],
  ['22.686538696289062', Math.fround(22.686_538_7)],
  ['22.686538696289063', Math.fround(22.686_538_7)],
  ['12300000000000000000000', 1.23e22],
  ['1.7976931348623157E+308', Number.MAX_VALUE],
  ['0.000000', 0],
  ['9007199254740993', null],
  ['12345678901234567890', null],
  ['0.1234567890123456789', null],
  ['33.333333333333333333', null],
  ['1e-400', null],
];

test.each(PRINTED)('a number with many digits: %s', (text, value) => {
  const altered = rewritten((sheet) => sheet.replace('<v>1.5</v>', `<v>${text}</v>`));
  const row = `Kenya,LFS - Labour Force Survey,Informal employment rate by sex (%),Sex: Male,2019,${text},,,`;
  const csv = textFile('EMP_NIFL_SEX_RT_A-20240726T0000.csv', `${ILO}\n${row}\n`);
  const lost = 'expected a number of no more digits than double precision holds; found';
  if (value === null) {
    expect(reading(altered)).toThrow(`Seizures!F3: ${lost} "${text}"`);
    expect(reading(csv, informalEmployment)).toThrow(`row 2 column obs_value: ${lost} "${text}"`);
    return;
  }
  expect(observationsOf(seizures, [altered], TITLED).rows[0]?.value).toBe(value);
  if (value < 100) expect(observationsOf(informalEmployment, [csv], TITLED).rows[0]?.value).toBe(value);
});

test.each([
  'l) Reported by one authority',
  'The largest shipment was of 5,000 kg',
  'Shipments above 1 000 kg are counted once',
  'The least sample is 1,000 rows',
])('a note is no other unit: %s', (note) => {
  const file = annex(FIRST, [note]);
  expect(observationsOf(seizures, [file], TITLED).rows).toMatchObject([{ value: 1.5 }]);
});

test('refused: a table of eradication, and titles and lines of other units', () => {
  const years = ['', 2021, 2022, 2023];
  const eradicated = [['Reported eradication of coca bush (hectares)'], years, ['Colombia', 1, 2, 3]];
  expect(reading(workbookFile('coca.xlsx', { Areas: eradicated }), coca)).toThrow('one sheet');
  for (const title of [
    'Drug seizures, 2019-2023 (litres)',
    'Unit: tablets',
    'x 1,000',
    'Amounts are in units of 1,000 kg',
  ])
    expect(reading(sheetOf([[title], HEAD, FIRST]))).toThrow('Seizures!A1');
  const between = [[TITLE], HEAD, FIRST, ['Seizures reported in litres'], FIRST];
  expect(reading(sheetOf(between))).toThrow('Seizures!A4');
});
