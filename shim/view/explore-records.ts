/** The table of the explorer: the records of one page of the response, sorted by any column, and the way to the next page. */
import type { Exploration, ExploreAnswer } from '../core/explore-answer.ts';
import { SORTS, type SortName } from '../core/explore-query.ts';
import { nameKey } from '../core/name-order.ts';
import type { Observation } from '../core/records.ts';
import { changed, type ExplorePlace } from './explore-link.ts';
import { el, type Child } from './node.ts';
import { rowsTable } from './rows.ts';
import { section } from './table.ts';
import { counted, grouped, labelOf, statusWords } from './words.ts';

/** The section of the table; each row leads to the page of its record. */
export function recordsSection(
  model: Exploration,
  { page, observations }: ExploreAnswer,
  place: ExplorePlace,
): Child {
  const { sort, given } = model.query;
  const isMixed = given['indicator'] === undefined && model.choices.indicator.length > 1;
  // The labels of two indicators may be the same: Total.
  const label = (record: Observation): string =>
    labelOf({
      category: isMixed ? (model.indicators[record.indicatorId] ?? '') : '',
      subgroup: labelOf(record),
    });
  const { root } = place;
  const isPart = page.returned < page.matched;
  const shown = sort === null ? observations : sorted(observations, sort, label);
  const head = (name: string): { content: Child; sort: 'ascending' | 'descending' | null } => {
    const by = SORTS.find((one) => one === name.toLowerCase());
    if (!by) return { content: name, sort: null };
    const isSorted = sort?.by === by;
    const next = isSorted && !sort.down ? `-${by}` : by;
    const arrow = isSorted ? (sort.down ? ' ↓' : ' ↑') : '';
    return {
      content: el(
        'a',
        { href: `${root}${changed(model, { sort: next, cursor: given['cursor'] })}#records` },
        name,
        arrow,
      ),
      sort: isSorted ? (sort.down ? 'descending' : 'ascending') : null,
    };
  };
  return section('records', 'Records', [
    rowsTable(
      isPart && sort !== null
        ? `${counted(shown.length, 'record')} of this page, sorted among themselves`
        : counted(shown.length, 'record'),
      [{ heading: '', records: shown }],
      { root, place: true, label, pinned: true, head },
    ),
    isPart ? paging(model, page, place) : '',
  ]);
}

function paging(
  { query }: Exploration,
  { next_cursor: next, matched }: ExploreAnswer['page'],
  { root }: ExplorePlace,
): Child {
  const link = (cursor: string | undefined, words: string, more: boolean): Child =>
    el('a', { href: `${root}${changed({ query }, { cursor })}#records`, 'data-more': more }, words);
  return el('p', { class: 'links paging' }, [
    query.given['cursor'] === undefined ? '' : link(undefined, 'First page', false),
    next === null ? '' : link(next, `More of the ${grouped(matched)} records`, true),
  ]);
}

/** Values without a number come last either way: they are neither small nor large. */
function sorted(
  observations: readonly Observation[],
  { by, down }: { by: SortName; down: boolean },
  label: (record: Observation) => string,
): Observation[] {
  const text: Record<Exclude<SortName, 'value' | 'range'>, (record: Observation) => string> = {
    place: ({ geoName }) => nameKey(geoName),
    period: ({ period }) => period,
    label: (record) => nameKey(label(record)),
    unit: ({ unit }) => unit,
    status: statusWords,
    cell: ({ sourceId, sourceLocator }) =>
      `${sourceId} ${sourceLocator.replaceAll(/\d+/g, (digits) => digits.padStart(7, '0'))}`,
  };
  const keyOf = (record: Observation): string | number | null =>
    by === 'value' ? record.value : by === 'range' ? (record.lower ?? record.upper) : text[by](record);
  return observations.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b === down ? 1 : -1;
  });
}
