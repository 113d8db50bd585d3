/**
 * Names of countries and territories as people give them: printed names, alpha-2 codes, names in the languages of languages.json, and what
 * names.json adds. They are used to say which code was meant, never in place of a code.
 */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import LANGUAGES from './languages.json' with { type: 'json' };
import names from './names.json' with { type: 'json' };
import { spelling, type Spelling } from './words.ts';

const OTHERS: Record<string, string[]> = names;
let alpha2Codes: Map<string, string> | null = null;

let readers: Intl.DisplayNames[] | null = null;

/** The names of an alpha-2 code. The Intl readers are made once, on first use, because creating each takes time. */
function displayNames(alpha2: string): string[] {
  readers ??= [
    ...LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })),
    new Intl.DisplayNames(['en'], { type: 'region', style: 'short', fallback: 'none' }),
  ];
  return readers.flatMap((reader) => reader.of(alpha2) ?? []);
}

/** Alpha-2 codes of countries by alpha-3. A server goes through them ahead, because the first `placeSpellings` of each takes time. */
export function countryCodes(): ReadonlyMap<string, string> {
  return (alpha2Codes ??= new Map(codes.map(([two = '', three = '']) => [three, two])));
}

/** By code: spellings of its alpha-2 code and of the names that no source prints. */
const unprinted = new Map<string, Spelling[]>();

/** Every spelling of a geography code, the printed names first. */
export function placeSpellings(code: string, printed: readonly string[]): Spelling[] {
  let others = unprinted.get(code);
  if (!others) {
    const alpha2 = countryCodes().get(code);
    const own = alpha2 === undefined ? [] : [alpha2, ...displayNames(alpha2)];
    const printedNowhere = Object.hasOwn(OTHERS, code) ? (OTHERS[code] ?? []) : [];
    others = [...own, ...printedNowhere].map(spelling);
    unprinted.set(code, others);
  }
  const all = [spelling(code), ...printed.map(spelling), ...others];
  return [...new Map(all.map((spelled) => [spelled.text, spelled])).values()];
}
