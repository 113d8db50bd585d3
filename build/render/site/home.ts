/** index.html: what the service is, what it promises, every resource with a request to try, every dataset with its state. */
import { exampleQuery } from '../openapi/examples.ts';
import { shortSummary } from '../openapi/operations.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { Operation } from '../../../shim/core/operation.ts';
import { BOUNDARIES } from '../../../shim/core/operations/capabilities.ts';
import {
  API_ROOT,
  csvPath,
  DATA_FILES,
  DATAPACKAGE,
  packPath,
  parquetPath,
} from '../../../shim/core/paths.ts';
import type { Descriptor } from '../../lib/dataset.ts';
import { freshnessWords, grouped, sizeWords, staleCount, type SiteFacts } from './facts.ts';
import { escaped, raw } from '../../lib/html.ts';
import { page } from './layout.ts';

const TITLE = 'Public Evidence API';

const PROMISES: [title: string, words: string][] = [
  [
    'Every value has an address.',
    'Each record names its source file by sha256 and the sheet cell or row it stands in.',
  ],
  [
    'Null is never zero.',
    'What a source does not say is unavailable and says why. A zero is a zero the source printed.',
  ],
  ['Nothing is converted or summed.', 'Units are as printed. Reports, estimates and gaps stay apart.'],
  [
    'Designations are not verdicts.',
    'Official names and programs only. An administrative action is not proof of guilt.',
  ],
  [
    'You can check everything.',
    'Every file has its checksum beside it; a mirror can be verified and walked without this server.',
  ],
  ['Free, open, untracked.', 'No key, no account, no cookies. Any web page may call it.'],
];

/** Renders the front page. */
export function renderHome(facts: SiteFacts): Artifact {
  const { manifest, siteUrl } = facts;
  const { sources, stale } = staleCount(facts);
  const rows = manifest.packs.reduce((sum, pack) => sum + pack.rows, 0);
  const body = `<div class="page wide">
<h1>Official evidence on illicit economies, cell by cell</h1>
<p class="standfirst">A free, read-only interface to what public bodies publish about drugs, arms, informal work, organized crime and designations: ${grouped(rows)} records from ${sources} source files, as published.</p>
<p class="meta"><span>Data as of <time datetime="${manifest.generatedAt}">${manifest.generatedAt.slice(0, 10)}</time></span><span>${stale} of ${sources} sources older than their cadence</span><a href="./docs/">Documentation</a><a href="./explore/">Explore</a></p>
<pre><code>${escaped(`curl '${addressOf(facts, 'market-observations')}'`)}</code></pre>
<h2 id="promises">What it promises</h2>
<dl class="promises">
${PROMISES.map(([title, words]) => `<div><dt>${title}</dt><dd>${words}</dd></div>`).join('\n')}
</dl>
<h2 id="resources">Resources</h2>
<p>Each is one GET request that answers JSON, and each but capabilities is a tool of the <a href="./docs/#mcp">MCP endpoint</a> at <code>${escaped(siteUrl)}/mcp</code>.</p>
<ul class="cards">
${facts.operations.map((operation) => resourceCard(operation, facts)).join('\n')}
</ul>
<h2 id="datasets">Datasets</h2>
<p>Judged at the data clock, not at yours: compare the dates below with today. A stale source is marked here and in the limitations of every answer that draws on it.</p>
<ul class="cards">
${facts.descriptors.map((descriptor) => datasetCard(descriptor, facts)).join('\n')}
</ul>
<p>All files with their checksums: <a href="./${DATA_FILES}">data/files.json</a>${facts.published(DATAPACKAGE) ? `, described as a <a href="./${DATAPACKAGE}">data package</a>` : ''}. Schemas: <a href="./schemas/">JSON Schema</a>.</p>
<h2 id="boundaries">What it will not do</h2>
<ul>
${BOUNDARIES.map((boundary) => `<li>${escaped(boundary)}</li>`).join('\n')}
</ul>
</div>`;
  return page(
    {
      path: 'index.html',
      title: TITLE,
      description:
        'Read-only aggregate official evidence on illicit economies: every value with its source, hash and cell.',
      body: raw(body),
      head: raw(HEAD),
    },
    siteUrl,
  );
}

const HEAD = `<link rel="service-desc" type="application/vnd.oai.openapi+json" href="./openapi.json">
<link rel="stylesheet" href="./assets/cards.css">
`;

/** Address of the example request of a resource. */
export function addressOf({ siteUrl, operations, examples }: SiteFacts, resource: string): string {
  const operation = operations.find(({ name }) => name === resource);
  const example = examples.get(resource);
  const query = operation && example ? exampleQuery(operation, example) : '';
  return `${siteUrl}/${API_ROOT}/${resource}${query === '' ? '' : `?${query}`}`;
}

function resourceCard(operation: Operation, facts: SiteFacts): string {
  const address = addressOf(facts, operation.name);
  const own = address.slice(facts.siteUrl.length + 1);
  return `<li><h3><a href="./docs/#${operation.name}">${operation.name}</a></h3>
<p>${escaped(shortSummary(operation))}.</p>
<pre><code>${escaped(`curl '${address}'`)}</code></pre>
<p class="links"><a href="./${escaped(own)}">Open this answer<span class="hidden"> of ${operation.name}</span></a></p></li>`;
}

function datasetCard(descriptor: Descriptor, { manifest, published }: SiteFacts): string {
  const pack = manifest.packs.find(({ id }) => id === descriptor.name);
  const sources = descriptor.sources.map((source) => {
    const { stale, words } = freshnessWords(source, manifest.generatedAt);
    return `<div><dt>Source</dt><dd><a href="${escaped(source.url)}">${escaped(source.title)}</a>, ${escaped(source.publisher)}</dd></div>
<div><dt>Freshness</dt><dd>${stale ? '<strong class="stale">Stale</strong> ' : ''}${escaped(words)}</dd></div>
<div><dt>Licence</dt><dd>${source.licenseUrl === null ? escaped(source.license) : `<a href="${escaped(source.licenseUrl)}">${escaped(source.license)}</a>`}</dd></div>`;
  });
  const files = [
    ['NDJSON', packPath(descriptor.name)],
    ['CSV', csvPath(descriptor.name)],
    ['Parquet', parquetPath(descriptor.name)],
  ]
    .filter(([, path = '']) => published(path))
    .map(
      ([form, path]) =>
        `<a href="./${path}">${form}<span class="hidden"> of ${escaped(descriptor.title)}</span></a>`,
    );
  return `<li id="dataset-${descriptor.name}"><h3>${escaped(descriptor.title)}</h3>
<p class="meta"><span><code>${descriptor.name}</code></span><span>${pack ? `${grouped(pack.rows)} records, ${sizeWords(pack.bytes)}` : 'unavailable'}</span></p>
<dl>${sources.join('\n')}</dl>
<p class="links">${files.join(' ')}</p></li>`;
}
