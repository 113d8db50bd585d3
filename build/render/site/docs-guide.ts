/** The parts of the documentation that explain: answers and paging, limits, MCP, files, citing, reporting. */
import { API_ROOT, csvPath, DATA_FILES, packPath, parquetPath } from '../../../shim/core/paths.ts';
import { memberOf } from '../openapi/examples.ts';
import { operationId } from '../openapi/operations.ts';
import { grouped, type SiteFacts } from './facts.ts';
import { escaped } from '../../lib/html.ts';
import { table } from './table.ts';

/** The envelope and paging. */
export function answered({ siteUrl }: SiteFacts): string {
  return `<p>Every answer is <code>{"ok": true, "resource", "data"}</code>. <code>data.schema</code> names the payload, <code>data.limitations</code> says what the numbers cannot show.</p>
<h3 id="paging">Paging</h3>
<p>Collections carry <code>page</code>: <code>limit</code>, <code>matched</code>, <code>returned</code>, <code>has_more</code>, <code>next_cursor</code>. Repeat the request with <code>cursor</code> set to <code>next_cursor</code> and the same filters until it is null; <code>limit</code> may change on the way. The order is fixed, each record comes once. A cursor names the data it was made from: after a new release it is refused as <code>stale_cursor</code>, and you restart from the first page.</p>
<p>Unfiltered pages are also files: <code>${escaped(siteUrl)}/${API_ROOT}/atlas.json</code>, then <code>${escaped(siteUrl)}/${API_ROOT}/atlas/&lt;next_cursor&gt;.json</code>. A mirror of the files can be walked without a server.</p>`;
}

/** Every number a client may run into, from capabilities. */
export function limits({ examples }: SiteFacts): string {
  const limit = (...steps: string[]): string => {
    const value = memberOf(examples.get('capabilities')?.body, 'data', 'limits', ...steps);
    return typeof value === 'number' ? grouped(value) : 'none';
  };
  const sizes = Object.keys(
    (memberOf(examples.get('capabilities')?.body, 'data', 'limits', 'pageSize') ?? {}) as object,
  );
  return table(
    'Limits',
    ['Limit', 'Value'],
    [
      ...sizes.map((name) => [
        `Page of ${name}`,
        `${limit('pageSize', name, 'default')} by default, ${limit('pageSize', name, 'maximum')} at most`,
      ]),
      ['Cursor', `${limit('cursorCharacters')} characters`],
      ['URL', `${limit('urlBytes')} bytes`],
      ['Body of an MCP request', `${limit('mcpBodyBytes')} bytes`],
      [
        'Upstream calls of a live lane',
        `${limit('upstream', 'requestsPerLane')} request, ${limit('upstream', 'retries')} retries, ${limit('upstream', 'deadlineMs')} ms, ${limit('upstream', 'responseBytes')} bytes`,
      ],
      ['Rate limit', limit('rateLimit')],
    ],
  );
}

/** How to connect, and the tools. */
export function mcp({ siteUrl, operations }: SiteFacts): string {
  const tools = operations.filter(({ tool }) => tool !== null);
  return `<p>POST <code>${escaped(siteUrl)}/mcp</code>, stateless Streamable HTTP, no key. Protocol version 2026-07-28 with <code>server/discover</code>; older clients negotiate 2025-06-18 with <code>initialize</code>. The tools take the parameters of the resources and return the same <code>data</code>; unavailable evidence is a valid result, not an error.</p>
<pre><code>${escaped(`curl '${siteUrl}/mcp' \\
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: server/discover' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'`)}</code></pre>
${table(
  'Tools',
  ['Tool', 'Resource'],
  tools.map((operation) => [
    `<code>${operationId(operation)}</code>`,
    `<a href="#${operation.name}">${operation.name}</a>`,
  ]),
)}`;
}

/** Bulk files and checksums. */
export function files({ siteUrl, manifest, published }: SiteFacts): string {
  const first = manifest.packs[0];
  const file = packPath(first?.id ?? '');
  const name = file.slice(file.lastIndexOf('/') + 1);
  const forms = [packPath, csvPath, parquetPath].filter((path) => published(path(first?.id ?? '')));
  return `<p>Every dataset is a file, in each of these forms: ${forms.map((path) => `<code>/${escaped(path('<dataset>'))}</code>`).join(', ')}. NDJSON holds exactly the bytes that answers carry. <a href="../${DATA_FILES}">${DATA_FILES}</a> lists them with sizes, hashes and the freshness of every source.</p>
<p>Beside every file stands its sha256, at the same address with <code>.sha256</code> behind:</p>
<pre><code>${escaped(`curl -O '${siteUrl}/${file}'
curl -O '${siteUrl}/${file}.sha256'
sha256sum -c ${name}.sha256`)}</code></pre>
<p><a href="../SHA256SUMS">SHA256SUMS</a> covers the whole tree; <a href="../release.json">release.json</a> names each file, the hash of the tree, the release before, and the signature or that there is none.</p>`;
}

/** The citation of a real record. */
export function citing({ examples, descriptors, siteUrl }: SiteFacts): string {
  const record = memberOf(examples.get('market-observations')?.body, 'data', 'observations', '0');
  const text = (member: string): string => String(memberOf(record, member) ?? '');
  const dataset = descriptors.find(({ name }) => name === text('datasetId'));
  const source = dataset?.sources.find(({ id }) => id === text('sourceId'));
  return `<p>Cite the publisher first, this service second. A citation that anyone can check names the source edition, the cell, the hash of the source file and the record:</p>
<blockquote class="note"><p>${source ? `${escaped(source.publisher)}, <cite>${escaped(source.title)}</cite> (edition ${source.dated}), ${escaped(text('sourceLocator'))}; sha256 of the source file <code class="hash">${source.sha256}</code>. Record <code>${escaped(text('id'))}</code>` : 'Record'} of dataset <code>${escaped(text('datasetId'))}</code>, Public Evidence API, ${escaped(siteUrl)}/, release <code>treeSha256</code> of release.json.</p></blockquote>
<p>Each source's own licence governs reuse of its data; it stands in the catalog, in every bulk description and on the <a href="../#datasets">front page</a>. The code is under the Apache License 2.0.</p>`;
}

/** How to report; no person is named. */
export function contact(): string {
  return `<p>Every copy of this service is run by the operator of the address you called. Report to that operator, through the repository the copy is built from; report a vulnerability or a privacy concern there in private, not in a public thread.</p>
<ul>
<li><strong>A wrong value:</strong> the record id, the source cell it should equal, and <code>treeSha256</code> of release.json.</li>
<li><strong>A person or subject-level detail that should not be here:</strong> the address alone is enough. It is withheld first and discussed after.</li>
<li><strong>A vulnerability:</strong> the request that shows it. The service stores nothing about callers and has no write operation.</li>
<li><strong>A designation you dispute:</strong> only the designating authority can change it. The list is repeated here as published, with its date.</li>
</ul>`;
}
