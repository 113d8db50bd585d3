/**
 * Lists what is found while a query is written. On the page of the search the list is in the page and the address is the query; elsewhere
 * it opens below the box. The arrow keys move from the box into the list and through it, Escape closes it.
 */
import type { SiteIndex } from '../../../../shim/core/site-index.ts';
import { siteSearch } from '../../../../shim/core/site-search.ts';
import { searchAddress } from '../../../../shim/view/address.ts';
import { foundWords, ON_PAGE, searchResults, searchTitle } from '../../../../shim/view/search-results.ts';
import { el } from '../../../../shim/view/node.ts';
import { draw } from './shared/dom.ts';

/** Hits below a box. */
const IN_BOX = 6;

/** Brings the boxes of a page to life; `root` is the address of the site root. */
export function begin(forms: readonly HTMLFormElement[], index: SiteIndex, root: string): void {
  const search = siteSearch(index);
  const list = (place: Element, query: string, most: number): void => {
    const found = search.find(query);
    draw(place, [
      el('p', { role: 'status', class: 'hidden' }, foundWords(found)),
      searchResults(search, found, query, { root, most, before: '#' }),
    ]);
  };
  for (const form of forms) {
    const field = form.querySelector('input');
    const inPage = document.getElementById('found');
    if (!field) continue;
    if (inPage && form.closest('main')) answerInPage(field, inPage, (query) => list(inPage, query, ON_PAGE));
    else answerBelow(form, field, (place, query) => list(place, query, IN_BOX));
  }
}

function answerInPage(field: HTMLInputElement, place: HTMLElement, list: (query: string) => void): void {
  const everything = document.getElementById('everything');
  const show = (): void => {
    const query = field.value.trim();
    // What was written before the index came is in the address too.
    history.replaceState(null, '', query ? `../${searchAddress(query)}` : '.');
    if (everything) everything.hidden = query !== '';
    document.title = `${searchTitle(query)} - Public Evidence`;
    if (query) list(query);
    else draw(place, '');
  };
  field.value ||= new URLSearchParams(location.search).get('q') ?? '';
  show();
  field.addEventListener('input', show);
  field.form?.addEventListener('submit', (event) => event.preventDefault());
  moveBy(field.closest('main') ?? place, field, place);
}

/** The list is open while the box or the list has the focus. */
function answerBelow(
  form: HTMLFormElement,
  field: HTMLInputElement,
  list: (place: Element, query: string) => void,
): void {
  const place = document.createElement('div');
  place.className = 'search-found';
  place.hidden = true;
  form.append(place);
  const show = (): void => {
    const query = field.value.trim();
    place.hidden = !query;
    if (query) list(place, query);
  };
  field.addEventListener('focus', show);
  field.addEventListener('input', show);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) place.hidden = true;
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || place.hidden) return;
    // Browsers empty the box: the first press closes the list alone.
    event.preventDefault();
    field.focus();
    place.hidden = true;
  });
  moveBy(form, field, place);
  if (document.activeElement === field) show();
}

function moveBy(within: HTMLElement, field: HTMLInputElement, place: HTMLElement): void {
  within.addEventListener('keydown', (event) => {
    const step = Number(event.key === 'ArrowDown') - Number(event.key === 'ArrowUp');
    const { activeElement } = document;
    if (step === 0 || place.hidden || !(activeElement === field || place.contains(activeElement))) return;
    const stops = [field, ...place.querySelectorAll<HTMLElement>('.what > a')];
    const at = stops.indexOf(activeElement as HTMLElement);
    event.preventDefault();
    stops[(at + step + stops.length) % stops.length]?.focus();
  });
}
