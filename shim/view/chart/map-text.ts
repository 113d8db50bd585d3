/** What is under a map: legend with counts, geographies that have no place on it, its table, and the note on borders. */
import { groupedBy } from '../../core/groups.ts';
import { recordAddress } from '../address.ts';
import { el, linkTo, type Child } from '../node.ts';
import { table } from '../table.ts';
import { counted, digits, kindOf, statusWords } from '../words.ts';
import type { Geography, MapRecord } from './geography.ts';
import { NO_ROW } from './legend.ts';
import { LARGEST, SEVERAL, ZERO, type Circles } from './map-marks.ts';
import { alone, glyph, isAbsent, markTitle, recordData } from './mark.ts';
import type { ValueClass } from './measure.ts';

/** The note under every map. */
export const BORDERS: Child = el('p', { class: 'borders' }, [
  'Boundaries for orientation only, after Natural Earth (public domain) as edited by Visionscarto. They imply no position on the status of any territory; names are those each source prints.',
]);

/** What the legend counts. */
export interface Counted {
  geographies: readonly Geography[];
  /** Empty where amounts are circles. */
  classes: readonly ValueClass[];
  circles: Circles;
  unit: string;
  /** Places of the map of which nothing is drawn; null where the query is not of them. */
  without: number | null;
  /** What that means, if not that the source has no row. */
  nothing: string | undefined;
}

/** The legend: what is drawn, with the number of places. Zeros, absences, several rows and no row are always in it. */
export function mapLegend(shown: Counted): Child {
  const { geographies, classes, circles, unit, without, nothing = NO_ROW } = shown;
  const placesWith = (state: Geography['state']): number =>
    geographies.filter((geography) => geography.state === state).length;
  const estimates = geographies.filter(({ estimated }) => estimated).length;
  const values = [
    el('li', { class: 'unit' }, unit),
    classes.map(({ words }, index) => entry(swatch(`shade s${index + 1}`), words, placesWith(index))),
  ];
  return el('ul', { class: 'kinds' }, [
    classes.length > 0 ? values : sizes(shown),
    estimates !== 0 &&
      entry(
        classes.length > 0
          ? swatch('shade s2 estimated')
          : sample(circles.circle(circles.largest / 10, true)),
        'estimated: dashed outline',
        estimates,
      ),
    entry(alone(ZERO), '0: a zero the source prints', placesWith('zero')),
    absences(geographies),
    entry(
      alone(SEVERAL),
      'several rows for one period: all are in the table, none is added',
      placesWith('several'),
    ),
    entry(swatch(without === null ? 'apart' : 'none'), nothing, without),
  ]);
}

/** Circles of round sizes, and how many places have one. */
function sizes({ geographies, circles, unit }: Counted): Child {
  const values = geographies.flatMap(({ state, records }) =>
    state === 'amount' ? [records[0]?.value ?? 0] : [],
  );
  const points = values.filter((value) => value < circles.least).length;
  return [
    roundSizes(values).map((size) =>
      el('li', {}, sample(circles.circle(size, false)), el('span', {}, digits(size), ` ${unit}`)),
    ),
    entry(null, 'drawn as circles', values.length - points),
    points !== 0 &&
      entry(alone(circles.circle(0, false)), 'drawn as a point: too small for a circle', points),
  ];
}

/** The largest size of one digit that the values reach, a tenth and a hundredth of it. */
function roundSizes(values: readonly number[]): number[] {
  if (values.length === 0) return [];
  const [digit = '1', power = '0'] = Math.max(...values)
    .toExponential(0)
    .split('e');
  const smallest = Math.min(...values);
  return [0, 1, 2]
    .map((step) => Number(`${digit}e${Number(power) - step}`))
    .filter((size, index) => index === 0 || size >= smallest);
}

/** One line for each reason, or one that says there is none. */
function absences(geographies: readonly Geography[]): Child {
  const gone = geographies
    .filter(({ state }) => state === 'gone')
    .flatMap(({ records }) => records.slice(0, 1));
  if (gone.length === 0) return entry(swatch('gone'), 'unavailable', 0);
  return [...groupedBy(gone, statusWords)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([words, records]) =>
      entry(
        [swatch('gone'), records.slice(0, 1).map((record) => alone(signOf(record)))],
        words,
        records.length,
      ),
    );
}

function signOf(record: MapRecord): Child {
  const kind = kindOf(record);
  return isAbsent(kind) ? glyph(kind) : '';
}

function entry(sign: Child, words: string, count: number | null): Child {
  const places = count === null ? '' : [' ', el('b', {}, counted(count, 'place'))];
  return el('li', {}, sign, el('span', {}, words, places));
}

/** A circle of the legend, at the size it has on the map. */
function sample(circle: Child): Child {
  const size = 2 * LARGEST;
  const viewBox = `${-LARGEST} ${-LARGEST} ${size} ${size}`;
  return el('svg', { class: 'sample', width: size, height: size, viewBox, 'aria-hidden': 'true' }, circle);
}

function swatch(state: string): Child {
  return el('svg', { class: 'alone', width: 24, height: 16, 'aria-hidden': 'true' }, [
    el('rect', { class: `land ${state}`, x: 1, y: 1, width: 22, height: 14 }),
    state === 'gone' ? el('path', { class: 'stripe', d: 'M1 9 9 1M4 15 18 1M13 15 23 5' }) : '',
  ]);
}

/** Geographies without a place on the map: parts of countries and aggregates, each record a line with its value. */
export function listed(geographies: readonly Geography[], root: string): Child {
  const records = geographies.flatMap((geography) => (geography.place === null ? geography.records : []));
  if (records.length === 0) return '';
  return [
    el('p', { class: 'part' }, 'Not drawn, as the map has no shape for them:'),
    el('ul', { class: 'listed' }, [
      records.map((record) => [
        '\n',
        el(
          'li',
          { class: 'mark', ...recordData(record) },
          linkTo(root, recordAddress(record.id, record.edition), markTitle(record)),
        ),
      ]),
    ]),
  ];
}

/** The map as a table: a row for each record, by name. */
export function twin(geographies: readonly Geography[], caption: string, root: string): Child {
  const rows = geographies.flatMap(({ name, records }) => records.map((record) => ({ ...record, name })));
  return el('details', { class: 'twin' }, [
    el('summary', {}, `The map as a table: ${counted(rows.length, 'row')}`),
    table(caption, rows, [
      ['Place', ({ id, edition, name }) => linkTo(root, recordAddress(id, edition), name)],
      [{ numbers: 'Value' }, ({ value }) => (value === null ? '' : digits(value))],
      ['Unit', ({ unit }) => unit],
      ['Status', statusWords],
    ]),
  ]);
}
