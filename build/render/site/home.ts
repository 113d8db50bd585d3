/** index.html: what the service is, what it promises, every resource with a request to try, every dataset with its state. */
import { freshnessOf } from '../../lib/clock.ts';
import type { Descriptor, Source } from '../../lib/dataset.ts';
import { type Markup, lines, markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { type SiteFacts, designationsNote, grouped, staleCount } from '../facts.ts';
import { rightsText } from '../bulk/release.ts';
import { exampleTarget, shortSummary } from '../openapi/examples.ts';
import { contentPage, curl, hidden, list } from './layout.ts';
import { BOUNDARIES } from '../../../shim/core/operations/all.ts';
import { marketObservations } from '../../../shim/core/operations/market-observations.ts';
import { csvPath, packPath, parquetPath } from '../../../shim/core/paths.ts';
import type { MissingDataset, Operation } from '../../../shim/core/types.ts';

/** Renders the front page. */
export function renderHome(facts: SiteFacts): Artifact {
  const { siteUrl, manifest, operations, descriptors, examples } = facts;
  const { generatedAt, packs } = manifest;
  return contentPage('home', facts, {
    ...staleCount(facts),
    siteUrl,
    rows: grouped(packs.reduce((sum, pack) => sum + pack.rows, 0)),
    date: markup`<time datetime="${generatedAt}">${generatedAt.slice(0, 10)}</time>`,
    request: curl(`${siteUrl}/${exampleTarget(marketObservations, examples.get(marketObservations.name))}`),
    resources: cards(operations.map((operation) => resourceCard(operation, facts))),
    datasets: cards([
      ...descriptors.map((descriptor) => datasetCard(descriptor, facts)),
      ...manifest.unavailable.map(missingCard),
    ]),
    boundaries: list(BOUNDARIES),
  });
}

function cards(items: Markup[]): Markup {
  return markup`<ul class="cards">\n${lines(items)}\n</ul>`;
}

function resourceCard(operation: Operation, { siteUrl, examples }: SiteFacts): Markup {
  const { name } = operation;
  const target = exampleTarget(operation, examples.get(name));
  return markup`<li><h3><a href="./docs/#${name}">${name}</a></h3>
<p>${shortSummary(operation)}.</p>
${curl(`${siteUrl}/${target}`)}
<p class="links"><a href="./${target}">Open this response${hidden(` of ${name}`)}</a></p></li>`;
}

function datasetCard(descriptor: Descriptor, { manifest }: SiteFacts): Markup {
  const { name, title, sources } = descriptor;
  const pack = manifest.packs.find(({ id }) => id === name);
  const files = [
    ['NDJSON', packPath(name)],
    ['CSV', csvPath(name)],
    ['Parquet', parquetPath(name)],
  ].map(([format = '', path = '']) => markup` <a href="./${path}">${format}${hidden(` of ${title}`)}</a>`);
  return markup`<li id="dataset-${name}"><h3>${title}</h3>
<p class="meta"><span><code>${name}</code></span><span>${pack ? `${grouped(pack.rows)} records, ${sizeWords(pack.bytes)}` : 'unavailable'}</span></p>
${listOf(descriptor, manifest.generatedAt)}<dl>${lines(sources.map((source) => sourceRows(source, manifest.generatedAt)))}</dl>
<p class="links">${pack ? files : ''}</p></li>`;
}

function listOf(descriptor: Descriptor, clock: string): Markup | string {
  const note = designationsNote([descriptor], clock);
  return note === null ? '' : markup`<p>${note}</p>\n`;
}

function missingCard({ id, reason }: MissingDataset): Markup {
  return markup`<li id="dataset-${id}"><h3><code>${id}</code></h3>
<p class="meta">unavailable</p>
<p>${reason}</p></li>`;
}

function sourceRows(source: Source, clock: string): Markup {
  const { url, title, publisher, license, licenseUrl, rights, dated } = source;
  const { stale, staleAfter } = freshnessOf(source, clock);
  const mark = stale ? markup`<strong class="stale">Stale</strong> ` : '';
  const due = stale ? `a newer one was due by ${staleAfter}` : `current until ${staleAfter}`;
  const state = staleAfter === null ? 'not renewed by its publisher' : due;
  return markup`<div><dt>Source</dt><dd><a href="${url}">${title}</a>, ${publisher}</dd></div>
<div><dt>Freshness</dt><dd>${mark}edition ${dated}; ${state}</dd></div>
<div><dt>Licence</dt><dd>${licenseUrl === null ? license : markup`<a href="${licenseUrl}">${license}</a>`}</dd></div>
<div><dt>Reuse</dt><dd>${rightsText(rights)}</dd></div>`;
}

/** Bytes for people, in units of 1,000. */
function sizeWords(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return bytes >= 1000 ? `${Math.round(bytes / 1000)} kB` : `${bytes} bytes`;
}
