/** Large packs are read by blocks: every range as its lines, whatever the cache holds, and damage is never given out. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { seriesIndexer } from '../../build/pack/pack-file.ts';
import { decodeIndex } from '../../shim/core/index-file.ts';
import {
  blockCache,
  blockRows,
  rowsInMemory,
  type BlockCache,
  type BlockSpan,
  type CopyRows,
} from '../../shim/store/blocks.ts';

const ROWS = 2000;
const lines = Array.from({ length: ROWS }, (_, row) =>
  Buffer.from(`{"row":${row},"text":"${'x'.repeat((row * 37) % 400)}"}\n`),
);
const bytes = Buffer.concat(lines);

/** The index of these lines, all of one series. */
function indexOf(all: readonly Buffer[]): Uint8Array {
  const indexer = seriesIndexer(['row']);
  for (const line of all) indexer.add({ dims: ['x'], period: '2020' }, line);
  return indexer.finish();
}

function opened(records: Buffer, cache: BlockCache): { copy: CopyRows; reads: () => number } {
  let reads = 0;
  const index = decodeIndex(indexOf(lines));
  const read = ({ start, length }: BlockSpan): Uint8Array => {
    reads += 1;
    return new Uint8Array(records.subarray(start, start + length));
  };
  const digest = (block: Uint8Array): Uint8Array => createHash('sha256').update(block).digest();
  const copy = blockRows({ rows: ROWS, bytes: bytes.length, index }, read, { digest, cache });
  return { copy, reads: () => reads };
}

function text(chunks: Uint8Array[]): string {
  return chunks.map((chunk) => new TextDecoder().decode(chunk)).join(',');
}

function expected(from: number, to: number): string {
  return lines
    .slice(from, to)
    .map((line) => line.toString().trimEnd())
    .join(',');
}

test.each([1, 100_000, Number.MAX_SAFE_INTEGER])('a cache of %d bytes changes no answer', (most) => {
  const { copy } = opened(bytes, blockCache(most));
  for (let from = 0; from < ROWS; from += 61)
    for (const length of [1, 30, 500])
      expect(text(copy(from, Math.min(ROWS, from + length)))).toBe(
        expected(from, Math.min(ROWS, from + length)),
      );
});

test('a pack in memory gives every range as one piece, whatever was cut into lines before', () => {
  const index = decodeIndex(indexOf(lines));
  const layout = { rows: ROWS, bytes: bytes.length, index };
  for (const length of [1, 30, 500, ROWS]) {
    const copy = rowsInMemory(layout, new Uint8Array(bytes));
    expect(copy(7, 7)).toEqual([]);
    for (let turn = 0; turn < 60; turn += 1) {
      const from = (turn * 773) % ROWS;
      const chunks = copy(from, Math.min(ROWS, from + length));
      expect(chunks).toHaveLength(1);
      expect(text(chunks)).toBe(expected(from, Math.min(ROWS, from + length)));
    }
  }
});

test('what is loaded is read once; packs that share a cache keep apart', () => {
  const cache = blockCache(Number.MAX_SAFE_INTEGER);
  const first = opened(bytes, cache);
  first.copy(0, ROWS);
  const blocks = first.reads();
  expect(blocks).toBeGreaterThan(10);
  first.copy(0, ROWS);
  expect(first.reads()).toBe(blocks);
  const second = opened(bytes, cache);
  expect(text(second.copy(0, 3))).toBe(expected(0, 3));
  expect(second.reads()).toBe(1);
});

test('a damaged block is refused each time it is asked for, the others are given', () => {
  const damaged = Buffer.from(bytes);
  damaged[20] = (damaged[20] ?? 0) ^ 1;
  const { copy } = opened(damaged, blockCache(Number.MAX_SAFE_INTEGER));
  for (let turn = 0; turn < 2; turn += 1)
    expect(() => copy(0, 1)).toThrow(/block 0 does not match its sha256/);
  expect(text(copy(ROWS - 2, ROWS))).toBe(expected(ROWS - 2, ROWS));
});
