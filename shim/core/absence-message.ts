/** The sentences of an `absence`: why a query matches nothing, and which values are close to it. */
import { quoted } from './faults.ts';
import { isKnown, selectedIndicators, type Known, type KnownIndicator, type Label } from './known-values.ts';
import { periodsOf } from './matching-runs.ts';
import type { Input, Pack } from './types.ts';

/** The name that messages give to the values of a filter. */
const CALLED = { geo: 'geography code', category: 'category', subgroup: 'subgroup' };

/** The end of every message about an absence. */
export const NO_ZERO = 'An empty response is not a zero.';

/** Why a query matches nothing. */
export type Reason = 'unknown_value' | 'no_rows' | 'no_rows_in_period';

/** The values closest to one that the selected indicators do not have. */
export interface Finding {
  label: Label;
  nearest: string[];
}

/** A sentence that names evidence that could not be searched; an empty list where all of it was. */
export function notSearched(unavailable: readonly string[]): string[] {
  return unavailable.length === 0 ? [] : [`Unavailable, and not searched: ${unavailable.join(', ')}.`];
}

/** The sentence about a value that is unknown: `what` it should be, and the closest known ones. */
export function unknownValue(given: unknown, what: string, closest: readonly string[]): string {
  const near = closest.length === 0 ? 'nothing known is close to it' : `closest: ${closest.join(', ')}`;
  return `${quoted(given)} is not a ${what}; ${near}.`;
}

/** One sentence for each value that no record has. */
export function unknownValues(
  filters: Input,
  known: Known,
  findings: Finding[],
  selected = selectedIndicators(known, filters),
): string[] {
  const shown = (label: Label, value: string): string => {
    const [name] = label === 'geo' ? (known.places.get(value) ?? []) : [];
    return name === undefined ? JSON.stringify(value) : `${value} (${name})`;
  };
  // While the catalog cannot be read, nothing says that a value is unknown.
  if (known.fault) return [];
  return findings.flatMap(({ label, nearest: found }) => {
    const isElsewhere = !known.isUnknown(label, filters[label]);
    // A place that the catalog knows is not misspelled: another sentence says that it has no such records.
    if ((label === 'geo' && isElsewhere) || isKnown(selected, label, filters[label])) return [];
    const where = isElsewhere ? 'of what was asked for' : 'of the catalog';
    const values = found.slice(0, 3).map((value) => shown(label, value));
    return [unknownValue(filters[label], `${CALLED[label]} ${where}`, values)];
  });
}

/** The sentences that say why a query matches nothing. */
export function sentences(
  { filters, packs }: { filters: Input; packs: readonly Pack[] },
  facts: {
    parameter: string | null;
    reason: Reason;
    periods: string[];
    known: Known;
    findings: Finding[];
    selected: KnownIndicator[];
  },
): string[] {
  const { parameter, reason, periods, known, findings, selected } = facts;
  const wrong = unknownValues(filters, known, findings, selected);
  const isOfSubject = parameter === 'dataset' || parameter === 'indicator';
  if (wrong.length > 0 && !isOfSubject) return wrong;
  if (reason === 'no_rows_in_period')
    return [
      `There are no records in the period asked for; periods with records: ${span(periods)}.`,
      ...annualNote(filters, packs),
    ];
  const what =
    parameter === null
      ? 'this combination of filters'
      : `${parameter} ${quoted(filters[parameter])} together with the other filters`;
  const near = findings.find(({ label }) => label === parameter)?.nearest.slice(0, 3) ?? [];
  return [
    ...wrong,
    `There are no records for ${what}.`,
    ...(near.length > 0
      ? [`Close to it, with records: ${near.map((value) => JSON.stringify(value)).join(', ')}.`]
      : []),
    ...(periods.length > 0 && parameter !== null
      ? [`Without it there are records of ${span(periods)}.`]
      : []),
  ];
}

/** For a query by months whose years have annual records: the sentence that these are never returned for a month. */
function annualNote(filters: Input, packs: readonly Pack[]): string[] {
  const { from, to } = filters;
  if (String(from ?? '').length !== 7 && String(to ?? '').length !== 7) return [];
  const years = {
    ...filters,
    ...(from === undefined ? {} : { from: String(from).slice(0, 4) }),
    ...(to === undefined ? {} : { to: String(to).slice(0, 4) }),
  };
  const annual = periodsOf(packs, years).filter((period) => period.length === 4);
  return annual.length === 0
    ? []
    : [`An annual record does not answer a month: for those of ${span(annual)} give years, YYYY.`];
}

function span(periods: string[]): string {
  return periods.length > 6 ? `${periods[0]} to ${periods.at(-1)}` : periods.join(', ');
}
