/** Rows on their way through a build: a file in pieces, rows in any order, and the same bytes all the same. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotPlain, plainRecords, readCsv } from '../../build/lib/csv.ts';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { inMemory } from '../../build/lib/tree.ts';
import { withAllRows } from '../../build/pack/edition.ts';
import { OutOfOrder, orderedGroups, sortedGroups, type NumberedRow } from '../../build/load/groups.ts';
import { perform } from '../../build/render/work.ts';
import { realEffects } from '../../build/write/effects.ts';
import { csvText } from '../../shim/core/csv.ts';
import { someDatasets } from '../_support/few-rows.ts';

const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀', ',', '"', ' ') });

test('a file gives the same records wherever its pieces end', () => {
  const files = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.nat(60), { maxLength: 5 });
  fc.assert(
    fc.property(files, cuts, (rows, at) => {
      const bytes = Buffer.from(csvText(rows), 'utf8');
      const ends = [...at.filter((end) => end < bytes.length), bytes.length].sort((a, b) => a - b);
      const pieces = ends.map((end, position) => bytes.subarray(ends[position - 1] ?? 0, end));
      expect([...plainRecords(pieces)].flat()).toEqual(readCsv(bytes));
    }),
  );
});

test.each([
  ['a carriage return', 'a,b\r\n1,2\r\n'],
  ['a line end in quotes', 'a,b\n"1\n",2\n'],
  ['a byte order mark', '\uFEFFa,b\n1,2\n'],
  ['bytes that are no text', Buffer.from([0x61, 0xff, 0x0a])],
  ['a row with a cell too many', 'a,b\n1,2,3\n'],
])('%s is left to the reader of any CSV', (_, text) => {
  expect(() => [...plainRecords([Buffer.from(text)])]).toThrow(NotPlain);
});

const rowOf = (indicatorId: string, geoCode: string, line: number): NumberedRow => ({
  row: { indicatorId, geoCode, period: '2020', sourceLocator: `S!A${line}` } as ObservationRow,
  line,
});

test('rows in any order are grouped as sorted rows are, in parts that are removed', () => {
  const folder = inMemory();
  const removed: string[] = [];
  const watched = { ...folder, remove: (path: string) => void removed.push(path) };
  const key = fc.constantFrom('a', 'b', 'c');
  fc.assert(
    fc.property(fc.array(fc.tuple(key, key), { maxLength: 20 }), (keys) => {
      removed.length = 0;
      const rows = keys.map(([indicator, geo], at) => rowOf(indicator, geo, at + 2));
      const found: NumberedRow[][] = [];
      const groups = sortedGroups((group) => void found.push([...group]), { folder: watched, path: 'x' }, 3);
      for (const { row, line } of rows) groups.add(row, line);
      groups.finish();
      const names = [...new Set(keys.map((pair) => pair.join()))].sort();
      expect(found).toEqual(
        names.map((name) => rows.filter(({ row }) => `${row.indicatorId},${row.geoCode}` === name)),
      );
      expect(removed).toHaveLength(Math.floor(rows.length / 3));
    }),
  );
});

test('rows that come back to an earlier place are not in order', () => {
  const groups = orderedGroups(() => undefined);
  groups.add(rowOf('a', 'b', 2).row, 2);
  expect(() => groups.add(rowOf('a', 'a', 3).row, 3)).toThrow(OutOfOrder);
});

test('[REPRODUCIBLE] an edition with its rows in another order is packed to the same bytes', async () => {
  const names = ['as-it-is', 'reversed', 'reversed with CRLF'];
  const reads = names.map(async (name) => {
    const folder = join(someDatasets('coca-cultivation'), 'coca-cultivation/2025-06');
    const file = join(folder, 'records.csv');
    const [header = '', ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
    const end = name.endsWith('CRLF') ? '\r\n' : '\n';
    if (name !== 'as-it-is') writeFileSync(file, `${[header, ...rows.toReversed()].join(end)}${end}`);
    const named = { id: 'coca-cultivation', edition: '2025-06', notes: [], clock: '2025-06-01T00:00:00Z' };
    const tools = { effects: realEffects(), folder: inMemory() };
    const read = await perform('edition', { folder, keys: {}, named }, tools);
    expect([...read.unreadable, ...read.wrong]).toEqual([]);
    return read.packed;
  });
  const packed = await Promise.all(reads);
  expect(packed[0]?.entry.rows).toBeGreaterThan(50);
  expect(packed[1]).toEqual(packed[0]);
  expect(packed[2]).toEqual(packed[0]);
});

test('an edition that lost a row on its way is refused', async () => {
  const folder = 'datasets/opium-cultivation/2025-06';
  const named = { id: 'opium-cultivation', edition: '2025-06', notes: [], clock: '2025-06-01T00:00:00Z' };
  const tools = { effects: realEffects(), folder: inMemory() };
  const { packed } = await perform('edition', { folder, keys: {}, named }, tools);
  if (!packed) throw new Error('nothing was packed');
  const rows = readCsv(readFileSync(`${folder}/records.csv`)).length - 1;
  expect(withAllRows(packed, rows)).toBe(packed);
  expect(() => withAllRows(packed, rows + 1)).toThrow(`${rows} of the ${rows + 1} rows of opium-cultivation`);
});
