/** The running text of a story as HTML: sentences that can be pointed at, synthesis marked, charts with table and data link. */
import type { Edition, PrintedBlock, PrintedPassage } from '../edition.ts';
import { escaped } from '../../lib/html.ts';
import { chartSvg } from './chart.ts';
import { chartTable } from './chart-data.ts';

/** The text alone, as feeds carry it. */
export function storyHtml({ blocks }: Edition): string {
  return blocks
    .map((block) => {
      if (block.kind === 'heading') return `<h2>${plainHtml(block.passage)}</h2>`;
      if (block.kind === 'chart') return '';
      const label = block.kind === 'synthesis' ? '<strong>Synthesis.</strong> ' : '';
      return `<p>${label}${block.sentences.map(plainHtml).join(' ')}</p>`;
    })
    .filter((html) => html !== '')
    .join('\n');
}

/** One block of the page; `root` leads to the site root, `changed` names the places whose cells changed. */
export function blockHtml(
  block: PrintedBlock,
  position: number,
  changed: ReadonlySet<string>,
  root: string,
): string {
  if (block.kind === 'heading') return `<h2>${passageHtml(block.passage, changed)}</h2>`;
  if (block.kind === 'chart') return chartHtml(block, position, changed, root);
  const sentences = block.sentences.map((sentence) => passageHtml(sentence, changed)).join(' ');
  return block.kind === 'synthesis'
    ? `<p class="synthesis"><span class="tag">Synthesis</span> ${sentences}</p>`
    : `<p>${sentences}</p>`;
}

/** A passage as an element whose text can be checked against the dossier. */
export function passageHtml({ place, html }: PrintedPassage, changed: ReadonlySet<string>): string {
  const mark = changed.has(place) ? ' class="changed"' : '';
  return `<span id="${anchorOf(place)}" data-place="${escaped(place)}"${mark}>${html}</span>`;
}

/** The fragment that points at a passage: `sentence-7`. */
export function anchorOf(place: string): string {
  return place.replaceAll(' ', '-');
}

function chartHtml(
  { title, points, datasetPath }: Extract<PrintedBlock, { kind: 'chart' }>,
  position: number,
  changed: ReadonlySet<string>,
  root: string,
): string {
  const [first] = points;
  const bounded = points.some(({ lower, upper }) => lower !== null || upper !== null);
  const gone = points.some(({ value }) => value === null);
  const legend = [
    first ? `Unit: ${first.unit}.` : '',
    bounded ? 'Lines with end marks are the lower and upper bounds the source prints.' : '',
    gone ? 'A cell without a value is unavailable and has no bar; it is not zero.' : '',
  ].filter((sentence) => sentence !== '');
  return `<figure class="wide">
<figcaption>${passageHtml(title, changed)}</figcaption>
<div class="chart">
${chartSvg(points, title.text, `chart-${position}`)}
</div>
<p class="legend">${escaped(legend.join(' '))}</p>
<details><summary>Table and data</summary>
<div class="scroll">
${chartTable(points, title.text)}
</div>
</details>
<p class="legend">Data: <a href="data.csv">this chart as CSV</a>, <a href="${root}${datasetPath}">the whole dataset as NDJSON</a>. Source: ${escaped(first?.source.publisher ?? '')}.</p>
</figure>`;
}

/** Without links: feed readers have no list of citations to lead to. */
function plainHtml({ html }: PrintedPassage): string {
  return html.replaceAll(/<a class="c[^>]*>|<\/a>|<\/?data\b[^>]*>/g, '');
}
