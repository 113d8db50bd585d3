/**
 * Why a query of observations matches nothing, and what there is instead: which filter empties it, the known values closest to
 * what was given, the periods there are, and the labels of the same place that have rows. Nothing of it is ever applied: a
 * value that is not known stays one that matches nothing.
 */
import { quoted } from './faults.ts';
import { knownValues, LABELS, type Known, type KnownIndicator, type Label } from './known-values.ts';
import { eachMatch, hasRows, periodsOf, valuesWithRows } from './matching-runs.ts';
import { groupOf } from './related.ts';
import type { Input, JsonObject, Pack, Release } from './types.ts';
import { nearest, spelling, spellingsOf, closeness, STRONG, WEAK, type Candidate } from './words.ts';

/** How a message calls the values of a filter. */
const CALLED = { geo: 'geography code', category: 'category', subgroup: 'subgroup' };

/** The end of every message about an absence. */
export const NO_ZERO = 'An empty response is not a zero.';

/** Labels listed of a place. */
const MOST_ELSEWHERE = 8;

/** What a query asked, over the packs it selects. */
export interface Asked {
  filters: Input;
  packs: readonly Pack[];
  release: Release;
}

/** The `absence` of a query that matches nothing. */
export function absenceOf({ filters, packs, release }: Asked): JsonObject {
  const known = release.derive(knownValues);
  const selected = selectedIndicators(known, filters);
  if (selected.length === 0 && known.indicators.length > 0) return otherDataset(filters, known);
  const { corrected, findings } = corrections(filters, selected, { known, packs });
  const given = LABELS.filter((label) => filters[label] !== undefined);
  const unknown = given.filter((label) => !known.values[label].has(String(filters[label])));
  const { parameter, reason } = cause(filters, unknown, packs);
  const asked = parameter === null ? undefined : filters[parameter];
  const others =
    reason === 'no_rows_in_period'
      ? without(corrected, 'from', 'to')
      : parameter === null
        ? without(corrected, 'category', 'subgroup')
        : without(corrected, parameter);
  const listed = findings.find(({ label }) => label === parameter)?.nearest ?? [];
  const periods = periodsOf(packs, others);
  const elsewhere = labelsElsewhere(filters, corrected, packs);
  return {
    parameter,
    given: asked === undefined ? null : String(asked),
    reason,
    nearest: listed,
    periods,
    elsewhere,
    message: [
      ...sentences(filters, { parameter, reason, periods, known, findings }),
      ...(elsewhere[0] ? ['Records of this place are under other labels: see elsewhere.'] : []),
      NO_ZERO,
    ].join(' '),
  };
}

/** The indicators that a query selects. */
export function selectedIndicators({ indicators }: Known, { dataset, indicator }: Input): KnownIndicator[] {
  return indicators.filter(
    (one) =>
      (dataset === undefined || one.dataset === dataset) && (indicator === undefined || one.id === indicator),
  );
}

function isKnown(indicators: readonly KnownIndicator[], label: Label, value: unknown): boolean {
  return indicators.some((one) => one[label].includes(String(value)));
}

/** Filters without these. */
export function without(filters: Input, ...names: string[]): Input {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
}

/** A dataset and an indicator that do not belong together. */
function otherDataset({ dataset, indicator }: Input, { indicators }: Known): JsonObject {
  const own = indicators.filter((one) => one.dataset === dataset);
  const homes = indicators.filter(({ id }) => id === indicator).map((one) => one.dataset);
  return {
    parameter: 'indicator',
    given: String(indicator),
    reason: 'no_rows',
    nearest: nearest(String(indicator), own.map(indicatorCandidate), 0).map(({ value }) => value),
    periods: [],
    elsewhere: [],
    message: `Dataset ${quoted(dataset)} has no indicator ${quoted(indicator)}: it belongs to ${homes.join(', ')}. ${NO_ZERO}`,
  };
}

/** An indicator as one that could have been meant. */
export function indicatorCandidate({ id, label }: KnownIndicator): Candidate {
  return { value: id, spellings: [spelling(id), spelling(label)], hasRows: true };
}

/** The values closest to one that the selected indicators do not have. */
export interface Finding {
  label: Label;
  nearest: string[];
}

/** The filters with each value that is not known replaced by the one that was most likely meant, or left out. */
export function corrections(
  filters: Input,
  selected: KnownIndicator[],
  { known, packs }: { known: Known; packs: readonly Pack[] },
): { corrected: Input; findings: Finding[] } {
  const findings: Finding[] = [];
  // A known place is meant as it was given, also where what was asked for has no records of it.
  const isMeant = (label: Label, given: unknown): boolean =>
    isKnown(selected, label, given) || (label === 'geo' && known.values.geo.has(String(given)));
  const unknown = LABELS.filter((label) => filters[label] !== undefined && !isMeant(label, filters[label]));
  let corrected = without(filters, ...unknown);
  for (const label of LABELS) {
    const given = filters[label];
    if (given === undefined) continue;
    const rows = valuesWithRows(packs, without(corrected, label), label);
    const closestOf = (values: Iterable<string>, least = WEAK): ReturnType<typeof nearest> =>
      nearest(String(given), candidates(label, values, { known, rows }), least);
    const isSlip = unknown.includes(label);
    const own = label === 'geo' ? known.values.geo : new Set(selected.flatMap((one) => one[label]));
    let found: ReturnType<typeof nearest> = [];
    if (isSlip) found = closestOf(own);
    // A known value without rows is no slip: only another spelling of it that has rows could have been meant.
    else if (!rows.has(String(given))) found = closestOf(rows, STRONG);
    if (isSlip && found.length === 0) found = closestOf(known.values[label]);
    findings.push({ label, nearest: found.map(({ value }) => value) });
    const [best] = found;
    if (isSlip && best && best.closeness >= STRONG) corrected = { ...corrected, [label]: best.value };
  }
  return { corrected, findings };
}

function* candidates(
  label: Label,
  values: Iterable<string>,
  { known, rows }: { known: Known; rows: Set<string> },
): Generator<Candidate> {
  for (const value of values)
    yield { value, spellings: known.spellings(label, value), hasRows: rows.has(value) };
}

type Reason = 'unknown_value' | 'no_rows' | 'no_rows_in_period';

/** The filter that empties the query; null where it is the combination. */
function cause(
  filters: Input,
  [unknown]: readonly Label[],
  packs: readonly Pack[],
): { parameter: Label | 'from' | 'to' | null; reason: Reason } {
  if (unknown !== undefined) return { parameter: unknown, reason: 'unknown_value' };
  const fills = (...names: string[]): boolean => hasRows(packs, without(filters, ...names));
  if (fills('from', 'to')) {
    const bound = (['from', 'to'] as const).find((name) => filters[name] !== undefined && fills(name));
    const only = (['from', 'to'] as const).filter((name) => filters[name] !== undefined);
    return {
      parameter: bound ?? (only.length === 1 ? (only[0] ?? null) : null),
      reason: 'no_rows_in_period',
    };
  }
  const filling = LABELS.filter((label) => filters[label] !== undefined && fills(label));
  return { parameter: filling.length === 1 ? (filling[0] ?? null) : null, reason: 'no_rows' };
}

/** A label of a place, and how close it is to what was asked. */
interface PlaceLabel {
  category: string;
  subgroup: string;
  periods: Set<string>;
  close: number;
}

/**
 * The labels of the place that have rows in the period, the closest to the category and subgroup that were asked for first, of equal ones those of more periods; a
 * label of the same printed group is as close as can be. Those that have nothing to do with it only where none has.
 */
function labelsElsewhere(filters: Input, corrected: Input, packs: readonly Pack[]): JsonObject[] {
  const asked = [filters['category'], filters['subgroup']]
    .filter((text) => text !== undefined && text !== '')
    .flatMap((text) => spellingsOf(String(text)));
  if (asked.length === 0 || corrected['geo'] === undefined) return [];
  const groups = new Set<string>();
  eachMatch(packs, without(corrected, 'from', 'to'), ({ pack, row }) => {
    groups.add(groupOf(pack, row));
    return true;
  });
  groups.delete('');
  const found = new Map<string, PlaceLabel>();
  eachMatch(packs, without(corrected, 'category', 'subgroup'), ({ pack, row, periods, value }) => {
    const [category, subgroup] = [value('category'), value('subgroup')];
    const key = JSON.stringify([category, subgroup]);
    let label = found.get(key);
    if (!label) {
      const group = groupOf(pack, row);
      const texts = [category, subgroup, `${category} ${subgroup}`, group].map(spelling);
      const close = groups.has(group)
        ? 1
        : Math.max(...asked.flatMap((one) => texts.map((text) => closeness(one, text))));
      found.set(key, (label = { category, subgroup, periods: new Set(), close }));
    }
    for (const period of periods) label.periods.add(period);
    return true;
  });
  const all = [...found.entries()].sort(
    ([a, one], [b, other]) =>
      other.close - one.close || other.periods.size - one.periods.size || (a < b ? -1 : 1),
  );
  const related = all.filter(([, { close }]) => close >= WEAK);
  return (related.length > 0 ? related : all).slice(0, MOST_ELSEWHERE).map(([, label]) => {
    return { category: label.category, subgroup: label.subgroup, periods: [...label.periods].sort() };
  });
}

/** One sentence for each value that no record has. */
export function unknownValues(filters: Input, known: Known, findings: Finding[]): string[] {
  const selected = selectedIndicators(known, filters);
  const shown = (label: Label, value: string): string => {
    const [name] = label === 'geo' ? (known.places.get(value) ?? []) : [];
    return name === undefined ? JSON.stringify(value) : `${value} (${name})`;
  };
  return findings.flatMap(({ label, nearest: found }) => {
    const isElsewhere = known.values[label].has(String(filters[label]));
    // A known place without records is named by the cause, and no slip.
    if (isElsewhere && (label === 'geo' || isKnown(selected, label, filters[label]))) return [];
    const where = isElsewhere ? 'of what was asked for' : 'of the catalog';
    const values = found.slice(0, 3).map((value) => shown(label, value));
    const near = values.length === 0 ? 'nothing known is close to it' : `closest: ${values.join(', ')}`;
    return [`${quoted(filters[label])} is not a ${CALLED[label]} ${where}; ${near}.`];
  });
}

function sentences(
  filters: Input,
  facts: { parameter: string | null; reason: Reason; periods: string[]; known: Known; findings: Finding[] },
): string[] {
  const { parameter, reason, periods, known, findings } = facts;
  const wrong = unknownValues(filters, known, findings);
  if (wrong.length > 0) return wrong;
  if (reason === 'no_rows_in_period')
    return [`There are no records in the period asked for; periods with records: ${span(periods)}.`];
  const what =
    parameter === null
      ? 'this combination of filters'
      : `${parameter} ${quoted(filters[parameter])} together with the other filters`;
  const near = findings.find(({ label }) => label === parameter)?.nearest.slice(0, 3) ?? [];
  return [
    `There are no records for ${what}.`,
    ...(near.length > 0
      ? [`Close to it, with records: ${near.map((value) => JSON.stringify(value)).join(', ')}.`]
      : []),
    ...(periods.length > 0 && parameter !== null
      ? [`Without it there are records of ${span(periods)}.`]
      : []),
  ];
}

function span(periods: string[]): string {
  return periods.length > 6 ? `${periods[0]} to ${periods.at(-1)}` : periods.join(', ');
}
