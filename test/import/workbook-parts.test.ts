/** Workbooks whose parts are damaged or say something else than a reader sees: each is refused, naming part or cell. */
import { utils } from '@e965/xlsx';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { SourceFile } from '../../build/import/importer.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { annex, reading, rewritten, withParts, FIRST, SHEET, TITLED } from '../_support/annex.ts';
import { observationsOf } from '../_support/workbook.ts';

const [BOOK, STYLES] = ['xl/workbook.xml', 'xl/styles.xml'] as const;

test.each<[string, (sheet: string) => string, string]>([
  [
    'a cell that does not end',
    (sheet) => sheet.replace('</sheetData>', '<c></sheetData>'),
    'the sheet "Seizures": expected cells that begin and end; found one that does not end',
  ],
  [
    'a cell that is there twice, in other quotation marks',
    (sheet) => sheet.replace(/<c r="F3".*?<\/c>/, "<c r='F3'><v>1.5</v></c><c r='F3'><v>2</v></c>"),
    'Seizures!F3: expected each cell once; found two cells with this address',
  ],
  [
    'a row that is commented out',
    (sheet) => sheet.replace(/(<row r="3".*?<\/row>)/, '<!-- $1 -->'),
    'the sheet "Seizures": expected XML without comments and declarations; found some',
  ],
  [
    'a second list of rows',
    (sheet) =>
      sheet.replace(
        '</sheetData>',
        '</sheetData><sheetData><row r="9"><c r="F9"><v>2</v></c></row></sheetData>',
      ),
    'Seizures!F9: expected a cell among those of its sheet; found one apart from them',
  ],
  [
    'a value of spaces',
    (sheet) => sheet.replace('<v>1.5</v>', '<v> </v>'),
    'Seizures!F3: expected a number; found " "',
  ],
  [
    'a text in a cell of numbers',
    (sheet) => sheet.replace('<v>1.5</v>', '<is><t>1.5</t></is>'),
    'Seizures!F3: expected either a value or a text of its own type; found "<is><t>1.5</t></is>"',
  ],
])('refused: a sheet with %s', (_, change, message) => {
  expect(reading(rewritten(change))).toThrow(`7.1.xlsx: ${message}`);
});

test('a sheet of very many cells that do not end is refused before the time of a test is over', () => {
  const cells = '<c>'.repeat(1_000_000);
  const endless = rewritten((sheet) => sheet.replace('</sheetData>', `${cells}</sheetData>`));
  expect(reading(endless)).toThrow('expected cells that begin and end');
});

test('refused: a workbook whose formats are cut off, so that a share would be an amount', () => {
  const share = annex(FIRST.with(5, { v: 0.5, z: '0.0%' }));
  const cut = withParts({ [STYLES]: (styles) => styles.slice(0, styles.length / 2) }, share);
  expect(reading(cut)).toThrow(
    '7.1.xlsx: xl/styles.xml: expected a whole part of the workbook; found one that is cut off',
  );
});

test('refused: a number whose font strikes it out or raises it, but no text of such a font', () => {
  const withFont = (font: string, address: string): SourceFile => {
    let last = 0;
    return withParts({
      [STYLES]: (styles) => {
        last = /<cellXfs.*<\/cellXfs>/.exec(styles)?.[0].match(/<xf /g)?.length ?? 0;
        return styles
          .replace('</fonts>', `<font>${font}</font></fonts>`)
          .replace('</cellXfs>', '<xf numFmtId="0" fontId="1" fillId="0" borderId="0"/></cellXfs>');
      },
      [SHEET]: (sheet) => sheet.replace(`r="${address}"`, `r="${address}" s="${last}"`),
    });
  };
  for (const font of ['<strike/>', '<vertAlign val="superscript"/>'])
    expect(reading(withFont(font, 'F3'))).toThrow(
      'Seizures!F3: expected a plain number; found digits that are raised, lowered or struck out',
    );
  expect(observationsOf(seizures, [withFont('<strike/>', 'A1')], TITLED).rows).toHaveLength(1);
});

test('refused: a workbook of another kind, and one with a part twice', () => {
  const other = withParts({ [BOOK]: () => null, 'content.xml': () => '<a/>' });
  expect(reading(other)).toThrow('found a file of another kind, such as an .ods or .xlsb workbook');
  const twice = withParts({ [BOOK.toUpperCase()]: () => '<a/>' });
  expect(reading(twice)).toThrow('found a broken or incomplete one');
});

test('refused: a workbook whose formats or list of sheets are partly commented out', () => {
  for (const [part, end] of [
    [STYLES, '</cellXfs>'],
    [BOOK, '</sheets>'],
  ] as const)
    expect(reading(withParts({ [part]: (text) => text.replace(end, `<!-- <xf/> -->${end}`) }))).toThrow(
      `${part}: expected XML without comments and declarations; found some`,
    );
});

test('refused: a workbook with two names for a part, so that another sheet would be read than is checked', () => {
  const other = SHEET.replace('1', '2');
  const file = withParts({
    [other]: () => new TextDecoder().decode(unzipSync(annex(FIRST.with(5, 9)).bytes)[SHEET]),
  });
  const bytes = Buffer.from(file.bytes);
  const [first, second] = [bytes.indexOf(SHEET), bytes.indexOf(other)];
  bytes.write(other, first);
  bytes.write(SHEET, second);
  expect(reading({ ...file, bytes })).toThrow('found a broken or incomplete one');
});

test('refused: a sheet with so many rows and columns that its blank cells could not be read in time', () => {
  const row = (at: number): string =>
    `<row r="${at + 1}"><c r="${utils.encode_cell({ r: at, c: at })}"><v>1</v></c></row>`;
  const rows = Array.from({ length: 2500 }, (_, at) => row(at + 10)).join('');
  const sparse = rewritten((sheet) =>
    sheet.replace(/<dimension [^>]*>/, '').replace('</sheetData>', `${rows}</sheetData>`),
  );
  expect(reading(sparse)).toThrow(
    /the sheet "Seizures": expected at most 5000000 cells, blank ones included; found 250\d rows with 25\d\d columns/,
  );
});

test('refused: a label that is too long to be one, before its spaces are read', () => {
  const long = `a${' '.repeat(30_000)}b`;
  expect(reading(annex(FIRST.with(3, long)))).toThrow(
    'Seizures!D3: expected a text of at most 2000 characters',
  );
});
