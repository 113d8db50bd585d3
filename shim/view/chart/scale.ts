/** Scales of charts: amounts to fractions of a height or width, with few round ticks. The only importer of d3-array. */
import { nice, ticks } from 'd3-array';

/** An axis of amounts. It always holds zero, so that lengths from the base line can be compared. */
export interface Amounts {
  /** Where an amount is, from 0 at the low end to 1 at the high end. */
  at(amount: number): number;
  ticks: readonly { at: number; label: string }[];
}

/** How many ticks an axis has, about. */
const TICKS = 3;

/** The axis that holds all the amounts given; of nothing but zeros it is the zero alone. */
export function amountsOf(amounts: readonly number[]): Amounts {
  const [low, high] = nice(Math.min(0, ...amounts), Math.max(0, ...amounts), TICKS);
  if (low === high) return { at: () => 0, ticks: [{ at: 0, label: '0' }] };
  const at = (amount: number): number => (amount - low) / (high - low);
  const round = ticks(low, high, TICKS);
  const unit = shortUnit(Math.max(...round.map(Math.abs)));
  return { at, ticks: round.map((tick) => ({ at: at(tick), label: shortLabel(tick, unit) })) };
}

const UNITS = [
  { size: 1e12, sign: 'tn' },
  { size: 1e9, sign: 'bn' },
  { size: 1e6, sign: 'M' },
  { size: 1e4, sign: 'k', by: 1e3 },
] as const;

/** The unit in which the ticks of an axis are short; null where they are already. */
function shortUnit(largest: number): { by: number; sign: string } | null {
  const unit = UNITS.find(({ size }) => largest >= size);
  return unit ? { by: 'by' in unit ? unit.by : unit.size, sign: unit.sign } : null;
}

function shortLabel(tick: number, unit: ReturnType<typeof shortUnit>): string {
  // Twelve digits remove what binary fractions add: 0.30000000000000004.
  const short = Number((tick / (unit?.by ?? 1)).toPrecision(12));
  const digits = String(short).replace('-', '\u2212');
  return unit === null || short === 0 ? digits : `${digits}\u202F${unit.sign}`;
}
