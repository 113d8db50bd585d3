/**
 * Country names as publishers print them -> ISO 3166-1 alpha-3. The standard's English names come from i18n-iso-countries;
 * every other printed spelling is a row of the table below. A name in neither is an error for the importer, never a guess.
 */
import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import type { Geography } from '../lib/dataset.ts';
import { foldSpace } from '../lib/text.ts';

countries.registerLocale(english);

/** Printed spellings that are not the standard's: printed name -> alpha-3. One row a spelling. */
const SPELLINGS: Record<string, string> = {
  'Bolivia (Plurinational State of)': 'BOL',
  'Cabo Verde': 'CPV',
  'China, Hong Kong SAR': 'HKG',
  'China, Macao SAR': 'MAC',
  'China, Taiwan Province of China': 'TWN',
  'Congo, Democratic Republic of the': 'COD',
  'Holy See': 'VAT',
  'Iran (Islamic Republic of)': 'IRN',
  'Occupied Palestinian Territory': 'PSE',
  'Republic of Korea': 'KOR',
  'Republic of Moldova': 'MDA',
  'State of Palestine': 'PSE',
  'Tanzania, United Republic of': 'TZA',
  Türkiye: 'TUR',
  'United Kingdom of Great Britain and Northern Ireland': 'GBR',
  'Venezuela (Bolivarian Republic of)': 'VEN',
  'Viet Nam': 'VNM',
};

/** Geographies without an ISO 3166-1 code: printed name -> our `x-` code and level. */
const WITHOUT_CODE: Record<string, Geography> = {
  'Ireland and Northern Ireland': {
    code: 'x-ireland-and-northern-ireland',
    name: 'Ireland and Northern Ireland',
    level: 'aggregate',
  },
  Kosovo: { code: 'x-kosovo', name: 'Kosovo', level: 'territory' },
  'Kosovo under UNSCR 1244': { code: 'x-kosovo', name: 'Kosovo under UNSCR 1244', level: 'territory' },
  'United Kingdom (England)': { code: 'x-england', name: 'United Kingdom (England)', level: 'subnational' },
  'United Kingdom (England and Wales)': {
    code: 'x-england-and-wales',
    name: 'United Kingdom (England and Wales)',
    level: 'subnational',
  },
  'United Kingdom (Northern Ireland)': {
    code: 'x-northern-ireland',
    name: 'United Kingdom (Northern Ireland)',
    level: 'subnational',
  },
  'United Kingdom (Scotland)': {
    code: 'x-scotland',
    name: 'United Kingdom (Scotland)',
    level: 'subnational',
  },
};

/** Alpha-3 codes that are territories, not states: for `geoLevel`. */
const TERRITORIES = new Set([
  'ABW',
  'AIA',
  'BMU',
  'CUW',
  'CYM',
  'FRO',
  'GIB',
  'GRL',
  'GUF',
  'GLP',
  'HKG',
  'IMN',
  'JEY',
  'GGY',
  'MAC',
  'MSR',
  'MTQ',
  'MYT',
  'NCL',
  'PRI',
  'PYF',
  'REU',
  'SXM',
  'TCA',
  'VGB',
  'VIR',
  'ASM',
  'GUM',
  'MNP',
  'COK',
  'NIU',
  'WLF',
  'SPM',
  'SHN',
  'FLK',
  'TWN',
]);

/** The geography a printed name means, or null when no row of the tables names it. `name` is kept as printed (trimmed). */
export function geographyOf(printed: string): Geography | null {
  const name = foldSpace(printed);
  const own = Object.hasOwn(WITHOUT_CODE, name) ? WITHOUT_CODE[name] : undefined;
  if (own) return own;
  const code =
    (Object.hasOwn(SPELLINGS, name) ? SPELLINGS[name] : undefined) ?? countries.getAlpha3Code(name, 'en');
  return code ? geographyOfCode(code, name) : null;
}

/** The geography of an alpha-3 code the source itself prints, or null when it is no ISO 3166-1 code. */
export function geographyOfCode(code: string, name: string): Geography | null {
  if (!/^[A-Z]{3}$/.test(code) || code === 'XKK' || !countries.isValid(code)) return null;
  return { code, name: foldSpace(name), level: TERRITORIES.has(code) ? 'territory' : 'country' };
}
