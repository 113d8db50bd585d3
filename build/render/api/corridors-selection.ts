/**
 * Which records of a country stand in the corridors payload: those of the latest period of each indicator. One of each
 * indicator and category always does; further ones follow in turn until the country has `cap`, so that no category is cut
 * away before another gives its second.
 */
import type { Observation } from '../../lib/records.ts';

/** Records of one country and dataset in the fixed order -> the selected ones in the same order. */
export function selectRecords(records: readonly Observation[], cap: number): Observation[] {
  const groups = grouped(latestRecords(records), ({ indicatorId, category }) =>
    JSON.stringify([indicatorId, category]),
  );
  const chosen = new Set(inTurn(groups).slice(0, Math.max(groups.length, cap)));
  return records.filter((record) => chosen.has(record));
}

/** Every record of the latest period of its indicator. */
export function latestRecords(records: readonly Observation[]): Observation[] {
  const last = new Map<string, string>();
  for (const { indicatorId, period } of records)
    if (period > (last.get(indicatorId) ?? '')) last.set(indicatorId, period);
  return records.filter(({ indicatorId, period }) => last.get(indicatorId) === period);
}

function inTurn(groups: readonly Observation[][]): Observation[] {
  const rounds = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group[round] ?? [])).flat();
}

function grouped(records: readonly Observation[], key: (record: Observation) => string): Observation[][] {
  const groups = new Map<string, Observation[]>();
  for (const record of records) {
    const group = groups.get(key(record));
    if (group) group.push(record);
    else groups.set(key(record), [record]);
  }
  return [...groups.values()];
}
