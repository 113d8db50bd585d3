/**
 * The marks of a map, above its ground: one for each record, in pixels around the centre of its place. They follow each other by
 * the name of the place, so that a keyboard reaches them in that order.
 */
import { el, type Child } from '../node.ts';
import { kindOf } from '../words.ts';
import { stateClass, type Geography, type MapRecord } from './geography.ts';
import { glyph, isAbsent, mark, percent } from './mark.ts';
import type { WorldPlace, WorldShapes } from './world.ts';

/** Radius of the largest circle. */
export const LARGEST = 28;
/** Amounts whose circle would be smaller are a point of this radius. */
const SMALLEST = 1.5;

/** Circles of one map: areas in proportion to values, the largest value the largest circle. */
export interface Circles {
  largest: number;
  /** Below this value a circle would be too small to see. */
  least: number;
  /** A circle of a value, around 0,0. */
  circle(value: number, estimated: boolean): Child;
}

/** The circles for these values. */
export function circlesOf(values: readonly number[]): Circles {
  const largest = Math.max(0, ...values);
  const least = largest * (SMALLEST / LARGEST) ** 2;
  const circle = (value: number, estimated: boolean): Child => {
    const radius = Math.round(LARGEST * Math.sqrt(value / largest) * 100) / 100;
    const state = estimated ? ' estimated' : '';
    return value < least
      ? el('circle', { class: `point${state}`, r: SMALLEST })
      : el('circle', { class: `amount${state}`, r: radius });
  };
  return { largest, least, circle };
}

/** The sign of an observed zero. */
export const ZERO = el('circle', { class: 'nought', r: 4.5 });

/** The sign of several rows in one period: a dot for each, in lines of five, and a bracket. */
export const SEVERAL = [rowDot('reported', 0, 2), rowDot('reported', 1, 2), bracket(2)];

/** What the marks of a map need besides their geography. */
export interface Layer {
  shapes: WorldShapes;
  root: string;
  /** Id of the figure, before those of its shapes. */
  id: string;
  circles: Circles;
}

/** The marks of a geography, each a link to its record; nothing where the map has no place for it. */
export function marksOf(geography: Geography, layer: Layer): Child {
  const { code, place, records } = geography;
  if (!place) return '';
  const { shapes, root, id } = layer;
  const over =
    place.path === null
      ? ''
      : el('svg', { class: 'over', viewBox: `0 0 ${shapes.width} ${shapes.height}` }, [
          el('use', { href: `#${id}-${code}` }),
        ]);
  const [first] = records;
  if (first && records.length === 1) return mark(first, root, over, signOf(first, place, geography, layer));
  return [
    records.map((record, index) =>
      mark(
        record,
        root,
        index === 0 ? over : '',
        pinned(place, shapes, rowDot(kindOf(record), index, records.length)),
      ),
    ),
    pinned(place, shapes, bracket(records.length)),
  ];
}

/** The sign of a single record: a shaded shape needs none, a small place is a marker of 8 pixels. */
function signOf(
  record: MapRecord,
  place: WorldPlace,
  geography: Geography,
  { shapes, circles }: Layer,
): Child {
  const { state, estimated } = geography;
  const kind = kindOf(record);
  if (isAbsent(kind)) return pinned(place, shapes, glyph(kind));
  if (record.value === null || state === 'zero') return pinned(place, shapes, ZERO);
  if (state === 'amount') return pinned(place, shapes, circles.circle(record.value, estimated));
  if (place.path !== null) return '';
  return pinned(place, shapes, el('circle', { class: `small ${stateClass(geography)}`, r: 4 }));
}

/** A small place without a row. */
export function emptyMarker(place: WorldPlace, shapes: WorldShapes): Child {
  return pinned(place, shapes, el('circle', { class: 'small none', 'data-geo': place.code, r: 2.5 }));
}

/** A shape at the centre of a place: the place moves with the page, the shape keeps its size. */
function pinned({ at: [x, y] }: WorldPlace, { width, height }: WorldShapes, shape: Child): Child {
  return el('svg', { class: 'at', x: percent(x / width), y: percent(y / height), overflow: 'visible' }, [
    shape,
  ]);
}

/** One of several rows: filled with a value, hollow without or at zero. */
function rowDot(kind: string, index: number, count: number): Child {
  const inLine = Math.min(count, 5);
  const x = ((index % 5) - (inLine - 1) / 2) * 6;
  const y = -Math.floor(index / 5) * 6;
  const filled = kind === 'reported' || kind === 'estimated';
  return el('circle', { class: filled ? 'row' : 'row hollow', cx: x, cy: y, r: 2.2 });
}

function bracket(count: number): Child {
  const width = Math.min(count, 5) * 6 + 2;
  return el('path', { class: 'bracket', d: `M${-width / 2} 3v3h${width}v-3` });
}
