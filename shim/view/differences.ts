/** What differs between editions: counts by kind, and each difference with what both editions print. */
import type { RevisedCell, Revision } from '../core/records.ts';
import { recordAddress } from './address.ts';
import { el, linkTo, p, type Child } from './node.ts';
import { rangeOf } from './rows.ts';
import { section, table, type Column } from './table.ts';
import { counted, digits, grouped, hasRange, labelOf, statusWords } from './words.ts';

/** Each kind of difference in words. None says why editions differ. */
const DIFFERENCES: Record<Revision['kind'], string> = {
  changed: 'with another value, range, unit or status',
  added: 'only in the newer edition',
  withdrawn: 'only in the older edition',
  became_unavailable: 'unavailable in the newer edition',
  became_available: 'unavailable in the older edition',
  relabelled: 'with the same numbers under other labels',
};

interface TableAbout {
  root: string;
  /** Label of each indicator by its id, where the page shows several. */
  indicators?: ReadonlyMap<string, string>;
}

/** What the section of differences is about. */
export interface DifferencesAbout extends TableAbout {
  /** Address of the API query that gives all of them. */
  query: string;
  /** Differences listed; the API has the others. */
  most?: number;
}

/**
 * The section of what differs between editions: counts by kind, and the newest differences with what both editions print; empty
 * without any. Rows that differ in their labels alone print the same numbers: they are counted, not listed.
 */
export function differencesSection(revisions: readonly Revision[], about: DifferencesAbout): Child {
  const { root, query, most = Infinity } = about;
  if (revisions.length === 0) return '';
  const listed = revisions.filter(({ kind }) => kind !== 'relabelled');
  const newest = listed.slice(0, most);
  const caption =
    newest.length < listed.length
      ? `The newest ${newest.length} of ${listed.length} rows that differ in more than their labels`
      : 'Rows that differ in more than their labels';
  return section('differences', 'Differs between editions', [
    p(
      `${countsOf(revisions)}. Nothing says why editions differ. `,
      linkTo(root, query, 'All differences as JSON'),
    ),
    newest.length > 0 && differencesTable(caption, newest, about),
  ]);
}

/** Differences with what both editions print, after the columns that say of what. */
export function differencesTable(
  caption: string,
  revisions: readonly Revision[],
  { root, indicators }: TableAbout,
  before: readonly Column<Revision>[] = [],
): Child {
  const named = (revision: Revision): string =>
    [indicators?.get(revision.indicatorId) ?? '', labelOf(revision)].filter((text) => text !== '').join(': ');
  return table(caption, revisions, [
    ...before,
    ['Period', ({ period }) => el('time', {}, period)],
    ['Label', named],
    ['Older edition', (revision) => printed(revision, revision.from, root)],
    ['Newer edition', (revision) => printed(revision, revision.to, root)],
  ]);
}

/** Counts by kind: `232 rows: 130 only in the older edition, 102 only in the newer edition`. */
function countsOf(revisions: readonly Revision[]): string {
  const kinds = Object.entries(DIFFERENCES).flatMap(([kind, words]) => {
    const count = revisions.filter((revision) => revision.kind === kind).length;
    return count === 0 ? [] : [`${grouped(count)} ${words}`];
  });
  return `${counted(revisions.length, 'row')}: ${kinds.join(', ')}`;
}

/** What one edition prints, with a link to its cell. */
function printed({ id }: Revision, side: RevisedCell | null, root: string): Child {
  if (side === null) return 'no row';
  const record = id.slice(0, id.lastIndexOf('@'));
  const value = side.value === null ? statusWords(side) : [digits(side.value), ' ', side.unit];
  return [
    linkTo(root, recordAddress(record, side.edition), el('time', {}, side.edition)),
    ': ',
    value,
    ...(side.value === null ? [] : [`, ${side.status}`]),
    ...(hasRange(side) ? [', range ', rangeOf(side)] : []),
  ];
}
