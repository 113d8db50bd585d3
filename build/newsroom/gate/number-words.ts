/**
 * Numbers in words, which belong into tokens. A word is one when it is put together of number parts alone (`twentyfive`,
 * `sixths`, `eightfold`, `nineties`), so that no list of them is needed. "One", "first" and "second" point and are not refused.
 */
import { isMeasure } from './measures.ts';

const PARTS = [
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  '(?:thir|four|fif|six|seven|eigh|nine|ump)?teen',
  '(?:twen|thir|fou?r|fif|six|seven|eigh|nine)t(?:y|ies|ieth)',
  'third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth',
  'hundred|thousand|[a-z]*illion|milliard|lakh|crore|dozen|myriad',
].join('|');
const NUMBER = new RegExp(`^(?:one|a)?(?:${PARTS})+(?:e?s|ths?|folds?|somes?|ish|odd|aires?|scores?)?$`);

/** Words that say a multiple, a part, a span of years or nothing at all. */
const AMOUNT =
  /^(?:(?:re)?doubl|tripl|trebl|(?:quadr|quint|sext|sept|oct|non|dec|cent)upl|halv|decad|centur|millenni|nought|naught)[a-z]*$|^(?:half|halfway|quarter(?:s|ed|ing)?|twice|thrice|twain|fortnight(?:s|ly)?|nil|zilch|nada|trios?|quartets?|quintets?)$/;

/** The numbers of the languages next to these records: Spanish, Portuguese, French, German. */
const FOREIGN =
  /^(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|[dt]oce|trece|catorce|quince|dieci[a-z]*|veint[a-z]*|(?:tre|cuare|cincue|sese|sete|oche|nove)nt[ae]|cien|[a-z]*cient[oa]s?|mil|millon(?:es)?|mitad|tercios?|dois|duas|quatro|sete|oito|nove|dez|doze|treze|quinze|vinte|(?:tri|quare|cinque|sesse|oite)nta|cem|metade|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|vingts?|(?:tre|quara|cinqua|soixa)nte|mille|moitie|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|zwolf|[a-z]+zehn|(?:zwan|vier|funf|sech|sieb|acht|neun)zig|dreissig|hundert|tausend|halb)$/;

/** `zero` is a number unless the word itself is spoken of or denied: "a zero", "never zero". */
const DENIED = new Set(['a', 'the', 'no', 'not', 'never', 'nor']);

/** Letters that count the Roman way: of I, V and X in any case, of all seven in capitals or where they are many. */
const ROMAN = /^(?=[IVX]{2}|[VX]$|[IVXLCDM]{3})M*(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/i;

/** The first number among folded words, or null; `cell` is the mark that stands for a token. */
export function numberWordIn(words: string[], cell: string): string | null {
  for (const [position, word] of words.entries()) {
    const [before = '', next = '', after = ''] = [
      words[position - 1],
      words[position + 1],
      words[position + 2],
    ];
    if (NUMBER.test(word) || AMOUNT.test(word) || FOREIGN.test(word)) return word;
    if (/^zero(?:e?s|e?d|th)$/.test(word) || (word === 'zero' && !DENIED.has(before))) return word;
    if (/^(?:couples?|pairs?)$/.test(word) && next === 'of') return word;
    if (word === 'one' && (isMeasure(next) || isShare(next, after, cell))) return `one ${next}`;
  }
  return null;
}

/** The first number of Roman letters in a text as written, or null. */
export function romanNumberIn(text: string): string | null {
  const words = text.match(/\p{L}+/gu) ?? [];
  return (
    words.find(
      (word) =>
        ROMAN.test(word) && (/^(?:[IVX]+|[ivx]{2,}|[ivxlcdm]{4,})$/.test(word) || !/[a-z]/.test(word)),
    ) ?? null
  );
}

/** "One in ten", "one out of every". */
function isShare(next: string, after: string, cell: string): boolean {
  return (next === 'in' && (after === cell || after === 'every' || after === 'each')) || next === 'out';
}
