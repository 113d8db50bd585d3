/** news/<id>/index.html: the story, what changed, its corrections, every citation, and how to cite it. */
import type { Citation } from '../citation.ts';
import type { Edition } from '../edition.ts';
import { escaped, raw } from '../../lib/html.ts';
import { page, rootFrom } from '../../render/site/layout.ts';
import type { Artifact } from '../../lib/tree.ts';
import { storyPath } from './addresses.ts';
import { storyCite } from './brief.ts';
import { feedLinks } from './index-page.ts';
import { anchorOf, blockHtml, passageHtml } from './story-html.ts';

/** Renders the page of a story. */
export function renderStoryPage(edition: Edition, siteUrl: string): Artifact {
  const { id, title, summary, published, updated, blocks } = edition;
  const path = storyPath(id, 'index.html');
  const root = rootFrom(path);
  const changed = new Set(edition.changes.map(({ place }) => place));
  const body = `<article>
<header>
<h1>${passageHtml(title, changed)}</h1>
<p class="standfirst">${passageHtml(summary, changed)}</p>
<p class="meta"><span>Published <time datetime="${published}">${published}</time></span>${
    updated === published ? '' : `<span>Updated <time datetime="${updated}">${updated}</time></span>`
  }<a href="brief.json">Machine brief</a><a href="dossier.json">Cited dossier</a><a href="#cite">How to cite</a></p>
</header>
${changedNote(edition)}
${blocks.map((block, position) => blockHtml(block, position, changed, root)).join('\n')}
${correctionsHtml(edition)}
${citationsHtml(edition, root)}
${limitationsHtml(edition)}
${citeHtml(edition, siteUrl)}
</article>`;
  return page(
    { path, title: title.text, description: summary.text, body: raw(body), head: raw(feedLinks(root)) },
    siteUrl,
  );
}

function changedNote({ changes }: Edition): string {
  if (changes.length === 0) return '';
  const places = [...new Set(changes.map(({ place }) => place))];
  const links = places.map((place) => `<a href="#${anchorOf(place)}">${escaped(place)}</a>`);
  return `<aside class="note warn" role="note"><h2>Cited data changed since review</h2>
<p>Cells this story cites were changed in the data after its last review. It prints the present values; the words around them are still those of the review. Marked: ${links.join(', ')}.</p></aside>`;
}

function correctionsHtml({ corrections }: Edition): string {
  const list = corrections.map(
    ({ date, passage }) =>
      `<li><time datetime="${date}">${date}</time>: ${passageHtml(passage, new Set())}</li>`,
  );
  return `<section aria-labelledby="corrections"><h2 id="corrections">Corrections</h2>
${list.length === 0 ? '<p>None so far.</p>' : `<ol reversed>${list.join('')}</ol>`}</section>`;
}

function citationsHtml({ citations }: Edition, root: string): string {
  const rows = citations.map(
    (citation) => `<tr id="cite-${citation.number}"><td class="num">${citation.number}</td>
<td>${valueHtml(citation)}</td><td>${escaped(citation.recordId)}<br><span class="hash">${escaped(citation.dataset)} · ${escaped(citation.field)}</span></td>
<td data-cell="cite ${citation.number} locator">${escaped(citation.locator)}</td></tr>`,
  );
  return `<section class="wide" aria-labelledby="citations"><h2 id="citations">Citations</h2>
<p>Each value above leads to its packaged record and to the cell of the publisher’s file it was read from.</p>
<div class="scroll"><table><thead><tr><th scope="col" class="num">No.</th><th scope="col">Value</th><th scope="col">Record and field</th><th scope="col">Cell of the source</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>
${sourcesHtml(citations, root)}</section>`;
}

function valueHtml({ number, printed, unit }: Citation): string {
  return `<span data-cell="cite ${number} value">${escaped(printed)}</span>${unit === null ? '' : ` <span class="hash">${escaped(unit)}</span>`}`;
}

function sourcesHtml(citations: Citation[], root: string): string {
  const sources = new Map(
    citations.map((citation) => [`${citation.dataset} ${citation.source.id}`, citation]),
  );
  const entries = [...sources.values()].map(
    ({ dataset, datasetTitle, datasetPath, datasetSha256, source }) => `<h3>${escaped(datasetTitle)}</h3>
<p class="cites">${escaped(source.publisher)}, <a href="${escaped(source.url)}" rel="external">${escaped(source.title)}</a>, edition ${escaped(source.dated)}, retrieved ${escaped(source.retrievedAt)}.<br>
Licence: ${escaped(source.license)}.<br>
Publisher’s file, sha256 <span class="hash" data-cell="source ${escaped(`${dataset} ${source.id}`)}">${source.sha256}</span><br>
<a href="${root}${datasetPath}">Packaged dataset</a>, sha256 <span class="hash" data-cell="dataset ${escaped(dataset)}">${datasetSha256}</span></p>`,
  );
  return entries.join('\n');
}

function limitationsHtml({ limitations }: Edition): string {
  const items = limitations.flatMap(({ texts }) => texts.map((text) => `<li>${escaped(text)}</li>`));
  return `<section aria-labelledby="limitations"><h2 id="limitations">Limitations of the data</h2>
<ul class="cites">${items.join('')}</ul></section>`;
}

function citeHtml(edition: Edition, siteUrl: string): string {
  const { text, bibtex } = storyCite(edition, siteUrl);
  return `<section aria-labelledby="cite"><h2 id="cite">How to cite</h2>
<pre>${escaped(text)}</pre>
<details><summary>BibTeX</summary><pre>${escaped(bibtex)}</pre></details>
<p class="cites">With every cited record: <a href="cite.bib">BibTeX</a>, <a href="cite.json">CSL-JSON</a>.</p></section>`;
}
