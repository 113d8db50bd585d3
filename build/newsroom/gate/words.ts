/**
 * Text as the word lists read it. Stories are English: everything is folded to the letters a to z, so that no accent, case,
 * dash or space hides a word. All lists are in ../words.yaml, which says how a phrase is written.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { validator } from '../../../shim/core/schema.ts';
import { plainLetters } from '../../../shim/core/words.ts';
import listsSchema from '../content/words.schema.json' with { type: 'json' };

/** What replaces a token while its sentence is read: a mark that is not a letter, digit or space. */
export const CELL = '￼';

/** The text of a story in small, plain letters without accents; white space and dashes are one space, quotes straight. */
export function folded(text: string): string {
  return plainLetters(text)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[\s\p{Pd}]+/gu, ' ');
}

/** The same with one space between words, whatever separates them in print: `point_of-sale`, `pointOfSale`. */
export function foldedWords(text: string): string {
  const separated = text.normalize('NFKC').replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return folded(separated)
    .replaceAll(/[\s_/]+/gu, ' ')
    .trim();
}

/** The words of a text, folded to plain letters. */
export function plainWords(text: string): string[] {
  return folded(text).match(/[a-z]+/g) ?? [];
}

/** The content of words.yaml; each text is phrases between commas. */
interface Lists extends Record<'measures' | 'quantities' | 'places' | 'articles' | 'particles', string> {
  approximations: Record<'before' | 'after', string>;
  beside: Record<'before' | 'after' | 'year', string>;
  spellings: Record<string, string>;
  claims: Record<string, string>;
  lanes: Record<string, string>;
}

const LISTS = readLists();

function readLists(): Lists {
  const found: unknown = parse(readFileSync(new URL('../words.yaml', import.meta.url), 'utf8'));
  const [fault] = validator(listsSchema)(found) ?? [];
  if (fault) throw new Error(`build/newsroom/words.yaml: ${fault.instancePath} ${fault.message ?? ''}`);
  return found as Lists;
}

function phrasesOf(list: string): string[] {
  return list.split(',').map((phrase) => phrase.trim());
}

const wholeWords = (pattern: string): RegExp => new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`);

function patternOf(list: string): RegExp {
  const phrases = phrasesOf(list).map((phrase) =>
    phrase.replaceAll('*', '[a-z]*').replaceAll(' ~ ', "(?: [a-z']+){0,2} "),
  );
  return wholeWords(phrases.join('|'));
}

/** Parts of number words: a word made of them alone is a number (`twentyfive`, `sixths`, `eightfold`, `nineties`). */
const PARTS = [
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  '(?:thir|four|fif|six|seven|eigh|nine|ump)?teen',
  '(?:twen|thir|fou?r|fif|six|seven|eigh|nine)t(?:y|ies|ieth)',
  'third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth',
  'hundred|thousand|[a-z]*illion|milliard|lakh|crore|dozen|myriad',
].join('|');

/** "One", "first" and "second" may be used to point at something; "one tonne" and "one in ten" are numbers. */
const ONE = `one[^a-z${CELL}]+(?:${phrasesOf(LISTS.measures).join('|')}|out|in[^a-z${CELL}]+(?:every|each|${CELL}))`;

/** Words no story may use, by what they claim. */
const CLAIMS: [what: string, pattern: RegExp][] = [
  ...Object.entries(LISTS.claims).map(([what, list]): [string, RegExp] => [what, patternOf(list)]),
  ['number', wholeWords(`(?:one|a)?(?:${PARTS})+(?:e?s|ths?|folds?|somes?|ish|odd|aires?|scores?)?`)],
  // Unless the word itself is meant or denied: "a zero", "never zero".
  ['number', wholeWords(`(?<!(?<![a-z])(?:a|the|no|not|never|nor)[^a-z${CELL}]+)zero`)],
  ['number', wholeWords(ONE)],
];

/** Roman numerals: of I, V and X in either case; of all seven letters in capitals, or in small letters if there are four or more. */
const ROMAN = /^(?=[IVX]{2}|[VX]$|[IVXLCDM]{3})M*(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/i;
const ROMAN_CASES = /^(?:[IVX]+|[ivx]{2,}|[ivxlcdm]{4,}|[^a-z]+)$/;

const PLACE = patternOf(LISTS.places);

/** A unit, currency or magnitude: next to a number it makes another quantity of it. */
export const MEASURE = new RegExp(`^(?:${phrasesOf(LISTS.measures).join('|')})$`);

/** Words that change the number after them, also with "the" between, or the number before them. */
export const APPROXIMATIONS = {
  before: new RegExp(
    `(?<![a-z])(?:${phrasesOf(LISTS.approximations.before).join('|')})(?: (?:the|an?|its|of|that))*[.,;:"')\\]]*$`,
  ),
  after: new RegExp(`^(?:${phrasesOf(LISTS.approximations.after).join('|')})(?![a-z])`),
};

/** Words that may be next to a value: before it, after it, and more of them before a year. */
export const BESIDE = {
  before: new Set(phrasesOf(LISTS.beside.before)),
  after: new Set(phrasesOf(LISTS.beside.after)),
  year: new Set(phrasesOf(LISTS.beside.year)),
};

/** A unit in plain words and what else may be written for it. */
export function spellingsOf(unit: string): string[] {
  const other = LISTS.spellings[unit];
  const share = unit.includes('percent') ? ['percent'] : [];
  return [unit, ...(other === undefined ? share : phrasesOf(other))];
}

const LANES = Object.entries(LISTS.lanes).map(([lane, list]): [string, RegExp] => [lane, patternOf(list)]);

const SUBJECTS = new RegExp(patternOf(`${LISTS.lanes['drugs'] ?? ''}, ${LISTS.quantities}`), 'g');

/** The first word of a list in a text whose tokens are `CELL`, and what it claims; null where there is none. */
export function claimIn(text: string): { word: string; what: string } | null {
  for (const reading of readings(text))
    for (const [what, pattern] of CLAIMS) {
      const [word] = pattern.exec(reading) ?? [];
      if (word !== undefined) return { word, what };
    }
  const numeral = (text.match(/\p{L}+/gu) ?? []).find((word) => ROMAN.test(word) && ROMAN_CASES.test(word));
  return numeral === undefined ? null : { word: numeral, what: 'number' };
}

/** The lanes that the words of a text speak of, with the first word of each. */
export function lanesIn(text: string): { lane: string; word: string }[] {
  const forms = readings(text);
  return LANES.flatMap(([lane, pattern]) => {
    const [word] = forms.flatMap((form) => pattern.exec(form)?.[0] ?? []);
    return word === undefined ? [] : [{ lane, word }];
  });
}

/** The names of drugs and of quantities in a text, folded. */
export function subjectsIn(text: string): string[] {
  return folded(text).match(SUBJECTS) ?? [];
}

/** Whether a text names a place finer than a story may. */
export function namesPlace(text: string): boolean {
  return readings(text).some((reading) => PLACE.test(reading));
}

/** The ways to read a text: dashes as spaces; words joined over marks in them and over a hyphen at the end of a line; spaced letters joined. */
export function readings(text: string): string[] {
  const closed = text.replaceAll(/(?<=\p{L})(?:[\p{P}*&+]+|\p{Pd} )(?=\p{L})/gu, '');
  const joined = text.replaceAll(/(?<!\p{L})(?:\p{L}[\p{P}&\s]{1,3}){2,}\p{L}(?!\p{L})/gu, (letters) =>
    letters.replaceAll(/\P{L}/gu, ''),
  );
  return [...new Set([text, closed, joined].map(folded))];
}

const PARTICLES = new Set(phrasesOf(LISTS.particles));

const WITH_ARTICLE = wholeWords(phrasesOf(LISTS.articles).join('|'));

/** The first name with a Spanish article that is not on the list, as nicknames are; null where there is none. */
export function nicknameIn(text: string): string | null {
  const names = text.match(/(?<!\p{L})(?:El|La)\s+\p{Lu}\p{L}+/gu) ?? [];
  return names.find((name) => !WITH_ARTICLE.test(folded(name))) ?? null;
}

/**
 * Finds two words in a text that name a designated individual; null where there are none. The official names are written
 * `FAMILY NAMES, Given Names`: any given name with any family name, in either order, is a match, and so are two family
 * names in their order; other words of a name can be between them. A family name alone is not taken for a person's.
 */
export function individualFinder(names: string[]): (text: string) => string | null {
  const pairs = new Set<string>();
  for (const name of names) {
    const [families, givens] = name.split(',', 2).map(nameWords);
    for (const [at, one] of (families ?? []).entries()) {
      for (const other of givens ?? []) pairs.add(`${one} ${other}`).add(`${other} ${one}`);
      for (const other of families?.slice(at + 1) ?? []) pairs.add(`${one} ${other}`);
    }
  }
  return (text) => {
    // A nickname in quotes or brackets between given and family name hides neither.
    const forms = [text, text.replaceAll(/[“"‘'([][^”"’')\]]*[”"’')\]]/g, ' ')];
    const next = forms.flatMap(readings).flatMap((form) => pairsOf(nameWords(form), 1));
    const apart = forms.flatMap(namesIn).flatMap((name) => pairsOf(nameWords(name), MOST_NAMES));
    return [...next, ...apart].find((pair) => pairs.has(pair)) ?? null;
  };
}

/** How many words after its first one the second word of a name may be. */
const MOST_NAMES = 6;

function pairsOf(words: string[], most: number): string[] {
  return words.flatMap((word, at) => words.slice(at + 1, at + 1 + most).map((other) => `${word} ${other}`));
}

/** Possible names in a text: words with a capital, initials and particles next to each other. */
function namesIn(text: string): string[] {
  const names = [''];
  for (const word of text.split(/[\s\p{Pd}]+/u)) {
    const [letters = ''] = /\p{L}.*$/u.exec(word) ?? [];
    if (/^\p{Lu}/u.test(letters) || PARTICLES.has(folded(letters)))
      names.push(`${names.pop() ?? ''} ${word}`);
    else names.push('');
    if (/[,;:!?]/u.test(word)) names.push('');
  }
  return names;
}

/** Finds the official name of a designated organization, of two words or more, in a text; null where there is none. */
export function organizationFinder(names: string[]): (text: string) => string | null {
  const known = new Set(names.map((name) => plainWords(name).join(' ')).filter((name) => name.includes(' ')));
  return (text) => {
    const words = plainWords(text);
    for (const at of words.keys())
      for (let length = 2; length <= 8; length += 1) {
        const name = words.slice(at, at + length).join(' ');
        if (known.has(name)) return name;
      }
    return null;
  };
}

function nameWords(text: string): string[] {
  return plainWords(text).filter((word) => word.length > 1 && !PARTICLES.has(word));
}

/** The first character no story may use, or null where all are Latin letters with accents, digits, spaces and common punctuation. */
export function foreignCharacter(text: string): string | null {
  for (const character of text.normalize('NFC')) {
    if (/[ .,;:!?'"‘’“”()[\]\-–—/&*_…{}]|\p{N}/u.test(character)) continue;
    const isLetter = /\p{L}/u.test(character) && character.normalize('NFKC') === character;
    if (!isLetter || !/^[a-z]+$/.test(folded(character))) return character;
  }
  return null;
}
