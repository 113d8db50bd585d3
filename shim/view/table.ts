/** Tables, lists and facts of pages: the small parts that every page is made of. */
import { el, type Child } from './node.ts';

/** A column of a table. */
export interface Column {
  head: string;
  /** Numbers are set to the right. */
  numeric?: boolean;
}

/** A row: its cells, and the anchor that leads to it. */
export interface Row {
  id?: string;
  cells: readonly Child[];
}

/** A table with its caption that scrolls on narrow screens and can be reached by keyboard. */
export function scrolling(caption: string, ...children: Child[]): Child {
  return el(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 },
    el('table', {}, el('caption', {}, caption), children),
  );
}

/** A table whose first cell of each row is the row's heading. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Child {
  const classOf = (index: number): string | null => (columns[index]?.numeric === true ? 'num' : null);
  return scrolling(
    caption,
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        columns.map(({ head }, index) => el('th', { scope: 'col', class: classOf(index) }, head)),
      ),
    ),
    el(
      'tbody',
      {},
      rows.map(({ id, cells }) => [
        '\n',
        el(
          'tr',
          { id },
          cells.map((cell, index) =>
            index === 0 ? el('th', { scope: 'row' }, cell) : el('td', { class: classOf(index) }, cell),
          ),
        ),
      ]),
    ),
  );
}

/** Facts as terms and descriptions; one without a description is left out. */
export function facts(items: readonly (readonly [term: string, description: Child])[]): Child {
  return el(
    'dl',
    { class: 'facts' },
    items.map(([term, description]) =>
      description === null || description === ''
        ? ''
        : ['\n', el('div', {}, el('dt', {}, term), el('dd', {}, description))],
    ),
  );
}

/** A list with one line per item. */
export function list(items: readonly Child[]): Child {
  return el(
    'ul',
    {},
    items.map((item) => ['\n', el('li', {}, item)]),
  );
}

/** A section with its heading, which can be pointed at. */
export function section(id: string, heading: string, ...children: Child[]): Child {
  return el('section', { 'aria-labelledby': id }, el('h2', { id }, heading), '\n', children, '\n');
}
