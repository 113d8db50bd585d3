/** Tables, lists and facts of pages: the small parts that every page is made of. */
import { el, type Child } from './node.ts';

/** The head of a column; numbers are set to the right. */
type Head = string | { numbers: string };

/** A column: its head, and the cell that it has for an item. */
export type Column<Item> = readonly [head: Head, cell: (item: Item) => Child];

/** Columns of rows that are made whole, a cell for each head. */
export function cellsUnder(heads: readonly Head[]): Column<readonly Child[]>[] {
  return heads.map((head, at) => [head, (cells) => cells[at] ?? '']);
}

/** A table with its caption that scrolls on narrow screens and can be reached by keyboard. */
export function scrolling(caption: string, ...children: Child[]): Child {
  return el('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 }, [
    el('table', {}, el('caption', {}, caption), children),
  ]);
}

/** A table with a row for each item, which its first cell is the heading of; `idOf` gives the anchor that leads to a row. */
export function table<Item>(
  caption: string,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  idOf: (item: Item) => string | null = () => null,
): Child {
  const classOf = (head: Head): string | null => (typeof head === 'object' ? 'num' : null);
  const heads = columns.map(([head]) =>
    el('th', { scope: 'col', class: classOf(head) }, typeof head === 'object' ? head.numbers : head),
  );
  const lines = items.map((item) => {
    const cells = columns.map(([head, cell], at) =>
      at === 0 ? el('th', { scope: 'row' }, cell(item)) : el('td', { class: classOf(head) }, cell(item)),
    );
    return ['\n', el('tr', { id: idOf(item) }, cells)];
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
