/** Rules of observation rows: references, clocks, and null exactly when unavailable. */
import { observationId, type Indicator, type ObservationRow } from '../lib/dataset.ts';
import { valuesOf } from '../lib/fields.ts';
import type { Finding } from '../lib/findings.ts';
import type { Loaded } from '../load/datasets.ts';
import { applyRules, descriptorFinding, type Rule } from './rule.ts';

const STATUSES = valuesOf('observations', 'status');
const REASONS = valuesOf('observations', 'unavailableReason');

interface Facts {
  indicators: Map<string, Indicator>;
  geographies: Set<string>;
  sources: Set<string>;
  seen: Set<string>;
}

const RULES: Rule<ObservationRow, Facts>[] = [
  {
    name: 'indicator-reference',
    test: ({ indicatorId }, { indicators }) =>
      indicators.has(indicatorId) ? null : `indicator "${indicatorId}" is not in the descriptor`,
  },
  {
    name: 'geography-reference',
    test: ({ geoCode }, { geographies }) =>
      geographies.has(geoCode) ? null : `geography "${geoCode}" is not in the descriptor`,
  },
  {
    name: 'source-reference',
    test: ({ sourceId }, { sources }) =>
      sources.has(sourceId) ? null : `source "${sourceId}" is not in the descriptor`,
  },
  {
    name: 'period',
    test: ({ period }) =>
      /^(19|2[01])[0-9]{2}(-(0[1-9]|1[0-2]))?$/.test(period)
        ? null
        : `period must be YYYY or YYYY-MM, not "${period}"`,
  },
  {
    name: 'status',
    test: ({ status }) =>
      STATUSES.includes(status) ? null : `status must be one of ${STATUSES.join(', ')}, not "${status}"`,
  },
  {
    name: 'null-exactly-when-unavailable',
    test: ({ value, status }) =>
      (value === null) === (status === 'unavailable')
        ? null
        : `value ${value ?? 'blank'} does not go with status "${status}": blank exactly when unavailable`,
  },
  {
    name: 'reason-exactly-when-unavailable',
    test: ({ unavailableReason: reason, status }) => {
      if ((reason !== null) !== (status === 'unavailable'))
        return `reason "${reason ?? ''}" does not go with status "${status}"`;
      return reason === null || REASONS.includes(reason) ? null : `unknown reason "${reason}"`;
    },
  },
  {
    // Quantities, counts, prices and shares of markets; balances and growth rates of the context may fall below zero.
    name: 'not-negative',
    test: ({ indicatorId, value, lower, upper, unit }, { indicators }) => {
      if (indicators.get(indicatorId)?.market === 'context') return null;
      const off = [value, lower, upper].find((number) => number !== null && number < 0);
      return off === undefined ? null : `${off} is below zero, which "${unit}" of a market cannot be`;
    },
  },
  {
    name: 'locator',
    test: ({ sourceLocator }) =>
      /^(.+![A-Z]{1,3}[1-9][0-9]*|row [1-9][0-9]*( column .+)?)$/.test(sourceLocator)
        ? null
        : `locator must be "Sheet name!H3" or "row 17", not "${sourceLocator}"`,
  },
  {
    name: 'unique-id',
    test: (row, { seen }) => {
      const id = observationId(row);
      const message = seen.has(id) ? `record id "${id}" is duplicated` : null;
      seen.add(id);
      return message;
    },
  },
];

/** Findings of one dataset of observations. */
export function checkObservations(loaded: Loaded<'observations'>): Finding[] {
  const { descriptor, rows } = loaded;
  const facts: Facts = {
    indicators: new Map(descriptor.indicators.map((indicator) => [indicator.id, indicator])),
    geographies: new Set(descriptor.geographies.map(({ code }) => code)),
    sources: new Set(descriptor.sources.map(({ id }) => id)),
    seen: new Set(),
  };
  const references = descriptor.indicators
    .filter(({ sourceId }) => !facts.sources.has(sourceId))
    .map(({ id, sourceId }) =>
      descriptorFinding(
        loaded,
        'source-reference',
        `indicator "${id}" names source "${sourceId}", which is not in the descriptor`,
      ),
    );
  return [...references, ...applyRules(loaded, rows, RULES, facts)];
}
