/** A page for people as a file, also one whose text is a Markdown file, and the links to its sections. */
import { printPage, type Page, type Site } from '../../../shim/view/frame.ts';
import { el, type Child, type Element } from '../../../shim/view/node.ts';
import { filledPage } from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import pages from '../content/pages.json' with { type: 'json' };
import type { RecordFacts } from '../facts.ts';

/** A page in its frame as a file. */
export function framed(site: Site, page: Page): Artifact {
  return textArtifact(page.path, printPage(site, page));
}

/** Renders the page whose text is content/<name>.md, filled in with these values. */
export function contentPage(
  name: keyof typeof pages,
  { source, evidence }: RecordFacts,
  values: Record<string, Child>,
): Artifact {
  return framed(evidence, { ...pages[name], body: filledPage(source(`content/${name}.md`), values) });
}

/** Links to the sections of a page, by their headings, and then the sections. */
export function withContents(sections: readonly Child[]): Child {
  const headings = sections
    .filter(isElement)
    .flatMap(({ children }) => children.filter(isElement))
    .filter(({ tag }) => tag === 'h2');
  return [
    contents(headings.map(({ attributes, children }) => [String(attributes['id']), children])),
    sections,
  ];
}

/** Links to places of the page, by their anchors. */
export function contents(places: readonly (readonly [id: string, heading: Child])[]): Child {
  const links = places.map(([id, heading]) => el('li', {}, el('a', { href: `#${id}` }, heading)));
  return el('nav', { 'aria-label': 'On this page' }, el('ul', { class: 'toc contents' }, links));
}

function isElement(child: Child): child is Element {
  return typeof child === 'object' && child !== null && 'tag' in child;
}
