/** Dot plot: many places in one period, by name, never ranked. Cells without a value are below by reason, aggregates apart. */
import { groupedBy } from '../../core/groups.ts';
import { sortedByName } from '../../core/name-order.ts';
import type { Observation } from '../../core/records.ts';
import { el, type Child } from '../node.ts';
import { digits, kindOf, labelOf, LEVELS, statusWords } from '../words.ts';
import { figure, type FigureAbout } from './figure.ts';
import { legend } from './legend.ts';
import { glyph, isAbsent, mark, percent, placed, printedAmounts, rangeWords } from './mark.ts';
import { amountsOf, type Amounts } from './scale.ts';

/** The figure of records of one period; a block for each unit, as units are never compared. */
export function dotPlot(records: readonly Observation[], about: FigureAbout): Child {
  const ordered = sortedByName(records, ({ geoName }) => geoName, labelOf);
  const withValue = ordered.filter(({ value }) => value !== null);
  const without = ordered.filter(({ value }) => value === null);
  const isAggregate = ({ geoLevel }: Observation): boolean => geoLevel === 'aggregate';
  const units = [...groupedBy(withValue, ({ unit }) => unit)].sort(([a], [b]) => (a < b ? -1 : 1));
  const hasLabels = new Set(records.map(labelOf)).size > 1;
  const rowsOf = (own: readonly Observation[], amounts: Amounts | null): Child =>
    rows(own, amounts, hasLabels, about);
  return figure(records, about, {
    kind: 'dots',
    notes: [
      units.length === 1
        ? `Unit: ${units[0]?.[0] ?? ''}, as printed.`
        : units.length > 1
          ? 'Units as printed, each with its own scale.'
          : '',
      'Places are in the order of their names.',
    ].filter((note) => note !== ''),
    body: [
      units.map(([unit, own]) => {
        const amounts = amountsOf(own.flatMap(printedAmounts));
        const [places, aggregates] = [own.filter((one) => !isAggregate(one)), own.filter(isAggregate)];
        return [
          units.length > 1 ? el('p', { class: 'name' }, el('b', {}, unit)) : '',
          axis(amounts),
          rowsOf(places, amounts),
          aggregates.length > 0
            ? [
                el('p', { class: 'name' }, `Each an ${LEVELS.aggregate}, not a place`),
                rowsOf(aggregates, amounts),
              ]
            : '',
        ];
      }),
      [...groupedBy(without, statusWords)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([words, own]) => [
          el('p', { class: 'name' }, `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`),
          rowsOf(own, null),
        ]),
    ],
    legend: legend([...withValue, ...without.map((record) => ({ ...record, lower: null, upper: null }))], {
      nothing: about.nothing,
      several: [...groupedBy(records, keyOf).values()].some((own) => own.length > 1),
    }),
  });
}

function keyOf(record: Observation): string {
  return `${record.indicatorId} ${record.geoCode} ${labelOf(record)} ${record.unit}`;
}

function axis({ ticks }: Amounts): Child {
  return el('div', { class: 'row axis', 'aria-hidden': 'true' }, [
    el('span', { class: 'place' }),
    el('svg', { class: 'track', width: '100%', height: 18 }, [
      ticks.map(({ at, label }) => [
        el('text', { x: percent(at), y: 11, 'text-anchor': 'middle' }, label),
        el('line', { class: 'tick', x1: percent(at), x2: percent(at), y1: 14, y2: 18 }),
      ]),
    ]),
    el('span', { class: 'amount' }),
  ]);
}

function rows(
  own: readonly Observation[],
  amounts: Amounts | null,
  hasLabels: boolean,
  { root }: FigureAbout,
): Child {
  const byKey = groupedBy(own, keyOf);
  let before = '';
  return el('ul', { class: 'rows' }, [
    own.map((record) => {
      const key = keyOf(record);
      const count = byKey.get(key)?.length ?? 1;
      // Rows of one key follow each other: the place is named once, with their number.
      const isFurther = count > 1 && key === before;
      before = key;
      const label = hasLabels ? labelOf(record) : '';
      return [
        '\n',
        el('li', { class: count > 1 ? 'row several' : 'row' }, [
          el('span', { class: 'place' }, [
            isFurther ? '' : record.geoName,
            !isFurther && label !== '' ? el('span', { class: 'label' }, label) : '',
            !isFurther && count > 1 ? el('span', { class: 'count' }, `${count} rows`) : '',
          ]),
          el('svg', { class: 'track', width: '100%', height: 22 }, [
            el('line', { class: 'grid', x1: 0, x2: '100%', y1: 11, y2: 11 }),
            amounts &&
              el('line', {
                class: 'base',
                x1: percent(amounts.at(0)),
                x2: percent(amounts.at(0)),
                y1: 0,
                y2: 22,
              }),
            mark(
              record,
              root,
              amounts
                ? onTrack(record, amounts)
                : placed(0, 11, el('g', { transform: 'translate(6 0)' }, glyph(kindOf(record)))),
            ),
          ]),
          el('span', { class: 'amount' }, amountWords(record)),
        ]),
      ];
    }),
  ]);
}

/** A value on its track, its printed bounds as a line with end marks. */
function onTrack(record: Observation, { at }: Amounts): Child {
  const { value, lower, upper } = record;
  const kind = kindOf(record);
  if (value === null || isAbsent(kind)) return '';
  const ends = [lower, upper].filter((bound) => bound !== null);
  const [from, to] = [Math.min(value, ...ends), Math.max(value, ...ends)].map((amount) =>
    percent(at(amount)),
  );
  return [
    ends.length === 0 ? '' : el('line', { class: 'range', x1: from, x2: to, y1: 11, y2: 11 }),
    ends.map((bound) =>
      el('line', { class: 'range', x1: percent(at(bound)), x2: percent(at(bound)), y1: 7, y2: 15 }),
    ),
    placed(at(value), 11, glyph(kind)),
  ];
}

function amountWords(record: Observation): Child {
  const { value, unit } = record;
  const range = rangeWords(record);
  if (value === null) return range === '' ? '' : `${range} ${unit}`;
  return [digits(value), range === '' ? '' : el('span', { class: 'label' }, range)];
}
