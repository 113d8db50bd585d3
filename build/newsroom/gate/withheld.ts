/** What no story may name, by the stem of its word. The words are in ../withheld.txt: a change there changes what may be published. */
import { foldedWords, listLines } from '../../lib/text.ts';

/** The sections of the list: what each gives away, and one pattern for it. */
const WITHHELD = sections(listLines(new URL('../withheld.txt', import.meta.url)));

function sections(lines: string[]): [what: string, pattern: RegExp][] {
  const found: [what: string, patterns: string[]][] = [];
  for (const line of lines) {
    const [, heading] = /^\[([a-z ,-]+)\]$/.exec(line) ?? [];
    if (heading === undefined) found.at(-1)?.[1].push(line);
    else found.push([heading, []]);
  }
  return found.map(([what, patterns]) => [what, new RegExp(patterns.join('|'), 'u')]);
}

/** What a passage names that it must not, or null. */
export function withheldIn(text: string): string | null {
  const words = foldedWords(text);
  return WITHHELD.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
