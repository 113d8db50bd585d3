/** news/<id>/index.html: the story, what changed, its corrections, every citation, and how to cite it. */
import { lines, markup, raw, type Markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { page, rootFrom } from '../../render/site/layout.ts';
import type { Citation } from '../citation.ts';
import { citeStory } from '../cite.ts';
import type { PrintedStory } from '../printed-story.ts';
import { storyPath } from './addresses.ts';
import { feedLinks } from './lists.ts';
import { anchorOf, blockHtml, passageHtml } from './story-html.ts';

/** Renders the page of a story. */
export function renderStoryPage(story: PrintedStory, siteUrl: string): Artifact {
  const { id, title, summary, blocks } = story;
  const path = storyPath(id, 'index.html');
  const root = rootFrom(path);
  const changed = new Set(story.changes.map(({ place }) => place));
  const body = markup`<article>
<header>
<h1>${passageHtml(title, changed)}</h1>
<p class="standfirst">${passageHtml(summary, changed)}</p>
<p class="meta">${datesHtml(story)}<a href="brief.json">Machine brief</a><a href="dossier.json">Cited dossier</a><a href="#cite">How to cite</a></p>
</header>
${changedNote([...changed])}
${lines(blocks.map((block, position) => blockHtml(block, position, changed, root)))}
${correctionsHtml(story)}
${citationsHtml(story, root)}
${limitationsHtml(story)}
${citeHtml(story, siteUrl)}
</article>`;
  return page({ path, title: title.text, description: summary.text, body, head: feedLinks(root) }, siteUrl);
}

function datesHtml({ published, updated }: PrintedStory): Markup {
  const later =
    updated === published ? '' : markup`<span>Updated <time datetime="${updated}">${updated}</time></span>`;
  return markup`<span>Published <time datetime="${published}">${published}</time></span>${later}`;
}

function changedNote(places: string[]): Markup | '' {
  if (places.length === 0) return '';
  const links = places.map((place) => markup`<a href="#${anchorOf(place)}">${place}</a>`.text);
  return markup`<aside class="note warn" role="note"><h2>Cited data changed since review</h2>
<p>Cells this story cites were changed in the data after its last review. It shows the current values; the words around them are still those of the review. Marked: ${raw(links.join(', '))}.</p></aside>`;
}

function correctionsHtml({ corrections }: PrintedStory): Markup {
  const list = corrections.map(
    ({ date, passage }) =>
      markup`<li><time datetime="${date}">${date}</time>: ${passageHtml(passage, new Set())}</li>`,
  );
  return markup`<section aria-labelledby="corrections"><h2 id="corrections">Corrections</h2>
${list.length === 0 ? markup`<p>None so far.</p>` : markup`<ol reversed>${list}</ol>`}</section>`;
}

function citationsHtml({ citations }: PrintedStory, root: string): Markup {
  const rows = citations.map(
    ({ number, printed, unit, recordId, dataset, field, cell }) =>
      markup`<tr id="cite-${number}"><td class="num">${number}</td>
<td><span data-cell="cite ${number} value">${printed}</span>${unit === null ? '' : markup` <span class="hash">${unit}</span>`}</td><td>${recordId}<br><span class="hash">${dataset} · ${field}</span></td>
<td data-cell="cite ${number} locator">${cell.locator}</td></tr>`,
  );
  return markup`<section class="wide" aria-labelledby="citations"><h2 id="citations">Citations</h2>
<p>Each value above leads to its packaged record and to the cell of the publisher’s file it was read from.</p>
<div class="scroll"><table><thead><tr><th scope="col" class="num">No.</th><th scope="col">Value</th><th scope="col">Record and field</th><th scope="col">Cell of the source</th></tr></thead><tbody>
${lines(rows)}
</tbody></table></div>
${sourcesHtml(citations, root)}</section>`;
}

function sourcesHtml(citations: Citation[], root: string): Markup {
  const sources = new Map(
    citations.map((citation) => [`${citation.dataset} ${citation.cell.source.id}`, citation.cell]),
  );
  return lines(
    [...sources].map(
      ([name, { dataset, source }]) => markup`<h3>${dataset.document.title}</h3>
<p class="cites">${source.publisher}, <a href="${source.url}" rel="external">${source.name}</a>, edition ${source.dated}, retrieved ${source.retrievedAt}.<br>
Licence: ${source.license}.<br>
Publisher’s file, sha256 <span class="hash" data-cell="source ${name}">${source.sha256}</span><br>
<a href="${root}${dataset.path}">Packaged dataset</a>, sha256 <span class="hash" data-cell="dataset ${dataset.document.id}">${dataset.sha256}</span></p>`,
    ),
  );
}

function limitationsHtml({ limitations }: PrintedStory): Markup {
  const items = limitations.flatMap(({ texts }) => texts.map((text) => markup`<li>${text}</li>`));
  return markup`<section aria-labelledby="limitations"><h2 id="limitations">Limitations of the data</h2>
<ul class="cites">${items}</ul></section>`;
}

function citeHtml(story: PrintedStory, siteUrl: string): Markup {
  const { text, bibtex } = citeStory(story, siteUrl);
  return markup`<section aria-labelledby="cite"><h2 id="cite">How to cite</h2>
<pre>${text}</pre>
<details><summary>BibTeX</summary><pre>${bibtex}</pre></details>
<p class="cites">With every cited record: <a href="cite.bib">BibTeX</a>, <a href="cite.json">CSL-JSON</a>.</p></section>`;
}
