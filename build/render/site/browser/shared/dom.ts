/**
 * The second printer of the view layer: nodes as elements of the page. Text becomes text; there is no markup to parse. And the address that
 * the page prints of itself.
 */
import type { Child } from '../../../../../shim/view/node.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Replaces what an element holds. */
export function draw(place: Element, child: Child): void {
  place.replaceChildren(...nodesOf(child, place.namespaceURI));
}

/** A node of the view as nodes of the page. Throws for markup: only the build may trust some. */
function nodesOf(child: Child, namespace: string | null = null): Node[] {
  if (child === null || child === false) return [];
  if (typeof child === 'string' || typeof child === 'number') return [new Text(String(child))];
  if (isList(child)) return child.flatMap((item) => nodesOf(item, namespace));
  if ('markup' in child) throw new Error('A page in the browser takes no markup.');
  const own = child.tag === 'svg' || namespace === SVG ? SVG : 'http://www.w3.org/1999/xhtml';
  const element = document.createElementNS(own, child.tag);
  for (const [name, value] of Object.entries(child.attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...child.children.flatMap((item) => nodesOf(item, own)));
  return [element];
}

function isList(child: object): child is readonly Child[] {
  return Array.isArray(child);
}

/** The address that the page prints as its own, with the query that is shown: scripts change it, and a copy of the files has one file for all queries. */
export function printedAddress(): string {
  const printed = document.querySelector('.top > .address span')?.textContent ?? location.href;
  return printed.replace(/[?#].*/, '') + location.search;
}
