/** What the search found, as a list: what each thing is, its name as printed, and where it leads. */
import { groupedBy } from '../core/groups.ts';
import type { SitePageKind } from '../core/site-index.ts';
import type { SiteFound, SiteHit, SiteSearch } from '../core/site-search.ts';
import {
  designationsAddress,
  exploreAddress,
  indicatorAddress,
  placeAddress,
  recordAddress,
  rowsAddress,
  searchAddress,
} from './address.ts';
import { el, joined, linkTo, type Child } from './node.ts';
import { spanWords } from './periods.ts';
import { labelOf } from './words.ts';

/** The title of the page that answers a query. */
export function searchTitle(query: string): string {
  return `${query === '' ? '' : `${query} - `}Search`;
}

/** A hit for people; `address` is below the site root, and `detail` may have links of its own. */
interface Shown {
  kind: string;
  title: string;
  detail: Child;
  address: string;
}

const PAGE_KINDS: Record<SitePageKind, string> = {
  dataset: 'Dataset',
  source: 'Source',
  story: 'Story',
  docs: 'Documentation',
  error: 'Error code',
  page: 'Page',
};

/** Labels of a hit that are printed. */
const MOST_LABELS = 4;

/**
 * The list, at most `most` hits long. It ends with a link to the search of designations, whose names are in no index of the site.
 * `root` is the path or address of the site root. `before` is written before the id of a record in its address: `#` leads to the
 * page that finds it on any host.
 */
export function searchResults(
  search: SiteSearch,
  { hits, notes }: SiteFound,
  query: string,
  { root, most, before = '' }: { root: string; most: number; before?: '#' | '' },
): Child {
  const shown = hits.slice(0, most).map((hit) => shownHit(search, hit, root, before));
  const more = hits.length - shown.length;
  return [
    notes.map((note) => el('p', { class: 'how' }, note)),
    el('ul', { class: 'hits' }, [
      shown.map(({ kind, title, detail, address }) =>
        item(`${root}${address}`, kind, title, [
          detail === '' ? '' : el('span', { class: 'detail' }, detail),
          el('span', { class: 'address' }, address),
        ]),
      ),
      more > 0 ? item(`${root}${searchAddress(query)}`, '', `${more} more`, '') : '',
      item(`${root}${designationsAddress({ query })}`, 'Elsewhere', `Search designations for ‘${query}’`, ''),
    ]),
  ];
}

/** Hits on the page of the search: all. */
export const ON_PAGE = Infinity;

/** How many things were found, in words. */
export function foundWords({ hits }: SiteFound): string {
  return hits.length === 0 ? 'Nothing found.' : `${hits.length} found.`;
}

function item(href: string, kind: string, title: string, about: Child): Child {
  return el('li', {}, [
    el('span', { class: 'kind' }, kind),
    ' ',
    el('span', { class: 'what' }, el('a', { href }, title), ' ', about),
  ]);
}

function shownHit({ index, directory }: SiteSearch, hit: SiteHit, root: string, before: string): Shown {
  switch (hit.kind) {
    case 'place': {
      const [code = '', [title = '', ...others] = []] = index.places[hit.place] ?? [];
      return { kind: 'Place', title, detail: [code, ...others].join(', '), address: placeAddress(code) };
    }
    case 'indicator': {
      const { id = '', label = '', dataset = 0 } = index.indicators[hit.indicator] ?? {};
      const { title = '' } = index.datasets[dataset] ?? {};
      return {
        kind: 'Indicator',
        title: label,
        detail: title === label ? '' : title,
        address: indicatorAddress(id),
      };
    }
    case 'page': {
      const [kind = 'page', title = '', address = '', , publisher = ''] = index.pages[hit.page] ?? [];
      return { kind: PAGE_KINDS[kind], title, detail: kind === 'source' ? publisher : '', address };
    }
    case 'record': {
      const [, [place = ''] = []] = index.places[hit.place] ?? [];
      const { label = '' } = index.indicators[hit.indicator] ?? {};
      const address = recordAddress(`${before}${hit.id}`);
      return { kind: 'Record', title: `${place}: ${label}`, detail: hit.period, address };
    }
    case 'label': {
      const { id = '', label = '' } = index.indicators[hit.indicator] ?? {};
      const places = new Set(hit.rows.map((row) => directory.column('geo')[row])).size;
      return {
        kind: 'Label',
        title: labelOf(hit),
        detail: `${label}: ${places} ${places === 1 ? 'place' : 'places'}, ${spanOf(directory, hit.rows)}`,
        address: seriesAddress(directory, hit.rows) ?? indicatorAddress(id),
      };
    }
    case 'rows':
      return shownRows(index, directory, hit, root);
  }
}

function shownRows(
  index: SiteSearch['index'],
  directory: SiteSearch['directory'],
  { indicator, place, rows }: Extract<SiteHit, { kind: 'rows' }>,
  root: string,
): Shown {
  const { id = '', label = '', dataset = 0 } = index.indicators[indicator] ?? {};
  const [first = 0] = rows;
  const labels = groupedBy(rows, (row) => labelOf(labelsOf(directory, row)));
  const [code = ''] = index.places[place] ?? [];
  const listed = [...labels].slice(0, MOST_LABELS).map(([text, own]): Child => {
    const address = seriesAddress(directory, own, code);
    const words = text === '' ? 'Figure and table' : text;
    return [
      address === null ? text : linkTo(root, address, words),
      address === null && text === '' ? '' : ', ',
      spanOf(directory, own),
    ];
  });
  const more = labels.size - listed.length;
  const datasetId = index.datasets[dataset]?.id ?? '';
  const geoName = directory.geoNames[directory.column('geoName')[first] ?? 0] ?? '';
  const isByMonth = (directory.periods[directory.column('lastPeriod')[first] ?? 0] ?? '').length > 4;
  return {
    kind: 'Rows',
    title: `${geoName}: ${label}`,
    detail: joined(more > 0 ? [...listed, `and ${more} more`] : listed, '; '),
    // An atlas has no table for each indicator.
    address: `${rowsAddress(datasetId, code)}${id === datasetId ? '' : isByMonth ? '#years' : `#rows-${id}`}`,
  };
}

function labelsOf(
  { categories, subgroups, column }: SiteSearch['directory'],
  row: number,
): { category: string; subgroup: string } {
  return {
    category: categories[column('category')[row] ?? 0] ?? '',
    subgroup: subgroups[column('subgroup')[row] ?? 0] ?? '',
  };
}

/** The explorer with what some series of an indicator share; null where it does not have them: context and the atlas. */
function seriesAddress(
  directory: SiteSearch['directory'],
  rows: readonly number[],
  geo?: string,
): string | null {
  const [first = 0] = rows;
  const { id = '', market = '' } = directory.indicators[directory.column('indicator')[first] ?? 0] ?? {};
  if (market === '' || market === 'context') return null;
  const all = rows.map((row) => labelsOf(directory, row));
  const shared = (name: 'category' | 'subgroup'): string | undefined =>
    all.every((each) => each[name] === all[0]?.[name]) ? all[0]?.[name] : undefined;
  return exploreAddress({
    indicator: id,
    geo,
    category: shared('category'),
    subgroup: shared('subgroup'),
  });
}

/** The first and last period of some series in words. */
function spanOf({ periods, column }: SiteSearch['directory'], rows: readonly number[]): string {
  const first = Math.min(...rows.map((row) => column('firstPeriod')[row] ?? 0));
  const last = Math.max(...rows.map((row) => column('lastPeriod')[row] ?? 0));
  return spanWords(periods[first] ?? '', periods[last] ?? '');
}
