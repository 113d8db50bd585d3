/** Rules of designations, the privacy gate among them: official fields only, and no subject-level detail hidden in them. */
import type { EntitiesDescriptor, EntityRow } from '../lib/dataset.ts';
import type { Finding } from '../lib/findings.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { detailIn, isPrintedCountry } from './subject-detail.ts';
import { applyRules, type Rule } from './rule.ts';

const TYPES = new Set<string>(['aircraft', 'individual', 'organization', 'vessel']);

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
    test: ({ name, type, countries }) => {
      const what = detailIn(name, type);
      if (what !== null)
        return `${JSON.stringify(name)} looks like it holds ${what}; only official fields may be packaged`;
      const other = countries.find((country) => !isPrintedCountry(country));
      return other === undefined
        ? null
        : `${JSON.stringify(other)} is no country as the authority prints it; where it is one, build/pack/countries.ts gets its spelling`;
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
