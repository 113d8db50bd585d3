/**
 * Accidents of publishers that an importer cannot see, found by comparing a new edition with the one before: each is a
 * sentence with the numbers. An edition with one of them is not written unless an operator accepts it.
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

/**
 * What is implausible about an edition, given one that is good; empty where nothing is. An edition that is not later may be
 * smaller and end earlier.
 */
export function implausible(goodOne: Dataset, givenOne: Dataset, isLater: boolean): string[] {
  const [good, given] = [factsOf(goodOne), factsOf(givenOne)];
  const differences = differencesOf(goodOne, givenOne);
  return [
    ...fewer(good, given, differences, isLater),
    ...(isLater ? [...endsEarlier(good, given), ...emptied(good, given)] : []),
    ...changed(differences, pairsOf(good, given).length),
    ...otherUnits(good, given),
    ...otherScale(good, given),
    ...zeroPeriods(good, given),
  ];
}

function fewer(
  good: Map<string, Fact>,
  given: Map<string, Fact>,
  { withdrawn }: Differences,
  isLater: boolean,
): string[] {
  const limit = `(limit ${percent(SHRINK)})`;
  const lost = (good.size - given.size) / good.size;
  if (isLater && lost > SHRINK)
    return [`${given.size} values in place of ${good.size}, ${percent(lost)} fewer ${limit}`];
  const share = withdrawn / good.size;
  return share > SHRINK
    ? [`${withdrawn} of ${good.size} values are missing, ${percent(share)} ${limit}`]
    : [];
}

function endsEarlier(good: Map<string, Fact>, given: Map<string, Fact>): string[] {
  const [was = '', is = ''] = [good, given].map((facts) => [...periodsOf(facts)].at(-1));
  return is < was ? [`the last period is ${is}, before it was ${was}`] : [];
}

/** An indicator or field without a single value any more: a table that was not given, or that has left the file. */
function emptied(good: Map<string, Fact>, given: Map<string, Fact>): string[] {
  const groupsOf = (facts: Map<string, Fact>): string[] => [...facts.values()].map(({ group }) => group);
  const left = new Set(groupsOf(given));
  const gone = [...new Set(groupsOf(good))].filter((group) => !left.has(group)).sort();
  return gone.length > 0 ? [`${gone.join(', ')}: no value any more`] : [];
}

function changed({ changed: count }: Differences, common: number): string[] {
  const share = count / common;
  return count >= ENOUGH && share > CHANGE
    ? [`${count} of ${common} values have changed, ${percent(share)} (limit ${percent(CHANGE)})`]
    : [];
}

function otherUnits(good: Map<string, Fact>, given: Map<string, Fact>): string[] {
  const pairs = pairsOf(good, given).filter(([was, is]) => was.unit !== is.unit);
  const [[was, is] = []] = pairs;
  return was && is
    ? [
        `${pairs.length} values have another unit: ${is.key} is in "${is.unit}", before it was in "${was.unit}"`,
      ]
    : [];
}

/** All values of an indicator, or of a period of it, larger or smaller by much the same factor: kilograms became grams. */
function otherScale(good: Map<string, Fact>, given: Map<string, Fact>): string[] {
  return [...groupedBy(pairsOf(good, given), ([, { group }]) => group)].flatMap(([group, pairs]) => {
    const inAll = scaled(group, pairs);
    if (inAll.length > 0) return inAll;
    const periods = groupedBy(pairs, ([, { period }]) => period);
    return [...periods].flatMap(([period, own]) => scaled(`${group} in ${period}`, own));
  });
}

function scaled(what: string, pairs: [was: Fact, is: Fact][]): string[] {
  const factors = pairs.flatMap(([{ value: was }, { value: is }]) => (was && is ? [is / was] : []));
  const median = factors.sort((a, b) => a - b)[Math.floor(factors.length / 2)] ?? 1;
  const isScaled = factors.length >= ENOUGH && (median >= SCALE || median <= 1 / SCALE);
  return isScaled
    ? [`the values of ${what} are ${median.toPrecision(3)} times what they were, by the median`]
    : [];
}

/** A period whose numbers are all zero, where the good edition did not print it so. */
function zeroPeriods(good: Map<string, Fact>, given: Map<string, Fact>): string[] {
  const known = allZero(good);
  const wasNeverZero = [...allZero(given)].filter(([what]) => !known.has(what));
  return wasNeverZero.map(([what, count]) => `all ${count} numbers of ${what} are zero`);
}

/** The indicators and periods of which all numbers are zero, with how many these are. */
function allZero(facts: Map<string, Fact>): Map<string, number> {
  const numbers = [...facts.values()].filter(({ value }) => value !== null);
  const groups = [...groupedBy(numbers, ({ group, period }) => `${group} in ${period}`)];
  const isZero = (own: Fact[]): boolean => own.length >= ENOUGH && own.every(({ value }) => value === 0);
  return new Map(groups.filter(([, own]) => isZero(own)).map(([what, own]) => [what, own.length]));
}

function pairsOf(good: Map<string, Fact>, given: Map<string, Fact>): [was: Fact, is: Fact][] {
  return [...given].flatMap(([key, is]) => {
    const was = good.get(key);
    return was ? [[was, is] as [Fact, Fact]] : [];
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
