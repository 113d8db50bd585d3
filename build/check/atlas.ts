/** Rules of atlas rows. */
import type { AtlasDescriptor, AtlasRow } from '../lib/dataset.ts';
import type { Finding } from '../lib/findings.ts';
import type { Loaded } from '../load/datasets.ts';
import { applyRules, type Rule } from './rule.ts';

interface Facts {
  descriptor: AtlasDescriptor;
  seen: Set<string>;
}

const RULES: Rule<AtlasRow, Facts>[] = [
  {
    name: 'iso3',
    test: ({ iso3 }) =>
      /^[A-Z]{3}$/.test(iso3) ? null : `iso3 must be three capital letters, not "${iso3}"`,
  },
  {
    name: 'year',
    test: ({ year }) =>
      Number.isInteger(year) && year >= 1900 && year <= 2200
        ? null
        : `year must be from 1900 to 2200, not ${year}`,
  },
  { name: 'country', test: ({ country }) => (country === '' ? 'country is blank' : null) },
  {
    name: 'source-reference',
    test: ({ source }, { descriptor }) =>
      descriptor.sources.some(({ id }) => id === source)
        ? null
        : `source "${source}" is not in the descriptor`,
  },
  {
    name: 'locator',
    test: ({ locator }) =>
      /^(.+![A-Z]{1,3}[1-9][0-9]*([:,][A-Z]{1,3}[1-9][0-9]*)*|row [1-9][0-9]*)$/.test(locator)
        ? null
        : `locator must name cells of a sheet ("Sheet name!D3:F3,H3") or be "row 17", not "${locator}"`,
  },
  {
    // Scores and counts of firearms: neither goes below zero.
    name: 'not-negative',
    test: ({ values }) => {
      const off = Object.entries(values).find(([, value]) => typeof value === 'number' && value < 0);
      return off ? `"${off[0]}" is ${off[1]}, and what it counts cannot be negative` : null;
    },
  },
  {
    name: 'scale',
    test: ({ values }, { descriptor }) => {
      if (descriptor.domain !== 'organized_crime') return null;
      const off = Object.entries(values).find(
        ([, value]) => typeof value === 'number' && (value < 1 || value > 10),
      );
      return off
        ? `"${off[0]}" is ${off[1]}, the scale is 1 to 10; what was not assessed is blank, never 0`
        : null;
    },
  },
  {
    name: 'unique-id',
    test: ({ iso3, year }, { seen }) => {
      const id = `${iso3} ${year}`;
      const message = seen.has(id) ? `${id} is duplicated` : null;
      seen.add(id);
      return message;
    },
  },
];

/** Findings of one atlas dataset. */
export function checkAtlas(loaded: Loaded<'atlas'>): Finding[] {
  return applyRules(loaded, loaded.rows, RULES, { descriptor: loaded.descriptor, seen: new Set() });
}
