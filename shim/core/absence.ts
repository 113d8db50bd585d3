/**
 * Why a query of observations matches nothing, and what there is instead: which filter empties it, the known values closest to
 * what was given, the periods there are, and the labels of the same place that have rows. These are suggestions only: an
 * unknown value is never replaced, and matches nothing.
 */
import { NO_ZERO, notSearched, sentences, type Finding, type Reason } from './absence-message.ts';
import { absenceInPast, earlierNote, type Asked } from './absence-past.ts';
import { datasetOf, editionsOfEach, indicatorsOf, named, openPack } from './editions.ts';
import { quoted } from './faults.ts';
import {
  isKnown,
  knownValues,
  LABELS,
  selectedIndicators,
  without,
  type Known,
  type KnownIndicator,
  type Label,
} from './known-values.ts';
import { marketPacks } from './market-packs.ts';
import { hasRows, periodsOf, valuesWithRows } from './matching-runs.ts';
import { labelsElsewhere } from './related.ts';
import type { Input, JsonObject, Pack } from './types.ts';
import { candidateOf, nearest, STRONG, WEAK, type Candidate } from './words.ts';

/** The `absence` of a query that matches nothing. */
export function absenceOf(query: Asked): JsonObject {
  const { message, ...facts } = absenceInPast(query) ?? absenceNow(query);
  const { fault } = query.release.derive(knownValues);
  if (fault) query.missed?.(fault);
  const unavailable = fault ? [...query.unavailable, 'the catalog'] : query.unavailable;
  return { ...facts, message: [message, ...notSearched(unavailable), NO_ZERO].join(' ') };
}

function absenceNow(query: Asked): JsonObject {
  const { filters, packs, asked, release } = query;
  const known = release.derive(knownValues);
  const listed = selectedIndicators(known, filters);
  const current = listed.length > 0 ? listed : unlistedIndicators(query);
  if (current.length === 0 && known.indicators.length > 0)
    return asked.length > 0 ? otherEdition(query, known) : otherDataset(query, known);
  const given = LABELS.filter((label) => filters[label] !== undefined);
  const selected = current.map((one) => withEarlier(one, query, given));
  const { corrected, findings } = corrections(filters, selected, { known, packs });
  const unknown = given.filter(
    (label) => known.isUnknown(label, filters[label]) && !isKnown(selected, label, filters[label]),
  );
  const { parameter, reason, having } = cause(query, unknown, known);
  const value = parameter === null ? undefined : filters[parameter];
  // What other packs have is asked for as it was given: it is known there.
  const meant = having ? filters : corrected;
  const others =
    reason === 'no_rows_in_period'
      ? without(meant, 'from', 'to')
      : parameter === null
        ? without(meant, 'category', 'subgroup')
        : without(meant, parameter);
  const closest = findings.find(({ label }) => label === parameter)?.nearest ?? [];
  const periods = periodsOf(having ?? packs, others);
  const elsewhere = labelsElsewhere(filters, corrected, packs);
  return {
    parameter,
    given: value === undefined ? null : String(value),
    reason,
    nearest: closest,
    periods,
    elsewhere,
    message: [
      ...sentences(query, { parameter, reason, periods, known, findings, selected }),
      ...(elsewhere[0] ? ['Records of this place are under other labels: see elsewhere.'] : []),
      ...earlierNote(query),
    ].join(' '),
  };
}

/** The indicator, extended by the given labels that an earlier edition has and the catalog no longer lists. */
function withEarlier(
  indicator: KnownIndicator,
  { filters, packs }: Asked,
  given: readonly Label[],
): KnownIndicator {
  if (filters['as_of'] === undefined) return indicator;
  const had = (label: Label): string[] =>
    given.includes(label) && hasRows(packs, { indicator: indicator.id, [label]: filters[label] ?? '' })
      ? [String(filters[label])]
      : [];
  return {
    ...indicator,
    geo: [...indicator.geo, ...had('geo')],
    category: [...indicator.category, ...had('category')],
    subgroup: [...indicator.subgroup, ...had('subgroup')],
  };
}

/** The indicator of a query that the catalog does not list, as the past editions that the query selects have it; none where they lack it. */
function unlistedIndicators({ filters: { indicator }, packs }: Asked): KnownIndicator[] {
  if (indicator === undefined) return [];
  const id = String(indicator);
  return packs.flatMap((pack) => {
    const valuesOf = (label: Label): string[] => [...valuesWithRows([pack], { indicator: id }, label)];
    const [geo, category, subgroup] = [valuesOf('geo'), valuesOf('category'), valuesOf('subgroup')];
    return geo.length === 0 ? [] : { dataset: datasetOf(pack.entry), id, label: id, geo, category, subgroup };
  });
}

/** The absence of a query whose indicator is in other editions of its dataset alone. */
function otherEdition({ filters, packs, asked, release }: Asked, known: Known): JsonObject {
  const having = editionsOfEach(asked, release)
    .filter((entry) => indicatorsOf(entry).includes(String(filters['indicator'])))
    .map((entry) => ({ entry }));
  const message = `Indicator ${quoted(filters['indicator'])} is not in the edition asked for, ${named(packs)}. Editions that have it: ${named(having)}; as_of asks for them.`;
  return withoutIndicator(filters, packs, asked.map(datasetOf), known, message);
}

/** The absence of a query whose dataset does not have its indicator. */
function otherDataset(query: Asked, known: Known): JsonObject {
  const { filters, all, release } = query;
  const { dataset, indicator } = filters;
  const packs = all
    .filter((entry) => datasetOf(entry) === dataset)
    .flatMap((entry) => openPack(release, entry.id));
  const homes = (release.derive(marketPacks).having.get(String(indicator)) ?? []).map(datasetOf);
  const message = `Dataset ${quoted(dataset)} has no indicator ${quoted(indicator)}: it belongs to ${homes.join(', ')}.`;
  const facts = withoutIndicator(filters, packs, [String(dataset)], known, message);
  const subject = causeInSubject(query, known);
  if (subject?.parameter !== 'dataset') return facts;
  const periods = periodsOf(subject.having, without(filters, 'dataset'));
  return { ...facts, parameter: 'dataset', given: String(dataset), nearest: homes, periods };
}

/** The absence of a query whose indicator is not in these packs; the closest ones are those of these datasets. */
function withoutIndicator(
  filters: Input,
  packs: readonly Pack[],
  datasets: readonly string[],
  { indicators }: Known,
  message: string,
): JsonObject {
  const given = String(filters['indicator']);
  const own = indicators.filter(({ dataset }) => datasets.includes(dataset));
  return {
    parameter: 'indicator',
    given,
    reason: 'no_rows',
    nearest: nearest(given, own.map(indicatorCandidate), 0).map(({ value }) => value),
    periods: periodsOf(packs, without(filters, 'indicator')),
    elsewhere: [],
    message,
  };
}

/** An indicator as a candidate for an unknown id; it is compared by its id and its label. */
export function indicatorCandidate({ id, label }: KnownIndicator): Candidate {
  return candidateOf(id, [id, label]);
}

/** The filters with each unknown value replaced by the one most likely meant, or removed; and the closest values of each label. */
export function corrections(
  filters: Input,
  selected: KnownIndicator[],
  { known, packs }: { known: Known; packs: readonly Pack[] },
): { corrected: Input; findings: Finding[] } {
  const findings: Finding[] = [];
  // A known place is taken as given, even where the selected indicators have no records of it.
  const isMeant = (label: Label, given: unknown): boolean =>
    known.fault !== null ||
    isKnown(selected, label, given) ||
    (label === 'geo' && !known.isUnknown(label, given));
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
    // A known value without rows is not a typing error: only another spelling of it that has rows could have been meant.
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

/** The filter that excludes every record, and why; `having` are the packs that have records without it, where they are others. */
interface Cause {
  parameter: Label | 'from' | 'to' | 'dataset' | 'indicator' | null;
  reason: Reason;
  having?: Pack[];
}

/** The cause of an absence; its parameter is null where only the combination of filters excludes every record. */
function cause(query: Asked, [unknown]: readonly Label[], known: Known): Cause {
  const { filters, packs } = query;
  if (unknown !== undefined) return { parameter: unknown, reason: 'unknown_value' };
  const fills = (...names: string[]): boolean => hasRows(packs, without(filters, ...names));
  if (fills('from', 'to')) {
    const bounds = (['from', 'to'] as const).filter((name) => filters[name] !== undefined && fills(name));
    return { parameter: onlyOne(bounds), reason: 'no_rows_in_period' };
  }
  const filling = LABELS.filter((label) => filters[label] !== undefined && fills(label));
  // What is asked for is taken as meant, so its labels come first.
  const subject = filling.length === 0 ? causeInSubject(query, known) : null;
  return subject ?? { parameter: onlyOne(filling), reason: 'no_rows' };
}

/** The dataset or the indicator as a cause: the one without which other packs have records; null where neither is or both are. */
function causeInSubject({ filters, all, release }: Asked, known: Known): Required<Cause> | null {
  const labels = LABELS.filter((label) => filters[label] !== undefined);
  const found = (['dataset', 'indicator'] as const).flatMap((parameter): Required<Cause>[] => {
    if (filters[parameter] === undefined) return [];
    const others = without(filters, parameter);
    const may = selectedIndicators(known, others).filter((one) =>
      labels.every((label) => isKnown([one], label, filters[label])),
    );
    const datasets = new Set(may.map(({ dataset }) => dataset));
    const having = all
      .filter((entry) => datasets.has(datasetOf(entry)))
      .flatMap((entry) => openPack(release, entry.id));
    return hasRows(having, others) ? [{ parameter, reason: 'no_rows', having }] : [];
  });
  return onlyOne(found);
}

/** The item of a list that has one; null for any other list. */
function onlyOne<Item>([first, further]: readonly Item[]): Item | null {
  return further === undefined ? (first ?? null) : null;
}
