/** Visits the runs of packs that match filters one by one, for questions that counts and pages do not answer. */
import type { Label } from './known-values.ts';
import { eachRun, plan, readSeries, seriesFilter } from './series.ts';
import type { Input, Pack } from './types.ts';

/** One run that matches. */
export interface MatchingRun {
  pack: Pack;
  /** The first row of the run. */
  row: number;
  /** The periods of the run that match, ascending; one array for all runs of the same periods. */
  periods: readonly string[];
  /** The value of a dimension, while the run is visited. */
  value(dimension: string): string;
}

/** Visits the runs that match, until `visit` returns false. */
export function eachMatch(
  packs: readonly Pack[],
  filters: Input,
  visit: (run: MatchingRun) => boolean,
): void {
  const filter = seriesFilter(filters);
  let goesOn = true;
  for (const pack of packs) {
    const series = pack.derive(readSeries);
    const planned = plan(series, filter);
    if (!planned) continue;
    const columns = new Map(series.dims.map(({ name, values, column }) => [name, { names: values, column }]));
    const { pattern, patternFrom, patternPeriod, row } = series;
    const matching = new Map<number, string[]>();
    const periodsOfPattern = (id: number): string[] => {
      let found = matching.get(id);
      if (!found) {
        const ids = [...patternPeriod.subarray(patternFrom[id] ?? 0, patternFrom[id + 1] ?? 0)];
        found = ids
          .filter((period) => planned.periods?.(period) ?? true)
          .map((period) => series.periods[period] ?? '');
        matching.set(id, found);
      }
      return found;
    };
    let current = 0;
    const value = (dimension: string): string => {
      const { names = [], column } = columns.get(dimension) ?? {};
      return names[column?.[current] ?? 0] ?? '';
    };
    eachRun(planned, 0, (run) => {
      const periods = periodsOfPattern(pattern[run] ?? 0);
      if (periods.length === 0) return true;
      current = run;
      goesOn = visit({ pack, row: row[run] ?? 0, periods, value });
      return goesOn;
    });
    if (!goesOn) return;
  }
}

/** Whether any record matches. */
export function hasRows(packs: readonly Pack[], filters: Input): boolean {
  let found = false;
  eachMatch(packs, filters, () => {
    found = true;
    return false;
  });
  return found;
}

/** The values of a label that have rows under the filters. Empty without a place or an indicator: a full scan would take too long. */
export function valuesWithRows(packs: readonly Pack[], filters: Input, label: Label): Set<string> {
  const found = new Set<string>();
  if (filters['geo'] === undefined && filters['indicator'] === undefined) return found;
  eachMatch(packs, filters, ({ value }) => {
    found.add(value(label));
    return true;
  });
  return found;
}

/** The periods of the matching records, ascending. Those of a whole pack are read from the list in its index. */
export function periodsOf(packs: readonly Pack[], filters: Input): string[] {
  const { dataset: _dataset, from, to, ...dimensions } = filters;
  const bounds = { equal: {}, from: from?.toString(), to: to?.toString() };
  const found = new Set<readonly string[]>();
  if (Object.keys(dimensions).length === 0)
    for (const pack of packs) {
      const series = pack.derive(readSeries);
      const within = plan(series, bounds)?.periods;
      found.add(series.periods.filter((_, id) => within?.(id) ?? true));
    }
  else
    eachMatch(packs, filters, ({ periods }) => {
      found.add(periods);
      return true;
    });
  return [...new Set([...found].flat())].sort();
}
