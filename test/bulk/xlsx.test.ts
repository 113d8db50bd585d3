/** [BULK-XLSX] Workbooks, by two readers that share nothing with the writer: every cell of a table, odd texts, and the same bytes anywhere. */
import { read as readWorkbook, utils } from '@e965/xlsx';
import exceljs from 'exceljs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inMemory, sha256 } from '../../build/lib/tree.ts';
import { workbookParts, writeWorkbook } from '../../build/render/bulk/xlsx.ts';
import type { Row } from '../../build/render/bulk/table.ts';
import type { Field } from '../../shim/core/fields.ts';
import { packManifest } from '../_support/records.ts';
import { treeFile, treeText } from '../_support/tree.ts';
import { wantedCells } from './read.ts';

/** Those that are read in a moment; LibreOffice reads all (libreoffice.test.ts). */
const packs = packManifest().packs.filter(({ rows }) => rows < 5000);

function bytesOf(dataset: string): Buffer {
  return treeFile(`data/${dataset}.xlsx`);
}

/** The bytes of a workbook of rows. */
function workbookOf(...[columns, rows, notes]: [readonly Field[], readonly Row[], string[][]]): Uint8Array {
  const folder = inMemory();
  const workbook = workbookParts(folder, 'workbook', { columns, rows: rows.length, notes });
  workbook.add(rows);
  return folder.read(writeWorkbook(folder, workbook.finish()).path);
}

/** The cells of a sheet as a reader gives them: text, number, null for an empty cell. Fails on a formula. */
async function sheetOf(
  bytes: Uint8Array,
  name: string,
  columns: number,
): Promise<(string | number | null)[][]> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes) as unknown as Parameters<typeof workbook.xlsx.load>[0]);
  expect(workbook.worksheets.map((sheet) => sheet.name)).toEqual(['records', 'notes']);
  const sheet = workbook.getWorksheet(name);
  const rows: (string | number | null)[][] = [];
  sheet?.eachRow((row) => {
    rows.push(
      Array.from({ length: columns }, (_, at) => {
        const { value } = row.getCell(at + 1);
        if (value === null || typeof value === 'string' || typeof value === 'number') return value;
        throw new Error(`${row.getCell(at + 1).address} is not a text or number: ${JSON.stringify(value)}`);
      }),
    );
  });
  return rows;
}

describe('the workbook of a dataset', () => {
  test.each(packs.filter(({ rows }) => rows < 2000).map(({ id }) => id))(
    '%s has every record in order, numbers as numbers, all else as text, missing values empty',
    async (dataset) => {
      const { header, rows } = wantedCells(dataset);
      const found = await sheetOf(bytesOf(dataset), 'records', header.length);
      expect(found[0]).toEqual(header);
      const wrong = rows.filter((cells, row) => cells.some((cell, at) => cell !== found[row + 1]?.[at]));
      expect([found.length - 1, wrong.slice(0, 2)]).toEqual([rows.length, []]);
    },
  );

  test('a larger one has its first records too, by another reader', () => {
    const [largest] = packs.filter(({ kind }) => kind === 'observations').toSorted((a, b) => b.rows - a.rows);
    const { header, rows } = wantedCells(largest?.id ?? '');
    const sheet =
      readWorkbook(bytesOf(largest?.id ?? ''), { dense: true, sheetRows: 1001 }).Sheets['records'] ?? {};
    const found = utils.sheet_to_json<unknown[]>(sheet, { header: 1, defval: null, raw: true });
    expect(found.slice(0, 1001)).toEqual([header, ...rows.slice(0, 1000)]);
  });

  test.each(packs.map(({ id }) => id))(
    '%s says in its notes what it is and how it is read',
    async (dataset) => {
      const sheet = readWorkbook(bytesOf(dataset), { sheets: 'notes' }).Sheets['notes'] ?? {};
      const notes = utils.sheet_to_json<[string, string]>(sheet, { header: 1 });
      const document = JSON.parse(treeText(`data/datasets/${dataset}.json`)) as {
        title: string;
        edition: string;
        kind: string;
        limitations: string[];
        sources: { sha256: string; license: string; url: string }[];
      };
      const said = notes.map(([, text]) => text).join('\n');
      expect(notes.slice(0, 2)).toEqual([
        ['Dataset', document.title],
        ['Edition', document.edition],
      ]);
      for (const text of document.limitations) expect(said).toContain(text);
      for (const { sha256: hash, license, url } of document.sources)
        for (const text of [hash, license, url]) expect(said).toContain(text);
      if (document.kind === 'entities')
        expect(said).toMatch(/not proof of guilt and not an adjudication.*list is dated/);
      else expect(said).toMatch(/unavailable[^]*It is not a zero[^]*A zero that the source prints/);
    },
  );
});

const COLUMNS = (['text', 'value', 'list', 'flag'] as const).map((name) => ({
  name,
  type: ({ text: 'string', value: 'number', list: 'list', flag: 'boolean' } as const)[name],
  nullable: name === 'value',
  blank: true,
  description: '',
  values: null,
}));

describe('any table', () => {
  const odd = fc.constantFrom(
    '=1+1',
    '@x',
    '-1',
    '+1',
    '\t',
    'a\nb',
    ' a ',
    '_x0041_',
    '<&>"\'',
    '2021-05',
    '007',
    '1e5',
    'TRUE',
    'é🙂',
  );
  const row = fc.tuple(
    fc.oneof(
      odd,
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\r|[\p{Cn}\p{Cs}]/gu, '')),
    ),
    fc.constantFrom(null, 0, -5, 0.1, 1e-7, 1e21, 123_456_789.123_456_7),
    fc.array(fc.constantFrom('a', '=b'), { maxLength: 2 }),
    fc.boolean(),
  );

  test('gives every text, number and empty cell back, and no formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), async (rows) => {
        const found = await sheetOf(workbookOf(COLUMNS, rows, [['a', 'b']]), 'records', 4);
        expect(found.slice(1)).toEqual(
          rows.map(([text, value, list, flag]) => [
            text || null,
            value,
            list.join('|') || null,
            String(flag),
          ]),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('is the same bytes in every time zone', () => {
    const zone = process.env['TZ'];
    const hashes = ['Pacific/Auckland', 'America/Lima', 'UTC'].map((name) => {
      process.env['TZ'] = name;
      return sha256(workbookOf(COLUMNS, [['a', 1, [], true]], []));
    });
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(new Set(hashes).size).toBe(1);
  });

  test('refuses a text that no cell can hold', () => {
    expect(() => workbookOf(COLUMNS, [['a'.repeat(32_768), null, [], true]], [])).toThrow('cell A2');
  });
});
