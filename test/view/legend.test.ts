/** Legends of figures: a mark is in one exactly where it is drawn. */
import { expect, test } from 'vitest';
import { coverageMatrix } from '../../shim/view/chart/matrix.ts';
import { dotPlot } from '../../shim/view/chart/dots.ts';
import { seriesFigure } from '../../shim/view/chart/panels.ts';
import { print } from '../../shim/view/node.ts';
import { allObservations } from '../_support/records.ts';

const records = allObservations();
const ABOUT = { id: 'f', root: '', caption: '', sources: [], boundary: null, query: null };

test.each([
  ['dots', dotPlot],
  ['series', seriesFigure],
])('%s: the range of a cell without a value', (_, draw) => {
  const ranged = records.filter(
    ({ value, lower, upper }) => value === null && lower !== null && upper !== null,
  );
  const [first] = ranged;
  expect(first).toBeDefined();
  const own = records.filter(
    ({ indicatorId, period }) => indicatorId === first?.indicatorId && period === first?.period,
  );
  const html = print(draw(own, ABOUT));
  const [figure = '', legend = ''] = html.split('<ul class="kinds">');
  expect(legend.includes('range of a cell without a value')).toBe(/class="range open"/.test(figure));
});

test('a coverage matrix says from when to when it goes', () => {
  const own = records.filter(({ indicatorId, geoCode }) => indicatorId === 'seizures' && geoCode === 'BEL');
  const periods = [...new Set(own.map(({ period }) => period))].toSorted();
  const html = print(coverageMatrix('Rows', [{ label: 'Belgium', records: own }], periods, ''));
  expect(html).toContain(`<caption>Rows, ${periods[0]} to ${periods.at(-1)}</caption>`);
});
