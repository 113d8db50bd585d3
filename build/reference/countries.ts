/** ISO 3166-1 codes of the country names the designating authority prints, so that a code finds them. */
import countries from 'i18n-iso-countries';
import { geographyOf } from './geography.ts';

/** Spellings of the authority that no other source prints: name -> alpha-3. */
const PRINTED: Record<string, string> = {
  Bolivia: 'BOL',
  Burma: 'MMR',
  'Congo, Democratic Republic of the': 'COD',
  'Congo, Republic of the': 'COG',
  "Cote d'Ivoire": 'CIV',
  Iran: 'IRN',
  'Korea, North': 'PRK',
  'Korea, South': 'KOR',
  Laos: 'LAO',
  Moldova: 'MDA',
  Russia: 'RUS',
  Syria: 'SYR',
  Taiwan: 'TWN',
  Tanzania: 'TZA',
  Turkey: 'TUR',
  Venezuela: 'VEN',
  Vietnam: 'VNM',
  'Virgin Islands, British': 'VGB',
};

/** [alpha-2, alpha-3] of a printed country name; nulls where it names no country of the standard. */
export function countryCodes(printed: string): [string | null, string | null] {
  const known = Object.hasOwn(PRINTED, printed) ? PRINTED[printed] : undefined;
  const alpha3 = known ?? geographyOf(printed)?.code ?? null;
  const alpha2 = alpha3 === null ? null : (countries.alpha3ToAlpha2(alpha3) ?? null);
  return alpha2 === null ? [null, null] : [alpha2, alpha3];
}
