/**
 * A page as a tree of nodes: what the build, the shim and the browser draw. Two printers: text here, and the DOM in the
 * browser. Text is always escaped; no node holds markup but `trusted`, which only the text printer takes.
 */

import { finished, type Steps } from '../core/steps.ts';

/** An element. Attribute values are text or numbers; `true` prints the name alone, `false`, `null` and undefined nothing. */
export interface Element {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
}

/** Attributes in the order in which they are printed. */
export type Attributes = { readonly [name: string]: string | number | boolean | null | undefined };

/** Markup that was made safe elsewhere: a Markdown page of the repository. */
export interface Trusted {
  readonly markup: string;
}

/** What an element may hold: elements, text, numbers, lists of them; null and false print nothing. */
export type Child = Element | Trusted | string | number | null | false | readonly Child[];

/** Elements that have no end tag. */
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);

/** Makes an element. */
export function el(tag: string, attributes: Attributes = {}, ...children: Child[]): Element {
  return { tag, attributes, children };
}

/** Makes a paragraph. */
export function p(...children: Child[]): Element {
  return el('p', {}, ...children);
}

/** Makes a link to an address of the site from a page whose path to the root is `root`. */
export function linkTo(root: string, address: string, words: Child): Element {
  return el('a', { href: `${root}${address}` }, words);
}

/** An id, a name of a file or a command. */
export function code(text: string): Element {
  return el('code', {}, text);
}

/** A sha256 or another long id in full: it is there to be compared. */
export function hash(text: string): Element {
  return el('code', { class: 'hash' }, text);
}

/** Marks markup as safe: constant, or made by a renderer of its own. Never for text of a source or a request. */
export function trusted(markup: string): Trusted {
  return { markup };
}

/** Children with text between them. */
export function joined(items: readonly Child[], between: string): Child[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [between, item]));
}

/** The same, of what `child` makes of each item. */
export function joinEach<Item>(
  items: readonly Item[],
  between: string,
  child: (item: Item) => Child,
): Child[] {
  return joined(items.map(child), between);
}

/** A node as HTML text; SVG inside HTML is printed the same way. */
export function print(child: Child): string {
  return finished(printing(child));
}

/** Nodes that are printed per step: the first time in a process they take 15 milliseconds, later 5. */
const STEP_NODES = 4000;

/** The same in steps. */
export function* printing(root: Child): Steps<string> {
  let text = '';
  let printed = 0;
  // The lists that are begun, each inside the one before it.
  const open: { children: readonly Child[]; at: number; end: string }[] = [
    { children: [root], at: 0, end: '' },
  ];
  for (let list = open.at(-1); list; list = open.at(-1)) {
    if (list.at === list.children.length) {
      text += list.end;
      open.pop();
      continue;
    }
    const child = list.children[list.at] ?? null;
    list.at += 1;
    printed += 1;
    if (printed % STEP_NODES === 0) yield;
    if (typeof child === 'string') text += escaped(child);
    else if (typeof child === 'number') text += String(child);
    else if (child === null || child === false) continue;
    else if (isList(child)) open.push({ children: child, at: 0, end: '' });
    else if ('markup' in child) text += child.markup;
    else {
      const { tag, children } = child;
      text += startOf(child);
      if (!VOID.has(tag)) open.push({ children, at: 0, end: `</${tag}>` });
    }
  }
  return text;
}

function startOf({ tag, attributes }: Element): string {
  let start = `<${tag}`;
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value === null || value === undefined || value === false) continue;
    start += value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`;
  }
  return `${start}>`;
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it is in HTML, SVG and XML. */
export function escaped(text: string): string {
  return /[&<>"']/.test(text)
    ? text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    : text;
}
