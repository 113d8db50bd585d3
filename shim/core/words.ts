/** Words of names and labels: how they are ordered, searched, and compared with what a request gave. */
import terms from './terms.json' with { type: 'json' };

/** Lower case without diacritics: how official names are ordered and searched. */
export function fold(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words of a folded text: runs of letters and digits. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A text as it is compared: its words alone, so that case, diacritics, quotation marks, dashes and signs do not matter. */
export interface Spelling {
  text: string;
  /** The words without anything between them. */
  joined: string;
  words: string[];
}

/** Letters that no decomposition turns into plain ones. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ð: 'd',
};
/** A text in lower case and plain letters, without diacritics. */
export function plainLetters(text: string): string {
  return fold(text.normalize('NFKC')).replaceAll(/[ßæœøđłıþð]/g, (letter) => PLAIN[letter] ?? '');
}

/** Only this many words of a text are compared: no label is longer. */
const MOST_WORDS = 40;

/** The spelling of a text. */
export function spelling(text: string): Spelling {
  const cut = text.slice(0, 2000);
  const plain = /^[ -~]*$/.test(cut) ? cut.toLowerCase() : plainLetters(cut);
  const words = wordsOf(plain).slice(0, MOST_WORDS);
  return { text: words.join(' '), joined: words.join(''), words };
}

/** A common name, and the words that labels use for it. */
export type TermPair = [given: string, used: string[]];

let translations: TermPair[] | null = null;

/** Common names of drugs and kinds of goods in other words and languages, each with the words that labels use. */
export function termPairs(): TermPair[] {
  translations ??= terms.flatMap(({ used, given }) =>
    given.map((name): TermPair => [spelling(name).text, used]),
  );
  return translations;
}

/** A given text, then the same in the words that labels use for common names in it, the most likely ones first. */
export function spellingsOf(given: string): Spelling[] {
  const own = spelling(given);
  const padded = ` ${own.text} `;
  const others = termPairs().flatMap(([name, used]) =>
    padded.includes(` ${name} `)
      ? used.map((word, place) => ({ place, other: padded.replaceAll(` ${name} `, ` ${word} `) }))
      : [],
  );
  return [own, ...others.sort((a, b) => a.place - b.place).map(({ other }) => spelling(other))];
}

/** From this closeness on, two texts differ at most in case, diacritics and punctuation. */
export const SAME = 0.95;
/** From this closeness on, one text is a misspelling of the other or has all its words. */
export const STRONG = 0.8;
/** Below this closeness, two texts are unrelated. */
export const WEAK = 0.3;

/** How close a given text is to a known one, from 0 to 1. Not symmetric: the known text may say more than the given one. */
export function closeness(given: Spelling, known: Spelling): number {
  if (given.text === '' || known.text === '') return 0;
  if (given.text === known.text) return 1;
  if (given.joined === known.joined) return 0.99;
  return Math.max(
    slipCloseness(given.text, known.text),
    wordCloseness(telling(given.words), telling(known.words)),
  );
}

/** The closeness of texts with at most one misspelled letter in four, and at most three in all; else 0. */
function slipCloseness(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  const most = Math.min(3, Math.floor(shorter / 4));
  if (Math.abs(a.length - b.length) > most || most === 0) return 0;
  const slips = editDistance(a, b, most);
  return slips > most ? 0 : 0.94 - (0.5 * slips) / shorter;
}

/** Words that many labels share and that say nothing of their own. */
const COMMON = new Set([
  'a',
  'an',
  'and',
  'by',
  'for',
  'in',
  'of',
  'or',
  'the',
  'type',
  'types',
  'substances',
]);

/** The words of a text that say something of their own; all of them where none does. */
export function telling(words: string[]): string[] {
  const kept = words.filter((word) => !COMMON.has(word));
  return kept.length > 0 ? kept : words;
}

/** About STRONG or more where the known text has all given words, more so the fewer others it has; less where it has some. */
function wordCloseness(given: string[], known: string[]): number {
  let found = 0;
  const used = new Set<number>();
  for (const word of given) {
    let best = 0;
    let at = -1;
    for (const [position, candidate] of known.entries()) {
      const close = used.has(position) ? 0 : wordMatch(word, candidate);
      if (close > best) [best, at] = [close, position];
      if (close === 1) break;
    }
    if (at >= 0) used.add(at);
    found += best;
  }
  const ofGiven = found / given.length;
  const ofKnown = found / known.length;
  const begins = known[0] === given[0] ? 0.01 : 0;
  if (used.size === given.length) return STRONG + 0.13 * ofGiven * ofKnown - 0.1 * (1 - ofGiven) + begins;
  return ofGiven + ofKnown === 0 ? 0 : (0.78 * 2 * ofGiven * ofKnown) / (ofGiven + ofKnown);
}

/** The most misspelled letters in a word of this length. */
export function mostSlips(letters: number): number {
  return letters >= 8 ? 2 : letters >= 5 ? 1 : 0;
}

function wordMatch(given: string, known: string): number {
  if (given === known) return 1;
  const shorter = Math.min(given.length, known.length);
  if (shorter >= 4 && (known.startsWith(given) || given.startsWith(known))) return 0.9;
  const most = mostSlips(shorter);
  return most > 0 && Math.abs(given.length - known.length) <= most && editDistance(given, known, most) <= most
    ? 0.8
    : 0;
}

type Rows = [before: Uint8Array, last: Uint8Array, row: Uint8Array];

function rowsOf(length: number): Rows {
  return [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)];
}

/** Rows reused for all but the longest texts, because a search compares thousands of words. */
const ROWS = rowsOf(64);

/** The number of letters to insert, drop, change or swap with the next one; `most` + 1 where it is more than `most`. */
export function editDistance(a: string, b: string, most: number): number {
  const over = most + 1;
  // Hardly any misspelling changes both the first and the last letter, and most comparisons end here.
  if (a[0] !== b[0] && a.at(-1) !== b.at(-1)) return over;
  let [before, last, row] = ROWS[0].length > b.length ? ROWS : rowsOf(b.length + 1);
  for (let j = 0; j <= b.length; j += 1) [before[j], last[j]] = [over, Math.min(j, over)];
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i += 1) {
    row.fill(over, 0, b.length + 1);
    let least = Math.min(i, over);
    row[0] = least;
    // Further from the diagonal than `most` the distance is larger anyway.
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row[j] = Math.min(cost, over);
      least = Math.min(least, cost);
    }
    // A swap looks back two rows, so one row alone does not decide.
    if (least > most && leastBefore > most) return over;
    leastBefore = least;
    [before, last, row] = [last, row, before];
  }
  return last[b.length] ?? over;
}

/** A value that could have been meant: its spellings, and whether it has rows under the other filters. */
export interface Candidate {
  value: string;
  spellings: readonly Spelling[];
  hasRows: boolean;
}

/** The weight of a wording by its position: 1 for the given one, a little less for the next, and less for each further one. */
function likelihood(position: number): number {
  return position === 0 ? 1 : Math.max(0.7, 1.05 - 0.06 * position);
}

/** A value with rows, and what it is called: by default the value itself. */
export function candidateOf(value: string, names: readonly string[] = [value]): Candidate {
  return { value, spellings: names.map(spelling), hasRows: true };
}

/** The given values closest to a text, best first, 5 at most. */
export function closestOf(given: string, values: readonly string[]): string[] {
  const candidates = values.map((value) => candidateOf(value));
  return nearest(given, candidates).map(({ value }) => value);
}

/** The end of a message about an unknown value: the values closest to it; empty where there are none. */
export function closestHint(closest: readonly string[]): string {
  return closest.length > 0 ? `; closest: ${closest.join(', ')}` : '';
}

/** The same, with all values where none is close. */
export function closestOrAll(closest: readonly string[], all: readonly string[]): string {
  return closestHint(closest) || `: ${all.join(', ')}`;
}

/** The most values that responses list. */
const MOST_NEAREST = 5;

/**
 * The known values closest to a given one, best first: equal but for case and signs, before misspellings and labels that have all
 * given words, those before labels that share some; in each group values with rows first, then the closer, then by code units.
 */
export function nearest(
  given: string,
  candidates: Iterable<Candidate>,
  least = WEAK,
): { value: string; closeness: number }[] {
  const asked = spellingsOf(given);
  const found: { value: string; closeness: number; rank: number }[] = [];
  for (const { value, spellings, hasRows } of candidates) {
    let best = value.toLowerCase() === given.toLowerCase() ? 1 : 0;
    for (const known of spellings)
      for (const [position, each] of asked.entries())
        best = Math.max(best, closeness(each, known) * likelihood(position));
    if (value === given || best < least) continue;
    const group = best >= SAME ? 0 : best >= STRONG ? 1 : 2;
    found.push({ value, closeness: best, rank: group * 2 + (hasRows ? 0 : 1) });
  }
  found.sort((a, b) => a.rank - b.rank || b.closeness - a.closeness || (a.value < b.value ? -1 : 1));
  return found.slice(0, MOST_NEAREST).map(({ value, closeness: close }) => ({ value, closeness: close }));
}
