/** news/<id>/index.html: the story, what changed, its corrections, every citation, and how to cite it. */
import { readFileSync } from 'node:fs';
import { lines, markup, filledPage } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { datasetAddress, designationAddress, recordAddress, rootFrom } from '../../../shim/view/address.ts';
import { dataBlock } from '../../../shim/view/json-ld.ts';
import { joinEach, type Child, type Trusted } from '../../../shim/view/node.ts';
import { absolute } from '../../../shim/core/paths.ts';
import { COLLECTION } from '../../render/bulk/release.ts';
import { framed } from '../../render/site/page.ts';
import { citeStory, recordName } from '../cite.ts';
import type { CheckedStory, Citation } from '../citation.ts';
import { htmlOf, limitationsOf, textOf } from '../printed.ts';
import { storyPath, storyUrl, type Passage } from '../story.ts';
import { chartFigure } from './chart.ts';

const [STORY = '', CHANGED = ''] = ['story', 'changed'].map((name) =>
  readFileSync(new URL(`../content/${name}.md`, import.meta.url), 'utf8'),
);

/** Renders the page of a story. */
export function renderStoryPage(story: CheckedStory, siteUrl: string): Artifact {
  const { id, title, summary, blocks, published, updated, corrections } = story;
  const path = storyPath(id, 'index.html');
  const root = rootFrom(path);
  const changed = new Set(story.changes.map(({ place }) => place));
  const printed = (passage: Passage): Trusted => passageHtml(story, passage, changed.has(passage.place));
  const { text, bibtex } = citeStory(story, siteUrl);
  const body = blocks.map((block, position) => {
    if (block.kind === 'chart') return chartFigure(story, block, printed(block.title), `chart-${position}`);
    const sentences = joinEach(block.sentences, ' ', printed);
    if (block.kind === 'heading') return markup`<h2>${sentences}</h2>`;
    return block.kind === 'synthesis'
      ? markup`<p class="synthesis"><span class="tag">Synthesis</span> ${sentences}</p>`
      : markup`<p>${sentences}</p>`;
  });
  const corrected = corrections.map(
    ({ date, passage }) =>
      markup`<li><time datetime="${date}">${date}</time>: ${passageHtml(story, passage, false)}</li>`,
  );
  const links = joinEach([...changed], ', ', (place) => markup`<a href="#${anchorOf(place)}">${place}</a>`);
  const later =
    updated === published ? '' : markup`<span>Updated <time datetime="${updated}">${updated}</time></span>`;
  const article = filledPage(STORY, {
    title: printed(title),
    summary: printed(summary),
    dates: markup`<span>Published <time datetime="${published}">${published}</time></span>${later}`,
    changed: changed.size > 0 ? filledPage(CHANGED, { places: links }) : '',
    body: lines(body),
    corrections: corrected.length > 0 ? markup`<ol reversed>${corrected}</ol>` : markup`<p>None so far.</p>`,
    citations: citationRows(story, root),
    sources: sourcesHtml(story, root),
    limitations: limitationsOf(story).flatMap(({ texts }) => texts.map((words) => markup`<li>${words}</li>`)),
    cite: text,
    bibtex,
  });
  const [plainTitle, description] = [textOf(story, title), textOf(story, summary)];
  const head = articleData(story, { headline: plainTitle, description }, siteUrl);
  return framed(
    { siteUrl, generatedAt: null },
    { path, title: plainTitle, description, body: article, head, published },
  );
}

/** The story in the words of schema.org: it is by the service, and based on the datasets it cites. */
function articleData(
  { id, published, updated, citations }: CheckedStory,
  words: { headline: string; description: string },
  siteUrl: string,
): Child {
  const address = storyUrl(siteUrl, id);
  const service = { '@type': 'Organization', name: COLLECTION.publisher, url: absolute(siteUrl, '') };
  const datasets = new Map(
    [...citations.values()].map(({ cell }) => [cell.dataset.document.id, cell.dataset.document]),
  );
  return dataBlock({
    '@type': 'NewsArticle',
    '@id': address,
    url: address,
    mainEntityOfPage: address,
    ...words,
    datePublished: published,
    dateModified: updated,
    inLanguage: 'en',
    isAccessibleForFree: true,
    author: service,
    publisher: service,
    isBasedOn: [...datasets.values()].map((document) => ({
      '@type': 'Dataset',
      name: document.title,
      description: document.description,
      url: absolute(siteUrl, datasetAddress(document.id)),
    })),
  });
}

/** A passage as an element that can be pointed at. */
function passageHtml(story: CheckedStory, passage: Passage, isChanged: boolean): Trusted {
  const { place } = passage;
  const mark = isChanged ? markup` class="changed"` : '';
  return markup`<span id="${anchorOf(place)}" data-place="${place}"${mark}>${htmlOf(story, passage)}</span>`;
}

/** The fragment that points at a passage: `sentence-7`. */
function anchorOf(place: string): string {
  return place.replaceAll(' ', '-');
}

function citationRows({ citations }: CheckedStory, root: string): Trusted {
  const rows = [...citations.values()].map((citation) => {
    const { number, printed, unit, dataset, field, cell } = citation;
    const [address, name] = pageOf(citation);
    const record = markup`<a href="${root}${address}">${name}</a>`;
    return markup`<tr id="cite-${number}"><td class="num">${number}</td>
<td><span data-cell="cite ${number} value">${printed}</span>${unit === null ? '' : markup` <span class="hash">${unit}</span>`}</td><td>${record}<br><span class="hash">${dataset} · ${field}</span></td>
<td data-cell="cite ${number} locator">${cell.locator}</td></tr>`;
  });
  return lines(rows);
}

/** The page of a cited record, and what the record is called. */
function pageOf({ recordId, cell }: Citation): [address: string, name: string] {
  const name = recordName(cell);
  if (name !== null) return [recordAddress(name), name];
  return [designationAddress(Number(cell.record['sanctions_entity_number'])), recordId];
}

function sourcesHtml({ citations }: CheckedStory, root: string): Trusted {
  const sources = new Map(
    [...citations.values()].map(({ dataset, cell }) => [`${dataset} ${cell.source.id}`, cell]),
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
