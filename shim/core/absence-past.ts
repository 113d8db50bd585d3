/** Why a query of observations matches nothing where other editions matter: they have such records, or print them under another label. */
import { editionsWith, lastDay, named, sameRecords } from './editions.ts';
import { quoted } from './faults.ts';
import { without } from './known-values.ts';
import { periodsOf } from './matching-runs.ts';
import { labelsElsewhere } from './related.ts';
import { seriesFilter } from './series.ts';
import type { Context, Input, JsonObject, Pack, PackEntry, Release } from './types.ts';

/** A query that matches nothing, with the packs it selects. */
export interface Asked {
  filters: Input;
  packs: readonly Pack[];
  /** The current packs of the requested datasets. */
  asked: readonly PackEntry[];
  /** Every pack of the catalog, as of the requested day. */
  all: readonly PackEntry[];
  /** Datasets that could have had such records and are unavailable. */
  unavailable: readonly string[];
  release: Release;
  /** Receives the error that keeps the catalog from being searched. */
  missed: Context['missed'];
}

/** The absence of a query for a day before its records were published, or before they had their label; else null. */
export function absenceInPast({ filters, packs, asked, release }: Asked): JsonObject | null {
  const { as_of: asOf } = filters;
  if (asOf === undefined) return null;
  const day = String(asOf);
  const found = editionsWith(seriesFilter(filters), asked, release);
  const days = [...new Set(found.map(({ entry: { edition } }) => lastDay(edition)))].sort();
  const later = days.filter((one) => one > day);
  const earlier = days.filter((one) => one <= day).toReversed();
  if (later.length === 0) return null;
  const having = found.map(({ pack }) => pack);
  const relabelled = absenceOfLabel(filters, having, packs);
  if (relabelled) return relabelled;
  // Rows that were withdrawn and came back are in earlier editions too.
  const who =
    earlier.length === 0
      ? `No edition published by ${day} has such records; later ones do`
      : `The newest editions published by ${day} have no such records; other editions do`;
  return {
    parameter: 'as_of',
    given: day,
    reason: 'outside_as_of',
    nearest: [...later, ...earlier].slice(0, 5),
    periods: periodsOf(having, filters),
    elsewhere: [],
    message: `${who}: ${named(found)}.`,
  };
}

/**
 * The absence of a query whose records the editions asked for have under the label that they print, and `having`, packs of other
 * editions, under the given one; null where the records are not there.
 */
function absenceOfLabel(filters: Input, having: readonly Pack[], packs: readonly Pack[]): JsonObject | null {
  const asked = (['category', 'subgroup'] as const).filter((label) => filters[label] !== undefined);
  const records = asked.length === 0 ? [] : sameRecords(filters, having, packs);
  const labels = asked.flatMap((label) => {
    const given = String(filters[label]);
    const printed = [...new Set(records.map((record) => record[label]))].filter((text) => text !== given);
    return printed.length === 0 ? [] : [{ label, given, printed }];
  });
  const [first, further] = labels;
  if (!first) return null;
  const only = further ? null : first;
  const texts = labels.map(({ label, given, printed }) => {
    const shown = printed.slice(0, 3).map((text) => quoted(text));
    return `${label} ${quoted(given)} is printed there as ${shown.join(', ')}`;
  });
  return {
    parameter: only?.label ?? null,
    given: only?.given ?? null,
    reason: 'no_rows',
    nearest: only?.printed.slice(0, 5) ?? [],
    periods: periodsOf(packs, without(filters, ...labels.map(({ label }) => label))),
    elsewhere: labelsElsewhere(filters, filters, packs),
    message: `The editions asked for have such records under another label: ${texts.join('; ')}.`,
  };
}

/** Names editions that have such records; all are earlier ones, because the requested edition and later ones have none. */
export function earlierNote({ filters, asked, release }: Asked): string[] {
  const earlier = editionsWith(seriesFilter(filters), asked, release);
  return earlier.length === 0
    ? []
    : [`Earlier editions have such records: ${named(earlier)}; as_of asks for them.`];
}
