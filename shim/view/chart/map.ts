/**
 * The world map of one period. Rates, shares and scores are shades of five classes, amounts are circles by area: a shaded amount
 * would read a large country as a large number. Two layers: the ground, which scales with the page, and above it the marks in
 * pixels, so that a small place stays visible.
 */
import { el, type Child } from '../node.ts';
import { figure, type FigureAbout } from './figure.ts';
import { geographiesOf, stateClass, statusesOf, type Geography, type MapRecord } from './geography.ts';
import { circlesOf, emptyMarker, marksOf } from './map-marks.ts';
import { BORDERS, listed, mapLegend, twin } from './map-text.ts';
import { classesOf, drawingOf } from './measure.ts';
import type { WorldShapes } from './world.ts';

/** Why these records are not one map; null where they are. */
export function mapRefusal(records: readonly MapRecord[], { places }: WorldShapes): string | null {
  const periods = new Set(records.map(({ period }) => period));
  const units = new Set(records.map(({ unit }) => unit));
  const [unit = ''] = units;
  if (periods.size !== 1) return `A map shows one period; these records are of ${periods.size}.`;
  if (units.size !== 1) return `A map shows one unit; these records have ${units.size}.`;
  const drawing = drawingOf(unit);
  if (drawing === 'none')
    return `A value in "${unit}" is neither a rate, share or score nor an amount in a place.`;
  const known = new Set(places.map(({ code }) => code));
  if (!records.some(({ geoCode }) => known.has(geoCode)))
    return 'The map has no place for any of these records.';
  const below = drawing === 'circles' && records.some(({ value }) => value !== null && value < 0);
  return below ? 'A circle has no area for a value below zero.' : null;
}

/** The map of records of one period and unit. Throws for records that are not one map: `mapRefusal` says why. */
export function mapFigure(records: readonly MapRecord[], shapes: WorldShapes, about: FigureAbout): Child {
  const refusal = mapRefusal(records, shapes);
  if (refusal !== null) throw new Error(refusal);
  const { id, root, caption, nothing, onePlace = false } = about;
  const unit = records[0]?.unit ?? '';
  const values = records.flatMap(({ value }) => (value === null ? [] : [value]));
  const classes = drawingOf(unit) === 'shades' ? classesOf(unit, values) : [];
  const circles = circlesOf(values);
  const geographies = geographiesOf(records, shapes, classes);
  const drawn = new Map(geographies.map((geography) => [geography.code, geography]));
  const empty = shapes.places.filter(({ code }) => !drawn.has(code));
  const marks = el('svg', { class: 'marks', role: 'group', 'aria-label': caption }, [
    !onePlace && empty.filter(({ path }) => path === null).map((place) => emptyMarker(place, shapes)),
    geographies.map((geography) => ['\n', marksOf(geography, { shapes, root, id, circles })]),
  ]);
  return figure(records, about, {
    kind: 'map',
    notes: [
      ...(statusesOf(records).join() === 'estimated' ? ['Every value is an estimate of the source.'] : []),
      classes.length > 0
        ? 'Five classes with fixed bounds: a shade says which class, never an order of places.'
        : 'The area of a circle is in proportion to the value.',
    ],
    body: el('div', { class: 'plane' }, ground(drawn, shapes, id, onePlace ? 'apart' : 'none'), '\n', marks),
    legend: [
      mapLegend({ geographies, classes, circles, unit, without: onePlace ? null : empty.length, nothing }),
      listed(geographies, root),
      twin(geographies, caption, root),
      BORDERS,
    ],
  });
}

/** The shapes, painted; what they say is in the marks above them. Shapes with a row come last, over the outlines of the others. */
function ground(
  drawn: ReadonlyMap<string, Geography>,
  { width, height, places }: WorldShapes,
  id: string,
  others: 'apart' | 'none',
): Child {
  const shape = (code: string, path: string): Child => {
    const geography = drawn.get(code);
    const fill = geography?.state === 'gone' ? `url(#${id}-hatch)` : null;
    return [
      '\n',
      el('g', { class: `land ${geography ? stateClass(geography) : others}`, 'data-geo': code, fill }, [
        el('path', { class: 'outline', id: geography ? `${id}-${code}` : null, d: path }),
      ]),
    ];
  };
  const hasRow = ({ code }: { code: string }): boolean => drawn.has(code);
  return el('svg', { class: 'ground', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, [
    el(
      'pattern',
      {
        id: `${id}-hatch`,
        width: 14,
        height: 14,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(-45)',
      },
      el('path', { class: 'stripe', d: 'M0 7h14' }),
    ),
    [...places.filter((place) => !hasRow(place)), ...places.filter(hasRow)].map(({ code, path }) =>
      path === null ? '' : shape(code, path),
    ),
  ]);
}
