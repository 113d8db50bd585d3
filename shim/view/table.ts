/** Tables, lists and facts of pages: the small parts that every page is made of. */
import { el, type Child } from './node.ts';

/** The head of a column; numbers are set to the right. */
export type Column = string | { numbers: string };

/** The cells of a row; with the anchor that leads to it where it has one. */
export type Row = readonly Child[] | { id: string; cells: readonly Child[] };

/** A table with its caption that scrolls on narrow screens and can be reached by keyboard. */
export function scrolling(caption: string, ...children: Child[]): Child {
  return el('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 }, [
    el('table', {}, el('caption', {}, caption), children),
  ]);
}

/** A table whose first cell of each row is the row's heading. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): Child {
  const classOf = (column: Column | undefined): string | null => (typeof column === 'object' ? 'num' : null);
  const heads = columns.map((column) =>
    el('th', { scope: 'col', class: classOf(column) }, typeof column === 'object' ? column.numbers : column),
  );
  const lines = rows.map((row) => {
    const { id, cells } = 'cells' in row ? row : { id: null, cells: row };
    const [first, ...others] = cells;
    const rest = others.map((cell, index) => el('td', { class: classOf(columns[index + 1]) }, cell));
    return ['\n', el('tr', { id }, first === undefined ? [] : el('th', { scope: 'row' }, first), rest)];
  });
  return scrolling(caption, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, lines));
}

/** Facts as terms and descriptions; one without a description is left out. */
export function facts(items: readonly (readonly [term: string, description: Child])[]): Child {
  return el('dl', { class: 'facts' }, [
    items.map(
      ([term, description]) =>
        description !== null &&
        description !== '' && ['\n', el('div', {}, el('dt', {}, term), el('dd', {}, description))],
    ),
  ]);
}

/** A list with one line per item. */
export function list(items: readonly Child[]): Child {
  return listEach(items, (item) => item);
}

/** A list with one line for what `child` makes of each item. */
export function listEach<Item>(items: readonly Item[], child: (item: Item) => Child): Child {
  return el('ul', {}, [items.map((item) => ['\n', el('li', {}, child(item))])]);
}

/** A section with its heading, which can be pointed at. */
export function section(id: string, heading: string, ...children: Child[]): Child {
  return el('section', { 'aria-labelledby': id }, el('h2', { id }, heading), '\n', children, '\n');
}
