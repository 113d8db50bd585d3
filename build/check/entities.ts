/** Rules of designations, the privacy gate among them: official fields only, and no subject-level detail hidden in them. */
import type { EntitiesDescriptor, EntityRow } from '../dataset.ts';
import type { Finding } from '../findings.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { applyRules, type Rule } from './rule.ts';

const TYPES = new Set<string>(['aircraft', 'individual', 'organization', 'vessel']);

/** What must not stand in a name or country: word, and what it would give away. */
const SUBJECT_DETAIL: [pattern: RegExp, what: string][] = [
  [/\b[afn]\.k\.a\b|\S[\s,;(]+(aka|fka|nka|alias(es)?|also known as)\b[\s:.]/i, 'an alias'],
  [/\b[DP]OB\b|\b(date|place) of birth\b|\bborn\b/i, 'birth data'],
  [
    /\b(passport|national id|cedula|ssn|tax id|document) ?(no|number|n°|[:#\d])|\b(R\.?F\.?C|C\.?U\.?R\.?P)\.?\s*[:#]/i,
    'a document',
  ],
  [
    /\bp\.? ?o\.? box\b|\bapartado\b|\b(postal|zip) code\b|\b(calle|carrera|avenida|transversal)\s+(no\.?\s*)?\d/i,
    'an address',
  ],
  // Companies may be named after the house they hold: a street with a number is no address where a legal form ends the name.
  [
    /^(?!.*\b(LLC|L\.L\.C\.|INC\.?|LTD\.?|CORP\.?|S\.A\.|C\.V\.|LTDA\.?)$).*\b\d+\s+(\S+\s+){1,3}(street|avenue|road|boulevard|drive)\b/i,
    'an address',
  ],
  [/[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}|https?:\/\//i, 'an electronic address'],
  [
    /\b(19|20)\d{2}-\d{2}-\d{2}\b|\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (19|20)\d{2}\b/i,
    'a date',
  ],
  [/-?\d{1,3}\.\d{3,}\s*,\s*-?\d{1,3}\.\d{3,}/, 'coordinates'],
];

interface Facts {
  descriptor: EntitiesDescriptor;
  seen: Set<number>;
}

const RULES: Rule<EntityRow, Facts>[] = [
  {
    name: 'entity-number',
    test: ({ number }) =>
      Number.isInteger(number) && number >= 1
        ? null
        : `entity number must be a whole number from 1, not ${number}`,
  },
  { name: 'name', test: ({ name }) => (name.trim() === '' ? 'the official name is blank' : null) },
  {
    name: 'type',
    test: ({ type }) =>
      TYPES.has(type) ? null : `type must be aircraft, individual, organization or vessel, not "${type}"`,
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
    test: ({ name, countries }) => {
      for (const text of [name, ...countries]) {
        const [, what] = SUBJECT_DETAIL.find(([pattern]) => pattern.test(text)) ?? [];
        if (what !== undefined)
          return `${JSON.stringify(text)} looks like it holds ${what}; only official fields may be packaged`;
      }
      return null;
    },
  },
  {
    name: 'unique-id',
    test: ({ number }, { seen }) => {
      const message = seen.has(number) ? `entity number ${number} stands more than once` : null;
      seen.add(number);
      return message;
    },
  },
];

/** Findings of the designations dataset. */
export function checkEntities(
  loaded: LoadedDataset,
  descriptor: EntitiesDescriptor,
  rows: EntityRow[],
): Finding[] {
  return applyRules(loaded, rows, RULES, { descriptor, seen: new Set() });
}
