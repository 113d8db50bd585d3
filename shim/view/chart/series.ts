/** What a line chart may know of records: which are one series, which of them a line may join, and where their periods are. */
import { groupedBy } from '../../core/groups.ts';
import { sortedByName } from '../../core/name-order.ts';
import type { Observation } from '../../core/records.ts';
import { labelOf } from '../words.ts';

/** Records of one indicator, place, label and unit, by period. */
export interface Series {
  first: Observation;
  /** Periods in order, each with its rows in the order of the source. */
  periods: readonly { period: string; at: number; records: readonly Observation[] }[];
}

/** The series of records, by the name of the place, then by label. Several parts of a page ask for those of the same records. */
export function seriesOf(records: readonly Observation[]): readonly Series[] {
  const series = known.get(records) ?? seriesAmong(records);
  known.set(records, series);
  return series;
}

const known = new WeakMap<readonly Observation[], readonly Series[]>();

function seriesAmong(records: readonly Observation[]): Series[] {
  const keyOf = ({ datasetId, indicatorId, geoCode, category, subgroup, unit }: Observation): string =>
    JSON.stringify([datasetId, indicatorId, geoCode, category, subgroup, unit]);
  const found = [...groupedBy(records, keyOf).values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const periods = [...groupedBy(rows, ({ period }) => period)]
      .map(([period, own]) => ({ period, at: ordinalOf(period), records: own }))
      .sort((a, b) => a.at - b.at);
    return [{ first, periods }];
  });
  return sortedByName(
    found,
    ({ first }) => first.geoName,
    ({ first }) => first.indicatorId,
    ({ first }) => labelOf(first),
  );
}

/** All records of a series. */
export function recordsOf({ periods }: Series): Observation[] {
  return periods.flatMap(({ records }) => records);
}

/**
 * The pairs of records that a line may join: neighbouring periods with exactly one record each, both with a value, of the same
 * status, unit and edition. A line never crosses an absence or a period without a row.
 */
export function joinsOf({ periods }: Series): (readonly [Observation, Observation])[] {
  return periods.flatMap((period, index) => {
    const next = periods[index + 1];
    const [from, another] = period.records;
    const [to, further] = next?.records ?? [];
    if (!next || !from || !to || another || further) return [];
    const isNeighbour = next.at - period.at === 1 && next.period.length === period.period.length;
    const isSame = from.status === to.status && from.unit === to.unit && editionOf(from) === editionOf(to);
    return isNeighbour && isSame && from.value !== null && to.value !== null ? [[from, to] as const] : [];
  });
}

/** Two files of one publisher are two editions, whatever their dates. */
function editionOf({ edition, sourceId }: Observation): string {
  return `${sourceId}@${edition}`;
}

/** A period as a number: years count by one, months by one. */
function ordinalOf(period: string): number {
  const year = Number(period.slice(0, 4));
  return period.length > 4 ? year * 12 + Number(period.slice(5, 7)) - 1 : year;
}

/** An axis of periods of one length, each with a band of the same width. */
export interface Periods {
  /** The middle of a period's band, and the width of a band, as fractions of the width. */
  at(ordinal: number): number;
  band: number;
  ticks: readonly { at: number; label: string }[];
}

/** Labels that fit side by side in the narrowest drawing. */
const MOST_TICKS = 6;

/** The axis of all periods of some series; all are years, or all are months. */
export function periodsOf(all: readonly string[]): Periods {
  const ordinals = all.map(ordinalOf);
  const [first, last] = [Math.min(...ordinals), Math.max(...ordinals)];
  const count = last - first + 1;
  const at = (ordinal: number): number => (ordinal - first + 0.5) / count;
  const perYear = (all[0] ?? '').length > 4 ? 12 : 1;
  const [from, to] = [Math.ceil(first / perYear), Math.floor(last / perYear)];
  const step = [1, 2, 5, 10, 20, 50].find((years) => (to - from) / years < MOST_TICKS) ?? 100;
  const ticks = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step)
    ticks.push({ at: at(year * perYear), label: String(year) });
  // Months within one year have no January of the next: their ends are named.
  if (ticks.length < 2 && perYear === 12) {
    const ends = [...new Set([first, last])];
    return { at, band: 1 / count, ticks: ends.map((end) => ({ at: at(end), label: monthOf(end) })) };
  }
  return { at, band: 1 / count, ticks };
}

function monthOf(ordinal: number): string {
  return `${Math.floor(ordinal / 12)}-${String((ordinal % 12) + 1).padStart(2, '0')}`;
}
