/** How texts are read by the gates: one spelling for all the ways of writing it, so that a rule needs no variants; and lists of words. */
import { readFileSync } from 'node:fs';
import { fold } from '../../shim/core/operations/entities.ts';

/** Compatibility forms resolved, lower case, without diacritics: `Ｐuritý` is `purity`. */
export function folded(text: string): string {
  return fold(text.normalize('NFKC'));
}

/** Folded words separated by one space, whatever separates them in print: `point_of-sale`, `pointOfSale`. */
export function foldedWords(text: string): string {
  const separated = text.normalize('NFKC').replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return fold(separated)
    .replaceAll(/[\s_/\-\u2010-\u2015]+/gu, ' ')
    .trim();
}

/** Trims and folds inner white space, so that header spellings compare. */
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
