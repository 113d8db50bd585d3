/**
 * Reads a text for the words no story may use: those of the reviewed list, and numbers in words, which belong into tokens.
 * Whole words over folded text, in every reading that accents, dashes or spaces could hide.
 */
import { folded } from './fold.ts';
import { numberWordIn, romanNumberIn } from './number-words.ts';
import { REVIEWED_WORDS } from './reviewed-words.ts';

/** What stands for a token while its sentence is read: a mark that is no letter, digit or space. */
export const CELL = '￼';

const PATTERNS: [what: string, pattern: RegExp][] = Object.entries(REVIEWED_WORDS).map(([what, phrases]) => [
  what,
  new RegExp(`(?<![a-z])(?:${phrases.map(phrasePattern).join('|')})(?![a-z])`),
]);

/** The first word of the list in a text whose tokens are `CELL`, and what it would claim; null where there is none. */
export function reviewedWordIn(text: string): { word: string; what: string } | null {
  for (const form of readings(text)) {
    for (const [what, pattern] of PATTERNS) {
      const [word] = pattern.exec(form) ?? [];
      if (word !== undefined) return { word, what };
    }
    const word = numberWordIn(form.match(/[a-z]+|￼/g) ?? [], CELL);
    if (word !== null) return { word, what: 'number' };
  }
  const word = romanNumberIn(text);
  return word === null ? null : { word, what: 'number' };
}

/** The text as it can be read: dashes as spaces, words closed over marks inside them, letters set apart joined. */
function readings(text: string): string[] {
  const closed = text.replaceAll(/(?<=\p{L})[\p{Pd}.'’_*/]+(?=\p{L})/gu, '');
  const joined = text.replaceAll(/(?<!\p{L})(?:\p{L}[ .]){2,}\p{L}(?!\p{L})/gu, (letters) =>
    letters.replaceAll(/[ .]/g, ''),
  );
  return [...new Set([text, closed, joined].map(folded))];
}

function phrasePattern(phrase: string): string {
  return phrase.replaceAll('*', '[a-z]*').replaceAll(' ~ ', "(?: [a-z']+){0,2} ");
}
