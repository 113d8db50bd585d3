/**
 * Names of countries and territories as people give them: printed names, alpha-2 codes, names in the languages of languages.json, and what
 * names.json adds. They are used to say which code was meant, never in place of a code.
 */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import LANGUAGES from './languages.json' with { type: 'json' };
import names from './names.json' with { type: 'json' };
import { spelling, type Spelling } from './words.ts';

const ALPHA2 = new Map(codes.map(([alpha2 = '', alpha3 = '']) => [alpha3, alpha2]));
const OTHERS = new Map(Object.entries(names));

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
  const alpha2 = ALPHA2.get(code);
  const all = [
    code,
    ...printed,
    ...(alpha2 === undefined ? [] : [alpha2, ...displayNames(alpha2)]),
    ...(OTHERS.get(code) ?? []),
  ];
  const known = new Map<string, Spelling>();
  for (const name of all) {
    const spelled = spelling(name);
    known.set(spelled.text, spelled);
  }
  return [...known.values()];
}
