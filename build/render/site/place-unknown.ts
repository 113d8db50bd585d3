/** What a place page does not know: cells without a value, periods without a row, and what does not cover the place. */
import type { IndicatorAt, PlacePage } from './coverage.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { datasetAddress, indicatorAddress, rowAddress } from '../../../shim/view/address.ts';
import { el, joined, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { periodsInWords } from '../../../shim/view/periods.ts';
import { list, listEach, section } from '../../../shim/view/table.ts';
import { counted, kindOf, labelOf, REASONS, type Reason } from '../../../shim/view/words.ts';

/** The three lists of what is not known. */
export function unknownSection(page: PlacePage): Child {
  return section('unknown', 'Unknown', [
    el('h3', { id: 'unavailable' }, 'Cells without a value'),
    '\n',
    cellsWithoutValue(page),
    el('h3', { id: 'missing' }, 'Periods that others report and this place does not'),
    '\n',
    periodsWithoutRow(page),
    el('h3', { id: 'absent' }, 'Not covered'),
    '\n',
    notCovered(page),
  ]);
}

function cellsWithoutValue({ coverage, root }: PlacePage): Child {
  const indicators = coverage.flatMap((dataset) => dataset.indicators);
  const items = indicators.flatMap(({ indicator, records, standing, count }) => {
    if (count && standing === 'valueless')
      return el('li', { id: `valueless-${indicator.id}` }, [
        `${indicator.label}: none of ${counted(count.rows, 'row')} has a value here.`,
      ]);
    const absent = records.filter(({ value }) => value === null);
    if (absent.length === 0) return [];
    const reasons = [...groupedBy(absent, kindOf)].map(([kind, rows]) => {
      const [first] = rows;
      const words = `${REASONS[kind as Reason]} (${counted(rows.length, 'row')})`;
      return first ? linkTo(root, rowAddress(first), words) : words;
    });
    const none = standing === 'valueless' ? ' No row of this indicator has a value here.' : '';
    return el('li', { id: standing === 'valueless' ? `valueless-${indicator.id}` : null }, [
      `${indicator.label}: `,
      joined(reasons, ', '),
      `.${none}`,
    ]);
  });
  const assessed = coverage.flatMap(({ document, standing, records }) => {
    const years = records.filter(({ meta }) => meta.availability !== 'observed').map(({ data }) => data.year);
    if (years.length === 0) return [];
    return standing === 'valueless'
      ? el('li', { id: `valueless-dataset-${document.id}` }, `${document.title}: every field is unavailable.`)
      : el('li', {}, `${document.title}: fields are unavailable in ${periodsInWords(years.map(String))}.`);
  });
  const all = [...items, ...assessed];
  return all.length > 0 ? el('ul', {}, joined(all, '\n')) : p('None: every row of this place has a value.');
}

function periodsWithoutRow({ coverage, catalog }: PlacePage): Child {
  const missing = (id: string, label: string, own: ReadonlySet<string>): string[] => {
    const others = (catalog.periods[id] ?? []).filter((period) => !own.has(period));
    return own.size > 0 && others.length > 0 ? [`${label}: ${periodsInWords(others)}`] : [];
  };
  const items = coverage.flatMap(({ document, indicators, records: assessed }) => [
    ...indicators.flatMap(({ indicator: { id, label }, records }) =>
      missing(id, label, new Set(records.map(({ period }) => period))),
    ),
    ...missing(document.id, document.title, new Set(assessed.map(({ data }) => String(data.year)))),
  ]);
  return items.length > 0 ? list(items) : p('None.');
}

function notCovered({ coverage, catalog, root }: PlacePage): Child {
  const periodsOf = ({ indicator }: IndicatorAt): string => {
    const periods = catalog.periods[indicator.id] ?? [];
    return periods.length === 0 ? '' : `, ${periodsInWords(periods)} elsewhere`;
  };
  const items = coverage.flatMap(({ document, standing, indicators }) => {
    const absent = indicators.filter((indicator) => indicator.standing === 'absent');
    const isWhole = standing === 'absent';
    if (!isWhole && absent.length === 0) return [];
    const heading = [
      el('b', { id: isWhole ? `absent-dataset-${document.id}` : null }, [
        linkTo(root, datasetAddress(document.id), document.title),
      ]),
      `: ${isWhole ? 'the dataset has' : 'these indicators have'} no row for this place.`,
    ];
    const each = absent.map((at) => [
      '\n',
      el('li', { id: `absent-${at.indicator.id}` }, [
        linkTo(root, indicatorAddress(at.indicator.id), at.indicator.label),
        periodsOf(at),
      ]),
    ]);
    return [[heading, each.length > 0 ? el('ul', {}, each) : '']];
  });
  return items.length > 0
    ? [p('No row is not a zero: these sources print nothing about this place.'), '\n', list(items)]
    : p('Every dataset and indicator of the catalog has a row for this place.');
}

/** Labels of one printed group that have rows in different periods, side by side and never joined. */
export function besideSection({ coverage, root }: PlacePage): Child {
  const parts = coverage.flatMap(({ document, indicators }) => {
    const groups = indicators.flatMap(({ indicator, records }) =>
      [...groupedBy(records, ({ group }) => group)].flatMap(([group, rows]) => {
        const labels = [...groupedBy(rows, labelOf)];
        const periods = new Set(rows.map(({ period }) => period));
        const isUneven = labels.some(
          ([, own]) => new Set(own.map(({ period }) => period)).size < periods.size,
        );
        return group !== '' && labels.length > 1 && isUneven ? [{ indicator, group, labels }] : [];
      }),
    );
    if (groups.length === 0) return [];
    const items = groups.map(({ indicator, group, labels }) => [
      el('b', {}, `${indicator.label}, ${group}`),
      listEach(labels, ([label, own]) => {
        const [first] = own;
        const words = periodsInWords(own.map(({ period }) => period));
        return [first ? linkTo(root, rowAddress(first), label) : label, `: ${words}`];
      }),
    ]);
    return [
      el('details', {}, [
        el('summary', {}, `${document.title}: ${counted(groups.length, 'group')} with several labels`),
        list(items),
      ]),
    ];
  });
  if (parts.length === 0) return '';
  return section('labels', 'Labels next to one another', [
    p(
      'Sources print what looks like one series under several labels. Where a label has no row in a period, another label of the same printed group may have one; they are never joined.',
    ),
    parts,
  ]);
}
