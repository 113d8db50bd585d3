/** Where and when an indicator has rows, and under which labels. */
import { sortedByName } from '../../../shim/core/name-order.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import type { DatasetDocument, Observation } from '../../../shim/core/records.ts';
import { placeAddress, rowsAddress } from '../../../shim/view/address.ts';
import { coverageMatrix } from '../../../shim/view/chart/matrix.ts';
import { el, joined, linkTo, type Child } from '../../../shim/view/node.ts';
import { section, table } from '../../../shim/view/table.ts';
import { counted, grouped, LEVELS } from '../../../shim/view/words.ts';
import { byCodeUnits, distinct } from '../../lib/dataset.ts';
import { spanOfDays } from './dataset-parts.ts';
import type { RecordSummary } from './summary.ts';

/** Labels are printed open up to this many, and at all up to so many. */
const MOST_OPEN = 25;
const MOST_LABELS = 1000;

/** The labels of an indicator with their counts; nothing where there is one. */
export function labelsSection({ labels: series }: RecordSummary): Child {
  if (series.size < 2) return null;
  const shown = [...series.values()].slice(0, MOST_LABELS);
  const printed = table(
    'Each pair of labels is a series of its own; series are never joined or added',
    shown,
    [
      ['Category', ({ first }) => (first.category === '' ? 'none printed' : first.category)],
      ['Subgroup', ({ first }) => first.subgroup],
      [{ numbers: 'Rows' }, ({ rows }) => grouped(rows)],
      [{ numbers: 'With a value' }, ({ valued }) => grouped(valued)],
      [{ numbers: 'Places' }, ({ places }) => grouped(places)],
      ['Periods', ({ firstPeriod, lastPeriod }) => spanOfDays(firstPeriod, lastPeriod)],
      ['Unit', ({ units }) => joined([...units], '; ')],
    ],
  );
  const which = series.size > MOST_LABELS ? `The first ${grouped(MOST_LABELS)} of` : 'All';
  return section('labels', 'Labels as the source prints them', [
    series.size > MOST_OPEN
      ? el('details', {}, [el('summary', {}, `${which} ${grouped(series.size)} labels`), printed])
      : printed,
  ]);
}

/** The places of an indicator that has too many records for a matrix, each with the way to where they are. */
export function countedPlaces(document: DatasetDocument, { places }: RecordSummary, root: string): Child {
  const listed = sortedByName(document.geographies, ({ name }) => name).flatMap(({ code, name }) => {
    const own = places.get(code);
    return own ? [{ code, name, ...own }] : [];
  });
  return section('coverage', 'Places and periods', [
    table('Rows by place; a place that is not here has no row, which is not a zero', listed, [
      ['Place', ({ code, name }) => linkTo(root, placeAddress(code), name)],
      [{ numbers: 'Rows' }, ({ code, rows }) => linkTo(root, rowsAddress(document.id, code), grouped(rows))],
      [{ numbers: 'With a value' }, ({ valued }) => grouped(valued)],
      ['Periods', ({ firstPeriod, lastPeriod }) => spanOfDays(firstPeriod, lastPeriod)],
    ]),
  ]);
}

/** Cells of a matrix; of more, only the last periods are shown. */
const MOST_CELLS = 800;

/** The places of an indicator by year, each with the way to its rows; months are counted in their year. */
export function placesSection(
  document: DatasetDocument,
  records: readonly Observation[],
  root: string,
): Child {
  const byPlace = groupedBy(records, ({ geoCode }) => geoCode);
  const rows = sortedByName(document.geographies, ({ name }) => name)
    .filter(({ code: place }) => byPlace.has(place))
    .map(({ code: place, name, level }) => {
      const own = byPlace.get(place) ?? [];
      return {
        label: [
          linkTo(root, placeAddress(place), name),
          level === 'country' ? '' : `, ${LEVELS[level]}`,
          ' ',
          linkTo(root, rowsAddress(document.id, place), el('small', {}, counted(own.length, 'row'))),
        ],
        records: own,
      };
    });
  const years = distinct(records.map(({ period }) => period.slice(0, 4))).sort(byCodeUnits);
  const shown = years.slice(-Math.max(5, Math.floor(MOST_CELLS / rows.length)));
  const within = new Set(shown);
  return section('coverage', 'Places and years', [
    shown.length !== years.length &&
      el('p', { class: 'how' }, [
        `The last ${shown.length} of ${years.length} years are shown; the rows of each place have all, from ${years[0] ?? ''}.`,
      ]),
    coverageMatrix(
      'Rows by place and year; a place that is not here has no row, which is not a zero',
      rows.map(({ label, records: own }) => ({
        label,
        records: own.filter(({ period }) => within.has(period.slice(0, 4))),
      })),
      shown,
      root,
    ),
  ]);
}
