/** What a place page knows: the last values of each indicator, and the fields of the atlas in words. */
import { atlasTable } from './atlas-fields.ts';
import type { DatasetAt, IndicatorAt, PlacePage } from './coverage.ts';
import type { Observation } from '../../../shim/core/records.ts';
import { atlasRecordId, indicatorAddress, rowsAddress } from '../../../shim/view/address.ts';
import { el, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { rangeInWords, spanWords } from '../../../shim/view/periods.ts';
import { countsInWords, rowsTable, recordsBySeries, type RowGroup } from '../../../shim/view/rows.ts';
import { listEach, section } from '../../../shim/view/table.ts';
import { counted, labelOf } from '../../../shim/view/words.ts';

/** Last values of an indicator that are shown open; of more, the table is one click away. */
const MOST_OPEN = 8;

/** The last value of each label of each indicator that has one, by dataset. */
export function knownSection(page: PlacePage): Child {
  const known = page.coverage.filter(({ standing }) => standing === 'known');
  return section('known', 'Known', [
    known.length === 0
      ? p('No source of the catalog prints a value for this place.')
      : p(
          'The last value of each label as its source prints it. Labels overlap; nothing here may be added up.',
        ),
    known.filter(({ indicators }) => indicators.length > 0).map((dataset) => datasetPart(dataset, page)),
  ]);
}

function datasetPart({ document, indicators }: DatasetAt, { place, name, root }: PlacePage): Child {
  const rows = `${root}${rowsAddress(document.id, place.code)}`;
  const large = indicators.flatMap(({ indicator, count, standing }) =>
    count && standing === 'known' ? [{ indicator, count }] : [],
  );
  const known = indicators
    .filter(({ standing, count }) => standing === 'known' && !count)
    .map((at) => ({ ...at, last: lastValues(at.records) }));
  const groupOf = ({ indicator, records, last }: (typeof known)[number]): RowGroup => ({
    id: `known-${indicator.id}`,
    heading: headingOf(indicator, records, { rows, root }),
    records: last,
  });
  const open = known.filter(({ last }) => last.length <= MOST_OPEN);
  const folded = known.filter(({ last }) => last.length > MOST_OPEN);
  const tableOf = (caption: string, groups: readonly RowGroup[]): Child => {
    const hasLabels = groups.some(({ records }) => records.some((record) => labelOf(record) !== ''));
    return rowsTable(caption, groups, { root, ...(hasLabels ? { label: labelOf } : {}), whole: false });
  };
  return [
    el('h3', { id: `known-dataset-${document.id}` }, el('a', { href: rows }, document.title)),
    '\n',
    large.length > 0 &&
      listEach(large, ({ indicator: { id, label }, count }) =>
        el('span', { id: `known-${id}` }, [
          linkTo(root, indicatorAddress(id), label),
          ': ',
          el('a', { href: `${rows}#rows-${id}` }, counted(count.rows, 'row')),
          `, ${spanWords(count.firstPeriod, count.lastPeriod)}`,
        ]),
      ),
    open.length > 0 ? tableOf(`Last values, ${name}`, open.map(groupOf)) : '',
    folded.map((at) =>
      el('details', {}, [
        el('summary', { id: `known-${at.indicator.id}` }, [
          `${at.indicator.label}: ${counted(at.last.length, 'last value')}, ${rangeInWords(at.records.map(({ period }) => period))}`,
        ]),
        tableOf(`Last value of each label, ${name}`, [
          { heading: headingOf(at.indicator, at.records, { rows, root }), records: at.last },
        ]),
      ]),
    ),
  ];
}

function headingOf(
  { id, label }: IndicatorAt['indicator'],
  records: readonly Observation[],
  { rows, root }: { rows: string; root: string },
): Child {
  const months = records.every(({ period }) => period.length > 4);
  return [
    linkTo(root, indicatorAddress(id), label),
    ': ',
    el('a', { href: months ? rows : `${rows}#rows-${id}` }, countsInWords(records)),
    `, ${rangeInWords(records.map(({ period }) => period))}`,
  ];
}

/** Of each series the records of the last period that has a value: several where the source prints several rows. */
function lastValues(records: readonly Observation[]): Observation[] {
  return recordsBySeries(records).flatMap((series) => {
    const valued = series.filter(({ value }) => value !== null);
    const last = valued
      .map(({ period }) => period)
      .sort()
      .at(-1);
    return valued.filter(({ period }) => period === last);
  });
}

/** Every field of the atlas, with its value or its absence, by year. */
export function atlasSections({ coverage, place, name, root }: PlacePage): Child {
  return coverage.flatMap(({ document, records }) => {
    if (records.length === 0) return [];
    const rows = rowsAddress(document.id, place.code);
    const link = (year: number): string => `${root}${rows}#${atlasRecordId(document.id, place.code, year)}`;
    return [
      section(`known-dataset-${document.id}`, document.title, [
        p([...(document.caveats ?? []), document.description].join(' ')),
        atlasTable(`${document.title}: ${name}, every field of the source`, document, records, link),
      ]),
    ];
  });
}
