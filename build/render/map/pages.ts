/** The pages of maps: the list of all with one of them, and a page for each. */
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { WORLD } from '../../../shim/core/paths.ts';
import { datasetAddress, indicatorAddress, mapAddress, PAGES, rootFrom } from '../../../shim/view/address.ts';
import { printPage, type Page } from '../../../shim/view/frame.ts';
import { el, joined, type Child } from '../../../shim/view/node.ts';
import { section } from '../../../shim/view/table.ts';
import { counted } from '../../../shim/view/words.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { indicatorFigure, scoreFigures, type PlacesFigure } from './maps.ts';

interface DatasetMaps {
  document: DatasetDocument;
  maps: readonly PlacesFigure[];
}

const PATH = `${PAGES.map}index.html`;

/** Renders map/, the page of each map, and the shapes that maps are drawn on. */
export function renderMaps(facts: SiteFacts): Artifact[] {
  const datasets = [...facts.evidence.documents.values()]
    .map((document) => ({ document, maps: mapsOf(facts, document) }))
    .filter(({ maps }) => maps.length > 0);
  const { siteUrl, evidence } = facts;
  const pages = [
    indexPage(datasets),
    ...datasets.flatMap((dataset) => dataset.maps.map((map) => mapPage(map, dataset))),
  ];
  return [
    ...pages.map((page) =>
      textArtifact(page.path, printPage(page, { siteUrl, generatedAt: evidence.generatedAt })),
    ),
    // What is drawn on request is drawn on the same shapes.
    textArtifact(WORLD, JSON.stringify(facts.world)),
  ];
}

function mapsOf(facts: SiteFacts, document: DatasetDocument): PlacesFigure[] {
  if (document.kind === 'atlas') return scoreFigures(facts, document);
  return document.indicators.flatMap((indicator) => {
    const figure = indicatorFigure(facts, document, indicator);
    return figure?.isMap === true ? [figure] : [];
  });
}

function indexPage(datasets: readonly DatasetMaps[]): Page {
  const root = rootFrom(PATH);
  const all = datasets.flatMap(({ maps }) => maps);
  const most = Math.max(...all.map(({ places }) => places));
  const [widest] = all.filter(({ places }) => places === most);
  return {
    path: PATH,
    title: 'World map - Public Evidence',
    description: 'Maps of the last period of each indicator and score that many places have.',
    body: [
      el('h1', {}, 'World map'),
      el(
        'p',
        { class: 'standfirst' },
        'Shares, rates and scores are shades, amounts are circles. Each map shows one period and one label as the source prints it.',
      ),
      widest ? widest.draw(root) : '',
      datasets.map(({ document, maps }) =>
        section(
          document.id,
          document.title,
          el(
            'ul',
            { class: 'toc' },
            maps.map((map) => [
              '\n',
              el('li', {}, linked(root, map), ` ${map.period}, ${counted(map.places, 'place')}`),
            ]),
          ),
        ),
      ),
    ],
  };
}

function linked(root: string, { id, title }: PlacesFigure): Child {
  return el('a', { href: `${root}${mapAddress(id)}` }, title);
}

function mapPage(map: PlacesFigure, { document, maps }: DatasetMaps): Page {
  const { id, title, period, places } = map;
  const path = `${mapAddress(id)}index.html`;
  const root = rootFrom(path);
  const indicator = document.indicators.find((known) => known.id === id);
  const about = indicator
    ? el('a', { href: `${root}${indicatorAddress(id)}` }, 'All labels and periods of this indicator')
    : el('a', { href: `${root}${datasetAddress(document.id)}` }, document.title);
  const others = maps.filter((other) => other !== map).map((other) => linked(root, other));
  return {
    path,
    title: `${title}, ${period}: map - Public Evidence`,
    description: `Map of ${counted(places, 'place')}: ${title}, ${period}.`,
    trail: [['Map', PAGES.map]],
    body: [
      el('h1', {}, `${indicator?.label ?? title}, ${period}`),
      indicator ? el('p', { class: 'standfirst' }, indicator.description) : '',
      map.draw(root),
      el('p', { class: 'links' }, about),
      others.length === 0
        ? ''
        : section(
            'others',
            `Other maps of ${document.title}`,
            el('p', { class: 'links' }, joined(others, ' ')),
          ),
    ],
  };
}
