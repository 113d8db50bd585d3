/** The real effects: files and folders as they are found, progress on a terminal and in a log. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { progressOn, realEffects } from '../../build/write/effects.ts';
import { temporaryFolder } from '../_support/tree.ts';

function shown(isTTY: boolean): string {
  let text = '';
  const write = (part: string | Uint8Array): boolean => ((text += String(part)), true);
  const progress = progressOn({ isTTY, write });
  progress('reading');
  for (const done of [1, 2, 3, 4]) progress('copying', done, 4);
  progress('checking', 1, 8);
  progress('writing');
  return text;
}

describe('progress', () => {
  it('is one plain line per step where there is no terminal', () => {
    expect(shown(false)).toBe('reading\ncopying\nchecking\nwriting\n');
  });

  it('is a bar on a terminal, drawn in place and ended before the next line', () => {
    const bar = (done: number, total: number): string =>
      `[${'='.repeat((30 * done) / total).padEnd(30)}] ${done}/${total}`;
    const [first, last, early] = [bar(1, 4), bar(4, 4), bar(1, 8)];
    expect(shown(true).replaceAll('\r\u001B[2K', '>')).toBe(
      `reading\n>copying ${first}>copying ${last}\n>checking ${early}\nwriting\n`,
    );
  });
});

describe('files and folders', () => {
  it('are found sorted, hidden files included, links and missing folders not', () => {
    const root = temporaryFolder();
    for (const folder of ['b/.deep', 'a', 'B', 'c.d']) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['b/.deep/x', 'b/[y].csv', 'Z']) writeFileSync(join(root, file), '');
    symlinkSync(join(root, 'Z'), join(root, 'to-file'));
    symlinkSync(join(root, 'b'), join(root, 'to-folder'));
    symlinkSync(join(root, 'none'), join(root, 'b/.deep/to-nothing'));
    symlinkSync('x', join(root, '.#open-in-an-editor'));
    const { files, folders, links } = realEffects();
    expect(links(root)).toEqual(['b/.deep/to-nothing', 'to-file', 'to-folder']);
    expect(files(root)).toEqual(['Z', 'b/.deep/x', 'b/[y].csv']);
    expect(folders(root)).toEqual(['B', 'a', 'b']);
    for (const find of [files, folders, links]) expect(find(join(root, 'none'))).toEqual([]);
  });
});
