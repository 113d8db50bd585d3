/** Results kept for later builds: whole, verified, named by all they are made from. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuildCache } from '../../build/lib/cache.ts';
import { openCache } from '../../build/write/cache.ts';
import { temporaryFolder, flipBit } from '../_support/tree.ts';

/** A project of one code file, an hour old. */
function project(code: string): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'build'));
  writeFileSync(join(root, 'build/code.ts'), code);
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(root, 'build/code.ts'), hourAgo, hourAgo);
  return root;
}

const code = project('export const one = 1;');
const said: string[] = [];
const open = (folder: string, options = {}): BuildCache =>
  openCache(folder, (message) => said.push(message), { code, ...options });

/** What is in the cache's folder, but for the note of when it was last trimmed. */
const entriesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name !== 'trimmed');

/** Trims as an hour after the last time. */
function trimAgain(cache: BuildCache, folder: string): void {
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, 'trimmed'), hourAgo, hourAgo);
  cache.trim();
}

const SMALL = { path: 'data/ä.json', bytes: Buffer.from('{"value":null}\n') };
const LARGE = { path: 'data/large.ndjson', bytes: Buffer.alloc(5 * 1024 * 1024, 'x') };

describe('[REPRODUCIBLE] results of earlier builds', () => {
  test('an entry gives back names, bytes, hashes and facts, small files and large ones', () => {
    const folder = temporaryFolder();
    const onDisk = join(temporaryFolder(), 'pack');
    writeFileSync(onDisk, LARGE.bytes);
    const key = open(folder).key('dataset', SMALL.bytes, { edition: '2025' });
    open(folder).keep(key, [SMALL, LARGE, { path: 'copied', file: onDisk }], { rows: 3 });
    const entry = open(folder).take(key);
    expect(entry?.facts).toEqual({ rows: 3 });
    expect(entry?.files.map(({ path, read }) => [path, Buffer.from(read()).equals(LARGE.bytes)])).toEqual([
      [SMALL.path, false],
      [LARGE.path, true],
      ['copied', true],
    ]);
    expect(Buffer.from(entry?.files[0]?.read() ?? []).toString()).toBe('{"value":null}\n');
    expect(entry?.files.map(({ file }) => file !== null && readFileSync(file).length)).toEqual([
      false,
      LARGE.bytes.length,
      LARGE.bytes.length,
    ]);
    expect(open(folder).take(open(folder).key('dataset', SMALL.bytes, { edition: '2026' }))).toBeNull();
  });

  test('an entry in the place of another counts as damaged', () => {
    const folder = temporaryFolder();
    const cache = open(folder);
    const [one, other] = [cache.key('step', 'one'), cache.key('step', 'other')];
    for (const key of [one, other]) cache.keep(key, [SMALL], key);
    rmSync(join(folder, one), { recursive: true });
    renameSync(join(folder, other), join(folder, one));
    expect(cache.take(one)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('any other part, boundary, step or code is another key', () => {
    const folder = temporaryFolder();
    const cache = open(folder);
    const other = openCache(folder, () => undefined, { code: project('export const one = 2;') });
    const root = project('export const one = 1;');
    writeFileSync(join(root, 'tsconfig.json'), '{}');
    const compiledElse = open(folder, { code: root, startedAt: Date.now() + 1000 });
    const updated = project('export const one = 1;');
    mkdirSync(join(updated, 'node_modules'));
    writeFileSync(join(updated, 'node_modules/.package-lock.json'), '{}');
    const installedElse = open(folder, { code: updated, startedAt: Date.now() + 1000 });
    const keys = [
      compiledElse.key('step', 'abc'),
      installedElse.key('step', 'abc'),
      cache.key('step', 'ab', 'c'),
      cache.key('step', 'a', 'bc'),
      cache.key('step', 'abc'),
      cache.key('step', Buffer.from('abc')),
      cache.key('step', ['abc']),
      cache.key('step', 'abc', ''),
      cache.key('other', 'abc'),
      other.key('step', 'abc'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(cache.key('step', 'abc')).toBe(open(folder).key('step', 'abc'));
  });

  test.each(['entry', 'small', '1'])(
    'one changed byte in %s: the entry counts as missing and is removed',
    (file) => {
      const folder = temporaryFolder();
      const key = open(folder).key('step', 'a');
      open(folder).keep(key, [SMALL, LARGE], 'facts');
      const place = join(folder, key, file);
      for (const at of [0, Math.floor(readFileSync(place).length / 2), readFileSync(place).length - 1]) {
        flipBit(place, at);
        // What is there already need not be read, but for the entry itself.
        expect(open(folder).take(key, () => true)?.facts ?? null).toBe(file === 'entry' ? null : 'facts');
        expect(open(folder).take(key)).toBeNull();
        expect(readdirSync(folder)).toEqual([]);
        open(folder).keep(key, [SMALL, LARGE], 'facts');
        expect(open(folder).take(key)?.facts).toBe('facts');
      }
    },
  );

  test('what a killed build left is not taken for an entry, and goes when it is old', () => {
    const folder = temporaryFolder();
    const cache = open(folder);
    const key = cache.key('step', 'a');
    const half = join(folder, `${key}.0123.new`);
    mkdirSync(half);
    writeFileSync(join(half, 'small'), 'half');
    expect(cache.take(key)).toBeNull();
    cache.keep(key, [SMALL]);
    cache.trim();
    expect(entriesIn(folder)).toHaveLength(2);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(half, longAgo, longAgo);
    cache.trim();
    // An hour has not passed.
    expect(entriesIn(folder)).toHaveLength(2);
    trimAgain(cache, folder);
    expect(entriesIn(folder)).toEqual([key]);
  });

  test('a file that is no entry is left alone, and keeps no entry from going', () => {
    const folder = temporaryFolder();
    const cache = open(folder);
    const key = cache.key('step', 'a');
    cache.keep(key, [SMALL]);
    const longAgo = new Date(Date.now() - 15 * 86_400_000);
    utimesSync(join(folder, key, 'entry'), longAgo, longAgo);
    writeFileSync(join(folder, '.DS_Store'), '');
    said.length = 0;
    cache.trim();
    expect([entriesIn(folder), said]).toEqual([['.DS_Store'], []]);
  });

  test('of more than there is room for, the entries used longest ago go; those in use never do', () => {
    const folder = temporaryFolder();
    const cache = open(folder, { mostBytes: 1000 });
    const keys = ['a', 'b', 'c'].map((part) => cache.key('step', part));
    for (const [hours, key] of keys.entries()) {
      cache.keep(key, [{ path: 'p', bytes: Buffer.alloc(600) }]);
      const used = new Date(Date.now() - (hours + 2) * 3_600_000);
      utimesSync(join(folder, key, 'entry'), used, used);
    }
    expect(cache.take(keys[2] ?? '')).not.toBeNull();
    cache.trim();
    expect(entriesIn(folder)).toEqual([keys[2]]);
    for (const key of keys) cache.keep(key, [{ path: 'p', bytes: Buffer.alloc(600) }]);
    trimAgain(cache, folder);
    expect(entriesIn(folder)).toHaveLength(3);
  });

  test('where the code changed after the process started, nothing is taken or kept', () => {
    const folder = temporaryFolder();
    const key = open(folder).key('step', 'a');
    const cache = open(folder);
    cache.keep(key, [SMALL]);
    const changed = open(folder, { startedAt: Date.now() - 2 * 3_600_000 });
    expect(changed.take(key)).toBeNull();
    writeFileSync(join(code, 'build/code.ts'), 'export const one = 3;');
    cache.keep(cache.key('step', 'b'), [SMALL]);
    expect(readdirSync(folder)).toEqual([key]);
  });

  test.runIf(process.getuid?.() === 0)(
    'entries of another user are taken, and left where they are damaged',
    () => {
      const folder = temporaryFolder();
      // The folders of the test run are closed to others.
      chmodSync(dirname(folder), 0o711);
      chmodSync(folder, 0o755);
      const cache = open(folder, { code: project('') });
      const [whole, damaged] = [cache.key('step', 'whole'), cache.key('step', 'damaged')];
      try {
        for (const key of [whole, damaged]) cache.keep(key, [SMALL], 'facts');
        writeFileSync(join(folder, damaged, 'small'), 'damaged');
        process.seteuid?.(65_534);
        expect([cache.take(whole)?.facts, cache.take(damaged)]).toEqual(['facts', null]);
        expect(readdirSync(folder)).toHaveLength(2);
      } finally {
        process.seteuid?.(0);
      }
    },
  );

  test('a folder that cannot be written to is said once and stops nothing', () => {
    const file = join(temporaryFolder(), 'a file');
    writeFileSync(file, '');
    const cache = openCache(file, (message) => said.push(message), { code: project('') });
    said.length = 0;
    for (const part of ['a', 'b']) cache.keep(cache.key('step', part), [SMALL]);
    expect(cache.take(cache.key('step', 'a'))).toBeNull();
    expect(said).toEqual([expect.stringContaining('nothing more is kept for later builds: ')]);
  });
});
