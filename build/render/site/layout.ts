/** Pages whose text is a Markdown file, and their parts; the frame is that of every page (shim/view/frame.ts). */
import { trusted } from '../../../shim/view/node.ts';
import { printPage, type Site } from '../../../shim/view/frame.ts';
import { lines, markup, raw, filledPage, type Markup, type MarkupValue } from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import pages from '../content/pages.json' with { type: 'json' };
import type { SiteFacts } from '../facts.ts';

interface PageContent {
  /** Path below the site root: `news/index.html`. */
  path: string;
  title: string;
  description: string;
  body: MarkupValue;
  /** Further elements of the head, each with its line break. */
  head?: Markup;
  published?: string;
}

/** Renders the page whose text is content/<name>.md, filled in with these values. */
export function contentPage(
  name: keyof typeof pages,
  { source, evidence }: SiteFacts,
  values: Record<string, MarkupValue>,
): Artifact {
  const { head, ...about } = pages[name];
  const body = filledPage(source(`content/${name}.md`), values);
  return page({ ...about, head: raw(head), body }, evidence);
}

/** Renders a whole page whose main part is markup. */
export function page(content: PageContent, site: Site): Artifact {
  const { body, head, ...rest } = content;
  const framed = {
    ...rest,
    body: trusted(markup`${body}`.text),
    head: head === undefined ? null : trusted(head.text),
  };
  return textArtifact(content.path, printPage(framed, site));
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
