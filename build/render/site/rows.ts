/**
 * data/<dataset>/<place>/: all rows of one dataset and place, every row an anchor. Rows by month have a page for each year, and
 * the page of the place lists the series and years. Each record of the release is an anchor on exactly one of these pages;
 * designations are on none.
 */
import type { Artifact } from '../../lib/tree.ts';
import { atlasTable } from './atlas-fields.ts';
import { dueWords, licenceWords, linkOut } from './dataset-parts.ts';
import { framed } from './page.ts';
import { countedPage, filesOf, type RowsOf } from './counted-rows.ts';
import type { PlaceDataset, PlaceRecords, PlacesCommon } from './coverage.ts';
import { indicatorLabels, type PlaceEvidence } from './evidence.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import type { AtlasRecord, Observation, Revision } from '../../../shim/core/records.ts';
import {
  apiAddress,
  exploreOf,
  atlasRecordId,
  datasetAddress,
  placeAddress,
  recordAddress,
  rootFrom,
  rowAddress,
  rowsAddress,
  sourceAddress,
} from '../../../shim/view/address.ts';
import { differencesSection } from '../../../shim/view/differences.ts';
import { code, el, hash, joined, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { rangeInWords } from '../../../shim/view/periods.ts';
import { countsInWords, rowsTable, recordsBySeries, type RowGroup } from '../../../shim/view/rows.ts';
import { facts as factsOf, list, section, table, type Column } from '../../../shim/view/table.ts';
import { counted, labelOf } from '../../../shim/view/words.ts';

interface RowsPage extends RowsOf {
  address: string;
  /** The year of its rows, where a place has a page for each. */
  year: string | undefined;
  /** The request for the same records; null where no resource gives them. */
  query: string | null;
  /** What the page counts, in words. */
  counts: string;
  revisions: readonly Revision[];
  /** Ids of the sources of these rows, and of their indicators. */
  sources: ReadonlySet<string>;
  indicators: ReadonlySet<string>;
}

/** Renders the rows of a place: the pages of every dataset that has any. */
export function rowsOfPlace(
  { code: geo, names }: Pick<PlaceEvidence, 'code' | 'names'>,
  { observations, atlas, counted: counts, revisions }: PlaceRecords & { revisions: readonly Revision[] },
  { site, catalog: { market, context, atlas: assessed } }: PlacesCommon,
): Artifact[] {
  return [...market, ...context, ...assessed].flatMap((document) => {
    const { id } = document;
    const { name = geo } = names.find(({ datasets }) => datasets.includes(id)) ?? {};
    const of = { site, document, geo, name };
    const [rows, countryYears, own] = [observations.get(id), atlas.get(id), counts.get(id)];
    if (rows) {
      const differing = revisions.filter(({ datasetId }) => datasetId === id);
      return pagesOfRows(of, rows, differing);
    }
    if (countryYears) return pageOfAtlas(of, countryYears);
    return own ? countedPage(of, own) : [];
  });
}

/** The rows of a place: one page, or one that lists the years and one for each year. */
function pagesOfRows(
  of: RowsOf,
  records: readonly Observation[],
  revisions: readonly Revision[],
): Artifact[] {
  const { document, geo } = of;
  const { id: dataset, indicators } = document;
  const isMarket = indicators.some(({ market }) => market !== 'context');
  const own = rowsAddress(dataset, geo);
  const pages = groupedBy(records, ({ period }) => rowsAddress(dataset, geo, period));
  const years = [...pages.keys()].filter((address) => address !== own).sort();
  const pageFor = (address: string, shown: readonly Observation[]): RowsPage => {
    const year = address === own ? undefined : shown[0]?.period.slice(0, 4);
    const filters = { dataset, geo, from: year, to: year };
    return {
      ...of,
      address,
      year,
      query: isMarket ? apiAddress('market-observations', filters) : null,
      counts: `${countsInWords(shown)}; ${rangeInWords(shown.map(({ period }) => period))}.`,
      revisions: revisions.filter(({ period }) => year === undefined || period.startsWith(year)),
      sources: new Set(shown.map(({ sourceId }) => sourceId)),
      indicators: new Set(shown.map(({ indicatorId }) => indicatorId)),
    };
  };
  const ofYears = years.map((address) => {
    const shown = pages.get(address) ?? [];
    const page = pageFor(address, shown);
    return printed(page, tables(page, shown));
  });
  const page = pageFor(own, records);
  const listed = years.length > 0 ? yearsSection(page, records) : '';
  return [printed(page, [listed, tables(page, pages.get(own) ?? [])]), ...ofYears];
}

function pageOfAtlas(of: RowsOf, records: readonly AtlasRecord[]): Artifact {
  const { document, geo, name } = of;
  const years = records.map(({ data }) => String(data.year));
  const page: RowsPage = {
    ...of,
    address: rowsAddress(document.id, geo),
    year: undefined,
    query: apiAddress('atlas', { domain: document.domain, iso3: geo }),
    counts: `${counted(records.length, 'record')}, one for each year: ${years.join(', ')}.`,
    revisions: [],
    sources: new Set(document.sources.map(({ id }) => id)),
    indicators: new Set(),
  };
  const sections = records.map((record) => {
    const { year } = record.data;
    const id = atlasRecordId(document.id, geo, year);
    const { locator, availability, source_sha256: sha256 } = record.meta;
    return section(id, String(year), [
      p(['Record ', linkTo(rootFrom(page.address), recordAddress(id), id), `: ${availability}.`]),
      p(['Cells ', code(locator), ' of the file with sha256 ', hash(sha256), '.']),
      atlasTable(`${document.title}: ${name}, ${year}`, document, [record]),
    ]);
  });
  return printed(page, sections);
}

/** The rows as tables: one for each indicator, with a heading row for each label. */
function tables({ document, name, address, sources }: RowsPage, records: readonly Observation[]): Child {
  const root = rootFrom(address);
  return [...groupedBy(records, ({ indicatorId }) => indicatorId)].map(([indicator, rows]) => {
    const label = labelOfIndicator(document, indicator);
    const groups = recordsBySeries(rows).flatMap((series): RowGroup[] => {
      const heading = series[0] ? labelOf(series[0]) : '';
      if (sources.size === 1) return [{ heading, records: series }];
      // Where the page has rows of several files, each group is of one that its heading names.
      return [...groupedBy(series, ({ sourceId }) => sourceId)].map(([file, own]) => ({
        heading: [heading === '' ? 'File ' : `${heading}; file `, linkTo(root, sourceAddress(file), file)],
        records: own,
      }));
    });
    const caption = `${label}, ${name}: ${countsInWords(rows)}`;
    return section(`rows-${indicator}`, label, rowsTable(caption, groups, { root, anchors: true }));
  });
}

/** Where rows are by month: how many each series has in each year, with links to where they are. */
function yearsSection({ document, name, geo, address }: RowsPage, records: readonly Observation[]): Child {
  const root = rootFrom(address);
  const years = [...new Set(records.map(({ period }) => period.slice(0, 4)))].sort();
  const links = years.map((year) => linkTo(root, rowsAddress(document.id, geo, `${year}-01`), year));
  const inYear = (series: readonly Observation[], year: string): Child => {
    const [first, ...others] = series.filter(({ period }) => period.startsWith(year));
    return first ? linkTo(root, rowAddress(first), others.length + 1) : '';
  };
  const byIndicator = [...groupedBy(records, ({ indicatorId }) => indicatorId)].map(([indicator, rows]) => {
    const label = labelOfIndicator(document, indicator);
    return [
      el('h3', {}, label),
      '\n',
      table(
        `${label}: number of rows of each label in each year; where there is none, the source has no row`,
        recordsBySeries(rows),
        [
          ['Label', ([first]) => (first ? labelOf(first) : '')],
          ...years.map((year): Column<readonly Observation[]> => [
            { numbers: year },
            (series) => inYear(series, year),
          ]),
        ],
      ),
      '\n',
    ];
  });
  const about = p(`The rows of ${name} are by month; each year has a page: `, joined(links, ', '), '.');
  return section('years', 'Rows by year', about, byIndicator);
}

function labelOfIndicator({ indicators }: PlaceDataset, indicator: string): string {
  return indicators.find(({ id }) => id === indicator)?.label ?? indicator;
}

/** Prints a page: what is counted, the rows, what differs, how not to read them, their source, their files. */
function printed(page: RowsPage, rows: Child): Artifact {
  const { site, document, geo, name, address, year, query, counts, indicators, revisions } = page;
  const root = rootFrom(address);
  const subject = year === undefined ? document.title : `${document.title}, ${year}`;
  const limits = new Set([
    ...document.limitations,
    ...(document.caveats ?? []),
    ...document.indicators.filter(({ id }) => indicators.has(id)).flatMap(({ limitations }) => limitations),
  ]);
  const labels = indicatorLabels([document]);
  const body = [
    el('h1', {}, `${name}: ${subject}`),
    '\n',
    el('p', { class: 'standfirst' }, counts),
    '\n',
    rows,
    differencesSection(revisions, {
      root,
      query: apiAddress('revisions', { dataset: document.id, geo }),
      ...(labels.size > 1 ? { indicators: labels } : {}),
    }),
    section('limits', 'How not to read these rows', list([...limits])),
    sourceSection(page, root),
    section('downloads', 'The same rows as data', [
      list([
        ...(query === null
          ? []
          : [
              linkTo(root, exploreOf(query) ?? query, 'Explore these rows'),
              linkTo(root, query, 'These rows as JSON'),
            ]),
        filesOf(document.id, root),
      ]),
    ]),
  ];
  return framed(site, {
    path: `${address}index.html`,
    title: `${name}: ${subject}`,
    description: `${subject}, ${name}: every row with value, unit, status and cell of its source. ${counts}`,
    trail: [
      [document.title, datasetAddress(document.id)],
      [name, placeAddress(geo)],
      ...(year === undefined ? [] : [['All years', rowsAddress(document.id, geo)] as const]),
    ],
    body,
    ...(query === null ? {} : { alternates: [['application/json', query, 'These rows as JSON']] }),
  });
}

/** Where the rows are from: the file with its hash, its licence, its dates. */
function sourceSection({ document, sources }: RowsPage, root: string): Child {
  const shown = document.sources.filter(({ id }) => sources.has(id));
  return section('source', shown.length === 1 ? 'Source' : 'Sources', [
    shown.map((source) =>
      factsOf([
        ['File', [linkTo(root, sourceAddress(source.id), source.name), `, ${source.publisher}`]],
        ['At the publisher', linkOut(source.url)],
        [
          'Edition',
          [
            el('time', { 'data-edition': source.dated }, source.dated),
            `, retrieved ${source.retrievedAt}; `,
            dueWords(source),
          ],
        ],
        ['sha256', hash(source.sha256)],
        ['Licence', licenceWords([source])],
      ]),
    ),
  ]);
}
