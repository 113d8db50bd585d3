/**
 * Text as the reviewed lists read it: letters of English alone, so that an accent, a case or a dash hides no word.
 * Stories are English: a letter that does not fold to a to z is none a story may use.
 */

import { fold } from '../../../shim/core/names.ts';

/** Letters that no decomposition takes apart. */
const WHOLE_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** The text in small letters without accents; white space and dashes are one space, quotes straight. */
export function folded(text: string): string {
  return fold(text.normalize('NFKC'))
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[\s\p{Pd}]+/gu, ' ');
}

/** The folded words of a text. */
export function foldedWords(text: string): string[] {
  return folded(text).match(/[a-z]+/g) ?? [];
}

/** The first character a story may not use, or null: it has Latin letters, accents of theirs, spaces and common punctuation. */
export function foreignCharacter(text: string): string | null {
  for (const character of text.normalize('NFC')) {
    if (/[ .,;:!?'"‘’“”()[\]\-–—/&*_…{}]/u.test(character) || /\p{N}/u.test(character)) continue;
    const isLetter = /\p{L}/u.test(character) && character.normalize('NFKC') === character;
    if (!isLetter || !/^[a-z]+$/.test(folded(character))) return character;
  }
  return null;
}
