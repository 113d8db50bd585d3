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

/** The names of an alpha-2 code; their readers are made once, on first use, for each takes a moment. */
function displayNames(alpha2: string): string[] {
  readers ??= [
    ...LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })),
    new Intl.DisplayNames(['en'], { type: 'region', style: 'short', fallback: 'none' }),
  ];
  return readers.flatMap((reader) => reader.of(alpha2) ?? []);
}

/** Every spelling of a geography code, the printed names first. */
export function placeSpellings(code: string, printed: readonly string[]): Spelling[] {
  alpha2Codes ??= new Map(codes.map(([two = '', three = '']) => [three, two]));
  const alpha2 = alpha2Codes.get(code);
  const all = [
    code,
    ...printed,
    ...(alpha2 === undefined ? [] : [alpha2, ...displayNames(alpha2)]),
    ...(Object.hasOwn(OTHERS, code) ? (OTHERS[code] ?? []) : []),
  ];
  const known = new Map<string, Spelling>();
  for (const name of all) {
    const spelled = spelling(name);
    known.set(spelled.text, spelled);
  }
  return [...known.values()];
}
