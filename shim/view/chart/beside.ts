/** Where a series has no row in a period, the labels of the same place, indicator and printed group that have one. Never joined. */
import { groupedBy } from '../../core/groups.ts';
import type { Observation } from '../../core/records.ts';
import { recordAddress } from '../address.ts';
import { el, joined, linkTo, type Child } from '../node.ts';
import { labelOf } from '../words.ts';
import type { Series } from './series.ts';

/** Labels named in one line. */
const MOST_LABELS = 3;

/** `2020, 2021 as Cocaine (total of the above)`, each period a link to its record; nothing where no other label has rows. */
export function besideLine(
  { first, periods }: Series,
  others: readonly Observation[],
  [from, to]: readonly [first: string, last: string],
  root: string,
): Child {
  if (first.group === '') return '';
  const own = new Set(periods.map(({ period }) => period));
  const rows = others.filter(
    (other) =>
      other.geoCode === first.geoCode &&
      other.indicatorId === first.indicatorId &&
      other.group === first.group &&
      labelOf(other) !== labelOf(first) &&
      !own.has(other.period) &&
      other.period >= from &&
      other.period <= to,
  );
  // A label that has more of the missing periods says more.
  const labels = [...groupedBy(rows, labelOf)].sort(
    ([a, one], [b, more]) => more.length - one.length || (a < b ? -1 : 1),
  );
  if (labels.length === 0) return '';
  const named = labels.slice(0, MOST_LABELS).map(([, records]) => {
    const byPeriod = [...groupedBy(records, ({ period }) => period)].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      byPeriod.map(([period, [row]], index) => [
        index === 0 ? '' : ', ',
        row ? linkTo(root, recordAddress(row.id, row.edition), period) : period,
      ]),
      ` as ${labelBeside(records, first)}`,
    ];
  });
  const more = labels.length - named.length;
  return el('p', { class: 'beside' }, [
    'Where this label has no rows, other labels of its group have some, perhaps for something else; they are not joined: ',
    joined(
      [...named, more > 0 ? `and under ${more} more` : []].filter((part) => part.length > 0),
      '; ',
    ),
    '.',
  ]);
}

/** The label of other records, as short as it can be beside a series. */
function labelBeside([other]: readonly Observation[], { category }: Observation): string {
  if (!other) return '';
  return other.category === category && other.subgroup !== '' ? other.subgroup : labelOf(other);
}
