/** places/: every geography of the release, and a page for each: what is known about it, what is not, and what does not cover it. */
import { ISO3 } from '../../reference/geography.ts';
import type { Artifact } from '../../lib/tree.ts';
import { countsOf } from '../api/dataset-documents.ts';
import type { RecordFacts } from '../facts.ts';
import {
  coverageOf,
  type DatasetAt,
  type PlacePage,
  type PlaceRecords,
  type PlacesCommon,
} from './coverage.ts';
import { framed } from './page.ts';
import { indicatorLabels, type PlaceEvidence } from './evidence.ts';
import { figuresSection, matrixSection } from './place-figures.ts';
import { atlasSections, knownSection } from './place-known.ts';
import { besideSection, unknownSection } from './place-unknown.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import type { Observation } from '../../../shim/core/records.ts';
import {
  apiAddress,
  designationsAddress,
  PAGES,
  placeAddress,
  rootFrom,
  rowsAddress,
} from '../../../shim/view/address.ts';
import { differencesSection } from '../../../shim/view/differences.ts';
import { el, joined, linkTo, type Child } from '../../../shim/view/node.ts';
import { facts as factsOf, list, section, table, type Column } from '../../../shim/view/table.ts';
import { counted, grouped, LEVELS } from '../../../shim/view/words.ts';

/** Differences listed on a page; the API has all. */
const MOST_DIFFERENCES = 20;

const LISTED: readonly (readonly [level: Observation['geoLevel'], heading: string])[] = [
  ['country', 'Countries'],
  ['territory', 'Territories'],
  ['subnational', 'Parts of a country'],
  ['aggregate', 'Aggregates as sources print them'],
];

/** Renders the list of places. */
export function renderPlaces({ evidence, manifest }: RecordFacts): Artifact {
  const root = rootFrom(PAGES.places);
  const places = [...evidence.places.values()];
  const levels = groupedBy(places, ({ level }) => level);
  const isCounted = new Set(manifest.packs.flatMap(({ id, kind }) => (kind === 'context' ? [] : [id])));
  const rowsIn = ({ rows }: PlaceEvidence): number[] =>
    [...rows].flatMap(([dataset, count]) => (isCounted.has(dataset) ? [count] : []));
  const columns: readonly Column<PlaceEvidence>[] = [
    ['Name', (place) => linkTo(root, placeAddress(place.code), nameOf(place))],
    ['Code', ({ code }) => code],
    [{ numbers: 'Datasets' }, (place) => String(rowsIn(place).length)],
    [{ numbers: 'Records' }, (place) => grouped(rowsIn(place).reduce((sum, count) => sum + count, 0))],
  ];
  const body = [
    el('h1', {}, 'Places'),
    '\n',
    el('p', { class: 'standfirst' }, [
      `${counted(places.length, 'geography', 'geographies')} that at least one source names, by the name that most of its sources print. `,
      'A name or a code implies no position on the status of a territory.',
    ]),
    '\n',
    LISTED.flatMap(([level, heading]) => {
      const listed = levels.get(level);
      if (!listed) return [];
      return [section(level, heading, table(`${heading}, by name: ${listed.length}`, listed, columns))];
    }),
  ];
  return framed(evidence, {
    path: `${PAGES.places}index.html`,
    title: 'Places',
    body,
    description: `Every geography of the evidence, with what is known about it and what is not: ${places.length} places.`,
  });
}

/** Renders the page of a place. */
export function placePage(
  place: PlacePage['place'],
  records: PlaceRecords & Pick<PlacePage, 'revisions'>,
  common: PlacesCommon,
): Artifact {
  const { catalog, site } = common;
  const name = nameOf(place);
  const root = rootFrom(placeAddress(place.code));
  const page: PlacePage = {
    ...records,
    ...common,
    place,
    name,
    root,
    coverage: coverageOf(records, catalog),
  };
  const body = [
    el('h1', {}, name),
    '\n',
    factsOf([
      ['Names in the sources', namesOf(page)],
      [
        'Code',
        [
          el('code', {}, place.code),
          ISO3.test(place.code) ? ', ISO 3166-1' : ', given here: ISO 3166-1 has none',
        ],
      ],
      ['Level', LEVELS[place.level]],
    ]),
    sumSection(page),
    matrixSection(page),
    knownSection(page),
    figuresSection(page),
    atlasSections(page),
    besideSection(page),
    differencesSection(records.revisions, {
      root,
      query: apiAddress('revisions', { geo: place.code }),
      indicators: indicatorLabels(catalog.market),
      most: MOST_DIFFERENCES,
    }),
    unknownSection(page),
    elsewhereSection(page),
  ];
  const query = apiAddress('market-observations', { geo: place.code });
  return framed(site, {
    path: `${placeAddress(place.code)}index.html`,
    title: name,
    body,
    description: `${name}: what official sources report on illicit markets, what they leave open, and what does not cover it.`,
    trail: [['Places', PAGES.places]],
    alternates: [['application/json', query, `Observations of ${name}`]],
  });
}

function nameOf({ names, code }: PlacePage['place']): string {
  return names[0]?.name ?? code;
}

/** Each name with the datasets that print it; context datasets are shown apart. */
function namesOf({ place, catalog }: PlacePage): Child {
  const titles = new Map([...catalog.market, ...catalog.atlas].map(({ id, title }) => [id, title]));
  const names = place.names.flatMap(({ name, datasets }) => {
    const own = datasets.flatMap((dataset) => titles.get(dataset) ?? []);
    return own.length > 0 ? [[el('b', {}, name), `: ${own.join('; ')}`]] : [];
  });
  return names.length > 1 ? list(names) : (names[0] ?? null);
}

/** The sum: every indicator and dataset of the catalog is in exactly one group. */
function sumSection({ coverage, name, unavailable, catalog }: PlacePage): Child {
  const indicators = coverage.flatMap((dataset) => dataset.indicators);
  const records = indicators.flatMap((indicator) => indicator.records);
  const { reported, estimated, unavailable: valueless } = countsOf(records);
  const more = indicators.reduce((sum, { count }) => sum + (count?.rows ?? 0), 0);
  const assessed = coverage.flatMap((dataset) => dataset.records).length;
  return section('sum', 'Known, unknown, not covered', [
    list([
      sumWords(indicators, `${counted(indicators.length, 'indicator')} of the catalog`),
      sumWords(
        coverage,
        `${counted(coverage.length, 'dataset')}, ${catalog.atlas.length} of them of the country-year atlas`,
      ),
      [
        `Of ${counted(records.length, 'row')} of these indicators for ${name}, ${grouped(reported)} are reported, ${grouped(estimated)} estimated and ${grouped(valueless)} unavailable: `,
        sumOf([reported, estimated, valueless], records.length),
        assessed > 0 ? `; the atlas adds ${counted(assessed, 'country-year')}.` : '.',
        more === 0
          ? ''
          : ` ${grouped(more)} more are in datasets that are too large for pages of their rows; they are counted only.`,
      ],
    ]),
    el('p', { class: 'how' }, [
      'Designations and the national indicators of the context lane are not counted here.',
      unavailable.length > 0 &&
        ` Not in this release, so neither known nor unknown: ${unavailable.join(', ')}.`,
    ]),
  ]);
}

function sumWords(items: readonly { standing: DatasetAt['standing'] }[], whole: string): Child {
  const having = (standing: DatasetAt['standing']): number =>
    items.filter((item) => item.standing === standing).length;
  const [known, valueless, absent] = [having('known'), having('valueless'), having('absent')];
  return [
    `Of ${whole}, `,
    el('a', { href: '#known' }, `${known} with at least one value`),
    ', ',
    el('a', { href: '#unavailable' }, `${valueless} with rows but no value`),
    ', ',
    el('a', { href: '#absent' }, `${absent} without a row`),
    ': ',
    sumOf([known, valueless, absent], items.length),
    '.',
  ];
}

function sumOf(parts: readonly number[], whole: number): Child {
  return el('span', { class: 'sum' }, `${parts.map(grouped).join(' + ')} = ${grouped(whole)}`);
}

/** What is kept apart from this page, each with its boundary. */
function elsewhereSection({ place, observations, catalog, name, root }: PlacePage): Child {
  const context = catalog.context
    .filter(({ id }) => observations.has(id))
    .map(({ id, title }) => linkTo(root, rowsAddress(id, place.code), `${title}, ${name}`));
  const designations = linkTo(
    root,
    designationsAddress(ISO3.test(place.code) ? { country: place.code } : {}),
    'Search designations by country',
  );
  const apart = [
    catalog.hasDesignations && [
      designations,
      '. A designation is an administrative action, not a finding of guilt; people are not joined to pages of countries.',
    ],
    context.length > 0 && [
      joined(context, ', '),
      '. A separate context lane: its figures say nothing about any illicit market and may not be joined to the rows of this page. ',
      linkTo(root, `${PAGES.docs}#producerp-bri`, 'What the context lane is'),
      '.',
    ],
  ].filter((one) => one !== false);
  return apart.length > 0 && section('elsewhere', 'Kept apart from this page', [list(apart)]);
}
