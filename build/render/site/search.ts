/** search/index.html: the search, and without a script everything it finds from A to Z: places, indicators, datasets, sources, labels. */
import { groupedBy } from '../../../shim/core/groups.ts';
import { nameKey, sortedByName } from '../../../shim/core/name-order.ts';
import {
  datasetAddress,
  indicatorAddress,
  PAGES,
  placeAddress,
  rootFrom,
  sourceAddress,
} from '../../../shim/view/address.ts';
import { ADDRESS_SCRIPT } from '../../../shim/view/frame.ts';
import { el, joined, linkTo, type Child } from '../../../shim/view/node.ts';
import { searchParts } from '../../../shim/view/search-page.ts';
import { section } from '../../../shim/view/table.ts';
import { byCodeUnits, distinct } from '../../lib/dataset.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import { framed, withContents } from './page.ts';
import { indicatorLabels } from './evidence.ts';

const PATH = `${PAGES.search}index.html`;
const ROOT = rootFrom(PATH);

type Entry = readonly [name: string, node: Child];

/** Renders the page. */
export function renderSearch(facts: RecordFacts): Artifact {
  const { places, documents } = facts.evidence;
  const all = [...documents.values()];
  const link = (address: string, name: string): Entry => [name, linkTo(ROOT, address, name)];
  const body = [
    searchParts('', ''),
    el('div', { id: 'everything' }, [
      el('p', { class: 'standfirst' }, [
        'Everything that has a page, by name. Official names of designations have a ',
        linkTo(ROOT, PAGES.designations, 'search of their own'),
        '.',
      ]),
      withContents([
        listed(
          'places',
          'Places',
          [...places.values()].flatMap(({ code, names }) =>
            names.map(({ name }): Entry => [
              name,
              [
                linkTo(ROOT, placeAddress(code), name),
                code.startsWith('x-') ? '' : [' ', el('span', { class: 'code' }, code)],
              ],
            ]),
          ),
        ),
        listed(
          'indicators',
          'Indicators',
          all.flatMap(({ id, kind, title, indicators }) =>
            kind === 'atlas'
              ? [link(indicatorAddress(id), title)]
              : indicators.map((indicator) => link(indicatorAddress(indicator.id), indicator.label)),
          ),
        ),
        listed(
          'datasets',
          'Datasets',
          all.map(({ id, title }) => link(datasetAddress(id), title)),
        ),
        listed(
          'sources',
          'Sources',
          [...new Map(all.flatMap(({ sources }) => sources.map(({ id, name }) => [id, name])))].map(
            ([id, name]) => link(sourceAddress(id), name),
          ),
        ),
        listed('labels', 'Labels', labels(facts)),
      ]),
    ]),
  ];
  return framed(facts.evidence, {
    path: PATH,
    title: 'Search',
    description:
      'Find places, indicators, labels, datasets, sources, stories and documentation by words, or from A to Z.',
    body: el('div', { class: 'search-page' }, body),
    scripts: [ADDRESS_SCRIPT],
  });
}

/** Categories and subgroups as printed, each with the indicators that have rows under it. */
function labels({ evidence: { documents, hasRowPages } }: RecordFacts): Entry[] {
  const titles = indicatorLabels(documents.values());
  // The labels of a dataset that is too large for pages are found in the explorer.
  const found = [...documents.values()]
    .filter(({ id }) => hasRowPages(id))
    .flatMap(({ indicators }) => indicators.toSorted((a, b) => byCodeUnits(a.id, b.id)))
    .flatMap(({ id: indicatorId, categories, subgroups }) =>
      [...categories, ...subgroups].map((label) => ({ label, indicatorId })),
    );
  return [...groupedBy(found, ({ label }) => label)]
    .filter(([label]) => label !== '')
    .map(([label, own]): Entry => {
      const indicators = distinct(own.map(({ indicatorId }) => indicatorId));
      const links = indicators.map((id) => linkTo(ROOT, indicatorAddress(id), titles.get(id) ?? id));
      return [label, [label, ': ', joined(links, ', ')]];
    });
}

/** A section of names in their order, those without a letter at the end. */
function listed(id: string, title: string, entries: readonly Entry[]): Child {
  const sorted = sortedByName(entries, ([name]) => name);
  const letters = groupedBy(sorted, ([name]) => (/^[a-z]/.exec(nameKey(name))?.[0] ?? '0–9').toUpperCase());
  const items = (own: typeof sorted): Child =>
    el('ul', { class: 'names' }, [own.map(([, node]) => ['\n', el('li', {}, node)])]);
  return section(id, title, [
    sorted.length < 100
      ? items(sorted)
      : [...letters].map(([letter, own]) => ['\n', el('h3', {}, letter), items(own)]),
  ]);
}
