/** The page of the search as the service prints it for a query, for readers without scripts; with one it goes on from here. */
import type { SiteSearch } from '../core/site-search.ts';
import type { Steps } from '../core/steps.ts';
import { PAGES, rootFrom } from './address.ts';
import { ADDRESS_SCRIPT, printingPage, type Site } from './frame.ts';
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

/** Finds and prints, in steps, what has the words of a query; without a search its index cannot be read. */
export function* printSearchPage(query: string, search: SiteSearch | null, site: Site): Steps<string> {
  let list: Child = el('p', { role: 'alert' }, 'The index of the search cannot be read at the moment.');
  if (search) {
    const found = search.find(query);
    yield;
    list = query !== '' && [
      el('p', { role: 'status', class: 'hidden' }, foundWords(found)),
      searchResults(search, found, query, { root: ROOT, most: ON_PAGE }),
    ];
    yield;
  }
  const body = [searchParts(query, list), p(linkTo(ROOT, PAGES.search, 'Everything from A to Z'))];
  return yield* printingPage(site, {
    path: PATH,
    title: searchTitle(query),
    description: 'What the words of a query find: places, indicators, labels, rows of a place, pages.',
    body: el('div', { class: 'search-page' }, body),
    unlisted: true,
    scripts: [ADDRESS_SCRIPT],
  });
}
