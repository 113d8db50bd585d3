/** CSV is read the same way whether a file is plain, which is fast, or not. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../build/lib/csv.ts';
import { csvText } from '../../shim/core/csv.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '0', ',', '"', '\n', ' ', '\t', '|'),
  maxLength: 5,
});
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((width) =>
    fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
  );

test('a table that was written is read back, each record with the line it starts on', () => {
  fc.assert(
    fc.property(table, (records) => {
      const read = readCsv(Buffer.from(csvText(records)));
      expect(read.map(({ cells }) => cells)).toEqual(records);
      const lines = records.map((_, at) => csvText(records.slice(0, at)).split('\n').length);
      expect(read.map(({ line }) => line)).toEqual(lines);
    }),
    { numRuns: 500 },
  );
});

test('any bytes are read, or refused, as csv-parse does', () => {
  const lines = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', '\r', '\uFEFF'), maxLength: 12 }),
  );
  fc.assert(
    fc.property(lines, (parts) => {
      const bytes = Buffer.from(parts.join('\n'));
      const outcome = (read: () => string[][]): unknown => {
        try {
          return read();
        } catch (error) {
          return error instanceof Error ? error.message : error;
        }
      };
      const own = outcome(() => readCsv(bytes).map(({ cells }) => cells));
      expect(own).toEqual(
        outcome(() =>
          parse(bytes, { bom: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] }),
        ),
      );
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['CR LF', 'a,b\r\nc,"x\r\ny"\r\nd,e\r\n', [1, 2, 4]],
  ['LF', 'a,b\r\nc,"x\ny"\r\nd,e\r\n', [1, 2, 4]],
  ['CR', 'a,b\nc,"x\ry"\nd,e\n', [1, 2, 4]],
  [
    'CR LF in the header and in two rows',
    'a,"b\r\nc"\r\n"\r\n\r\n",d\r\n\r\n"\r\n",e\r\nf,g\r\n',
    [1, 3, 7, 9],
  ],
  ['CR at the end of a cell and LF at the beginning of the next', 'a,b\r\n"c\r","\nd"\r\ne,f\r\n', [1, 2, 5]],
])('lines are those of the file where cells hold line ends: %s', (_, file, lines) => {
  expect(readCsv(Buffer.from(file)).map(({ line }) => line)).toEqual(lines);
});

test.each([
  ['blank lines of another kind at the end', 'a,b\r\n1,"2"\r\n\n\n'],
  ['a line that ends otherwise', 'a,b\r\n1,"2"\n'],
  ['lines that end otherwise than the first', 'a,b\n1,"2"\r\n\r\n'],
])('%s are line ends too', (_, file) => {
  expect(readCsv(Buffer.from(file))).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', '2'] },
  ]);
});
