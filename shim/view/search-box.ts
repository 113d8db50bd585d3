/** The search box of every page: a form that works without a script; assets/search.js lists what is found below it. */
import { MOST_CHARACTERS } from '../core/site-search.ts';
import { PAGES } from './address.ts';
import { el, type Element } from './node.ts';

/** The form; `id` is that of its field. In the text of a page it has a button, in the header there is no room for one. */
export function searchBox(id: string, root: string, { query = '', button = false } = {}): Element {
  return el(
    'form',
    {
      role: 'search',
      class: 'search',
      action: `${root}${PAGES.search}`,
      // Pages may have a search of their own.
      'aria-label': button ? 'Everything' : 'Site',
    },
    el('label', { class: 'hidden', for: id }, 'Search places, indicators, labels and documentation'),
    el('input', {
      id,
      name: 'q',
      type: 'search',
      value: query === '' ? null : query,
      placeholder: button ? 'Place, drug, indicator' : 'Search',
      autocomplete: 'off',
      spellcheck: 'false',
      maxlength: MOST_CHARACTERS,
      enterkeyhint: 'search',
    }),
    button ? el('button', {}, 'Search') : '',
  );
}
