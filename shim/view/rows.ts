/**
 * The table of records of every page: one row per record, columns in one order of importance, text as printed. Records of one
 * series share a heading row, so that what they have in common is printed once. On narrow screens the range and the cell move
 * below the value (assets/site.css), so that value, unit and status are always in view; a long value has a line of its own.
 */
import { groupedBy } from '../core/groups.ts';
import type { Observation } from '../core/records.ts';
import { recordAddress } from './address.ts';
import { el, linkTo, type Child } from './node.ts';
import { counted, digits, grouped, hasRange, statusWords } from './words.ts';

/** Records under one heading. */
export interface RowGroup {
  /** What the records share: place, label, indicator; empty where there is nothing to say. */
  heading: Child;
  /** The anchor of the heading. */
  id?: string;
  records: readonly Observation[];
}

/** What a table shows besides the columns that every one has. */
export interface RowsAbout {
  /** Path from the page to the site root: `../../`. */
  root: string;
  /** Whether each row is the anchor of its record: on one page of the site. */
  anchors?: boolean;
  /** Columns for what the headings do not say: the place, and what the value is of. */
  place?: boolean;
  label?: (record: Observation) => string;
  /** Whether links name the edition of the record: tables that are not of the current edition alone. */
  pinned?: boolean;
  /** The id of the record whose page this is: its row is not a link. */
  self?: string;
  /** What a heading holds and how its column is sorted; without it, its name. */
  head?: (name: string) => { content: Child; sort: 'ascending' | 'descending' | null };
  /** False leaves out range and cell: a summary whose rows are shown in full elsewhere. */
  whole?: boolean;
}

type RowColumn = readonly [head: string, cell: (record: Observation) => Child];

const PLACE: RowColumn = ['Place', ({ geoName }) => geoName];
const RANGE: RowColumn = ['Range', rangeOf];
const VALUE: readonly RowColumn[] = [
  ['Value', ({ value }) => (value === null ? el('span', { class: 'gone' }, 'no value') : digits(value))],
  ['Unit', ({ unit }) => unit],
  ['Status', statusWords],
];
const CELL: RowColumn = ['Cell', ({ sourceLocator }) => sourceLocator];

/** The table of these records; the period of each leads to its record page. */
export function rowsTable(caption: string, groups: readonly RowGroup[], about: RowsAbout): Child {
  const { root, anchors = false, place = false, label, pinned = false, self, whole = true, head } = about;
  const isRanged = whole && groups.some(({ records }) => records.some(hasRange));
  const before = place ? [PLACE] : [];
  const named: RowColumn[] = label ? [['Label', label]] : [];
  const after = [...named, ...VALUE, ...(isRanged ? [RANGE] : []), ...(whole ? [CELL] : [])];
  const cells = (columns: readonly RowColumn[], record: Observation): Child =>
    columns.map(([, cell]) => el('td', {}, cell(record)));
  const headOf = (name: string): Child => {
    const { content, sort } = head?.(name) ?? { content: name, sort: null };
    return el('th', { scope: 'col', 'aria-sort': sort }, content);
  };
  const heads = (columns: readonly RowColumn[]): Child => columns.map(([name]) => headOf(name));
  const period = ({ id, edition, period: text }: Observation): Child =>
    id === self
      ? el('b', { 'aria-current': 'true' }, text)
      : linkTo(root, recordAddress(id, pinned ? edition : undefined), text);
  const row = (record: Observation): Child => [
    '\n',
    el('tr', { id: anchors ? record.id : null }, [
      cells(before, record),
      el('th', { scope: 'row' }, period(record)),
      cells(after, record),
    ]),
  ];
  const width = before.length + 1 + after.length;
  const classes = [
    'rows',
    `value-${before.length + named.length + 2}`,
    whole && 'whole',
    head && 'sorted',
    isRanged && 'ranged',
    groups.some(({ records }) => records.some(isLong)) && 'long',
  ];
  // Cells have no classes: the table's say which column the value is, and a page of a thousand rows stays small.
  return el(
    'table',
    { class: classes.filter(Boolean).join(' ') },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, heads(before), headOf('Period'), heads(after))),
    groups.map(({ heading, id, records }) => [
      '\n',
      el('tbody', {}, heading === '' ? '' : headingRow(heading, width, id), records.map(row)),
    ]),
  );
}

function headingRow(heading: Child, width: number, id?: string): Child {
  return el('tr', { class: 'shared', id }, el('th', { scope: 'rowgroup', colspan: width }, heading));
}

/** Whether a value has more digits than fit beside unit and status on a narrow screen. */
export function isLong({ value }: Pick<Observation, 'value'>): boolean {
  return String(value).length > 12;
}

/** The bounds as printed; some sources print a lower one above the upper one. */
export function rangeOf({ lower, upper }: Pick<Observation, 'lower' | 'upper'>): Child {
  if (lower === null) return upper === null ? '' : ['up to ', digits(upper)];
  return upper === null ? ['from ', digits(lower)] : [digits(lower), ' to ', digits(upper)];
}

/** What records are, counted: `81 rows, 2 zero, 3 unavailable`. */
export function countsInWords(records: readonly Observation[]): string {
  const zeros = records.filter(({ value }) => value === 0).length;
  const absent = records.filter(({ value }) => value === null).length;
  const words = [counted(records.length, 'row')];
  if (zeros > 0) words.push(`${grouped(zeros)} zero`);
  if (absent > 0)
    words.push(absent === records.length ? 'all unavailable' : `${grouped(absent)} unavailable`);
  return words.join(', ');
}

/** The records by series: indicator, labels and unit; each series in the order of its records. */
export function recordsBySeries(records: readonly Observation[]): Observation[][] {
  const key = ({ indicatorId, category, subgroup, unit }: Observation): string =>
    [indicatorId, category, subgroup, unit].join('\n');
  return [...groupedBy(records, key).values()];
}
