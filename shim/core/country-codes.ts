/** The codes of countries and territories. A bundle has them without the rest of the list. */
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };

/** Codes of each country or territory: of two letters, then of three; others may follow. */
export function codePairs(): readonly (readonly string[])[] {
  return codes;
}
