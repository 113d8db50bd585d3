/** llms.txt (llmstxt.org): what the service is, how to call it, how to read it. Short on purpose: the links hold the rest. */
import { operationId, shortSummary } from '../openapi/operations.ts';
import { exampleQuery, type OperationExample } from '../openapi/examples.ts';
import type { Operation } from '../../../shim/core/operation.ts';
import {
  absolute,
  API_CATALOG,
  API_ROOT,
  DATA_FILES,
  DATAPACKAGE,
  OPENAPI,
} from '../../../shim/core/paths.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';

/** How to read what the service says: for agents, and on the pages for people. */
export const READING_RULES = [
  '`null` is unavailable, never zero. A `0` is a zero the source printed. Never fill, carry forward or interpolate.',
  'Never sum or average across categories, units, sources, periods or countries; rows a source marks as totals stand beside their parts. Never convert units.',
  'Reported quantities, estimates (with lower and upper) and unavailable cells are different things: say which one you quote.',
  'A seizure is an administrative observation. It measures enforcement as much as trade, and is no market size.',
  'A designation is an administrative action, not proof of guilt and not an adjudication.',
  'Data of a year never answers a question about a month. Sources differ in edition: a source marked stale has a newer edition than the one packaged here.',
  'Lanes and datasets share country and time only: infer no cause, no actor, no route, no culpability from reading them side by side.',
  'Cite publisher, source edition, record id, cell locator and sha256. Each source governs reuse of its data.',
];

/** Renders llms.txt; `published` tells which optional files there are. */
export function renderLlms(
  operations: Operation[],
  examples: ReadonlyMap<string, OperationExample>,
  published: (path: string) => boolean,
  siteUrl: string,
): Artifact {
  const at = (path: string): string => absolute(siteUrl, path);
  const resources = operations.map((operation) => {
    const example = examples.get(operation.name);
    const query = example ? exampleQuery(operation, example) : '';
    const url = at(`${API_ROOT}/${operation.name}`);
    return `- [${operation.name}](${url}${query === '' ? '' : `?${query}`}): ${shortSummary(operation)}. Tool \`${operationId(operation)}\`.`.replace(
      operation.tool === null ? / Tool .*$/ : /$^/,
      '',
    );
  });
  const links: [path: string, title: string, words: string][] = [
    [OPENAPI, 'OpenAPI 3.1', 'every parameter, answer and failure'],
    ['docs/', 'Documentation', 'the same contract for people'],
    ['schemas/index.json', 'Schemas', 'JSON Schema 2020-12 of every payload'],
    [API_CATALOG, 'API catalog', 'RFC 9727 linkset'],
    [DATA_FILES, 'Data files', 'bulk NDJSON, CSV and Parquet with sha256, and the freshness of every source'],
    [DATAPACKAGE, 'Data package', 'columns of the bulk files, sources, licences'],
    ['news/feed.json', 'Newsroom', 'stories in which every number is cited'],
  ];
  const optional: [path: string, title: string, words: string][] = [
    ['explore/', 'Explore', 'filters in the browser'],
    ['sitemap.xml', 'Site map', 'pages for people'],
    ['.well-known/security.txt', 'security.txt', 'how to report a vulnerability'],
  ];
  const listed = ([path, title, words]: [string, string, string]): string =>
    `- [${title}](${at(path)}): ${words}`;
  return textArtifact(
    'llms.txt',
    `# Public Evidence API

> Read-only aggregate official evidence on illicit economies: drug and arms indicators, informal economy, a country-year atlas, public designations, context lanes. Every value leads to the source file's sha256 and the cell it stands in. No key, no tracking.

REST: GET ${at(API_ROOT)}/<resource> answers \`{"ok": true, "resource", "data"}\`; failures \`{"ok": false, "error", "message"}\`, where the message says what to change. MCP: POST ${at('mcp')} (stateless Streamable HTTP, protocol 2026-07-28, or 2025-06-18 through initialize); the tools take the same parameters and give the same data. Start with markets for dataset, indicator and geography ids. Page with \`cursor\` = \`page.next_cursor\` until it is null. Unavailable evidence is HTTP 503 and never zero.

## How to read it

${READING_RULES.map((rule) => `- ${rule}`).join('\n')}

## Resources

${resources.join('\n')}

## Reference

${links
  .filter(([path]) => path.endsWith('/') || path === API_CATALOG || path === OPENAPI || published(path))
  .map(listed)
  .join('\n')}

## Optional

${optional.map(listed).join('\n')}
`,
  );
}
