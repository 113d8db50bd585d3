/**
 * What may be next to a value in a story. A value means what the record says only when no word next to it turns it into another
 * number. Allowed are the record's own unit, verbs, and the words of a short list, which state no unit, amount or month.
 */
import { plainLetters } from '../../../shim/core/words.ts';
import type { Citation } from '../citation.ts';
import { APPROXIMATIONS, BESIDE, CELL, MEASURE, plainWords, spellingsOf } from './words.ts';

/** A token with only punctuation around it; a possessive is for names only. */
const ALONE = new RegExp(`^[(["'“‘]*${CELL}(?<owner>['’]s?)?[)\\]"'”’]*[.,;:!?]?[)\\]"'”’]*$`, 'u');

/** Replaces a token that prints neither a number nor a unit: it may be next to a value. */
const TEXT = '…';

type Cited = Citation | undefined;

/** What is wrong next to the tokens of a passage, or null; `plain` has a `CELL` for each of the citations. */
export function neighbourProblem(plain: string, citations: readonly Cited[]): string | null {
  const joint = jointIn(plain, citations);
  if (joint !== null)
    return `"${joint.replaceAll(CELL, '{{…}}')}" joins a token to its neighbour; put a space between them`;
  const cells = [...citations];
  // The token of a unit is read as the words it prints.
  const text = plainText(plain).replaceAll(CELL, () => {
    const cited = cells.shift();
    if (cited?.field === 'unit') return plainText(cited.printed).trim();
    return isNumber(cited) ? CELL : TEXT;
  });
  const parts = text.split(CELL);
  for (const [at, number] of citations.filter(isNumber).entries()) {
    const before = parts.slice(0, at + 1).join(CELL);
    const after = parts.slice(at + 1).join(CELL);
    const changing = changingBefore(before, number) ?? changingAfter(after, number);
    if (changing !== null)
      return `"${changing.replaceAll(CELL, 'another value')}" next to a value makes another number of it; use the record's own unit (#unit), or a word that build/newsroom/words.yaml lists for it`;
  }
  return null;
}

/** The first word that a token is a part of, or null. */
function jointIn(plain: string, citations: readonly Cited[]): string | null {
  const cells = [...citations];
  for (const word of plain.split(/\s+/)) {
    const [cited] = cells.splice(0, word.split(CELL).length - 1);
    const { owner } = ALONE.exec(word)?.groups ?? {};
    if (word.includes(CELL) && (!ALONE.test(word) || (owner?.endsWith('s') === true && isNumber(cited))))
      return word;
  }
  return null;
}

/** Small letters without accents, with straight quotes and a comma for a long dash; other dashes are signs next to a value. */
function plainText(text: string): string {
  return plainLetters(text)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll('%', ' percent ')
    .replaceAll(/ *— */g, ', ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bper cent\b/g, 'percent');
}

/** The words before a number that may change it, or null. */
function changingBefore(text: string, number: Citation): string | null {
  const [opening = ''] = /[(["']*$/.exec(text) ?? [];
  const before = text.slice(0, text.length - opening.length).trim();
  const [last = ''] = /\S+$/.exec(before) ?? [];
  const [vague] = number.unit === null ? [] : (APPROXIMATIONS.before.exec(before) ?? []);
  if (vague !== undefined) return vague;
  // A word that ends with a point is an abbreviation here, "ca." or "max.": after a longer word the sentence would end (load.ts).
  if (/[.!?]["')\]]*$/.test(last)) return last;
  if (
    new RegExp(`(?<![a-z])${unitOf(number)}$`).test(before) ||
    /^$|[…￼]["')\]]*[,;:]?$|^[^'"(]+'s?$/.test(last)
  )
    return null;
  const words = plainWords(last);
  const isApart = /[,;:]["')\]]*$/.test(last) || /[([]/.test(opening);
  if (isApart) return !isYear(number) && words.some((word) => MEASURE.test(word)) ? last : null;
  const listed = isYear(number) ? [BESIDE.before, BESIDE.year] : [BESIDE.before];
  return areListed(words, ...listed) ? null : last;
}

/** The words after a number that may change it, or null. */
function changingAfter(text: string, number: Citation): string | null {
  const [marks = ''] = /^[.,;:!?"')\]]*/.exec(text) ?? [];
  const all = text.slice(marks.length).replace(/^ ?[(["']*/, '');
  const after = all.replace(new RegExp(`^${unitOf(number)}(?![a-z])`), '').trim();
  const [first = ''] = /^\S+/.exec(after) ?? [];
  const [vague] = APPROXIMATIONS.after.exec(after) ?? [];
  if (vague !== undefined) return vague;
  const words = plainWords(first);
  const hasUnit = after.length < all.trim().length;
  if (hasUnit || /[.,;:!?]/.test(marks)) return (hasUnit && BY.exec(first)?.[0]) || otherUnit(after, number);
  if (first === '' || first.startsWith(TEXT)) return null;
  const [, second = ''] = /^[a-z]+ ([a-z]+)/.exec(after) ?? [];
  if (MEASURE.test(second) && !beginsWithUnit(after.slice(first.length + 1), number))
    return `${first} ${second}`;
  const isAllowed = isYear(number) ? isPlain(words) : areListed(words, BESIDE.after);
  return isAllowed ? null : first;
}

/** A unit after a pause that is not that of the number, as "in tonnes", or null. */
function otherUnit(text: string, number: Citation): string | null {
  const [, phrase = ''] = /^["'(]*(?:(?:in|of|or|as|that is) )*(.*)$/.exec(text) ?? [];
  const [word = ''] = plainWords(phrase.split(' ')[0] ?? '');
  const isOther = number.unit !== null && MEASURE.test(word) && !beginsWithUnit(phrase, number);
  return isOther ? word : null;
}

function beginsWithUnit(text: string, number: Citation): boolean {
  return new RegExp(`^${unitOf(number)}(?![a-z])`).test(text);
}

/** Words that turn the unit before them into another one: "hectares per day", "kilograms a week". */
const BY = /^(?:per|an?|each|every|apiece|squared|cubed|times)(?![a-z])/;

/** Verbs for a value, "seized", "reaching", but for no step of arithmetic. There are too many of them for a list. */
const DONE = /^(?!squar|cub|multipl|divid|round|hundred)[a-z]{2,}(?:ed|ing)$/;

/** Years and months may have words next to them that would change an amount: "edition", "seizures". */
function isYear({ field }: Citation): boolean {
  return field === 'period' || field === 'data.year';
}

function isPlain(words: string[]): boolean {
  return words.length > 0 && !words.some((word) => MEASURE.test(word) || BY.test(word));
}

function areListed(words: string[], ...lists: readonly ReadonlySet<string>[]): boolean {
  const isListed = (word: string): boolean => DONE.test(word) || lists.some((list) => list.has(word));
  return words.length > 0 && words.every(isListed);
}

/** A pattern for the unit of an amount, as its source prints it or in another known spelling; it matches nothing where there is no unit. */
function unitOf({ unit }: Citation): string {
  const forms = unit === null ? [] : spellingsOf(plainWords(plainText(unit)).join(' '));
  const patterns = forms.map((form) =>
    form
      .split(' ')
      .map((word) => `${word.replace(/(?<=..)s$/, '')}s?`)
      .join('[^a-z￼]+'),
  );
  return `(?:${patterns.join('|') || '(?!)'})`;
}

/** Whether a printed value begins and ends as a number does: an amount, a year, a month. */
function isNumber(cited: Cited): cited is Citation {
  return cited !== undefined && /^[-+.]?\d/.test(cited.printed) && /\d$/.test(cited.printed);
}
