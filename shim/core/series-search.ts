/**
 * Which series a query in words means: those in whose codes, names, labels and unit every word is found. It is pure, so a
 * search box in a browser finds what the service finds. Nothing is guessed silently: a word that is not understood selects
 * nothing, and a note names every word that was read as another.
 */
import type { RowTest, SeriesDirectory } from './series-directory.ts';
import { COLUMNS, isSaid, isYear, understand, wordsLike, readWords } from './series-words.ts';
import type { Meaning, Understood, Words } from './series-words.ts';
import { closestHint, spelling, termPairs } from './words.ts';

/** The most words a query may have. */
export const MOST_WORDS = 24;

/** The result of a query: rows of the directory, best first, and notes on how it was read. */
export interface Found {
  rows: readonly number[];
  notes: string[];
}

/** A search over one directory. */
export interface Search {
  /** The rows among those selected that the words of a query mean. */
  find(query: string, isSelected: RowTest): Found;
  /** Places that a text may mean, each as `BEL (Belgium)`, the likeliest first. */
  placesLike(text: string): string[];
}

/** Prepares the search over a directory: its words are read once. */
export function searchOf(directory: SeriesDirectory): Search {
  const words = readWords(directory, termPairs());
  const find: Search['find'] = (query, isSelected) => {
    const { asked, leftOut, readAs, unknown, covers } = readingOf(directory, words, query);
    const known = allOf(asked.length) & ~maskOf(unknown);
    const rows = unknown.length > 0 ? [] : ranked(directory, covers, asked.length, isSelected);
    const count = (mask: number, test: RowTest): number => matching(directory, covers, mask, test).length;
    const notes = [
      ...leftOut.map(
        (word) =>
          `${inQuotes(word)} was left out: words do not select periods. See firstPeriod and lastPeriod, and "from" and "to" of market-observations.`,
      ),
      ...readAs.map(readAsNote),
      ...unknown.map((at) => unknownNote(words, asked[at] ?? '')),
    ];
    if (rows.length > 0) return { rows, notes };
    if (unknown.length > 0) {
      const left = known === 0 ? 0 : count(known, isSelected);
      const others = asked.filter((_, at) => !unknown.includes(at));
      if (left > 0) notes.push(`The other words match ${left} series: query=${others.join(' ')}`);
      return { rows, notes };
    }
    const unfiltered = count(known, () => true);
    notes.push(
      unfiltered > 0
        ? `No series matches the words and the other filters; ${unfiltered} match the words alone.`
        : `Each word is known, but no series has all of them. ${withoutEach(asked, (at) => count(known & ~(1 << at), isSelected))}`,
    );
    return { rows, notes };
  };
  return { find, placesLike: (text) => placesLike(directory, words, text) };
}

/** A query as understood with the words of a directory. */
export interface Reading extends Pick<Understood, 'readAs' | 'unknown'> {
  /** Words of the query, without stop words and years. */
  asked: string[];
  /** Years of the query that no name has, where it has other words. */
  leftOut: string[];
  covers: Cover[];
}

/** Reads a query; while it is being typed, its last word may be the beginning of one. A query of too many words means nothing. */
export function readingOf(
  directory: SeriesDirectory,
  words: Words,
  query: string,
  isBeingWritten = false,
): Reading {
  const said = askedWords(query, words);
  const { asked } = said;
  if (asked.length > MOST_WORDS) return { ...said, unknown: [], covers: [] };
  const { meanings, readAs, unknown } = understand(words, asked, isBeingWritten);
  const covers = coversOf(directory, meanings, asked.length);
  return { ...said, readAs: [...said.readAs, ...readAs], unknown, covers };
}

/** The values of one column that have all words of a query, best first, each with its average score per word. */
export function valuesOf(
  { covers, asked }: Pick<Reading, 'covers' | 'asked'>,
  column: Cover['name'],
): { value: number; score: number }[] {
  const cover = covers.find(({ name }) => name === column);
  if (!cover) return [];
  const { masks, scores } = cover;
  const scoreOf = (value: number): number =>
    scores.subarray(value * asked.length, (value + 1) * asked.length).reduce((sum, one) => sum + one, 0);
  return [...masks.keys()]
    .filter((value) => masks[value] === allOf(asked.length))
    .map((value) => ({ value, score: scoreOf(value) / asked.length }))
    .sort((a, b) => b.score - a.score);
}

function placesLike(directory: SeriesDirectory, words: Words, text: string): string[] {
  const [geoOf, nameOf] = [directory.column('geo'), directory.column('geoName')];
  return valuesOf(readingOf(directory, words, text), 'geo').map(({ value }) => {
    const name = directory.geoNames[nameOf[geoOf.indexOf(value)] ?? 0] ?? '';
    return `${directory.geos[value] ?? ''} (${name})`;
  });
}

/** Short forms of units that are spelled like codes of places. */
const UNITS = new Map([
  ['kg', 'kilogram'],
  ['ml', 'millilitre'],
]);

/**
 * The words of a query, without years and stop words. A stop word in capitals among words that are not is a code and stays: it is
 * left out of "per gram", and not of "cocaine PER". In the same way the short form of a unit beside other words is that unit,
 * unless a label has it.
 */
function askedWords(query: string, words: Words): Pick<Reading, 'asked' | 'leftOut' | 'readAs'> {
  const spelled = (query.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((text) =>
    spelling(text).words.map((word) => ({ word, isCapital: text === text.toUpperCase() })),
  );
  const isMixed = spelled.some(({ word, isCapital }) => !isCapital && !/^\p{N}/u.test(word));
  const readAs: Reading['readAs'] = [];
  for (const one of spelled) {
    const { word, isCapital } = one;
    const unit = UNITS.get(word);
    if (unit && spelled.length > 1 && !(isCapital && isMixed) && words.namesOf(word, true).length === 0) {
      one.word = unit;
      readAs.push({ given: word, read: [unit] });
    }
  }
  const isKnown = (word: string): boolean => words.namesOf(word).length > 0;
  const said = spelled.filter(
    ({ word, isCapital }) => isSaid(word) || (isCapital && isMixed && isKnown(word)),
  );
  const asked = [...new Set((said.length > 0 ? said : spelled).map(({ word }) => word))];
  const isLeftOut = (word: string): boolean => isYear(word) && !isKnown(word);
  const others = asked.filter((word) => !isLeftOut(word));
  return others.length > 0
    ? { asked: others, leftOut: asked.filter(isLeftOut), readAs }
    : { asked, leftOut: [], readAs };
}

/** How the values of one column cover the words of a query. */
export interface Cover {
  name: (typeof COLUMNS)[number];
  column: Uint32Array;
  /** The words that each value covers, a bit each. */
  masks: Uint32Array;
  /** How well each value has each word: for each value, a number for each word. */
  scores: Float64Array;
}

/** The column of pages: no row has one, so every look-up gives 0, which means none. */
const NO_ROWS = new Uint32Array();

/** Added to the score of a whole name, and in proportion to that of a part. */
const WHOLE = 0.2;

/** The covers of those COLUMNS whose values have any word of the query. */
function coversOf(directory: SeriesDirectory, meanings: readonly Meaning[], asked: number): Cover[] {
  const { indicators, geos, categories, subgroups, units, pages = [], column } = directory;
  const sizes = [indicators, geos, categories, subgroups, units, pages].map(({ length }) => length + 1);
  const covers = COLUMNS.map((name, at): Cover => {
    const values = sizes[at] ?? 0;
    return {
      name,
      column: name === 'page' ? NO_ROWS : column(name),
      masks: new Uint32Array(values),
      scores: new Float64Array(values * asked),
    };
  });
  const found = new Map<number, { words: number; closeness: number[] }>();
  for (const { name, asked: at, words, closeness } of meanings) {
    const known = found.get(name) ?? { words: 0, closeness: [] };
    found.set(name, known);
    if (at.some((position) => known.closeness[position] === undefined)) known.words += words;
    for (const position of at)
      known.closeness[position] = Math.max(known.closeness[position] ?? 0, closeness);
  }
  const [columnOf, valueOf, lengthOf] = [column('nameColumn'), column('nameValue'), column('nameLength')];
  for (const [name, { words, closeness }] of found) {
    const cover = covers[columnOf[name] ?? 0];
    const value = valueOf[name] ?? 0;
    const whole = WHOLE * Math.min(1, words / (lengthOf[name] ?? 1));
    for (const [at, close] of closeness.entries()) {
      if (!cover || close === undefined) continue;
      cover.masks[value] = (cover.masks[value] ?? 0) | (1 << at);
      cover.scores[value * asked + at] = Math.max(cover.scores[value * asked + at] ?? 0, close + whole);
    }
  }
  return covers.filter(({ masks }) => masks.some((mask) => mask !== 0));
}

function maskOf(positions: readonly number[]): number {
  return positions.reduce((mask, at) => mask | (1 << at), 0);
}

/** The mask that has a bit for each of `count` words. */
export function allOf(count: number): number {
  return 2 ** count - 1;
}

/** The rows whose values cover all words of a mask, ascending. */
export function matching(
  { rows }: SeriesDirectory,
  covers: readonly Cover[],
  mask: number,
  test: RowTest,
): number[] {
  const found: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    let covered = 0;
    for (const { column, masks } of covers) covered |= masks[column[row] ?? 0] ?? 0;
    if ((covered & mask) === mask && test(row)) found.push(row);
  }
  return found;
}

/** The rows that have all words, by their `rowScore`, best first. */
function ranked(
  directory: SeriesDirectory,
  covers: readonly Cover[],
  asked: number,
  test: RowTest,
): number[] {
  const rows = matching(directory, covers, allOf(asked), test);
  const scores = rows.map((row) => Math.round(rowScore(covers, asked, row) * 1e6));
  const groups = [...new Set(scores)].sort((a, b) => b - a);
  if (groups.length < 2) return rows;
  const groupOf = new Map(groups.map((score): [number, number[]] => [score, []]));
  for (const [at, row] of rows.entries()) groupOf.get(scores[at] ?? 0)?.push(row);
  return [...groupOf.values()].flat();
}

/** The sum, over the words, of the best score that any value of the row has for the word. */
export function rowScore(covers: readonly Cover[], asked: number, row: number): number {
  let sum = 0;
  for (let at = 0; at < asked; at += 1) {
    let best = 0;
    for (const { column, scores } of covers)
      best = Math.max(best, scores[(column[row] ?? 0) * asked + at] ?? 0);
    sum += best;
  }
  return sum;
}

/** The most words named in a note that a word was read as others. */
const MOST_READ = 6;

/** The note that a word was read as others. */
export function readAsNote({ given, read }: Understood['readAs'][number]): string {
  const more = read.length > MOST_READ ? ` and ${read.length - MOST_READ} more` : '';
  return `${inQuotes(given)} was read as ${listed(read.slice(0, MOST_READ))}${more}.`;
}

/** The note that a word is not known, with the known words closest to it. */
export function unknownNote(words: Words, word: string): string {
  // Labels may contain stop words, but these are not indexed.
  if (!isSaid(word)) return `${inQuotes(word)} is not understood: it says nothing of a series by itself.`;
  const closest = closestHint(wordsLike(words, word).map(inQuotes));
  return `${inQuotes(word)} is not understood: it is in no code, name, label or unit${closest}.`;
}

function withoutEach(asked: readonly string[], countWithout: (at: number) => number): string {
  const counts = asked.slice(0, 8).map((word, at) => ({ word, count: countWithout(at) }));
  const some = counts.filter(({ count }) => count > 0 && asked.length > 1);
  if (some.length === 0) return 'Use fewer words.';
  return `Series without one word: ${some.map(({ word, count }) => `${count} without ${inQuotes(word)}`).join(', ')}.`;
}

function listed(texts: readonly string[]): string {
  return texts.map(inQuotes).join(', ');
}

/** A word of a query as messages show it: it has letters and digits alone. */
export function inQuotes(word: string): string {
  return `"${word}"`;
}
