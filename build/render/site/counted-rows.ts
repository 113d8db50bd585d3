/** data/<dataset>/<place>/ of a dataset that is too large for pages of its rows: how many there are, and where to read them. */
import type { Artifact } from '../../lib/tree.ts';
import type { IndicatorCount } from './counts.ts';
import type { PlaceDataset } from './coverage.ts';
import { spanOfDays } from './dataset-parts.ts';
import { framed } from './page.ts';
import { csvPath, packPath, parquetPath } from '../../../shim/core/paths.ts';
import {
  apiAddress,
  datasetAddress,
  exploreAddress,
  placeAddress,
  rootFrom,
  rowsAddress,
} from '../../../shim/view/address.ts';
import type { Site } from '../../../shim/view/frame.ts';
import { el, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { list, section, table, type Column } from '../../../shim/view/table.ts';
import { counted, grouped } from '../../../shim/view/words.ts';

/** A dataset and a place that has rows in it. */
export interface RowsOf {
  site: Site;
  document: PlaceDataset;
  /** The code of the place. */
  geo: string;
  /** The place as the dataset prints it. */
  name: string;
}

/** Renders the page of a dataset and place. */
export function countedPage(of: RowsOf, counts: readonly IndicatorCount[]): Artifact {
  const { site, document, geo, name } = of;
  const { id, title, indicators, limitations, caveats = [] } = document;
  const address = rowsAddress(id, geo);
  const root = rootFrom(address);
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  const isMarket = indicators.some(({ market }) => market !== 'context');
  const filters = { dataset: id, geo };
  const isByMonth = counts.some(({ lastPeriod }) => lastPeriod.length > 4);
  const body: Child[] = [
    el('h1', {}, `${name}: ${title}`),
    '\n',
    el('p', { class: 'standfirst' }, [
      `${counted(rows, 'row')}, too many for pages of rows: they are in the explorer, the API and the files.`,
    ]),
    '\n',
    isByMonth ? el('span', { id: 'years' }) : '',
    counts.map((count) => countedIndicator(count, of, root)),
    section('limits', 'How not to read these rows', list([...new Set([...limitations, ...caveats])])),
    section('downloads', 'The rows as data', [
      list([
        ...(isMarket
          ? [
              linkTo(root, exploreAddress(filters), 'Explore these rows'),
              linkTo(root, apiAddress('market-observations', filters), 'These rows as JSON'),
            ]
          : []),
        filesOf(id, root),
      ]),
    ]),
  ];
  return framed(site, {
    path: `${address}index.html`,
    title: `${name}: ${title}`,
    description: `${title}, ${name}: ${counted(rows, 'row')} by indicator, and where to read each with value, unit, status and cell.`,
    trail: [
      [title, datasetAddress(id)],
      [name, placeAddress(geo)],
    ],
    body,
  });
}

/** The files with all rows of a dataset. */
export function filesOf(dataset: string, root: string): Child {
  const files = [csvPath(dataset), packPath(dataset), parquetPath(dataset)];
  const link = (path: string): Child =>
    linkTo(root, path, path.slice(path.lastIndexOf('.') + 1).toUpperCase());
  return ['All rows of the dataset, of all places: ', joinEach(files, ', ', link)];
}

/** A number that is known of market datasets alone. */
const VALUED = { numbers: 'With a value' };

const COUNTS: readonly Column<IndicatorCount>[] = [
  [{ numbers: 'Rows' }, ({ rows }) => grouped(rows)],
  [VALUED, ({ valued }) => grouped(valued)],
  ['Periods', ({ firstPeriod, lastPeriod }) => spanOfDays(firstPeriod, lastPeriod)],
];

function countedIndicator(count: IndicatorCount, { document, geo, name }: RowsOf, root: string): Child {
  const { indicator } = count;
  const {
    label = indicator,
    market = '',
    limitations = [],
  } = document.indicators.find(({ id }) => id === indicator) ?? {};
  const isMarket = market !== 'context';
  return section(`rows-${indicator}`, label, [
    table(
      `${label}, ${name}`,
      [count],
      COUNTS.filter(([head]) => isMarket || head !== VALUED),
    ),
    isMarket ? p(linkTo(root, exploreAddress({ indicator, geo }), `Explore ${label}, ${name}`)) : '',
    limitations.length > 0 ? list(limitations) : '',
  ]);
}
