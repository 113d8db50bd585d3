/** The coverage of a query: series by period. */
import type { Exploration } from '../core/explore-answer.ts';
import type { Observation } from '../core/records.ts';
import { recordAddress } from './address.ts';
import { coverageMatrix } from './chart/matrix.ts';
import { recordsOf, seriesOf } from './chart/series.ts';
import type { ExplorePlace } from './explore-link.ts';
import { el, type Child } from './node.ts';
import { counted, labelOf } from './words.ts';

/** Rows of a matrix: with more, the page is too long to read. */
export const MOST_ROWS = 100;
/** Periods of a matrix; months above are shown by their years. */
const MOST_PERIODS = 60;

/** What is known of each series and period; the cell of a single record leads to it. */
export function exploreMatrix(
  records: readonly Observation[],
  { model, title, place }: { model: Exploration; title: string; place: ExplorePlace },
): Child {
  const all = seriesOf(records);
  const drawn = all.slice(0, MOST_ROWS);
  const printed = [...new Set(records.map(({ period }) => period))].sort();
  const periods =
    printed.length > MOST_PERIODS ? [...new Set(printed.map((period) => period.slice(0, 4)))] : printed;
  const hasPlaces = new Set(records.map(({ geoCode }) => geoCode)).size > 1;
  const hasIndicators = Object.keys(model.indicators).length > 1;
  const hasUnits = new Set(records.map(({ unit }) => unit)).size > 1;
  const rows = drawn.map((series) => {
    const { first, periods: own } = series;
    const name = [
      hasPlaces ? first.geoName : '',
      hasIndicators ? (model.indicators[first.indicatorId] ?? '') : '',
      labelOf(first),
      hasUnits ? first.unit : '',
    ].filter((part, at, parts) => part !== '' && parts.indexOf(part) === at);
    const only = new Map(
      own.flatMap(({ period, records: [record, ...further] }) =>
        record && further.length === 0 ? [[period, record] as const] : [],
      ),
    );
    return {
      label: name.join(', ') || first.geoName,
      records: recordsOf(series),
      hrefOf: (period: string) => {
        const record = only.get(period);
        return record ? recordAddress(record.id, record.edition) : undefined;
      },
    };
  });
  return [
    coverageMatrix(`${title}: what is known of each period`, rows, periods, place.root),
    drawn.length < all.length &&
      el('p', { class: 'part' }, [
        `${drawn.length} of ${counted(all.length, 'series', 'series')} are shown, by name. All records are in the table.`,
      ]),
  ];
}
