/** The page of an indicator: what it measures, how it must not be read, where and when it has values. */
import { parquetPartitionPath } from '../../../shim/core/paths.ts';
import type { DatasetDocument, DatasetIndicator, Observation, Revision } from '../../../shim/core/records.ts';
import {
  apiAddress,
  datasetAddress,
  exploreAddress,
  indicatorAddress,
  PAGES,
  rootFrom,
  type Filters,
} from '../../../shim/view/address.ts';
import { code, el, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { facts as factList, list, section, table } from '../../../shim/view/table.ts';
import { counted, grouped, MARKETS, measureWords, labelOf } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import { KINDS } from '../../pack/revisions.ts';
import type { PlacesFigure } from '../map/maps.ts';
import { citeDataset, citeSection } from './dataset-citation.ts';
import { statusTable, sourcesSection } from './dataset-parts.ts';
import { framed, withContents } from './page.ts';
import { countedPlaces, labelsSection, placesSection } from './indicator-coverage.ts';
import { wholeDataset } from './dataset-files.ts';
import type { DatasetFacts } from './dataset-facts.ts';
import type { RecordSummary } from './summary.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { dotPlot } from '../../../shim/view/chart/dots.ts';
import { seriesFigure } from '../../../shim/view/chart/panels.ts';
import { seriesOf } from '../../../shim/view/chart/series.ts';
import { figureSources, type FigureAbout } from '../../../shim/view/chart/figure.ts';
import { spanWords } from '../../../shim/view/periods.ts';
import { byCodeUnits, distinct } from '../../lib/dataset.ts';

/** The records of an indicator (null where they are too many), what is said of all of them, and its figure of one period. */
interface IndicatorRecords {
  records: readonly Observation[] | null;
  summary: RecordSummary;
  figure: PlacesFigure | null;
}

/** Renders the page of an indicator. */
export function indicatorPage(
  facts: DatasetFacts,
  indicator: DatasetIndicator,
  own: IndicatorRecords,
): Artifact {
  const { site, dataset } = facts;
  const { document } = dataset;
  const { id, label, description, coverage, geographies } = indicator;
  const path = `${indicatorAddress(id)}index.html`;
  const root = rootFrom(path);
  const { records, summary } = own;
  const used = new Set(summary.valuesOf('sourceId'));
  const sources = document.sources.filter((source) => used.has(source.id));
  const body = [
    el('h1', {}, label),
    el('p', { class: 'standfirst' }, description),
    factList([
      ['Unit', unitWords(indicator)],
      ['Measured as', measureWords(indicator)],
      ['Market', MARKETS[indicator.market]],
      [
        'Dataset',
        [linkTo(root, datasetAddress(document.id), document.title), `, edition ${document.edition}`],
      ],
      ['Rows', grouped(coverage.observations)],
      ['Places', grouped(geographies.length)],
      ['Periods', spanWords(coverage.firstPeriod, coverage.lastPeriod)],
      ['Id', code(id)],
    ]),
    withContents([
      section('limits', 'How it must not be read', [
        list(distinct([...indicator.limitations, ...document.limitations])),
      ]),
      section('figure', 'At a glance', figureOf(document, indicator, own, root)),
      section('statuses', 'Rows by status', statusTable(summary.kinds)),
      labelsSection(summary),
      records ? placesSection(document, records, root) : countedPlaces(document, summary, root),
      revised(facts, id, root),
      sourcesSection(sources, facts.fileOf, root),
      getting(document, indicator, root),
      citeSection(citeDataset(dataset, site.siteUrl, indicator)),
    ]),
  ];
  return framed(site, {
    path,
    title: label,
    description: `${label}: unit, places, periods, limits and sources. ${description}`,
    body,
    trail: [
      ['Indicators', PAGES.indicators],
      [document.title, datasetAddress(document.id)],
    ],
  });
}

/** The last period that many places have, as a map where the unit may be mapped; else what there is. */
function figureOf(
  document: DatasetDocument,
  indicator: DatasetIndicator,
  { records, figure }: IndicatorRecords,
  root: string,
): Child {
  if (!figure)
    return records
      ? fewPlacesFigure(document, indicator, records, root)
      : p('No period has ten places under one label to draw.');
  const { categories, subgroups, geographies } = indicator;
  const several = categories.length > 1 || subgroups.length > 1;
  return [
    p(
      `${figure.period} is the last period with at least ten places${several ? ' under one label; the label with the most places is drawn' : ''}: ${counted(figure.places, 'place')} of ${grouped(geographies.length)} that have any row.`,
    ),
    figure.draw(root),
  ];
}

function unitWords({ unit, units }: DatasetIndicator): string {
  if (unit !== null) return unit === '' ? 'none printed' : unit;
  return `${units.length} units, each as printed and never converted: ${units.map((one) => (one === '' ? 'none printed' : one)).join('; ')}`;
}

/** How many records of the indicator differ between each pair of editions. */
function revised({ pairs, revisions }: DatasetFacts, indicator: string, root: string): Child {
  if (pairs.length === 0) return null;
  const own = revisions(indicator);
  const compared = pairs.map(({ from, to }) => {
    return { from, to, differing: own.filter(({ id }) => id.endsWith(`@${from}..${to}`)) };
  });
  return section('differences', 'What differs between editions', [
    table(
      'Records of this indicator that differ, in periods that both editions cover; it says nothing about why',
      compared,
      [
        ['Editions', ({ from, to }) => `${to} next to ${from}`],
        [{ numbers: 'Records' }, ({ differing }) => grouped(differing.length)],
        ['How', ({ differing }) => kindsOf(differing) || 'none in the periods that both cover'],
      ],
    ),
    own.length > 0 &&
      p(linkTo(root, apiAddress('revisions', { indicator }), 'Each with both values and cells')),
  ]);
}

function kindsOf(differing: readonly Revision[]): string {
  return KINDS.flatMap((kind) => {
    const count = differing.filter((revision) => revision.kind === kind).length;
    return count === 0 ? [] : `${grouped(count)} ${kind.replaceAll('_', ' ')}`;
  }).join(', ');
}

function getting(
  { id: dataset }: DatasetDocument,
  { id, market, coverage }: DatasetIndicator,
  root: string,
): Child {
  const query = apiAddress('market-observations', { indicator: id });
  const explore = exploreAddress({ indicator: id });
  const explored = [
    linkTo(root, explore, 'Explore: table, charts, map and CSV of a selection'),
    ['API: ', linkTo(root, query, code(`/${query}`))],
  ];
  const own = ['This indicator: ', linkTo(root, parquetPartitionPath(dataset, id), 'Parquet')];
  return section('downloads', 'Get the data', [
    list([
      ...(market === 'context' ? [] : explored),
      ...(coverage.observations === 0 ? [] : [own]),
      wholeDataset(dataset, root),
    ]),
  ]);
}

/** Series that fit into one figure. */
const MOST_SERIES = 24;

/** All series where they fit into one figure, else the label and period with the most places as a dot plot. */
function fewPlacesFigure(
  document: DatasetDocument,
  indicator: DatasetIndicator,
  records: readonly Observation[],
  root: string,
): Child {
  const { id, label, market } = indicator;
  const aboutOf = (own: readonly Observation[], caption: string, filters: Filters): FigureAbout => ({
    id: 'places',
    root,
    caption,
    sources: figureSources(document, own),
    boundary: indicator.limitations[0] ?? document.limitations[0] ?? null,
    query: market === 'context' ? null : apiAddress('market-observations', filters),
  });
  if (seriesOf(records).length <= MOST_SERIES)
    return seriesFigure(records, aboutOf(records, `${label}: every series`, { indicator: id }));
  const [widest] = [
    ...groupedBy(records, ({ period, category, subgroup, unit }) =>
      JSON.stringify([period, category, subgroup, unit]),
    ).values(),
  ]
    .map((rows) => ({ rows, places: new Set(rows.map(({ geoCode }) => geoCode)).size }))
    .sort((a, b) => b.places - a.places || byCodeUnits(periodOf(b.rows), periodOf(a.rows)));
  const [first] = widest?.rows ?? [];
  if (!widest || !first) return null;
  const { period, category, subgroup } = first;
  return dotPlot(
    widest.rows,
    aboutOf(
      widest.rows,
      `${label}: ${labelOf(first)}, ${period}, the label and period with the most places`,
      { indicator: id, category, subgroup, from: period, to: period },
    ),
  );
}

function periodOf([first]: readonly Observation[]): string {
  return first?.period ?? '';
}
