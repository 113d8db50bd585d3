/**
 * The marks of every chart and map: one record is one mark, a link to its page. Kinds differ in shape and fill, never in colour
 * alone. Shapes are drawn around 0,0 and are at most 12 pixels in size; colours are classes of charts.css.
 */
import type { Observation } from '../../core/records.ts';
import { recordAddress } from '../address.ts';
import { el, linkTo, type Attributes, type Child } from '../node.ts';
import { hasRange, kindOf, REASONS, statusWords, type Kind, type Reason } from '../words.ts';

/** What a mark says of its record; an observation has it all. */
export type Marked = Pick<
  Observation,
  | 'id'
  | 'edition'
  | 'geoName'
  | 'period'
  | 'value'
  | 'lower'
  | 'upper'
  | 'unit'
  | 'status'
  | 'unavailableReason'
>;

/** Outline of the square of a cell without a value. */
const SQUARE = 'M-5-5h10v10h-10z';

/** What is in the square, by reason: nothing, slash, dots, zigzag, two overlapping squares, whisker. */
const SIGNS: Record<Reason, string> = {
  blank_in_source: '',
  suppressed_by_source: 'M-5-5 5 5',
  placeholder_in_source: 'M-3.2 0h.1M0 0h.1M3.1 0h.1',
  broken_formula_in_source: 'M-4 1.5-1.5-2.5 1.5 2.5 4-1.5',
  conflicting_source_rows: 'M-6-6h8v8h-8zM-2-2h8v8h-8z',
  no_point_value_in_source: 'M-2.5-3.5h5M0-3.5v7M-2.5 3.5h5',
};

/** The shape of a kind around 0,0. */
export function glyph(kind: Kind): Child {
  if (kind === 'reported') return el('circle', { class: 'dot', r: 3.5 });
  if (kind === 'estimated') return el('circle', { class: 'ring', r: 3.2 });
  if (kind === 'zero') return el('path', { class: 'nil', d: 'M0-4.5 4.5 0 0 4.5-4.5 0z' });
  const sign = SIGNS[kind];
  return [
    kind !== 'conflicting_source_rows' && [
      el('path', { class: 'gone', d: SQUARE }),
      el('path', { class: 'hatch', d: 'M-5-1-1-5M-5 4 4-5M-4 5 5-4M1 5 5 1' }),
    ],
    sign === '' ? '' : el('path', { class: `sign ${kind.split('_', 1)[0]}`, d: sign }),
  ];
}

/** The whisker of printed bounds around `x`, its ends at two heights; an end that is not printed stays open. */
export function whisker(upper: number | null, lower: number | null, end: number, open: boolean): Child {
  const cap = (y: number | null): string => (y === null ? '' : `M-4 ${y}h8`);
  return el('path', {
    class: open ? 'range open' : 'range',
    d: `${cap(upper)}M0 ${upper ?? end}V${lower ?? end}${cap(lower)}`,
  });
}

/** A record as text: `Belgium, 2023: 123026.367 Kilograms, reported`. */
export function markTitle(record: Marked): string {
  const { geoName, period, value, unit } = record;
  const range = rangeWords(record);
  const state = statusWords(record);
  return value === null
    ? `${geoName}, ${period}: ${state}${range === '' ? '' : `, ${range} ${unit}`}`
    : `${geoName}, ${period}: ${value} ${unit}${range === '' ? '' : ` (${range})`}, ${state}`;
}

/** The printed bounds in words; empty where there are none. */
export function rangeWords({ lower, upper }: Pick<Marked, 'lower' | 'upper'>): string {
  if (lower !== null && upper !== null) return `${lower} to ${upper}`;
  if (lower !== null) return `from ${lower}`;
  return upper === null ? '' : `up to ${upper}`;
}

/** What scripts read of the record that an element shows. */
export function recordData({ id, period, status, value }: Marked): Attributes {
  return {
    'data-record': id,
    'data-period': period,
    'data-status': status,
    'data-value': value === null ? '' : JSON.stringify(value),
  };
}

/** The numbers that a record prints: its value and its bounds. */
export function printedAmounts({ value, lower, upper }: Marked): number[] {
  return [value, lower, upper].filter((amount) => amount !== null);
}

/** A mark with its shapes: the link to the record's page, from a page whose root is `root`. */
export function mark(record: Marked, root: string, ...shapes: Child[]): Child {
  const attributes = { class: `mark ${kindClass(record)}`, ...recordData(record) };
  return linkTo(
    root,
    recordAddress(record.id, record.edition),
    el('g', attributes, el('title', {}, markTitle(record)), shapes),
  );
}

/** Shapes moved to a place: `x` in per cent of the drawing's width, `y` in pixels. */
export function placed(x: number, y: number, ...shapes: Child[]): Child {
  return el('svg', { class: 'at', x: percent(x), y, overflow: 'visible' }, shapes);
}

/** A fraction of a width as a per cent of two digits. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 10_000) / 100}%`;
}

/** A drawing of one shape alone, as large as a line of text: legends, tables. It is hidden from readers that hear the words next to it. */
export function alone(shape: Child, width = 16): Child {
  return inLine(shape, width, true);
}

/** The mark of a record as large as a line of text; it leads to the record. */
export function aloneMark(shape: Child): Child {
  return inLine(shape, 18, false);
}

function inLine(shape: Child, width: number, hidden: boolean): Child {
  const viewBox = `${-width / 2} -8 ${width} 16`;
  return el('svg', { class: 'alone', width, height: 16, viewBox, 'aria-hidden': hidden ? 'true' : null }, [
    shape,
  ]);
}

/** Whether a kind is an absence. */
export function isAbsent(kind: Kind): kind is Reason {
  return kind in REASONS;
}

function kindClass(record: Marked): string {
  const kind = kindOf(record);
  const bounds = hasRange(record) ? ' bounds' : '';
  return `${isAbsent(kind) ? 'unavailable ' : ''}${kind.replaceAll('_', '-')}${bounds}`;
}
