/** The tables of a cell's page: its editions, what is next to it, and the fields of an atlas record. */
import type { Cell, EditionOfCell } from '../core/cell.ts';
import { atlasValue } from '../core/fields.ts';
import type { Observation } from '../core/records.ts';
import { el, p, type Child } from './node.ts';
import { spanWords } from './periods.ts';
import { cellLink, mayBeOther, placeOfCell, ROOT, type CellView } from './record-words.ts';
import { rowsTable, recordsBySeries } from './rows.ts';
import { section, table } from './table.ts';
import { counted, digits, labelOf, statusWords } from './words.ts';

type AtlasCell = Extract<Cell, { kind: 'atlas' }>;

/** Every edition of the dataset with what it prints in this row, the newest first. */
export function historyTable(view: CellView): Child {
  const { cell, editions } = view;
  // A source that did not change between two editions of a dataset is one edition of the cell.
  const shown = editions.filter(
    (one, at) =>
      one.cell === null || editions.findIndex((other) => other.cell?.edition === one.cell?.edition) === at,
  );
  const caption = 'This row in every edition, the newest first';
  return section('history', 'In every edition', [
    p(historyWords(view, shown)),
    table(caption, shown.toReversed(), [
      ['Edition', ({ pack, cell: own }) => (own ? named(own, cell, own.edition) : pack.edition)],
      ['Prints', (one) => (one.cell ? printed(one.cell) : whyMissing(one, cell))],
      ['Cell', ({ cell: own }) => own && located(own)],
    ]),
  ]);
}

function historyWords(view: CellView, shown: CellView['editions']): string {
  const { cell, editions } = view;
  if (editions.length === 1) return 'This host publishes one edition of the table.';
  if (shown.length === 1)
    return `All editions of the dataset have the same file, and so this cell: ${editions.map(({ pack }) => pack.edition).join(', ')}.`;
  const having = shown.flatMap((one) => one.cell ?? []);
  if (shown.some(({ fault }) => fault)) return 'Not every edition can be read at the moment.';
  if (having.length === 1) return 'One edition of the table has this row.';
  if (having.every((one) => printsSame(one, cell))) return 'Every edition that has this row prints the same.';
  return shown.some((one) => one.cell && !printsSame(one.cell, cell) && mayBeOther(one, view))
    ? 'An edition has several rows with this label, and their order in the file alone tells them apart: cells that differ may be of different rows.'
    : 'The editions differ in this row. The sources do not say why.';
}

/** A cell of the tables of another one: a link, but for the cell itself. */
function named(own: Cell, cell: Cell, name: string): Child {
  const isSelf = own.id === cell.id && own.edition === cell.edition;
  return isSelf ? el('b', { 'aria-current': 'true' }, name) : cellLink(own, name);
}

function located({ locator }: Cell): Child {
  return el('span', { class: 'hash' }, locator);
}

function printed(cell: Cell): Child {
  if (cell.kind === 'atlas') return `${knownFields(cell)} with a value`;
  const { record } = cell;
  if (record.value === null) return statusWords(record);
  return [digits(record.value), ` ${record.unit}, ${record.status}`];
}

/** Whether two cells of a row print the same. */
export function printsSame(one: Cell, other: Cell): boolean {
  return comparable(one) === comparable(other);
}

function comparable({ kind, record }: Cell): string {
  if (kind === 'atlas') return JSON.stringify(record.data);
  const { value, lower, upper, unit, status, unavailableReason } = record;
  return JSON.stringify([value, lower, upper, unit, status, unavailableReason]);
}

/** Why an edition does not show a cell. */
function whyMissing({ fault, periods }: EditionOfCell, cell: Cell): string {
  if (fault) return 'cannot be read at the moment';
  const { period } = placeOfCell(cell);
  return periods !== null && (period < (periods.first ?? '') || period > `${periods.last}~`)
    ? `no such row: the table covers ${spanWords(periods.first, periods.last)}`
    : 'no such row';
}

/** The rest of the series, and the other labels of the place in the period; nothing of them is joined. */
export function besideTables({ cell, series, labels }: CellView): Child {
  const { place, period, label } = placeOfCell(cell);
  const about = { root: ROOT, pinned: true, self: cell.id };
  const observed = series.flatMap((one) => (one.kind === 'observation' ? one.record : []));
  const assessed = series.flatMap((one) => (one.kind === 'atlas' ? one : []));
  const others = recordsBySeries(labels.flatMap((one) => (one.kind === 'observation' ? one.record : [])));
  const caption = `Other labels of ${place} in ${period}`;
  const labelRows = (groups: readonly Observation[][]): Child =>
    rowsTable(
      caption,
      groups.map((records) => ({ heading: records[0] ? labelOf(records[0]) : '', records })),
      about,
    );
  return [
    section('series', 'The same series', [
      series.length === 1
        ? p('The source has one row of this series.')
        : assessed.length > 0
          ? table(`${place}: ${label}`, assessed, [
              ['Period', (one) => named(one, cell, placeOfCell(one).period)],
              ['Prints', printed],
              ['Cell', located],
            ])
          : rowsTable(`${place}: ${label}`, [{ heading: '', records: observed }], about),
      severalRows(cell, series),
    ]),
    others.length > 0 &&
      section('labels', 'Beside it', [
        p(
          `The source has other labels for ${place} in ${period}. They may overlap and are not to be added up.`,
        ),
        labelRows(others.slice(0, MOST_LABELS)),
        others.length > MOST_LABELS &&
          el('details', {}, [
            el('summary', {}, counted(others.length - MOST_LABELS, 'further label')),
            labelRows(others.slice(MOST_LABELS)),
          ]),
      ]),
  ];
}

/** Other labels that are shown at once. */
const MOST_LABELS = 6;

function severalRows(cell: Cell, series: readonly Cell[]): Child {
  const { period } = placeOfCell(cell);
  const same = series.filter((other) => placeOfCell(other).period === period).length;
  if (same < 2) return null;
  return el('p', { class: 'note' }, [
    `The source prints ${same} rows with this label for ${period} and does not say how they differ. They are separate records and not to be added up.`,
  ]);
}

/** Every field of a country and year in words, with its value or its absence. */
export function atlasValues(cell: AtlasCell): Child {
  const { record } = cell;
  const { fields, unit = '' } = cell.document;
  const values = fields.map(({ path, label }) => ({ path, label, value: atlasValue(record, path) }));
  return [
    el('p', { class: 'value', 'data-status': record.meta.availability }, [
      knownFields(cell),
      ' ',
      el('span', { class: 'unit' }, `with a value, ${unit}`),
    ]),
    table(
      `Fields of ${record.data.country}, ${record.data.year} (${unit})`,
      values,
      [
        ['Field', ({ label }) => label],
        [
          { numbers: 'Value' },
          ({ path, value }) =>
            el('data', { value: value ?? '', 'data-field': path }, value === null ? '' : digits(value)),
        ],
        ['Status', ({ value }) => stateOf(value)],
      ],
      ({ path }) => path,
    ),
  ];
}

function stateOf(value: number | null): string {
  if (value === null) return 'unavailable';
  return value === 0 ? 'reported: an observed zero' : 'reported';
}

/** How many fields of a country and year have a value. */
function knownFields({ record, document: { fields } }: AtlasCell): string {
  const known = fields.filter(({ path }) => atlasValue(record, path) !== null).length;
  return `${known} of ${counted(fields.length, 'field')}`;
}
