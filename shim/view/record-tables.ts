/** The tables of a cell's page: its editions, what is beside it, and the fields of an atlas record. */
import type { Cell, EditionOfCell } from '../core/cell.ts';
import type { AtlasRecord, DatasetDocument } from '../core/records.ts';
import { el, type Child } from './node.ts';
import { cellLink, placeOfCell, plainValue, type CellView } from './record-words.ts';
import { section, table, type Row } from './table.ts';
import { counted, digits, statusWords } from './words.ts';

/** Every edition of the dataset with what it prints in this row. */
export function historyTable({ cell, editions }: CellView): Child {
  // A source that did not change between two editions of a dataset is one edition of the cell.
  const shown = editions.filter(
    (one, at) =>
      one.cell === null || editions.findIndex((other) => other.cell?.edition === one.cell?.edition) === at,
  );
  const values = new Set(shown.flatMap((one) => (one.cell ? comparable(one.cell) : [])));
  const words =
    shown.length === 1
      ? 'This host publishes one edition of the table.'
      : values.size > 1
        ? 'Its value differs between editions. The sources do not say why.'
        : 'Every edition that has this row prints the same.';
  return section(
    'history',
    'In every edition',
    el('p', {}, words),
    table(
      'This row in every edition, oldest first',
      [
        { head: 'Edition' },
        { head: 'Value', numeric: true },
        { head: 'Unit' },
        { head: 'Status' },
        { head: 'Cell' },
      ],
      shown.toReversed().map((one) => historyRow(one, cell)),
    ),
  );
}

function comparable({ kind, record }: Cell): string {
  if (kind === 'atlas') return JSON.stringify(record.data);
  const { value, lower, upper, unit, status, unavailableReason } = record;
  return JSON.stringify([value, lower, upper, unit, status, unavailableReason]);
}

function historyRow({ pack, cell: own, fault, periods }: EditionOfCell, cell: Cell): Row {
  if (!own) {
    const isOutside =
      periods !== null &&
      (placeOfCell(cell).period < (periods.first ?? '') || placeOfCell(cell).period > `${periods.last}~`);
    const why = fault
      ? 'cannot be read at the moment'
      : isOutside
        ? `no such row: the table has the periods ${periods.first} to ${periods.last}`
        : 'no such row';
    return { cells: [pack.edition, '', '', why, ''] };
  }
  const edition = own.edition === cell.edition ? [own.edition, ' (this page)'] : cellLink(own, own.edition);
  if (own.kind === 'atlas') return { cells: [edition, '', '', plainValue(own), own.locator] };
  const { value, unit } = own.record;
  return {
    cells: [edition, value === null ? '' : digits(value), unit, statusWords(own.record), own.locator],
  };
}

/** The rest of the series, and the other labels of the place in the period; nothing of them is joined. */
export function besideTables({ cell, series, labels }: CellView): Child {
  const { place, period, label } = placeOfCell(cell);
  const name = `${place}: ${label}`;
  return [
    section(
      'series',
      'The same series',
      series.length === 1
        ? el('p', {}, 'The source has one row of this series.')
        : table(
            name,
            [
              { head: 'Period' },
              { head: 'Value', numeric: true },
              { head: 'Unit' },
              { head: 'Status' },
              { head: 'Cell' },
            ],
            series.map((other) => cellRow(other, cell, placeOfCell(other).period)),
          ),
      severalRows(cell, series),
    ),
    labels.length === 0
      ? null
      : section(
          'labels',
          `Other labels of ${place} in ${period}`,
          el('p', {}, 'Labels may overlap. They are not to be added up.'),
          table(
            `Other labels of ${place} in ${period}`,
            [
              { head: 'Label' },
              { head: 'Value', numeric: true },
              { head: 'Unit' },
              { head: 'Status' },
              { head: 'Cell' },
            ],
            labels.slice(0, MOST_LABELS).map((other) => cellRow(other, cell, placeOfCell(other).label)),
          ),
          labels.length > MOST_LABELS
            ? el('p', {}, `${counted(labels.length - MOST_LABELS, 'row')} more: see all rows of the place.`)
            : null,
        ),
  ];
}

/** Rows of other labels on one page. */
const MOST_LABELS = 40;

function severalRows(cell: Cell, series: readonly Cell[]): Child {
  const { period } = placeOfCell(cell);
  const same = series.filter((other) => placeOfCell(other).period === period).length;
  if (same < 2) return null;
  return el(
    'p',
    { class: 'note' },
    `The source prints ${same} rows with this label for ${period} and does not say how they differ. They are separate records and not to be added up.`,
  );
}

function cellRow(other: Cell, cell: Cell, head: string): Row {
  const isSelf = other.id === cell.id;
  const first = isSelf ? el('b', { 'aria-current': 'true' }, head) : cellLink(other, head);
  if (other.kind === 'atlas') return { cells: [first, '', '', plainValue(other), other.locator] };
  const { record } = other;
  return {
    cells: [
      first,
      record.value === null ? '' : digits(record.value),
      record.unit,
      statusWords(record),
      other.locator,
    ],
  };
}

/** Every field of a country and year in words, with its value or its absence. */
export function atlasValues(record: AtlasRecord, { fields, unit = '' }: DatasetDocument): Child {
  const rows = fields.map(({ path, label }): Row => {
    const value = valueAt(record, path);
    const status = value === null ? 'unavailable' : 'reported';
    return {
      id: path,
      cells: [
        label,
        el(
          'data',
          { value: value === null ? '' : String(value), 'data-field': path },
          value === null ? '' : digits(value),
        ),
        value === 0 ? 'reported: an observed zero' : status,
      ],
    };
  });
  const known = fields.filter(({ path }) => valueAt(record, path) !== null).length;
  return [
    el(
      'p',
      { class: 'value', 'data-status': record.meta.availability },
      `${known} of ${counted(fields.length, 'field')}`,
      ' ',
      el('span', { class: 'unit' }, `with a value, ${unit}`),
    ),
    table(
      `Fields of ${record.data.country}, ${record.data.year} (${unit})`,
      [{ head: 'Field' }, { head: 'Value', numeric: true }, { head: 'Status' }],
      rows,
    ),
  ];
}

/** The number at a dotted path of the data; a group that is null makes all its fields null. */
function valueAt({ data }: AtlasRecord, path: string): number | null {
  let value: unknown = data;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof value === 'number' ? value : null;
}
