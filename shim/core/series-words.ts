/**
 * The words by which series are found: those of every code, name, label and unit of the directory, and what a word of a query
 * means among them. A word that is known means itself, its singular and plural, and what it is a common name of. Only an unknown
 * word is taken for the beginning of another, and only one that begins none for a misspelling.
 *
 * Header of the index: `words` and `joined` (names of several words, written as one), by code units. Columns: the names of a
 * word are `wordName` from `wordFrom[word]` up to `wordFrom[word + 1]`, `wordPrinted` is 1 for a word that datasets print (not
 * only a name in another language), `joinedName` is the name of each of `joined`. A name is one code, name or label of a value:
 * `nameColumn` (a position in COLUMNS), `nameValue` (the number of the value there), and `nameLength` (see `tellingLength`).
 */
import { firstPosition } from './series.ts';
import type { SeriesDirectory } from './series-directory.ts';
import { editDistance, mostSlips, spelling, telling, type TermPair } from './words.ts';

/** The columns of the directory whose values are found by words; pages are found too where a directory has any. */
export const COLUMNS = ['indicator', 'geo', 'category', 'subgroup', 'unit', 'page'] as const;

/** Stop words, which say nothing about a series, in some of the languages of the names; spelled as the words of a query are read. */
const UNSAID: ReadonlySet<string> = new Set(
  [
    'a about all an and any are as at by can countries country data did do does figures find for from get give had has have how',
    'i in into is it its list many me much of on or over per please series show statistics stats than that the their',
    'there these this to trend trends was were what when where which who with world worldwide',
    'aus con da das de del dem den der des di die do dos du e ein eine el en et fur im la las le les los mit nel',
    'para per por pour sur und un una y',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a word says something about a series: it is not a stop word. */
export function isSaid(word: string): boolean {
  return !UNSAID.has(word);
}

/** Whether a word is a year. */
export function isYear(word: string): boolean {
  return /^(19|20|21)[0-9]{2}$/.test(word);
}

/** The number of words of a name that are neither stop words nor common to many labels, at least 1. */
export function tellingLength(words: string[]): number {
  return Math.max(1, telling(words).filter(isSaid).length);
}

/** The words of a directory. */
export interface Words {
  /** All words by code units. */
  list: readonly string[];
  /** The names that have a word; with `other`, without place codes, which have no singular or plural. */
  namesOf(word: string, other?: boolean): number[];
  /** The names of several words that equal the text when written as one word. */
  joinedAs(text: string): number[];
  printed: readonly string[];
  /** Common names of goods and subjects, without stop words, and the words that labels use for each. */
  common: ReadonlyMap<string, readonly string[]>;
}

const GEO = COLUMNS.indexOf('geo');

/** The most letters of a place code. */
const CODE = 3;

/** Reads the words of a directory; `terms` are common names, each with the words that labels use. */
export function readWords(
  { words: list, joined, column }: SeriesDirectory,
  terms: readonly TermPair[],
): Words {
  const [from, name, joinedName] = [column('wordFrom'), column('wordName'), column('joinedName')];
  const [isPrinted, columnOf] = [column('wordPrinted'), column('nameColumn')];
  const common = new Map<string, string[]>();
  for (const [given, used] of terms) {
    const said = given.split(' ').filter(isSaid).join(' ');
    common.set(said, [...new Set([...(common.get(said) ?? []), ...used])]);
  }
  return {
    list,
    namesOf(word, other) {
      const at = firstPosition(0, list.length, (position) => (list[position] ?? '') >= word);
      const names = list[at] === word ? [...name.subarray(from[at] ?? 0, from[at + 1] ?? 0)] : [];
      return names.filter((each) => !other || word.length > CODE || columnOf[each] !== GEO);
    },
    joinedAs: (text) => [
      ...joinedName.subarray(
        ...range(
          joined,
          (each) => each >= text,
          (each) => each > text,
        ),
      ),
    ],
    printed: list.filter((_, at) => isPrinted[at] === 1),
    common,
  };
}

/** The range from the first text where `begins` holds to the first where `ends` does; each holds for all later texts too. */
function range(
  sorted: readonly string[],
  begins: (text: string) => boolean,
  ends: (text: string) => boolean,
): [from: number, to: number] {
  const from = firstPosition(0, sorted.length, (at) => begins(sorted[at] ?? ''));
  return [from, firstPosition(from, sorted.length, (at) => ends(sorted[at] ?? ''))];
}

/** A name that words of a query mean. */
export interface Meaning {
  name: number;
  /** The words of the query, by position. */
  asked: number[];
  /** How many words of the name they stand for. */
  words: number;
  /** How sure it is, up to 1. */
  closeness: number;
}

/** The meanings of the words of a query. */
export interface Understood {
  meanings: Meaning[];
  /** Words that were read as others, in the order in which they were understood. */
  readAs: { given: string; read: string[] }[];
  /** Positions of words that were not understood. */
  unknown: number[];
}

/** How sure a meaning is, by the kind of match; it is less by `further` for each further word that a common name stands for. */
const CLOSENESS = { same: 1, other: 0.95, common: 0.9, further: 0.05, beginning: 0.8, slip: 0.7 };

/** The same for a longer word while the word being typed is one already: "ice" may become "Iceland". */
const LONGER = 0.65;

/** The most words of a common name. */
const MOST_NAME_WORDS = 4;

/** Finds what each of these words means. While it is being typed, the last may be the beginning of another word although it is one. */
export function understand(words: Words, asked: readonly string[], isBeingWritten = false): Understood {
  const meanings: Meaning[] = [];
  const readAs: Understood['readAs'] = [];
  const found = new Set<number>();
  const add = (names: readonly number[], at: number[], facts: Pick<Meaning, 'words' | 'closeness'>): void => {
    for (const name of names) meanings.push({ name, asked: at, ...facts });
    if (names.length > 0) for (const position of at) found.add(position);
  };
  for (const [at, word] of asked.entries())
    for (const form of formsOf(word))
      add(words.namesOf(form, form !== word), [at], {
        words: 1,
        closeness: form === word ? CLOSENESS.same : CLOSENESS.other,
      });
  const own = new Set(found);

  for (const [from, to] of runsOf(asked.length, MOST_NAME_WORDS)) {
    const at = positions(from, to);
    const given = asked.slice(from, to).join(' ');
    const used = formsOf(given).flatMap((form) => words.common.get(form) ?? []);
    const read = [...new Set(used)].filter((text, place) => {
      const all = spelling(text).words;
      const names = namesWith(words, all);
      add(names, at, { words: all.length, closeness: CLOSENESS.common - CLOSENESS.further * place });
      return names.length > 0;
    });
    if (read.length > 0 && at.some((position) => !own.has(position))) readAs.push({ given, read });
  }
  for (const [from, to] of runsOf(asked.length, 2))
    add(words.joinedAs(asked.slice(from, to).join('')), positions(from, to), {
      words: Infinity,
      closeness: CLOSENESS.same,
    });

  for (const [at, word] of asked.entries()) {
    const isLast = isBeingWritten && at === asked.length - 1;
    if (found.has(at) && !isLast) continue;
    const beginnings = beginningWith(words.list, word, isLast ? LEAST_WRITTEN : LEAST_LETTERS);
    const closeness = found.has(at) && word.length > LEAST_WRITTEN ? LONGER : CLOSENESS.beginning;
    for (const form of beginnings) add(words.namesOf(form), [at], { words: 1, closeness });
    if (beginnings.length > 0 && !isLast) {
      const printed = words.printed.filter((form) => form.startsWith(word));
      readAs.push({ given: word, read: [...new Set([...printed, ...beginnings])] });
    }
    if (found.has(at)) continue;
    // Numbers are not corrected.
    const slips = /\p{N}/u.test(word) ? [] : closestTo(words.list, word, mostSlips);
    for (const form of slips) add(words.namesOf(form), [at], { words: 1, closeness: CLOSENESS.slip });
    if (slips.length > 0) readAs.push({ given: word, read: slips });
  }
  return { meanings, readAs, unknown: [...asked.keys()].filter((at) => !found.has(at)) };
}

function positions(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Every run of up to `most` consecutive words, as [from, to). */
function* runsOf(count: number, most: number): Generator<[from: number, to: number]> {
  for (let from = 0; from < count; from += 1)
    for (let to = from + 1; to <= Math.min(count, from + most); to += 1) yield [from, to];
}

/** A word, and the words it may be the singular or plural of. */
function formsOf(word: string): string[] {
  const forms = [word, `${word}s`, `${word}es`];
  if (word.length > 3 && word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.length > 4 && word.endsWith('es')) forms.push(word.slice(0, -2));
  return forms;
}

/** The names that have all these words, in singular or plural. */
function namesWith(words: Words, all: readonly string[]): number[] {
  const [first = new Set<number>(), ...others] = all.map(
    (word) => new Set(formsOf(word).flatMap((form) => words.namesOf(form, form !== word))),
  );
  return [...first].filter((name) => others.every((names) => names.has(name)));
}

/** The fewest letters that are taken for the beginning of a word: fewer begin too many words. */
const LEAST_LETTERS = 3;
/** The same for a word that is still being typed. */
const LEAST_WRITTEN = 2;

function beginningWith(list: readonly string[], word: string, least: number): string[] {
  if (word.length < least) return [];
  const isAfter = (each: string): boolean => each > word && !each.startsWith(word);
  return list.slice(...range(list, (each) => each >= word, isAfter));
}

/** The printed words closest to an unknown one, the closest first, three at most. */
export function wordsLike({ printed }: Words, word: string): string[] {
  return closestTo(printed, word, (letters) => Math.min(3, Math.ceil(letters / 3))).slice(0, 3);
}

/** The words at the smallest edit distance, where that is at most `mostOf` the letters of the shorter word. */
function closestTo(list: readonly string[], word: string, mostOf: (letters: number) => number): string[] {
  let least = Infinity;
  let closest: string[] = [];
  const [begin, end] = [word.codePointAt(0), word.at(-1)];
  for (const known of list) {
    // As in editDistance: hardly any misspelling changes both the first and the last letter.
    if (known.codePointAt(0) !== begin && known.at(-1) !== end) continue;
    const most = Math.min(mostOf(Math.min(word.length, known.length)), least);
    if (most === 0 || Math.abs(known.length - word.length) > most) continue;
    const letters = editDistance(word, known, most);
    if (letters > most) continue;
    if (letters < least) closest = [];
    least = letters;
    closest.push(known);
  }
  return closest;
}
