/** The running text of a story as HTML: sentences that can be pointed at, synthesis marked, charts with table and data link. */
import { markup, raw, type Markup } from '../../lib/html.ts';
import type { PrintedBlock, PrintedChart, PrintedPassage, PrintedStory } from '../printed-story.ts';
import { chartSvg } from './chart.ts';
import { chartTable } from './chart-data.ts';

/** The text alone, as feeds carry it: without links, for feed readers have no list of citations to lead to. */
export function feedHtml({ blocks }: PrintedStory): string {
  const plain = ({ html }: PrintedPassage): string =>
    html.text.replaceAll(/<a class="c[^>]*>|<\/a>|<\/?data\b[^>]*>/g, '');
  return blocks
    .flatMap((block) => {
      if (block.kind === 'heading') return [`<h2>${plain(block.passage)}</h2>`];
      if (block.kind === 'chart') return [];
      const label = block.kind === 'synthesis' ? '<strong>Synthesis.</strong> ' : '';
      return [`<p>${label}${block.sentences.map(plain).join(' ')}</p>`];
    })
    .join('\n');
}

/** One block of the page; `root` leads to the site root, `changed` names the places whose cells changed. */
export function blockHtml(
  block: PrintedBlock,
  position: number,
  changed: ReadonlySet<string>,
  root: string,
): Markup {
  if (block.kind === 'heading') return markup`<h2>${passageHtml(block.passage, changed)}</h2>`;
  if (block.kind === 'chart') return chartHtml(block, position, changed, root);
  const sentences = raw(block.sentences.map((sentence) => passageHtml(sentence, changed).text).join(' '));
  return block.kind === 'synthesis'
    ? markup`<p class="synthesis"><span class="tag">Synthesis</span> ${sentences}</p>`
    : markup`<p>${sentences}</p>`;
}

/** A passage as an element that can be pointed at. */
export function passageHtml({ place, html }: PrintedPassage, changed: ReadonlySet<string>): Markup {
  const mark = changed.has(place) ? markup` class="changed"` : '';
  return markup`<span id="${anchorOf(place)}" data-place="${place}"${mark}>${html}</span>`;
}

/** The fragment that points at a passage: `sentence-7`. */
export function anchorOf(place: string): string {
  return place.replaceAll(' ', '-');
}

function chartHtml(
  { title, points, datasetPath }: PrintedChart,
  position: number,
  changed: ReadonlySet<string>,
  root: string,
): Markup {
  const [first] = points;
  const legend = [
    first ? `Unit: ${first.unit}.` : '',
    points.some(({ lower, upper }) => lower !== null || upper !== null)
      ? 'Lines with end marks are the lower and upper bounds the source prints.'
      : '',
    points.some(({ value }) => value === null)
      ? 'A cell without a value is unavailable and has no bar; it is not zero.'
      : '',
  ].filter((sentence) => sentence !== '');
  return markup`<figure class="wide">
<figcaption>${passageHtml(title, changed)}</figcaption>
<div class="chart">
${chartSvg(points, title.text, `chart-${position}`)}
</div>
<p class="legend">${legend.join(' ')}</p>
<details><summary>Table and data</summary>
<div class="scroll">
${chartTable(points, title.text)}
</div>
</details>
<p class="legend">Data: <a href="data.csv">this chart as CSV</a>, <a href="${root}${datasetPath}">the whole dataset as NDJSON</a>. Source: ${first?.cell.source.publisher ?? ''}.</p>
</figure>`;
}
