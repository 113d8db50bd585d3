/** Pages whose text is a Markdown file, and their parts; the frame is that of every page (shim/view/frame.ts). */
import type { Child, Trusted } from '../../../shim/view/node.ts';
import { filledPage, lines, markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { framed } from './page.ts';
import pages from '../content/pages.json' with { type: 'json' };
import type { RecordFacts } from '../facts.ts';

/** Renders the page whose text is content/<name>.md, filled in with these values. */
export function contentPage(
  name: keyof typeof pages,
  { source, evidence }: RecordFacts,
  values: Record<string, Child>,
): Artifact {
  return framed(evidence, { ...pages[name], body: filledPage(source(`content/${name}.md`), values) });
}

/** A table with its caption that scrolls on narrow screens and can be reached by keyboard. */
export function table(label: string, head: string[], rows: Child[][]): Trusted {
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><caption>${label}</caption>
<thead><tr>${head.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${lines(rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`))}
</tbody></table></div>`;
}

/** A list with one line per item. */
export function list(items: readonly Child[]): Trusted {
  return markup`<ul>\n${lines(items.map((item) => markup`<li>${item}</li>`))}\n</ul>`;
}
