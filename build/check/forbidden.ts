/**
 * What no dataset may name, by the stem of its word or by its shape. The words and shapes are in ./lists: a section per
 * thing, a pattern per line. A change in a list changes what may be published: review it as such.
 */
import { folded, foldedWords, listLines } from '../lib/text.ts';

/** The lines of a list of this folder. */
export function list(name: string): string[] {
  return listLines(new URL(`./lists/${name}.txt`, import.meta.url));
}

/** The sections of a list: what each gives away, and one pattern for it. */
export function sections(name: string): [what: string, pattern: RegExp][] {
  const found: [what: string, patterns: string[]][] = [];
  for (const line of list(name)) {
    const [, heading] = /^\[([a-z ,-]+)\]$/.exec(line) ?? [];
    const section = found.at(-1);
    if (heading !== undefined) found.push([heading, []]);
    else if (section) section[1].push(line);
    else throw new Error(`build/check/lists/${name}.txt has a pattern before its first [heading]`);
  }
  return found.map(([what, patterns]) => [what, anyOf(patterns)]);
}

function anyOf(patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'), 'u');
}

const FORBIDDEN = sections('forbidden');
const FORBIDDEN_IN_LABELS = [...FORBIDDEN, ...sections('labels')];
const PRINTED = new Set(list('printed-labels'));
const POSITION = anyOf(list('positions'));
const ADDRESS = anyOf(list('addresses'));
const STREET_NAME = anyOf(list('street-names'));

const LEFT_OUT =
  /\b(not|no|nor|never|neither|none|nothing|cannot|without|withheld|excluded|omitted|left out|prohibited)\b/;

/** What a label, a cell or a passage holds that it must not, or null. */
export function forbiddenIn(text: string): string | null {
  if (PRINTED.has(text)) return null;
  const words = foldedWords(text);
  return FORBIDDEN_IN_LABELS.find(([, pattern]) => pattern.test(words))?.[0] ?? placeIn(text);
}

/** What prose of a descriptor holds that it must not, or null: nothing is named except to say that it is left out. */
export function forbiddenInProse(text: string): string | null {
  for (const sentence of text.split(/(?<=[.!?])\s+/)) {
    const words = foldedWords(sentence);
    if (LEFT_OUT.test(words) && !/\d/.test(words)) continue;
    const found = FORBIDDEN.find(([, pattern]) => pattern.test(words));
    if (found) return found[0];
  }
  return placeIn(text);
}

/** What place a text gives away by its form, or null. */
export function placeIn(text: string): string | null {
  return coordinatesIn(text) ?? (STREET_NAME.test(text) || ADDRESS.test(folded(text)) ? 'an address' : null);
}

/** A decimal number with its sign, with a point or a comma, not part of a longer number or of a name such as `2,5-dimethoxy`. */
const DECIMAL = String.raw`([-+]?\d{1,3}(?:\.\d+(?!\d|\.\d)|,\d+(?![.,]?\d)))`;
const PAIR = new RegExp(
  String.raw`(?<![\p{L}\d.]|\d,)${DECIMAL}\s*(?:°|deg)?\s*[nsew]?(?:\s*[,;/|:]\s*|\s+)[nsew]?\s*${DECIMAL}`,
  'gu',
);

/** `coordinates` where a text holds a position in any notation, else null. */
export function coordinatesIn(text: string): string | null {
  const read = folded(text);
  return /\d\s*[°º˚]/u.test(text) || POSITION.test(read) || hasPair(read) ? 'coordinates' : null;
}

/** Whether two decimal numbers next to each other can be a latitude and a longitude. */
function hasPair(read: string): boolean {
  return [...read.matchAll(PAIR)].some(([, ...pair]) => {
    const [a = 0, b = 0] = pair.map((number) => Math.abs(Number(number.replace(',', '.'))));
    return Math.min(a, b) <= 90 && Math.max(a, b) <= 180;
  });
}
