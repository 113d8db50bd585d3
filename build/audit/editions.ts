/**
 * Compares what the raw files of two neighbouring editions print differently with what is published about the pair: the number of
 * rows, and both sides of every revision. Neither the importers nor the build's own comparison are used.
 */
import { groupedBy } from '../../shim/core/groups.ts';
import { object, type Json, type Statement } from './compare.ts';

/** What the raw files of one edition print, and the labels that the edition spells differently from its keys. */
export interface RawEdition {
  statements: Statement[];
  labelKeys: Readonly<Record<string, string>>;
}

/** The result for one pair of editions: rows that differ, as printed and as published, and what does not agree. */
export interface PairOutcome {
  pair: string;
  printed: number;
  published: number;
  revisions: number;
  unmatched: number;
  differences: string[];
}

/** Published counts of rows that differ; relabelled rows are not among them, because most print the same numbers. */
const COUNTED = [
  'changed',
  'added',
  'withdrawn',
  'became_unavailable',
  'became_available',
  'rounding_only',
  'unmatched',
  'new_periods',
  'left_window',
];

/** Compares one pair; `pair` are its published counts, `revisions` its published records. */
export function comparePair(
  older: RawEdition,
  newer: RawEdition,
  pair: Json,
  revisions: Json[],
): PairOutcome {
  const [was, is] = [bagsOf(older), bagsOf(newer)];
  const differences: string[] = [];
  let printed = 0;
  for (const key of new Set([...was.keys(), ...is.keys()])) printed += rowsApart(was.get(key), is.get(key));
  const moved = revisions.filter(
    ({ kind, from, to }) => kind === 'relabelled' && numbersOf(from) !== numbersOf(to),
  );
  const published = COUNTED.reduce((sum, name) => sum + Number(pair[name]), moved.length);
  if (printed !== published)
    differences.push(
      `${printed} rows differ between the files, ${published} are published as revisions or counted`,
    );
  for (const revision of revisions)
    for (const [side, bags, { labelKeys }] of [
      ['from', was, older],
      ['to', is, newer],
    ] as const) {
      if (revision[side] === null) continue;
      const found = keysOf(revision, labelKeys).some((key) =>
        bags.get(key)?.includes(numbersOf(revision[side])),
      );
      // A relabelled row is published with its newer label alone.
      if (!found && !(side === 'from' && revision['kind'] === 'relabelled'))
        differences.push(`${String(revision['id'])}: the file of the "${side}" edition does not print this`);
    }
  const { datasetId, from, to } = pair;
  return {
    pair: `${String(datasetId)} ${String(from)} to ${String(to)}`,
    printed,
    published,
    revisions: revisions.length,
    unmatched: Number(pair['unmatched']),
    differences,
  };
}

type Bags = Map<string, string[]>;

/** The rows of each key, in any order. */
function bagsOf({ statements, labelKeys }: RawEdition): Bags {
  const groups = groupedBy(statements, ({ indicator, code, name, period, category, subgroup }) =>
    keyOf([indicator, code ?? name, period], [category, subgroup], labelKeys),
  );
  const rowOf = (one: Statement): string => numbersOf({ ...one, unavailableReason: one.reason });
  return new Map([...groups].map(([key, own]) => [key, own.map(rowOf)]));
}

/** A place is known by its code, or by its name where the file prints no code of ISO 3166. */
function keysOf(revision: Json, labelKeys: RawEdition['labelKeys']): string[] {
  const { indicatorId, geoCode, geoName, period, category, subgroup } = revision;
  return [geoCode, geoName].map((place) =>
    keyOf([indicatorId, place, period], [category, subgroup], labelKeys),
  );
}

function keyOf(fixed: unknown[], labels: unknown[], labelKeys: RawEdition['labelKeys']): string {
  return JSON.stringify([...fixed, ...labels.map((label) => labelKeys[String(label)] ?? label)]);
}

function numbersOf(side: unknown): string {
  const { value, lower, upper, unit, unavailableReason } = object(side);
  return JSON.stringify([value, lower, upper, unit, unavailableReason]);
}

/** How many rows of one key have no equal in the other edition: the larger of the two sides. */
function rowsApart(was: readonly string[] = [], is: readonly string[] = []): number {
  const left = new Map<string, number>();
  for (const row of was) left.set(row, (left.get(row) ?? 0) + 1);
  let common = 0;
  for (const row of is) {
    const count = left.get(row) ?? 0;
    if (count > 0) common += 1;
    left.set(row, count - 1);
  }
  return Math.max(was.length, is.length) - common;
}

/** One line per pair, and what does not agree. */
export function pairLines(pairs: readonly PairOutcome[]): string[] {
  return pairs.flatMap(({ pair, printed, published, revisions, unmatched, differences }) => [
    `${pair}: ${printed} rows differ between the files, ${published} published (${revisions} revisions, ${unmatched} unmatched)`,
    ...differenceLines(pair, differences),
  ]);
}

const SHOWN = 5;

/** The first differences of a source or a pair of editions, a line each, and how many more there are. */
export function differenceLines(of: string, differences: readonly string[]): string[] {
  const more = differences.length - SHOWN;
  const lines = differences.slice(0, SHOWN).map((difference) => `  ${of}: ${difference}`);
  return more > 0 ? [...lines, `  ${of}: and ${more} more`] : lines;
}
