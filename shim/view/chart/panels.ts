/** Small multiples: a panel for each series of some records, by the name of the place; series of one or two periods as values. */
import type { Observation } from '../../core/records.ts';
import { el, type Child } from '../node.ts';
import { counted, digits, hasRange, kindOf, labelOf, statusWords } from '../words.ts';
import { besideLine } from './beside.ts';
import { figure, type FigureAbout } from './figure.ts';
import { legend } from './legend.ts';
import { aloneMark, glyph, isAbsent, mark, rangeWords, whisker } from './mark.ts';
import { amountsIn, gutterOf, panel, type Shared } from './panel.ts';
import { joinsOf, periodsOf, recordsOf, seriesOf, type Series } from './series.ts';

/** Panels of one figure. */
export const MOST_PANELS = 24;
/** A series of fewer periods is a few values: a line of them would say more than they do. */
const FEWEST_PERIODS = 3;
/** Over more periods panels are wider, where there is room. */
const WIDE = 40;

/** The figure of all series in some records. */
export function seriesFigure(records: readonly Observation[], about: FigureAbout): Child {
  const all = seriesOf(records);
  const series = all.slice(0, MOST_PANELS);
  const drawn = series.flatMap(recordsOf);
  const fewest = about.periods ? 1 : FEWEST_PERIODS;
  const long = series.filter(({ periods }) => periods.length >= fewest);
  const short = series.filter(({ periods }) => periods.length < fewest);
  const units = new Set(drawn.map(({ unit }) => unit));
  const naming = namingOf(series, units.size > 1, about);
  const within = periodsWithin(drawn);
  const nameOf = (one: Series, id: string): Child => el('p', { class: 'name', id }, naming(one));
  const after = (one: Series): Child => besideLine(one, records, within, about.root);
  return figure(drawn, about, {
    kind: 'series',
    notes: [
      units.size > 1 ? 'Units as printed, one for each panel.' : `Unit: ${[...units][0] ?? ''}, as printed.`,
      long.length > 1
        ? about.oneScale === true
          ? 'All panels have the same scale of amounts and the same periods.'
          : 'Each panel has its own scale of amounts; periods are the same in all.'
        : '',
    ].filter((note) => note !== ''),
    body: [
      long.length > 0 ? panelsOf(long, about, nameOf, after) : '',
      short.length > 0 &&
        el('div', { class: 'panels values' }, [
          short.map((one, index) => [
            '\n',
            el('div', { class: 'panel' }, [
              nameOf(one, `${about.id}-v${index}`),
              valuesOf(one, about.root),
              after(one),
            ]),
          ]),
        ]),
    ],
    legend: legend(drawn, {
      nothing: about.nothing,
      joined: new Set(long.flatMap((one) => joinsOf(one).map(([{ status }]) => status))),
      several: series.some(({ periods }) => periods.some((period) => period.records.length > 1)),
    }),
    part:
      all.length > series.length
        ? `${series.length} of ${counted(all.length, 'series', 'series')} are drawn, by name.`
        : null,
  });
}

function panelsOf(
  series: readonly Series[],
  { id, root, oneScale = false, periods: others = [] }: FigureAbout,
  nameOf: (one: Series, id: string) => Child,
  after: (one: Series) => Child,
): Child {
  const lane = series.some((one) => recordsOf(one).some((record) => isAbsent(kindOf(record))));
  const amounts = oneScale ? series.map(() => amountsIn(series)) : series.map((one) => amountsIn([one]));
  const gutter = gutterOf(amounts, lane);
  const lengths = new Set(series.map(lengthOf));
  const axes = new Map(
    [...lengths].map((length) => [
      length,
      periodsOf(
        series
          .filter((one) => lengthOf(one) === length)
          .flatMap(({ periods }) => periods.map(({ period }) => period))
          .concat(others.filter((period) => period.length === length)),
      ),
    ]),
  );
  const isWide = [...axes.values()].some(({ band }) => band < 1 / WIDE);
  const count = series.length === 1 ? ' one' : isWide ? ' wide' : '';
  return el('div', { class: `panels${count}` }, [
    series.map((one, index) => {
      const [axis, scale] = [axes.get(lengthOf(one)), amounts[index]];
      if (!axis || !scale) return '';
      const shared: Shared = { root, periods: axis, lane, gutter };
      const name = `${id}-s${index}`;
      return [
        '\n',
        el('div', { class: 'panel' }, nameOf(one, name), panel(one, scale, shared, name), after(one)),
      ];
    }),
  ]);
}

/** Years and months have an axis each. */
function lengthOf({ first }: Series): number {
  return first.period.length;
}

/** A series of one or two periods: each value with its mark. */
function valuesOf({ periods }: Series, root: string): Child {
  const value = (record: Observation): Child =>
    el('li', {}, aloneMark(mark(record, root, cardGlyph(record))), ' ', valueWords(record));
  return el('dl', { class: 'printed' }, [
    periods.map(({ period, records }) =>
      el('div', {}, [
        el('dt', {}, [
          period,
          records.length > 1 ? el('span', { class: 'rows' }, `${records.length} rows`) : '',
        ]),
        el('dd', {}, el('ul', { class: records.length > 1 ? 'several' : null }, records.map(value))),
      ]),
    ),
  ]);
}

function cardGlyph(record: Observation): Child {
  const range = hasRange(record) ? whisker(-7, 7, 0, record.value === null) : '';
  return [range, glyph(kindOf(record))];
}

function valueWords(record: Observation): Child {
  const { value, unit } = record;
  const range = rangeWords(record);
  const words = range === '' ? '' : ` (${range})`;
  if (value === null)
    return el('span', { class: 'gone' }, statusWords(record), range === '' ? '' : `, ${range} ${unit}`);
  return [el('b', {}, digits(value)), ` ${unit}${words}, ${statusWords(record)}`];
}

function periodsWithin(records: readonly Observation[]): readonly [first: string, last: string] {
  const periods = records.map(({ period }) => period).sort();
  return [periods[0] ?? '', periods.at(-1) ?? ''];
}

/** How panels are named: only what differs between them, the place first. */
function namingOf(
  series: readonly Series[],
  withUnit: boolean,
  { indicators }: FigureAbout,
): (one: Series) => Child {
  const differ = (of: (one: Observation) => string): boolean =>
    new Set(series.map(({ first }) => of(first))).size > 1;
  const byPlace = differ(({ geoCode }) => geoCode);
  const byIndicator = differ(({ indicatorId }) => indicatorId);
  const byLabel = differ(labelOf);
  return ({ first }) => {
    const label = differ(({ category }) => category) ? labelOf(first) : first.subgroup || labelOf(first);
    const parts = [
      byPlace || !(byIndicator || byLabel) ? first.geoName : '',
      byIndicator ? (indicators?.get(first.indicatorId) ?? first.indicatorId) : '',
      byLabel || !(byPlace || byIndicator) ? label : '',
    ].filter((part) => part !== '');
    const [head = '', ...rest] = parts;
    return [
      el('b', {}, head),
      rest.map((part) => el('span', {}, part)),
      withUnit ? el('span', { class: 'unit' }, first.unit) : '',
    ];
  };
}
