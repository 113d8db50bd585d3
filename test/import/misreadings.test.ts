/** Cells and files that hold something else than they seem to: each is refused, naming file, cell and what is expected. */
import { utils } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { coca } from '../../build/import/cultivation.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import { nationalIndicators } from '../../build/import/national-indicators.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, textFile, workbookFile, type TestCell } from '../_support/workbook.ts';
import { annex, sheetOf, reading, HEAD, FIRST, TITLE, TITLED, rewritten } from '../_support/annex.ts';

/** `#REF!`, by its number. */
const ERROR = { e: 23 };

/** Where the amount is, and what is said of one that is none. */
const AMOUNT = HEAD.indexOf('Kilograms');
const FOUND = 'Seizures!F3: expected a number of zero or more; found ';

test.each<[string, TestCell[], string]>([
  [
    'a date for an amount',
    FIRST.with(AMOUNT, { v: 45_047, z: 'dd/mm/yyyy' }),
    'Seizures!F3: expected a number',
  ],
  [
    'a percentage for an amount',
    FIRST.with(AMOUNT, { v: 0.021, z: '0.0%' }),
    'Seizures!F3: expected a number',
  ],
  ['an amount that is not shown', FIRST.with(AMOUNT, { v: 5000, z: ';;;' }), `${FOUND}5000 shown as nothing`],
  [
    'thousands for an amount',
    FIRST.with(AMOUNT, { v: 5000, z: '#,##0,' }),
    `${FOUND}5000 shown as a number of thousands`,
  ],
  [
    'an amount with a word',
    FIRST.with(AMOUNT, { v: 5, z: '0.0" tonnes"' }),
    `${FOUND}5 shown as a number with a word`,
  ],
  [
    'a zero with a mark',
    FIRST.with(AMOUNT, { v: 0, z: '#,##0;-#,##0;".."' }),
    `${FOUND}0 shown as a number with a word`,
  ],
  [
    'a zero with a mark by a condition',
    FIRST.with(AMOUNT, { v: 0, z: '[=0]"n/a";0' }),
    `${FOUND}0 shown as a number with a word`,
  ],
  ...['#,###', '#', '?', '#,###;-0', '[>=10]0;#'].map((z): [string, TestCell[], string] => [
    `a zero that the format ${z} does not show`,
    FIRST.with(AMOUNT, { v: 0, z }),
    `${FOUND}0 shown as nothing`,
  ]),
  [
    'thousands by a condition',
    FIRST.with(AMOUNT, { v: 5000, z: '[<1000]0;0,' }),
    `${FOUND}5000 shown as a number of thousands`,
  ],
  ['a zero that is not shown', FIRST.with(AMOUNT, { v: 0, z: '0;-0;;@' }), `${FOUND}0 shown as nothing`],
  [
    'an amount with further digits',
    FIRST.with(AMOUNT, { v: 5, z: '0 "000"' }),
    `${FOUND}5 shown as a number with a word`,
  ],
  ['an error for an amount', FIRST.with(AMOUNT, ERROR), `${FOUND}"#REF!"`],
  [
    'an amount typed as text',
    FIRST.with(AMOUNT, '45'),
    'Seizures!F3: expected a number of zero or more, typed as a number; found the text "45"',
  ],
  ['an error for a name', FIRST.with(3, ERROR), 'Seizures!D3: expected text; found "#REF!"'],
  ['a date for a year', FIRST.with(4, { v: 2022, z: 'yyyy' }), 'Seizures!E3: expected a year'],
  ['a date for a name', FIRST.with(3, { v: 45_047, z: 'd-mmm' }), 'Seizures!D3: expected text'],
  ['a formula without its result', FIRST.with(AMOUNT, { f: 'A1*2' }), 'Seizures!F3: expected a number'],
  ['a year before the title', FIRST.with(4, 1950), 'Seizures!E3: expected a year from 2019 to 2023'],
  ['a year after the title', FIRST.with(4, 2024), 'Seizures!E3: expected a year from 2019 to 2023'],
  ['a name of no country', FIRST.with(0, 'Freedonia'), 'Seizures!A3: expected a known country'],
  ...['AFX', '404', 'KE', 'n/a', 'ken', 'XKX'].map((code): [string, TestCell[], string] => [
    `a code of no country: ${code}`,
    FIRST.with(6, code),
    `Seizures!G3: expected an ISO 3166-1 alpha-3 code; found "${code}"`,
  ]),
  [
    'a code of a country next to a name without one',
    FIRST.with(0, 'Kosovo').with(6, 'SRB'),
    'Seizures!G3: expected the ISO 3166-1 alpha-3 code of the name next to it; found "SRB" next to "Kosovo"',
  ],
  [
    'the name of another country',
    FIRST.with(0, 'Comoros'),
    'Seizures!G3: expected the ISO 3166-1 alpha-3 code',
  ],
])('refused: %s', (_, row, message) => {
  expect(reading(annex(row))).toThrow(message);
});

test.each([
  '_(* #,##0_);_(* \\(#,##0\\);_(* "-"??_);_(@_)',
  '#,##0;[Red]-#,##0',
  '[>=10]0;0.0',
  '" "#,##0" ";"-"#,##0" ";" -"00" "',
  '#,###;-#,###;-',
  'General',
  '@',
])('a zero in the format %s is a zero', (z) => {
  const { rows } = observationsOf(seizures, [annex(FIRST.with(AMOUNT, { v: 0, z }))], TITLED);
  expect(rows).toMatchObject([{ value: 0, status: 'reported' }]);
});

test.each<[string, string | null, string]>([
  ['Kosovo', 'XKX', 'x-kosovo'],
  ['Kosovo', 'XKV', 'x-kosovo'],
  ['Kenya', null, 'KEN'],
  ['Kenya', '..', 'KEN'],
])('%s with the code %s is %s', (name, code, geoCode) => {
  const { rows } = observationsOf(seizures, [annex(FIRST.with(0, name).with(6, code))], TITLED);
  expect(rows).toMatchObject([{ geoCode }]);
});

test('refused: a line above or below the table that changes what the amounts mean', () => {
  const scaled = [[TITLE], ['All amounts in thousands'], HEAD, FIRST];
  expect(reading(sheetOf(scaled))).toThrow(
    'Seizures!A2: expected a table whose numbers are as printed, not in thousands or millions',
  );
  for (const title of ['(Thousands)', 'Thousand kilograms', 'In 1,000 kg'])
    expect(reading(sheetOf([[TITLE], [title], HEAD, FIRST]))).toThrow(
      'Seizures!A2: expected a table whose numbers are as printed',
    );
  const below = [[TITLE], HEAD, FIRST, ['Amounts are in thousands.']];
  expect(reading(sheetOf(below))).toThrow('Seizures!A4: expected a table whose numbers are as printed');
  const areas = [
    ['Coca bush, 2010-2023 (hectares)'],
    ["'000 ha"],
    ['', 2021, 2022, 2023],
    ['Colombia', 1, 2, 3],
  ];
  expect(reading(workbookFile('coca.xlsx', { Areas: areas }), coca)).toThrow('Areas!A2');
});

test('refused: a value or name that is merged over several rows, which only the first of them has', () => {
  const second = (column: string): TestCell[] => FIRST.map((cell, at) => (HEAD[at] === column ? null : cell));
  const sheet = (column: string): SourceFile => {
    const area = `${'ABCDEFG'[HEAD.indexOf(column)]}3:${'ABCDEFG'[HEAD.indexOf(column)]}4`;
    const rows = [[TITLE], HEAD, FIRST, second(column)];
    return sheetOf(rows, { merged: ['A1:G1', area] });
  };
  expect(reading(sheet('Kilograms'))).toThrow(
    'Seizures!F4: expected a number of zero or more; found a part of the merged cell F3',
  );
  expect(reading(sheet('DrugSubGroup'))).toThrow(
    'Seizures!C4: expected text; found a part of the merged cell C3',
  );
});

test('a part of a merged area is known among others that begin, end and lie next to it', () => {
  const rows = [[TITLE], HEAD, ...Array.from({ length: 6 }, () => FIRST)];
  rows[6] = FIRST.map((cell, at) => (HEAD[at] === 'Kilograms' ? null : cell));
  const merged = ['F5:F8', 'A1:G1', 'J2:J9', 'H4:I5', 'J1:K1', 'H7:H8'];
  const file = sheetOf(rows, { merged });
  expect(reading(file)).toThrow(
    'Seizures!F7: expected a number of zero or more; found a part of the merged cell F5',
  );
});

test('refused: a sheet with so many merged areas that their parts could not be told in time', () => {
  const rows = Array.from({ length: 1001 }, () => FIRST);
  const merged = Array.from(
    { length: 1000 },
    (_, at) => `${utils.encode_col(at + 7)}1:${utils.encode_col(at + 7)}1001`,
  );
  const file = sheetOf(rows, { merged });
  expect(reading(file)).toThrow(
    '7.1.xlsx: the sheet "Seizures": expected merged areas of at most 1000000 rows together; found 1000 areas with more',
  );
});

test('refused: a second sheet with the same header row', () => {
  const sheet = [[TITLE], HEAD, FIRST];
  const file = workbookFile('7.1.xlsx', { Seizures: sheet, 'Seizures (2)': sheet });
  expect(reading(file)).toThrow('found "Seizures" and "Seizures (2)"');
});

test('refused: a header row without rows', () => {
  const file = annex();
  expect(reading(file)).toThrow('7.1.xlsx: the table: expected rows of data; found none');
});

test.each(['sheet', 'row', 'column'] as const)('what is hidden is read and counted: a %s', (hidden) => {
  const sheets = { Seizures: [[TITLE], HEAD, FIRST], Notes: [['x']] };
  const { rows, audit } = observationsOf(seizures, [workbookFile('7.1.xlsx', sheets, { hidden })], TITLED);
  expect(rows).toHaveLength(1);
  expect(audit.notes).toMatchObject({ [`hidden ${hidden} of "Seizures", not treated otherwise`]: 1 });
});

test('refused: dates that count from 1904, and a year outside the title of a table of areas', () => {
  const areas = (year: TestCell): TestCell[][] => [
    ['Global illicit cultivation of coca bush, 2010-2023 (hectares)'],
    ['', 2021, 2022, year],
    ['Colombia', 1, 2, 3],
  ];
  const file = workbookFile('coca.xlsx', { Areas: areas(2023) }, { date1904: true });
  expect(reading(file, coca)).toThrow('coca.xlsx: the file: expected an .xlsx workbook; found one whose');
  const late = workbookFile('coca.xlsx', { Areas: areas(2024) });
  expect(reading(late, coca)).toThrow('Areas!D2: expected a year from 2010 to 2023');
});

const bytesOf = (file: SourceFile, bytes: Uint8Array): SourceFile => ({ ...file, bytes });

test.each<[string, SourceFile, string]>([
  [
    'a truncated workbook',
    bytesOf(annex(FIRST), annex(FIRST).bytes.slice(0, 700)),
    '7.1.xlsx: the file: expected an .xlsx workbook; found a broken or incomplete one',
  ],
  [
    'a workbook of the older form',
    bytesOf(annex(FIRST), new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0])),
    'found a workbook in the older form .xls',
  ],
  ['a text', textFile('7.1.xlsx', 'Country'), 'expected an .xlsx workbook; found something else'],
])('refused: %s', (_, file, message) => {
  expect(reading(file)).toThrow(message);
});

test('a workbook may say that its sheets are of the largest size there is', () => {
  const vast = rewritten((sheet) =>
    sheet.replace(/<dimension ref="[^"]*"/, '<dimension ref="A1:XFD1048576"'),
  );
  expect(observationsOf(seizures, [vast], TITLED).rows).toHaveLength(1);
});

test.each<[string, (sheet: string) => string | null, string]>([
  ['without a sheet that it lists', () => null, 'the sheet "Seizures": expected a whole sheet; found a list'],
  ['with a sheet that is empty', () => '', 'the sheet "Seizures": expected a whole sheet; found one'],
  [
    'with a sheet that is cut off',
    (sheet) => sheet.slice(0, sheet.length / 2),
    'the sheet "Seizures": expected a whole sheet; found one that is cut off',
  ],
  ...['1,234', '1 234', '1.234,56', '12abc'].map((text): [string, (sheet: string) => string, string] => [
    `with ${text} for a number`,
    (sheet) => sheet.replace('<v>1.5</v>', `<v>${text}</v>`),
    `Seizures!F3: expected a number; found "${text}"`,
  ]),
  [
    'with a date of its own type',
    (sheet) => sheet.replace(/r="F3"[^>]*><v>1.5/, 'r="F3" t="d"><v>2022-05-01'),
    'Seizures!F3: expected a cell of the type b, e, n, s, str, inlineStr; found "d"',
  ],
  [
    'with a value that does not end',
    (sheet) => sheet.replace('<v>1.5</v>', '<v>1.5'),
    'Seizures!F3: expected one value that begins and ends',
  ],
  [
    'with an address that is none',
    (sheet) => sheet.replace('r="F3"', 'r="F3O"'),
    'expected an address like H10; found "F3O"',
  ],
])('refused: a workbook %s', (_, change, message) => {
  expect(reading(rewritten(change))).toThrow(message);
});

test('a formula over several cells that refers to another workbook is one in each of them', () => {
  const linked = rewritten((sheet) =>
    sheet.replace(/(<c r="F3"[^>]*>)<v>1.5/, '$1<f t="array" ref="E3:F3">[1]Data!A1:B1</f><v>1.5'),
  );
  expect(reading(linked)).toThrow('a link to another workbook');
  const second = rewritten(
    (sheet) => sheet.replace(/(<c r="F3"[^>]*>)/, '$1<f t="array" ref="F3:G3">[1]Data!A1:B1</f>'),
    sheetOf([[TITLE], HEAD.toSpliced(5, 0, 'Source'), FIRST.toSpliced(5, 0, 1)]),
  );
  expect(reading(second)).toThrow('G3: expected a number; found a link to another');
});

test('refused: a small workbook of vast content', () => {
  const file = annex(FIRST);
  const bytes = Buffer.from(file.bytes);
  // The size of its first file when unpacked, in the directory of the archive.
  bytes.writeUInt32LE(3_000_000_000, bytes.indexOf('PK\u0001\u0002') + 24);
  expect(reading(bytesOf(file, bytes))).toThrow(
    /expected an \.xlsx workbook; found one of \d+ MiB when unpacked, more than 64/,
  );
});

/** A workbook with one byte of its first file's entry in the directory changed: 16 is the checksum, 24 the size. */
function withEntry(at: number, change: (bytes: Buffer, place: number) => void): SourceFile {
  const file = annex(FIRST);
  const bytes = Buffer.from(file.bytes);
  change(bytes, bytes.indexOf('PK\u0001\u0002') + at);
  return bytesOf(file, bytes);
}

test.each<[string, SourceFile]>([
  ['a file larger than stated', withEntry(24, (bytes, place) => bytes.writeUInt32LE(0, place))],
  [
    'other bytes than stated',
    withEntry(16, (bytes, place) => bytes.writeUInt8((bytes[place] ?? 0) ^ 1, place)),
  ],
])('refused: a workbook with %s', (_, file) => {
  expect(reading(file)).toThrow(
    '7.1.xlsx: the file: expected an .xlsx workbook; found a broken or incomplete one',
  );
});

const ILO =
  'ref_area.label,source.label,indicator.label,sex.label,time,obs_value,obs_status.label,note_indicator.label,note_source.label';
const ILO_ROW = 'Kenya,LFS,Informal employment rate by sex (%),Male,2019,86.5,,,';

test.each([
  [
    'semicolons',
    ILO.replaceAll(',', ';'),
    'ilo.csv: row 1: expected CSV: UTF-8 text with a comma between cells',
  ],
  [
    'a cell that never ends',
    `${ILO}\n${ILO_ROW}\n"Ken`,
    'a quoted cell that never ends: the file is cut off',
  ],
  ['a row cut short', `${ILO}\n${ILO_ROW}\nKenya,LFS`, 'ilo.csv: row 3: expected CSV'],
  [
    'nothing',
    '',
    'ilo.csv: the file: expected CSV: UTF-8 text with a comma between cells, in whole lines; found',
  ],
  ['a header row alone', `${ILO}\n`, 'ilo.csv: row 2: expected rows below the header; found none'],
])('refused: a CSV file with %s', (_, text, message) => {
  expect(reading(textFile('ilo.csv', text), informalEmployment)).toThrow(message);
});

test('refused: a CSV file that ends within a cell, which may be cut off', () => {
  const series = (text: string): SourceFile => textFile('ny.gdp.mktp.cd/data.csv', text);
  const whole = 'Country Name,Country Code,Year,Value\nChina,CHN,2020,14862564\n';
  const options = { ...TITLED, edition: '2026-07' };
  expect(nationalIndicators.read([series(whole)], options)).toHaveLength(1);
  expect(reading(series(whole.slice(0, -4)), nationalIndicators, options)).toThrow(
    'data.csv: row 2: expected CSV: UTF-8 text with a comma between cells, in whole lines; found a row without its end',
  );
});

test('refused: a name next to the code of another country in a series', () => {
  const file = textFile(
    'ny.gdp.mktp.cd/data.csv',
    'Country Name,Country Code,Year,Value\nKenya,CHN,2020,1\n',
  );
  expect(reading(file, nationalIndicators, { ...TITLED, edition: '2026-07' })).toThrow(
    'row 2 column Country Code: expected KEN, the code of the name next to it; found "CHN" next to "Kenya"',
  );
});
