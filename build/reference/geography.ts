/**
 * Country names as publishers and the designating authority print them -> ISO 3166-1. The standard's English names come from
 * i18n-iso-countries; every other printed spelling is a line of spellings.txt. A name in neither is an error, never a guess.
 */
// The package itself reads its names in all languages.
import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import type { Geography } from '../lib/dataset.ts';
import { foldSpace, listLines } from '../lib/text.ts';

countries.registerLocale(english);

/** Printed spellings that are not the standard's, with their alpha-3 code. */
const SPELLINGS = new Map(
  listLines(new URL('./spellings.txt', import.meta.url)).map((line) => [line.slice(4), line.slice(0, 3)]),
);

/** Geographies without an ISO 3166-1 code, with our own `x-` code. */
const WITHOUT_CODE: [name: string, code: string, level: Geography['level']][] = [
  ['Ireland and Northern Ireland', 'x-ireland-and-northern-ireland', 'aggregate'],
  ['Kosovo', 'x-kosovo', 'territory'],
  ['Kosovo under UNSCR 1244', 'x-kosovo', 'territory'],
  ['United Kingdom (England)', 'x-england', 'subnational'],
  ['United Kingdom (England and Wales)', 'x-england-and-wales', 'subnational'],
  ['United Kingdom (Northern Ireland)', 'x-northern-ireland', 'subnational'],
  ['United Kingdom (Scotland)', 'x-scotland', 'subnational'],
];

/** Alpha-3 codes that are territories, not states: for `geoLevel`. */
const TERRITORIES = new Set(
  [
    'ABW AIA ALA ASM ATF BES BLM BMU BVT CCK COK CUW CXR CYM FLK FRO GGY GIB GLP GRL GUF GUM HKG HMD IMN IOT JEY MAC',
    'MAF MNP MSR MTQ MYT NCL NFK NIU PCN PRI PYF REU SGS SHN SJM SPM SXM TCA TKL TWN UMI VGB VIR WLF',
  ].flatMap((line) => line.split(' ')),
);

/** The geography a printed name means, or null when no row of the tables names it. `name` is kept as printed (trimmed). */
export function geographyOf(printed: string): Geography | null {
  const name = foldSpace(printed);
  const own = WITHOUT_CODE.find(([known]) => known === name);
  if (own) return { code: own[1], name, level: own[2] };
  // A letter and its accent may be two characters.
  const composed = name.normalize('NFC');
  const code = SPELLINGS.get(composed) ?? countries.getAlpha3Code(composed, 'en');
  return code ? geographyOfCode(code, name) : null;
}

/** The form of an ISO 3166-1 code; no other code of a place has it. */
export const ISO3 = /^[A-Z]{3}$/;

/** The geography of an alpha-3 code the source itself prints, or null when it is not an ISO 3166-1 code. */
export function geographyOfCode(code: string, name: string): Geography | null {
  if (!ISO3.test(code) || code === 'XKK' || !countries.isValid(code)) return null;
  return { code, name: foldSpace(name), level: TERRITORIES.has(code) ? 'territory' : 'country' };
}

/** Codes that are not, or no longer, of the standard, by printed name. */
const OTHER_CODES = new Map([
  ['Kosovo', ['XK', 'XKX']],
  ['Netherlands Antilles', ['AN', 'ANT']],
]);

/** What a printed country name is found by: itself, its codes, its name in the standard, and names that official sources print. */
export function countrySpellings(printed: string): string[] {
  const alpha3 = geographyOf(printed)?.code ?? '';
  const alpha2 = countries.alpha3ToAlpha2(alpha3);
  if (alpha2 === undefined) return [printed, ...(OTHER_CODES.get(printed) ?? [])];
  const standard = countries.getName(alpha2, 'en', { select: 'official' }) ?? printed;
  const spelled = [...SPELLINGS].flatMap(([name, code]) => (code === alpha3 ? [name] : []));
  return [...new Set([printed, alpha2, alpha3, standard, ...spelled])];
}
