/**
 * Rules of designations, the privacy gate among them: official fields only, and no subject-level detail hidden in them.
 * Individuals must have the shape of an official name; organizations, vessels and aircraft may hold digits and brackets,
 * and are searched for what would identify a subject.
 */
import type { EntitiesDescriptor, EntityRow } from '../lib/dataset.ts';
import { valuesOf } from '../lib/fields.ts';
import type { Finding } from '../lib/findings.ts';
import type { Loaded } from '../load/datasets.ts';
import { countryCodes, geographyOf } from '../reference/geography.ts';
import { folded } from '../lib/text.ts';
import { placeIn } from './places.ts';
import { applyRules, type Rule } from './rule.ts';

const TYPES = valuesOf('entities', 'entity_type');

interface Facts {
  descriptor: EntitiesDescriptor;
  seen: Set<number>;
}

const RULES: Rule<EntityRow, Facts>[] = [
  {
    name: 'entity-number',
    test: ({ sanctions_entity_number: number }) =>
      Number.isInteger(number) && number >= 1
        ? null
        : `entity number must be a whole number from 1, not ${number}`,
  },
  { name: 'name', test: ({ name }) => (name.trim() === '' ? 'the official name is blank' : null) },
  {
    name: 'type',
    test: ({ entity_type: type }) =>
      TYPES.includes(type) ? null : `type must be one of ${TYPES.join(', ')}, not "${type}"`,
  },
  {
    name: 'programs',
    test: ({ programs }, { descriptor }) => {
      if (programs.length === 0) return 'at least one program is needed';
      const unknown = programs.find((program) => !descriptor.programs.includes(program));
      return unknown === undefined
        ? null
        : `program "${unknown}" is none of ${descriptor.programs.join(', ')}`;
    },
  },
  {
    name: 'privacy',
    test: ({ name, entity_type: type, countries }) => {
      const what = detailIn(name, type);
      if (what !== null)
        return `${JSON.stringify(name)} looks like it holds ${what}; only official fields may be packaged`;
      const other = countries.find((country) => !isPrintedCountry(country));
      return other === undefined
        ? null
        : `${JSON.stringify(other)} is not a known country spelling; if it is correct, add it to build/reference/countries.ts`;
    },
  },
  {
    name: 'unique-id',
    test: ({ sanctions_entity_number: number }, { seen }) => {
      const message = seen.has(number) ? `entity number ${number} is duplicated` : null;
      seen.add(number);
      return message;
    },
  },
];

/** Findings of the designations dataset. */
export function checkEntities(loaded: Loaded<'entities'>): Finding[] {
  return applyRules(loaded, loaded.rows, RULES, { descriptor: loaded.descriptor, seen: new Set() });
}

/** `SURNAME, Given names` or one name: letters with the marks that names have. */
const INDIVIDUAL = /^\p{L}[\p{L}\p{M}'’. -]*(, \p{L}[\p{L}\p{M}'’. -]*)?$/u;
/** Brackets hold a part of the name or a country in capitals; in small letters they hold a remark. */
const OTHER = /^(?!.*\([^)]*\p{Ll})[\p{L}\p{M}\p{N} .,'’&()/+-]+$/u;

/** A legal form that ends a company's name: it may be named after the house it holds, or AKA. */
const LEGAL_FORM =
  /\b(llc|l\.l\.c|inc|ltd|limited|corp|s\.a|c\.v|ltda|s\.a\.s|c\.a|s\.r\.l|gmbh)\.?( \([^()\d]*\))?$/;

/** Over folded text. What a name of any type may not hold: pattern and what it gives away. */
const DETAILS: [pattern: RegExp, what: string][] = [
  [
    /\b[afn][./ ]k[./ ]a\b|\S[\s,;(]+[afn]ka\b|\balias(es)?\b|\b(also|formerly|now|better) known as\b/,
    'an alias',
  ],
  [/\b[dp]\.?o\.?b\b\.?[: ]|\bborn\b|\bbirth|\bnacid[oa]\b|\bnacimiento|\bne\(e\)/, 'birth data'],
  [
    /\bpassport|\bpasaporte|\bcedula|\b(dni|rfc|curp|ssn)\b|\b(nit|nie|ruc|rut|imo|mmsi)\b[^\p{L}\d]*\d|\br\.f\.c\b|\bc\.u\.r\.p\b|\b(tax|national|document|registration|identification) (id|no|number|n°)\b/u,
    'a document',
  ],
  [/\b[a-z&]{3,4}\d{6}[a-z\d]{0,3}\b|\b[a-z]{4}\d{6}[hm][a-z]{5}[a-z\d]\d\b|\b[a-z]\d{6,}\b/, 'a document'],
  [
    /\d{5,}|\+\s?\d|(\d[\s.()-]{0,2}){7,}|\btel(efono|ephone)?\b\.?:?\s*\d|\b(fax|cel|phone|mobile)\b\.?:?\s*\d/,
    'a number of a document, a telephone or a place',
  ],
  [
    /\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|\b(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\.? (de )?(\d{1,2},? )?(19|20)\d{2}\b/,
    'a date',
  ],
  [
    /\blinked to\b|\bfor \p{L}+ing\b|\bconvict|\baccus|\bguilt|\bculpa|\bsuspect|\bindict|\barrest|\bwanted\b|\bcharged\b|\bfugitive/u,
    'allegation text',
  ],
  [/\bwww\.|\bhttps?\b|@|\.(com|net|org|info)\b/, 'an electronic address'],
];

/** Words that no part of an individual's name is; a street or a number next to them would not have the shape of a name. */
const NEVER_A_PERSON =
  /\b(aka|fka|nka|passport|calle|avenida|blvd|boulevard|street|apt|apartment|tel|phone|zip|program|sanction\w*|traffick\w*|launder\w*|cocaine|heroin|drugs?|cartel|llc|inc|ltd|corp|for|linked|who|wanted)\b/;

/** Names of former countries that the authority still prints. */
const FORMER_COUNTRIES = new Set(['Netherlands Antilles']);

/** What subject-level detail an official name seems to hold, or null. */
export function detailIn(name: string, type: EntityRow['entity_type']): string | null {
  const read = folded(name);
  const detail = DETAILS.find(([pattern]) => pattern.test(read));
  if (detail) return detail[1];
  if (type === 'individual') {
    if (!INDIVIDUAL.test(name)) return 'more than the letters of a name';
    return NEVER_A_PERSON.test(read.split(', ')[1] ?? read) ? 'more than a name' : null;
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
