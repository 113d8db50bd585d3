/** Progress of long work, on a terminal and in a log. */
import { describe, expect, it } from 'vitest';
import { progressOn } from '../../build/write/progress.ts';

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
