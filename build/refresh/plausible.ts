/**
 * Accidents of publishers that an importer cannot see, found by comparing a new edition with the one before: each is a
 * sentence with the numbers, and the sources it is about. An edition with one of them is not written unless an operator accepts
 * such a source.
 */
import { groupedBy } from '../../shim/core/groups.ts';
import type { Dataset } from '../lib/dataset.ts';
import { differencesOf, factsOf, periodsOf, type Differences, type Fact } from './facts.ts';

/** Share of the values by which an edition may be smaller than the one it is compared with. */
const SHRINK = 0.1;
/** Share of the values that both editions have and that may differ. */
const CHANGE = 0.25;
/** Fewest values from which a share or a pattern says something. */
const ENOUGH = 5;
/** From this factor on, all values of an indicator together have changed their unit rather than their size. */
const SCALE = 5;

/** Something that is implausible about an edition. */
export interface Doubt {
  says: string;
  /** The ids of the new sources it is about, which the good edition was not read from: the one with most of its values first; all new ones where that is unknown. */
  sources: string[];
}

/** The facts of an edition by key. */
type Facts = Map<string, Fact>;
/** A doubt with the values it is about. */
type Found = [says: string, about: Fact[]];

/**
 * The doubts about an edition, compared with a good one; empty where there are none. An edition that is not later than the good one
 * may be smaller and end earlier.
 */
export function implausible(goodOne: Dataset, givenOne: Dataset, isLater: boolean): Doubt[] {
  const [good, given] = [factsOf(goodOne), factsOf(givenOne)];
  const differences = differencesOf(goodOne, givenOne);
  const pairs = pairsOf(good, given);
  const found: Found[] = [
    ...fewer(good, given, differences, isLater),
    ...(isLater ? [...endsEarlier(good, given), ...emptied(good, given)] : []),
    ...changed(differences, pairs),
    ...otherUnits(pairs),
    ...otherScale(pairs),
    ...zeroPeriods(good, given),
  ];
  const known = new Set(goodOne.descriptor.sources.map(({ sha256 }) => sha256));
  const added = givenOne.descriptor.sources.filter(({ sha256 }) => !known.has(sha256)).map(({ id }) => id);
  return found.map(([says, about]) => ({ says, sources: sourcesOf(about, added) }));
}

function sourcesOf(about: Fact[], added: string[]): string[] {
  const values = groupedBy(about, ({ source }) => source);
  const countOf = (id: string): number => values.get(id)?.length ?? 0;
  const own = added.filter((id) => countOf(id) > 0).sort((a, b) => countOf(b) - countOf(a));
  return own.length > 0 ? own : added;
}

function fewer(good: Facts, given: Facts, { withdrawn }: Differences, isLater: boolean): Found[] {
  const limit = `(limit ${percent(SHRINK)})`;
  const lost = (good.size - given.size) / good.size;
  const missing = [...good.values()].filter(({ key }) => !given.has(key));
  if (isLater && lost > SHRINK)
    return [[`${given.size} values in place of ${good.size}, ${percent(lost)} fewer ${limit}`, missing]];
  const share = withdrawn / good.size;
  return share > SHRINK
    ? [[`${withdrawn} of ${good.size} values are missing, ${percent(share)} ${limit}`, missing]]
    : [];
}

function endsEarlier(good: Facts, given: Facts): Found[] {
  const [was = '', is = ''] = [good, given].map((facts) => [...periodsOf(facts)].at(-1));
  const missing = [...good.values()].filter(({ period }) => period > is);
  return is < was ? [[`the last period is ${is}, before it was ${was}`, missing]] : [];
}

/** An indicator or field without a single value any more: a table that was not given, or that has left the file. */
function emptied(good: Facts, given: Facts): Found[] {
  const left = new Set([...given.values()].map(({ group }) => group));
  const missing = [...good.values()].filter(({ group }) => !left.has(group));
  const gone = [...new Set(missing.map(({ group }) => group))].sort();
  return gone.length > 0 ? [[`${gone.join(', ')}: no value any more`, missing]] : [];
}

function changed({ changed: count }: Differences, pairs: Pair[]): Found[] {
  const share = count / pairs.length;
  const others = pairs.filter(([was, is]) => was.said !== is.said).map(([, is]) => is);
  const says = `${count} of ${pairs.length} values have changed, ${percent(share)} (limit ${percent(CHANGE)})`;
  return count >= ENOUGH && share > CHANGE ? [[says, others]] : [];
}

function otherUnits(pairs: Pair[]): Found[] {
  const different = pairs.filter(([was, is]) => was.unit !== is.unit);
  const [[was, is] = []] = different;
  if (!was || !is) return [];
  const example = `${is.key} is in "${is.unit}", before it was in "${was.unit}"`;
  return [[`${different.length} values have another unit: ${example}`, different.map(([, fact]) => fact)]];
}

/** All values of an indicator, or of a period of it, larger or smaller by much the same factor: kilograms became grams. */
function otherScale(pairs: Pair[]): Found[] {
  return [...groupedBy(pairs, ([, { group }]) => group)].flatMap(([group, ofGroup]) => {
    const inAll = scaled(group, ofGroup);
    if (inAll.length > 0) return inAll;
    const periods = groupedBy(ofGroup, ([, { period }]) => period);
    return [...periods].flatMap(([period, own]) => scaled(`${group} in ${period}`, own));
  });
}

function scaled(what: string, pairs: Pair[]): Found[] {
  const factors = pairs.flatMap(([{ value: was }, { value: is }]) => (was && is ? [is / was] : []));
  const median = factors.sort((a, b) => a - b)[Math.floor(factors.length / 2)] ?? 1;
  const isScaled = factors.length >= ENOUGH && (median >= SCALE || median <= 1 / SCALE);
  const says = `the values of ${what} are ${median.toPrecision(3)} times what they were, by the median`;
  return isScaled ? [[says, pairs.map(([, is]) => is)]] : [];
}

/** A period whose numbers are all zero, where the good edition did not print it so. */
function zeroPeriods(good: Facts, given: Facts): Found[] {
  const known = allZero(good);
  const wasNeverZero = [...allZero(given)].filter(([what]) => !known.has(what));
  return wasNeverZero.map(([what, own]) => [`all ${own.length} numbers of ${what} are zero`, own]);
}

/** The values of each indicator and period whose numbers are all zero. */
function allZero(facts: Facts): Map<string, Fact[]> {
  const numbers = [...facts.values()].filter(({ value }) => value !== null);
  const groups = [...groupedBy(numbers, ({ group, period }) => `${group} in ${period}`)];
  const isZero = (own: Fact[]): boolean => own.length >= ENOUGH && own.every(({ value }) => value === 0);
  return new Map(groups.filter(([, own]) => isZero(own)));
}

/** A value in the good edition and in the given one. */
type Pair = [was: Fact, is: Fact];

function pairsOf(good: Facts, given: Facts): Pair[] {
  return [...given].flatMap(([key, is]) => {
    const was = good.get(key);
    return was ? [[was, is] as Pair] : [];
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
