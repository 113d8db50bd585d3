/** Two editions of a dataset, value by value: what the gates and the summary of a refresh compare. */
import type { Dataset } from '../lib/dataset.ts';
import { observationIds } from '../lib/identity.ts';

/** One value of an edition. */
export interface Fact {
  /** The same in every edition. */
  key: string;
  /** What the value is one of: an indicator, a field. */
  group: string;
  /** Empty where a dataset has no periods. */
  period: string;
  unit: string;
  /** Null where it is unavailable or not a number. */
  value: number | null;
  /** All that the edition says, as one text. */
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
  const ids = observationIds({ rows, labelKeys: descriptor.labelKeys });
  return rows.map(({ indicatorId, period, value, lower, upper, unit, unavailableReason }, at) => ({
    key: ids[at] ?? '',
    group: indicatorId,
    period,
    unit,
    value,
    said: JSON.stringify([value, lower, upper, unit, unavailableReason]),
  }));
}

/** A field without a value is no fact: a source that has no row for it says nothing. */
function scored({ descriptor, rows }: Dataset & { kind: 'atlas' }): Fact[] {
  return rows.flatMap(({ iso3, year, values }) =>
    Object.entries(values).flatMap(([path, value]) => {
      const key = `${path}.${iso3}.${year}`;
      const fact = {
        key,
        group: path,
        period: String(year),
        unit: descriptor.unit,
        value,
        said: String(value),
      };
      return value === null ? [] : [fact];
    }),
  );
}

function listed({ rows }: Dataset & { kind: 'entities' }): Fact[] {
  return rows.map(({ sanctions_entity_number: number, name, entity_type, programs, countries }) => ({
    key: String(number),
    group: 'designations',
    period: '',
    unit: '',
    value: null,
    said: JSON.stringify([name, entity_type, programs, countries]),
  }));
}

/** How a newer edition differs from an older one. `added` and `withdrawn` are of periods that both editions cover. */
export interface Differences {
  same: number;
  changed: number;
  added: number;
  withdrawn: number;
  newPeriods: number;
  leftWindow: number;
}

/** Counts the differences between two editions. */
export function differencesOf(older: Map<string, Fact>, newer: Map<string, Fact>): Differences {
  const [before, after] = [periodsOf(older), periodsOf(newer)];
  const found = { same: 0, changed: 0, added: 0, withdrawn: 0, newPeriods: 0, leftWindow: 0 };
  for (const [key, fact] of newer) {
    const was = older.get(key);
    if (was) found[was.said === fact.said ? 'same' : 'changed'] += 1;
    else found[before.has(fact.period) ? 'added' : 'newPeriods'] += 1;
  }
  for (const [key, { period }] of older)
    if (!newer.has(key)) found[after.has(period) ? 'withdrawn' : 'leftWindow'] += 1;
  return found;
}

/** The differences in words; what there is none of is left out. */
export function differencesText({ same, newPeriods, leftWindow, ...others }: Differences): string {
  const number = (count: number): string => count.toLocaleString('en-US');
  return [
    `${number(same)} same`,
    ...Object.entries(others).map(([name, count]) => `${number(count)} ${name}`),
    ...(newPeriods > 0 ? [`${number(newPeriods)} of new periods`] : []),
    ...(leftWindow > 0 ? [`${number(leftWindow)} of periods that left the table`] : []),
  ].join(', ');
}

/** The periods that facts are of, ascending. */
export function periodsOf(facts: Map<string, Fact>): Set<string> {
  return new Set([...facts.values()].map(({ period }) => period).sort());
}
