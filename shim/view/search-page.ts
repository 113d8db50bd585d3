/** The page of the search as the service prints it for a query, for readers without scripts; with one it goes on from here. */
import type { SiteFound, SiteSearch } from '../core/site-search.ts';
import { PAGES, rootFrom } from './address.ts';
import { ADDRESS_SCRIPT, printPage, type Site } from './frame.ts';
import { el, linkTo, p, type Child } from './node.ts';
import { searchBox } from './search-box.ts';
import { foundWords, ON_PAGE, searchResults, searchTitle } from './search-results.ts';

const PATH = `${PAGES.search}index.html`;
const ROOT = rootFrom(PATH);

/** The parts that the page has with and without a query: heading, box, list. */
export function searchParts(query: string, list: Child): Child {
  return [
    el('h1', {}, 'Search'),
    searchBox('query', ROOT, { query, button: true }),
    el('div', { id: 'found' }, list),
  ];
}

/** Prints what a query found; without `found` the index cannot be read. */
export function printSearchPage(
  query: string,
  found: { search: SiteSearch; found: SiteFound } | null,
  site: Site,
): string {
  const list: Child = found
    ? query !== '' && [
        el('p', { role: 'status', class: 'hidden' }, foundWords(found.found)),
        searchResults(found.search, found.found, query, { root: ROOT, most: ON_PAGE }),
      ]
    : el('p', { role: 'alert' }, 'The index of the search cannot be read at the moment.');
  const body = [searchParts(query, list), p(linkTo(ROOT, PAGES.search, 'Everything from A to Z'))];
  return printPage(site, {
    path: PATH,
    title: searchTitle(query),
    description: 'What the words of a query find: places, indicators, labels, rows of a place, pages.',
    body: el('div', { class: 'search-page' }, body),
    unlisted: true,
    scripts: [ADDRESS_SCRIPT],
  });
}
