/**
 * Which series a query in words means: those in whose codes, names, labels and unit every word is found. It is pure, so a
 * search box in a browser finds what the service finds. What a query did not say is never filled in: a word that is not
 * understood selects nothing, and each other reading of a word is named.
 */
import { quoted } from './faults.ts';
import type { RowTest, SeriesDirectory } from './series-directory.ts';
import {
  COLUMNS,
  isSaid,
  understand,
  wordsLike,
  readWords,
  type Meaning,
  type Words,
} from './series-words.ts';
import { spelling } from './words.ts';

/** Words that a query may have at most. */
export const MOST_WORDS = 24;

/** What a query found: rows of the directory, best first, and what has to be said about it. */
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
  const words = readWords(directory);
  const find: Search['find'] = (query, isSelected) => {
    const { asked, leftOut } = askedWords(query, words);
    const { meanings, readAs, unknown } = understand(words, asked);
    const covers = coversOf(directory, meanings, asked.length);
    const known = allOf(asked.length) & ~maskOf(unknown);
    const rows = unknown.length > 0 ? [] : ranked(directory, covers, asked.length, isSelected);
    const count = (mask: number, test: RowTest): number => matching(directory, covers, mask, test).length;
    const notes = [
      ...leftOut.map(
        (word) =>
          `${quoted(word)} was left out: words do not select periods. See firstPeriod and lastPeriod, and "from" and "to" of market-observations.`,
      ),
      ...readAs.map(({ given, read }) => `${quoted(given)} was read as ${listed(read)}.`),
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

function placesLike(directory: SeriesDirectory, words: Words, text: string): string[] {
  const { asked } = askedWords(text, words);
  if (asked.length > MOST_WORDS) return [];
  const covers = coversOf(directory, understand(words, asked).meanings, asked.length);
  const cover = covers.find(({ name }) => name === 'geo');
  const [geoOf, nameOf] = [directory.column('geo'), directory.column('geoName')];
  const scoreOf = (position: number): number => {
    const own = cover?.scores.subarray(position * asked.length, (position + 1) * asked.length);
    return own?.reduce((sum, one) => sum + one, 0) ?? 0;
  };
  return [...directory.geos.keys()]
    .filter((position) => cover?.masks[position] === allOf(asked.length))
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .map((position) => {
      const name = directory.geoNames[nameOf[geoOf.indexOf(position)] ?? 0] ?? '';
      return `${directory.geos[position] ?? ''} (${name})`;
    });
}

/**
 * The words of a query without those that say nothing, unless they are codes, in capitals among others that are not: "per gram"
 * and "cocaine PER". Years are left out.
 */
function askedWords(query: string, words: Words): { asked: string[]; leftOut: string[] } {
  const given = (query.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((text) =>
    spelling(text).words.map((word) => ({ word, isCapital: text === text.toUpperCase() })),
  );
  const isMixed = given.some(({ word, isCapital }) => !isCapital && !/^\p{N}/u.test(word));
  const isKnown = (word: string): boolean => words.namesOf(word).length > 0;
  const said = given.filter(({ word, isCapital }) => isSaid(word) || (isCapital && isMixed && isKnown(word)));
  const asked = [...new Set((said.length > 0 ? said : given).map(({ word }) => word))];
  const isYear = (word: string): boolean => /^(19|20|21)[0-9]{2}$/.test(word) && !isKnown(word);
  const others = asked.filter((word) => !isYear(word));
  return others.length > 0 ? { asked: others, leftOut: asked.filter(isYear) } : { asked, leftOut: [] };
}

/** How the values of one column cover the words of a query. */
interface Cover {
  name: (typeof COLUMNS)[number];
  column: Uint32Array;
  /** The words that each value covers, a bit each. */
  masks: Uint32Array;
  /** How well: for each value, a number for each word. */
  scores: Float64Array;
}

/** What a whole name counts more than a part of one. */
const WHOLE = 0.2;

/** One for each of COLUMNS whose values cover any word: a scan looks at no other. */
function coversOf(directory: SeriesDirectory, meanings: readonly Meaning[], asked: number): Cover[] {
  const { indicators, geos, categories, subgroups, units, column } = directory;
  const sizes = [indicators, geos, categories, subgroups, units].map(({ length }) => length + 1);
  const covers = COLUMNS.map((name, at): Cover => {
    const values = sizes[at] ?? 0;
    return {
      name,
      column: column(name),
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

function allOf(count: number): number {
  return 2 ** count - 1;
}

/** The rows whose values cover all words of a mask, ascending. */
function matching(
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

/** The same rows, the best first: the sum, over the words, of how well the best of a row's values has it. */
function ranked(
  directory: SeriesDirectory,
  covers: readonly Cover[],
  asked: number,
  test: RowTest,
): number[] {
  const byScore = new Map<number, number[]>();
  for (const row of matching(directory, covers, allOf(asked), test)) {
    let sum = 0;
    for (let at = 0; at < asked; at += 1) {
      let best = 0;
      for (const { column, scores } of covers)
        best = Math.max(best, scores[(column[row] ?? 0) * asked + at] ?? 0);
      sum += best;
    }
    const score = Math.round(sum * 1e6);
    const same = byScore.get(score);
    if (same) same.push(row);
    else byScore.set(score, [row]);
  }
  return [...byScore].sort(([a], [b]) => b - a).flatMap(([, rows]) => rows);
}

function unknownNote(words: Words, word: string): string {
  const like = wordsLike(words, word);
  const closest = like.length > 0 ? `; closest: ${listed(like)}` : '';
  return `${quoted(word)} is not understood: it is in no code, name, label or unit${closest}.`;
}

function withoutEach(asked: readonly string[], countWithout: (at: number) => number): string {
  const counts = asked.slice(0, 8).map((word, at) => ({ word, count: countWithout(at) }));
  const some = counts.filter(({ count }) => count > 0 && asked.length > 1);
  if (some.length === 0) return 'Use fewer words.';
  return `Series without one word: ${some.map(({ word, count }) => `${count} without ${quoted(word)}`).join(', ')}.`;
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => quoted(text)).join(', ');
}
