/**
 * The proof that nothing is lost: the revisions applied to the older edition give the newer one, record for record, but for what
 * is counted. It holds of every pair of editions that is packaged, and of random ones.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { keyOf } from '../../build/lib/identity.ts';
import type { Observation, Revision } from '../../shim/core/records.ts';
import { packagedTree, type PackedTree } from '../_support/packed.ts';
import { answerOf, factsOf, made, packed, type MadeRow, type Pair } from './made.ts';

/** What an edition prints, by key: rows of one key are a bag. */
type Printed = Map<string, string[]>;

function printedIn(records: readonly Observation[]): Printed {
  const printed: Printed = new Map();
  for (const record of records) {
    const key = keyOf(record);
    printed.set(key, [...(printed.get(key) ?? []), factsOf(record)]);
  }
  return printed;
}

/** Takes out what the older edition prints and puts in what the newer prints. */
function apply(printed: Printed, { id, indicatorId, geoCode, period, from, to }: Revision): void {
  const key = keyOf({ id: id.split('@')[0] ?? '', indicatorId, geoCode, period });
  const rows = [...(printed.get(key) ?? [])];
  if (from) {
    const at = rows.indexOf(factsOf(from));
    if (at === -1) throw new Error(`${id}: the older edition does not print this`);
    rows.splice(at, 1);
  }
  if (to) rows.push(factsOf(to));
  if (rows.length === 0) printed.delete(key);
  else printed.set(key, rows);
}

/** How many rows differ in two bags. */
function differing(was: readonly string[] = [], is: readonly string[] = []): number {
  const left = [...was];
  const fresh = is.filter((row) => {
    const at = left.indexOf(row);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return Math.max(left.length, fresh.length);
}

/** Rows that still differ once the revisions are applied. */
function leftOver(
  older: readonly Observation[],
  newer: readonly Observation[],
  revisions: readonly Revision[],
): number {
  const applied = printedIn(older);
  for (const revision of revisions) apply(applied, revision);
  const wanted = printedIn(newer);
  return [...new Set([...applied.keys(), ...wanted.keys()])].reduce(
    (sum, key) => sum + differing(applied.get(key), wanted.get(key)),
    0,
  );
}

const COUNTED = ['rounding_only', 'unmatched', 'new_periods', 'left_window'];

/** Compares each pair of editions: what is left after applying is what the pair counts, and every record has one outcome. */
async function proof(data: PackedTree): Promise<Pair[]> {
  const { pairs } = await answerOf(data, { limit: 1 });
  const pack = data.packs.find(({ entry }) => entry.kind === 'revisions');
  const lines = String(pack?.records ?? '')
    .split('\n')
    .filter(Boolean);
  const all = lines.map((line) => JSON.parse(line) as Revision);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const pair of pairs) {
    const { datasetId, from, to } = pair;
    const [older, newer] = [from, to].map((edition) => recordsOf(data, String(datasetId), String(edition)));
    const own = all.filter((one) => one.datasetId === datasetId && one.id.endsWith(`@${from}..${to}`));
    const counted = (name: string): number => Number(pair[name]);
    const sum = (names: string[]): number => names.reduce((total, name) => total + counted(name), 0);
    expect(leftOver(older ?? [], newer ?? [], own), JSON.stringify(pair)).toBe(sum(COUNTED));
    const matched = [
      'same',
      'changed',
      'became_unavailable',
      'became_available',
      'relabelled',
      'rounding_only',
    ];
    const alone = counted('unmatched');
    const [was, is] = [
      sum([...matched, 'withdrawn', 'left_window']),
      sum([...matched, 'added', 'new_periods']),
    ];
    expect(older?.length).toBeGreaterThanOrEqual(was);
    expect(older?.length).toBeLessThanOrEqual(was + alone);
    expect(newer?.length).toBeGreaterThanOrEqual(is);
    expect(newer?.length).toBeLessThanOrEqual(is + alone);
    for (const kind of [
      'changed',
      'added',
      'withdrawn',
      'became_unavailable',
      'became_available',
      'relabelled',
    ])
      expect(own.filter((one) => one.kind === kind).length).toBe(counted(kind));
  }
  return pairs;
}

function recordsOf(
  { packs, observationsOf }: PackedTree,
  dataset: string,
  edition: string,
): readonly Observation[] {
  const pack = packs.find(({ entry }) => entry.id.split('@')[0] === dataset && entry.edition === edition);
  return observationsOf(pack?.entry.id ?? '');
}

describe('[REVISIONS-APPLIED] the older edition with its revisions is the newer one', () => {
  let data: PackedTree;
  beforeAll(() => {
    data = packagedTree();
  });

  test('of every packaged pair', async () => {
    const pairs = await proof(data);
    expect(pairs.length).toBeGreaterThan(0);
    console.log(
      pairs
        .map((pair) =>
          Object.entries(pair)
            .map(([name, value]) => `${name} ${value}`)
            .join(', '),
        )
        .join('\n'),
    );
  });

  test('of random pairs', async () => {
    const row: fc.Arbitrary<MadeRow> = fc.record({
      indicatorId: fc.constantFrom('weight', 'events'),
      geoCode: fc.constantFrom('KEN', 'MLI'),
      period: fc.constantFrom('2019', '2020', '2021'),
      category: fc.constantFrom('Male', 'Sex: Male', 'Female'),
      value: fc.constantFrom(null, 0, 1, 1.001, 2),
      lower: fc.constantFrom(null, 0),
    });
    const rows = fc.array(row, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, rows, rows, async (first, second, third) => {
        const labelKeys = { 'Sex: Male': 'Male' };
        await proof(
          packed(
            made({ edition: '2023-06', rows: first, labelKeys }),
            made({ edition: '2024-06', rows: second, labelKeys }),
            made({ edition: '2025-06-15', rows: third, labelKeys }),
          ),
        );
      }),
      { numRuns: 300 },
    );
  });
});
