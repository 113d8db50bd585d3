/** Rules of designations, the privacy gate among them: official fields only, and no subject-level detail hidden in them. */
import type { EntitiesDescriptor, EntityRow } from '../lib/dataset.ts';
import { valuesOf } from '../lib/fields.ts';
import type { Finding } from '../lib/findings.ts';
import type { Loaded } from '../load/datasets.ts';
import { detailIn, isPrintedCountry } from './subject-detail.ts';
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
