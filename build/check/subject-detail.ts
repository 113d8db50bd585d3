/**
 * The privacy gate: official names and countries only, and no subject-level detail hidden in them. Individuals must have the
 * shape of an official name; organizations, vessels and aircraft may hold digits and brackets, and are searched for what would
 * identify a subject.
 */
import type { EntityRow } from '../lib/dataset.ts';
import { folded } from '../lib/text.ts';
import { countryCodes, geographyOf } from '../reference/geography.ts';
import { list, placeIn, sections } from './forbidden.ts';

/** `SURNAME, Given names` or one name: letters with the marks that names have. */
const INDIVIDUAL = /^\p{L}[\p{L}\p{M}'’. -]*(, \p{L}[\p{L}\p{M}'’. -]*)?$/u;
/** Brackets hold a part of the name or a country in capitals; in small letters they hold a remark. */
const OTHER = /^(?!.*\([^)]*\p{Ll})[\p{L}\p{M}\p{N} .,'’&()/+-]+$/u;

/** A legal form that ends a company's name: it may be named after the house it holds, or AKA. */
const LEGAL_FORM =
  /\b(llc|l\.l\.c|inc|ltd|limited|corp|s\.a|c\.v|ltda|s\.a\.s|c\.a|s\.r\.l|gmbh)\.?( \([^()\d]*\))?$/;

const DETAILS = sections('subject-detail');
const NOT_IN_PERSONAL_NAMES = new RegExp(`\\b(${list('not-in-personal-names').join('|')})\\b`);

/** Names of former countries that the authority still prints. */
const FORMER_COUNTRIES = new Set(['Netherlands Antilles']);

/** What subject-level detail an official name seems to hold, or null. */
export function detailIn(name: string, type: EntityRow['entity_type']): string | null {
  const read = folded(name);
  const detail = DETAILS.find(([, pattern]) => pattern.test(read));
  if (detail) return detail[0];
  if (type === 'individual') {
    if (!INDIVIDUAL.test(name)) return 'more than the letters of a name';
    return NOT_IN_PERSONAL_NAMES.test(read.split(', ')[1] ?? read) ? 'more than a name' : null;
  }
  if (!OTHER.test(name)) return 'more than the letters and digits of a name';
  if (LEGAL_FORM.test(read)) return null;
  return /^[afn]ka\b/.test(read) ? 'an alias' : placeIn(name);
}

/** Whether a text is the name of a country as the authority prints it: a closed list, so nothing else can hide in it. */
export function isPrintedCountry(text: string): boolean {
  if (!/^\p{Lu}\S*( \S+)*$/u.test(text)) return false;
  return FORMER_COUNTRIES.has(text) || countryCodes(text)[0] !== null || geographyOf(text) !== null;
}
