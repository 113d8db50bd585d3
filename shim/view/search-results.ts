/** What the search found, as a list: what each thing is, its name as printed, and where it leads. */
import type { SitePageKind } from '../core/site-index.ts';
import type { SiteFound, SiteHit, SiteSearch } from '../core/site-search.ts';
import {
  designationsAddress,
  indicatorAddress,
  placeAddress,
  rowsAddress,
  searchAddress,
} from './address.ts';
import { el, type Child } from './node.ts';

/** A hit for people; `address` is below the site root. */
interface Shown {
  kind: string;
  title: string;
  detail: string;
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
 * The list, `most` hits long. It ends with a link to the search of designations, whose names are in no index of the site.
 * `root` is the path or address of the site root.
 */
export function searchResults(
  search: SiteSearch,
  { hits, notes }: SiteFound,
  query: string,
  { root, most }: { root: string; most: number },
): Child {
  const shown = hits.slice(0, most).map((hit) => shownHit(search, hit));
  const more = hits.length - shown.length;
  return [
    notes.map((note) => el('p', { class: 'how' }, note)),
    el(
      'ul',
      { class: 'hits' },
      shown.map(({ kind, title, detail, address }) =>
        item(`${root}${address}`, kind, title, [
          detail === '' ? '' : el('span', { class: 'detail' }, detail),
          el('span', { class: 'address' }, address),
        ]),
      ),
      more > 0 && most < ON_PAGE ? item(`${root}${searchAddress(query)}`, '', `${more} more`, '') : '',
      item(`${root}${designationsAddress({ query })}`, 'Elsewhere', `Search designations for ‘${query}’`, ''),
    ),
    more > 0 && most >= ON_PAGE
      ? el('p', { class: 'how' }, `The first ${most} of ${hits.length}. More words find fewer.`)
      : '',
  ];
}

/** Hits on the page of the search. */
export const ON_PAGE = 60;

/** How many things were found, in words. */
export function foundWords({ hits }: SiteFound): string {
  return hits.length === 0 ? 'Nothing found.' : `${hits.length} found.`;
}

function item(href: string, kind: string, title: string, about: Child): Child {
  return el(
    'li',
    {},
    el('span', { class: 'kind' }, kind),
    ' ',
    el('span', { class: 'what' }, el('a', { href }, title), ' ', about),
  );
}

function shownHit({ index, directory }: SiteSearch, hit: SiteHit): Shown {
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
    case 'label': {
      const { id = '', label = '' } = index.indicators[hit.indicator] ?? {};
      const places = new Set(hit.rows.map((row) => directory.column('geo')[row])).size;
      return {
        kind: 'Label',
        title: hit.label,
        detail: `${label}: ${places} ${places === 1 ? 'place' : 'places'}, ${spanOf(directory, hit.rows)}`,
        address: `${indicatorAddress(id)}#labels`,
      };
    }
    case 'rows':
      return shownRows(index, directory, hit);
  }
}

function shownRows(
  index: SiteSearch['index'],
  directory: SiteSearch['directory'],
  { indicator, place, rows }: Extract<SiteHit, { kind: 'rows' }>,
): Shown {
  const { id = '', label = '', dataset = 0 } = index.indicators[indicator] ?? {};
  const [first = 0] = rows;
  const labels = new Map<string, number[]>();
  for (const row of rows) {
    const text = [
      directory.categories[directory.column('category')[row] ?? 0] ?? '',
      directory.subgroups[directory.column('subgroup')[row] ?? 0] ?? '',
    ];
    const own = [...new Set(text.filter((part) => part !== ''))].join(': ');
    labels.set(own, [...(labels.get(own) ?? []), row]);
  }
  const listed = [...labels].slice(0, MOST_LABELS).map(([text, own]) => {
    const span = spanOf(directory, own);
    return text === '' ? span : `${text}, ${span}`;
  });
  const more = labels.size - listed.length;
  const datasetId = index.datasets[dataset]?.id ?? '';
  const [code = ''] = index.places[place] ?? [];
  const isByMonth = (directory.periods[directory.column('lastPeriod')[first] ?? 0] ?? '').length > 4;
  return {
    kind: 'Rows',
    title: `${directory.geoNames[directory.column('geoName')[first] ?? 0] ?? ''}: ${label}`,
    detail: [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    // An atlas has no table for each indicator.
    address: `${rowsAddress(datasetId, code)}${id === datasetId ? '' : isByMonth ? '#years' : `#rows-${id}`}`,
  };
}

/** The first and last period of some series in words. */
function spanOf({ periods, column }: SiteSearch['directory'], rows: readonly number[]): string {
  const first = Math.min(...rows.map((row) => column('firstPeriod')[row] ?? 0));
  const last = Math.max(...rows.map((row) => column('lastPeriod')[row] ?? 0));
  const [from = '', to = ''] = [periods[first], periods[last]];
  return from === to ? from : `${from} to ${to}`;
}
