/** Where and when an indicator has rows, and under which labels. */
import { groupedBy } from '../../../shim/core/groups.ts';
import type { DatasetDocument, Observation } from '../../../shim/core/records.ts';
import { placeAddress, rowsAddress } from '../../../shim/view/address.ts';
import { coverageMatrix } from '../../../shim/view/chart/matrix.ts';
import { el, joined, linkTo, type Child } from '../../../shim/view/node.ts';
import { section, table, type Row } from '../../../shim/view/table.ts';
import { counted, grouped, LEVELS } from '../../../shim/view/words.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import { distinct } from '../bulk/release.ts';
import { spanWords } from './dataset-parts.ts';
import type { RecordSummary } from './summary.ts';

/** Labels are printed open up to this many, and at all up to so many. */
const MOST_OPEN = 25;
const MOST_LABELS = 1000;

/** The labels of an indicator with their counts; nothing where there is one. */
export function labelsSection({ labels: series }: RecordSummary): Child {
  if (series.size < 2) return null;
  const rows = [...series.values()]
    .slice(0, MOST_LABELS)
    .map(({ first, rows: count, valued, places, firstPeriod, lastPeriod, units }): Row => [
      first.category === '' ? 'none printed' : first.category,
      first.subgroup,
      grouped(count),
      grouped(valued),
      grouped(places),
      spanWords(firstPeriod, lastPeriod),
      joined([...units], '; '),
    ]);
  const printed = table(
    'Each pair of labels is a series of its own; series are never joined or added',
    [
      'Category',
      'Subgroup',
      { numbers: 'Rows' },
      { numbers: 'With a value' },
      { numbers: 'Places' },
      'Periods',
      'Unit',
    ],
    rows,
  );
  const isLong = series.size > MOST_OPEN;
  const rest = series.size - rows.length;
  return section('labels', 'Labels as the source prints them', [
    isLong
      ? el('details', {}, [
          el('summary', {}, [
            rest > 0
              ? `The first ${grouped(rows.length)} of ${grouped(series.size)} labels`
              : `All ${grouped(series.size)} labels`,
          ]),
          printed,
        ])
      : printed,
  ]);
}

/** The places of an indicator that has too many records for a matrix, each with the way to where they are. */
export function countedPlaces(document: DatasetDocument, { places }: RecordSummary, root: string): Child {
  const rows = document.geographies
    .flatMap(({ code, name }) => {
      const own = places.get(code);
      return own ? [{ code, name, own }] : [];
    })
    .sort((a, b) => byCodeUnits(a.name, b.name))
    .map(({ code, name, own }): Row => [
      linkTo(root, placeAddress(code), name),
      linkTo(root, rowsAddress(document.id, code), grouped(own.rows)),
      grouped(own.valued),
      spanWords(own.firstPeriod, own.lastPeriod),
    ]);
  return section('coverage', 'Places and periods', [
    table(
      'Rows by place; a place that is not here has no row, which is not a zero',
      ['Place', { numbers: 'Rows' }, { numbers: 'With a value' }, 'Periods'],
      rows,
    ),
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
  const rows = document.geographies
    .filter(({ code: place }) => byPlace.has(place))
    .sort((a, b) => byCodeUnits(a.name, b.name))
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
