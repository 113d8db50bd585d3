/** Texts in the files of the project: white space, lists of words, and the characters that no text may hold. */
import { readFileSync } from 'node:fs';

/** Trims and folds inner white space, so that spellings of a header can be compared. */
export function foldSpace(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** The lines of a list that is kept as a file; blank lines and remarks, which start with `#`, are left out. */
export function listLines(file: URL): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** A letter that belongs to another script than the Latin one. */
const FOREIGN = String.raw`(?![\p{Script=Latin}\p{Script=Common}])\p{L}`;

/** Characters and markup that no text may hold: what cannot be seen cannot be reviewed. */
const CHARACTER_FAULTS: [pattern: RegExp, what: string][] = [
  // Some letters and marks are invisible too, and so is the last one, a symbol.
  [
    /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u,
    'a control, bidirectional or invisible character',
  ],
  // A letter of another script that looks like a Latin one would let a word evade every rule about words.
  [
    new RegExp(String.raw`\p{Script=Latin}\p{M}*${FOREIGN}|${FOREIGN}\p{M}*\p{Script=Latin}`, 'u'),
    'letters of two scripts in one word',
  ],
  [/(?![0-9])\p{Nd}/u, 'digits other than 0 to 9'],
  // `<slug>` and `<folder>` are how column descriptions and commands write a placeholder.
  [/<(?!(?:slug|folder)>)\s*[a-z/!?]|&(#\d+|#x[0-9a-f]+|[a-z]+;)|\bjavascript:/i, 'markup'],
];

/** Names the forbidden character or markup that a text holds; null where there is none. */
export function characterFaultIn(text: string): string | null {
  const plain = text.replaceAll(/[\uFF1C\uFF1E]/gu, (mark) => mark.normalize('NFKC'));
  return CHARACTER_FAULTS.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/** The parts that are not empty, as one text. */
export function joined(parts: readonly string[], between = '; '): string {
  return parts.filter((part) => part !== '').join(between);
}

/** Words as a list in a sentence: `2021, 2023 and 2025`. */
export function listOf(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
