/** The pages of maps: the list of all, with one of them drawn, and a page for each map of a dataset. */
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { WORLD } from '../../../shim/core/paths.ts';
import { datasetAddress, indicatorAddress, mapAddress, PAGES, rootFrom } from '../../../shim/view/address.ts';
import type { Page } from '../../../shim/view/frame.ts';
import { el, joined, linkTo, type Child } from '../../../shim/view/node.ts';
import { section } from '../../../shim/view/table.ts';
import { counted } from '../../../shim/view/words.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import type { DatasetFacts, MapListed } from '../site/dataset-facts.ts';
import { framed } from '../site/page.ts';
import { indicatorFigure, scoreFigures, type PlacesFigure } from './maps.ts';

const PATH = `${PAGES.map}index.html`;

/** Renders map/, with the map that has the most places, and the shapes that maps are drawn on. */
export function renderMaps(facts: RecordFacts, maps: ReadonlyMap<string, MapListed[]>): Artifact[] {
  const { evidence, world } = facts;
  const datasets = [...evidence.documents.values()].flatMap((document) => {
    const own = maps.get(document.id) ?? [];
    return own.length > 0 ? [{ document, maps: own }] : [];
  });
  const all = datasets.flatMap(({ document, maps: own }) => own.map((map) => ({ document, map })));
  const [widest] = all.toSorted((a, b) => b.map.places - a.map.places);
  const figure = widest ? figureNamed(facts, widest.document, widest.map.id) : null;
  return [
    framed(facts.evidence, indexPage(datasets, figure)),
    // The server draws figures on request with the same shapes.
    textArtifact(WORLD, JSON.stringify(world)),
  ];
}

/** The figure of an indicator of a dataset, or of a field of an atlas. */
export function figureNamed(
  { evidence, world }: RecordFacts,
  document: DatasetDocument,
  id: string,
): PlacesFigure | null {
  if (document.kind === 'atlas')
    return scoreFigures(evidence.atlas(document.id), world, document).find((one) => one.id === id) ?? null;
  const indicator = document.indicators.find((one) => one.id === id);
  if (!indicator) return null;
  const records = evidence.hasRowPages(document.id)
    ? evidence.observations(document.id, { indicator: id })
    : evidence.lastOf(document.id, id);
  return indicatorFigure(records, world, document, indicator);
}

/** Renders the page of each map of a dataset. */
export function mapPages(maps: readonly PlacesFigure[], { site, dataset }: DatasetFacts): Artifact[] {
  return maps.map((map) => framed(site, mapPage(map, maps, dataset.document)));
}

function indexPage(
  datasets: readonly { document: DatasetDocument; maps: readonly MapListed[] }[],
  widest: PlacesFigure | null,
): Page {
  const root = rootFrom(PATH);
  return {
    path: PATH,
    title: 'World map',
    description: 'Maps of the last period of each indicator and score that many places have.',
    body: [
      el('h1', {}, 'World map'),
      el('p', { class: 'standfirst' }, [
        'Shares, rates and scores are shades, amounts are circles. Each map shows one period and one label as the source prints it.',
      ]),
      widest ? widest.draw(root) : '',
      datasets.map(({ document, maps }) =>
        section(document.id, document.title, [
          el('ul', { class: 'toc' }, [
            maps.map((map) => [
              '\n',
              el('li', {}, linked(root, map), ` ${map.period}, ${counted(map.places, 'place')}`),
            ]),
          ]),
        ]),
      ),
    ],
  };
}

function linked(root: string, { id, title }: MapListed): Child {
  return linkTo(root, mapAddress(id), title);
}

function mapPage(map: PlacesFigure, maps: readonly PlacesFigure[], document: DatasetDocument): Page {
  const { id, title, period, places } = map;
  const path = `${mapAddress(id)}index.html`;
  const root = rootFrom(path);
  const indicator = document.indicators.find((known) => known.id === id);
  const about = indicator
    ? linkTo(root, indicatorAddress(id), 'All labels and periods of this indicator')
    : linkTo(root, datasetAddress(document.id), document.title);
  const others = maps.filter((other) => other !== map).map((other) => linked(root, other));
  // The one label that is drawn, and for a field of an atlas the title of its dataset.
  const heading = `${indicator ? '' : `${document.title}: `}${title}, ${period}`;
  return {
    path,
    title: `${heading}: map`,
    description: `Map of ${counted(places, 'place')}: ${heading}.`,
    trail: [['Map', PAGES.map]],
    body: [
      el('h1', {}, heading),
      indicator ? el('p', { class: 'standfirst' }, indicator.description) : '',
      map.draw(root),
      el('p', { class: 'links' }, about),
      others.length > 0 &&
        section('others', `Other maps of ${document.title}`, [
          el('p', { class: 'links' }, joined(others, ' ')),
        ]),
    ],
  };
}
