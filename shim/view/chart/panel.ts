/**
 * One series as a drawing: marks over their periods, cells without a value in a lane below the axis. It has no view box: across
 * it is measured in per cent and down in pixels, so that one drawing fits every width and its text keeps its size.
 */
import type { Observation } from '../../core/records.ts';
import { el, type Child } from '../node.ts';
import { hasRange, kindOf } from '../words.ts';
import { glyph, isAbsent, mark, percent, placed, printedAmounts, whisker } from './mark.ts';
import { amountsOf, type Amounts } from './scale.ts';
import { joinsOf, recordsOf, type Periods, type Series } from './series.ts';

/** Heights in pixels: room for brackets, the plot, the gap to the lane, the lane, the labels of periods. */
const TOP = 24;
const PLOT = 112;
const BASE = TOP + PLOT;
const LANE = 20;
const LABELS = 24;

/** Where a record's mark is: a fraction of the width. */
type Across = ReadonlyMap<Observation, number>;

/** Widest room that rows of one period take, as fractions: of the width for each row, of the period's band for all. */
const ROW_STEP = 0.03;
const BAND_SHARE = 0.8;

/** What the panels of one figure share. */
export interface Shared {
  root: string;
  periods: Periods;
  /** Whether any panel has cells without a value: all then have the lane. */
  lane: boolean;
  /** Width of the labels of amounts in pixels. */
  gutter: number;
}

/** The amounts that series draw on one scale: values and printed bounds. */
export function amountsIn(series: readonly Series[]): Amounts {
  return amountsOf(series.flatMap(recordsOf).flatMap(printedAmounts));
}

/** Width that the labels of some amounts need, in pixels. */
export function gutterOf(all: readonly Amounts[], lane: boolean): number {
  const longest = Math.max(...all.flatMap(({ ticks }) => ticks.map(({ label }) => label.length)));
  return Math.max(lane ? 52 : 24, Math.ceil(longest * 6.4) + 10);
}

/** The drawing of a series; `labelledBy` is the id of its name. */
export function panel(series: Series, amounts: Amounts, shared: Shared, labelledBy: string): Child {
  const { lane, periods, gutter } = shared;
  const height = BASE + (lane ? LANE : 0) + LABELS;
  const y = (amount: number): number => round(BASE - amounts.at(amount) * PLOT);
  const across = acrossOf(series, periods);
  const labelled = labelledZeros(series, across);
  return el('div', { class: 'plot' }, [
    el('svg', { class: 'gutter', width: gutter, height, 'aria-hidden': 'true' }, [
      amounts.ticks.map(({ at, label }) =>
        el('text', { x: gutter - 8, y: round(BASE - at * PLOT + 4), 'text-anchor': 'end' }, label),
      ),
      recordsOf(series).some(({ value }) => value === null)
        ? el('text', { x: gutter - 8, y: BASE + LANE + 1, 'text-anchor': 'end' }, 'no value')
        : '',
    ]),
    el('svg', { class: 'marks', width: '100%', height, role: 'group', 'aria-labelledby': labelledBy }, [
      amounts.ticks.map(({ at }) => across100(round(BASE - at * PLOT), 'grid')),
      across100(y(0), 'base'),
      periods.ticks.map(({ at, label }) => [
        el('line', { class: 'tick', x1: percent(at), x2: percent(at), y1: BASE, y2: BASE + 4 }),
        el('text', { x: percent(at), y: height - 5, 'text-anchor': 'middle' }, label),
      ]),
      joinsOf(series).map(([from, to]) =>
        el('line', {
          class: `join ${from.status}`,
          x1: percent(across.get(from) ?? 0),
          x2: percent(across.get(to) ?? 0),
          y1: y(from.value ?? 0),
          y2: y(to.value ?? 0),
        }),
      ),
      brackets(series, across, periods),
      recordsOf(series).map((record) => {
        const x = across.get(record) ?? 0;
        return mark(record, shared.root, placedMark(record, x, y, labelled.has(record)));
      }),
    ]),
  ]);
}

/** A value is at its amount with its whisker; an absence is in the lane, its printed bounds where they are. */
function placedMark(
  record: Observation,
  x: number,
  y: (amount: number) => number,
  isLabelled: boolean,
): Child {
  const { value, lower, upper } = record;
  const kind = kindOf(record);
  const [top, bottom] = [upper, lower].map((bound) => (bound === null ? null : y(bound)));
  // An end that is not printed: at the value, or a short way off where there is none.
  const end = value === null ? (top ?? bottom ?? 0) + (lower === null ? 12 : -12) : y(value);
  const bounds = hasRange(record)
    ? placed(x, 0, whisker(top ?? null, bottom ?? null, end, value === null))
    : '';
  if (isAbsent(kind)) return [bounds, placed(x, BASE + LANE - 3, glyph(kind))];
  const zero = isLabelled ? el('text', { class: 'zero', y: -8, 'text-anchor': 'middle' }, '0') : '';
  return [bounds, placed(x, y(value ?? 0), glyph(kind), zero)];
}

/** Rows of one period are side by side, in the order of the source, within the band of their period. */
function acrossOf(series: Series, { at, band }: Periods): Across {
  return new Map(
    series.periods.flatMap(({ at: ordinal, records }) => {
      const step = stepOf(records.length, band);
      return records.map(
        (record, index) => [record, at(ordinal) + (index - (records.length - 1) / 2) * step] as const,
      );
    }),
  );
}

function stepOf(rows: number, band: number): number {
  return rows === 1 ? 0 : Math.min(ROW_STEP, (band * BAND_SHARE) / (rows - 1));
}

/** Width of the narrowest drawing, in pixels: what decides whether the words of two brackets fit side by side. */
const NARROWEST = 200;
const WORDS_WIDTH = 38;
/** Width of the label of a zero, in pixels. */
const ZERO_WIDTH = 5.5;

/** The zeros with a label: of those so near that labels would cover each other, in one period or several, the first. */
function labelledZeros(series: Series, across: Across): Set<Observation> {
  const zeros = recordsOf(series).filter(({ value }) => value === 0);
  const placeOf = (zero: Observation | undefined): number => (zero ? (across.get(zero) ?? 0) : -1);
  return new Set(
    zeros.filter((zero, index) => (placeOf(zero) - placeOf(zeros[index - 1])) * NARROWEST >= ZERO_WIDTH),
  );
}

function brackets(series: Series, across: Across, { at, band }: Periods): Child {
  const several = series.periods.filter(({ records }) => records.length > 1);
  return several.map(({ at: ordinal, records }, index) => {
    const [first, last] = [records[0], records.at(-1)].map((record) =>
      record === undefined ? 0 : (across.get(record) ?? 0),
    );
    const gaps = [several[index - 1], several[index + 1]].flatMap((other) =>
      other ? Math.abs(other.at - ordinal) * band * NARROWEST : [],
    );
    const words = gaps.some((gap) => gap < WORDS_WIDTH) ? String(records.length) : `${records.length} rows`;
    const [x1, x2] = [percent(first ?? 0), percent(last ?? 0)];
    return [
      el('line', { class: 'bracket', x1, x2, y1: 14, y2: 14 }),
      [x1, x2].map((x) => el('line', { class: 'bracket', x1: x, x2: x, y1: 14, y2: 18 })),
      el('text', { class: 'rows', x: percent(at(ordinal)), y: 10, 'text-anchor': 'middle' }, words),
    ];
  });
}

function across100(y: number, kind: string): Child {
  return el('line', { class: kind, x1: 0, x2: '100%', y1: y, y2: y });
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
