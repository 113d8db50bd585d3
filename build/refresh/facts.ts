/** Two editions of a dataset, value by value: what the gates and the summary of a refresh compare. */
import { editionOf, type Dataset } from '../lib/dataset.ts';
import { identifier } from '../lib/identity.ts';
import { observationsOf } from '../pack/records.ts';
import { coverageCounter } from '../pack/coverage.ts';
import { windowsOf } from '../pack/revision-pack.ts';
import { compareEditions, type Edition } from '../pack/revisions.ts';
import type { Observation } from '../../shim/core/records.ts';

/** One value of an edition. */
export interface Fact {
  /** The same in every edition. */
  key: string;
  /** The id of the source it was read from; null where several make one value. */
  source: string | null;
  /** The indicator or the field that it is a value of. */
  group: string;
  /** Empty where a dataset has no periods. */
  period: string;
  unit: string;
  /** Null where it is unavailable or not a number. */
  value: number | null;
  /** All that the edition states about it, as one text. */
  said: string;
}

/** The facts of an edition by key. */
export function factsOf(dataset: Dataset): Map<string, Fact> {
  const facts =
    dataset.kind === 'observations'
      ? observed(dataset)
      : dataset.kind === 'atlas'
        ? scored(dataset)
        : listed(dataset);
  return new Map(facts.map((fact) => [fact.key, fact]));
}

function observed({ descriptor, rows }: Dataset & { kind: 'observations' }): Fact[] {
  const ids = identifier(descriptor.labelKeys)(rows);
  return rows.map(({ indicatorId, sourceId, period, value, lower, upper, unit, unavailableReason }, at) => ({
    key: ids[at] ?? '',
    source: sourceId,
    group: indicatorId,
    period,
    unit,
    value,
    said: JSON.stringify([value, lower, upper, unit, unavailableReason]),
  }));
}

/** A field without a value is left out: a source that has no row for it says nothing. */
function scored({ descriptor, rows }: Dataset & { kind: 'atlas' }): Fact[] {
  return rows.flatMap(({ iso3, year, source, values }) =>
    Object.entries(values).flatMap(([path, value]) => {
      if (value === null) return [];
      const [key, period] = [`${path}.${iso3}.${year}`, String(year)];
      return { key, source, group: path, period, unit: descriptor.unit, value, said: String(value) };
    }),
  );
}

function listed({ rows }: Dataset & { kind: 'entities' }): Fact[] {
  return rows.map(({ sanctions_entity_number: number, name, entity_type, programs, countries }) => ({
    key: String(number),
    source: null,
    group: 'designations',
    period: '',
    unit: '',
    value: null,
    said: JSON.stringify([name, entity_type, programs, countries]),
  }));
}

/** How many values of two editions differ, by the names that the revisions use. */
export type Differences = Record<'same' | 'changed' | 'added' | 'withdrawn', number> &
  Partial<Record<string, number>>;

/** Counts the differences between two editions: observations as the revisions count them. */
export function differencesOf(older: Dataset, newer: Dataset): Differences {
  if (older.kind === 'observations' && newer.kind === 'observations') {
    const [was, is] = [
      observationsOf(older.descriptor, older.rows),
      observationsOf(newer.descriptor, newer.rows),
    ];
    const comparison = compareEditions(newer.descriptor.name, sideOf(older, was), sideOf(newer, is));
    comparison.add(was, is);
    const { datasetId: _dataset, sourceId: _source, from: _from, to: _to, ...counts } = comparison.pair();
    return counts;
  }
  const [was, is] = [factsOf(older), factsOf(newer)];
  const [before, after] = [periodsOf(was), periodsOf(is)];
  const counts = { same: 0, changed: 0, added: 0, withdrawn: 0, new_periods: 0, left_window: 0 };
  for (const [key, fact] of is) {
    const known = was.get(key);
    if (known) counts[known.said === fact.said ? 'same' : 'changed'] += 1;
    else counts[before.has(fact.period) ? 'added' : 'new_periods'] += 1;
  }
  for (const [key, { period }] of was)
    if (!is.has(key)) counts[after.has(period) ? 'withdrawn' : 'left_window'] += 1;
  return counts;
}

function sideOf(
  { descriptor }: Dataset & { kind: 'observations' },
  records: readonly Observation[],
): Edition {
  const coverage = coverageCounter(descriptor.indicators);
  coverage.add(records);
  const { periods, files } = windowsOf(coverage.finish());
  return { edition: editionOf(descriptor), descriptor, periods: new Map(periods), files };
}

/** The differences in words; rare kinds only where there are any. */
export function differencesText({ same, changed, added, withdrawn, ...others }: Differences): string {
  const text = ([name, count = 0]: [string, number | undefined]): string =>
    `${count.toLocaleString('en-US')} ${NAMES[name] ?? name.replaceAll('_', ' ')}`;
  const rare = Object.entries(others).filter(([, count = 0]) => count > 0);
  return [...Object.entries({ same, changed, added, withdrawn }), ...rare].map(text).join(', ');
}

const NAMES: Record<string, string> = {
  new_periods: 'of new periods',
  left_window: 'of periods that left the table',
  rounding_only: 'that differ by rounding only',
};

/** The periods of facts, ascending. */
export function periodsOf(facts: Map<string, Fact>): Set<string> {
  return new Set([...facts.values()].map(({ period }) => period).sort());
}
