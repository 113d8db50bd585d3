/**
 * The frame of every page for people: head, navigation, footer. Links are relative, so a mirror works under any address and
 * from any folder; nothing is loaded from elsewhere and no script is needed.
 */
import { readFileSync } from 'node:fs';
import {
  lines,
  markup,
  raw,
  filledMarkup,
  filledPage,
  type Markup,
  type MarkupValue,
} from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import pages from '../content/pages.json' with { type: 'json' };
import type { SiteFacts } from '../facts.ts';

/** A page to be framed. */
interface PageContent {
  /** Path below the site root: `news/index.html`. */
  path: string;
  title: string;
  description: string;
  /** The main part. */
  body: MarkupValue;
  /** Further elements of the head, each with its line break. */
  head?: Markup;
  /** Reference pages: a wide column, and the styles of cards, forms and tables. */
  wide?: boolean;
}

const NAVIGATION: [path: string, label: string][] = [
  ['', 'Overview'],
  ['explore/', 'Explore'],
  ['news/', 'Newsroom'],
  ['docs/', 'Documentation'],
];

const FRAME = readFileSync(new URL('../content/frame.txt', import.meta.url), 'utf8');

/** Renders the page whose text is content/<name>.md, filled in with these values. */
export function contentPage(
  name: keyof typeof pages,
  { source, siteUrl }: SiteFacts,
  values: Record<string, MarkupValue>,
): Artifact {
  const { head, ...about } = pages[name];
  const body = filledPage(source(`content/${name}.md`), values);
  return page({ ...about, head: raw(head), body }, siteUrl);
}

/** Renders a whole page; `siteUrl` without trailing slash. */
export function page(content: PageContent, siteUrl: string): Artifact {
  const { path, title, description, body, head = '', wide = false } = content;
  const root = rootFrom(path);
  const address = `${siteUrl}/${path.replace(/(^|\/)index\.html$/, '$1')}`;
  const links = NAVIGATION.map(([target, label]) => {
    const here = target === '' ? path === 'index.html' : path.startsWith(target);
    return markup`<a href="${root}${target}"${here ? markup` aria-current="true"` : ''}>${label}</a>`;
  });
  const styles = ['assets/site.css', ...(wide ? ['assets/cards.css'] : [])];
  const document = filledMarkup(FRAME, {
    root,
    title,
    description,
    address,
    head,
    links,
    styles: lines(styles.map((style) => markup`<link rel="stylesheet" href="${root}${style}">`)),
    body: wide ? markup`<div class="page wide">\n${body}\n</div>` : body,
  });
  return textArtifact(path, document.text);
}

/** The relative path from a page to the site root: './' or `../../`. */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 1;
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** A table that scrolls on narrow screens and can be reached by keyboard. */
export function table(label: string, head: string[], rows: MarkupValue[][]): Markup {
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${lines(rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`))}
</tbody></table></div>`;
}

/** A list with one line per item. */
export function list(items: readonly MarkupValue[]): Markup {
  return markup`<ul>\n${lines(items.map((item) => markup`<li>${item}</li>`))}\n</ul>`;
}

/** A request to copy. */
export function curl(address: string): Markup {
  return markup`<pre><code>curl '${address}'</code></pre>`;
}

/** Words for screen readers that tell links with the same text apart. */
export function hidden(words: string): Markup {
  return markup`<span class="hidden">${words}</span>`;
}
