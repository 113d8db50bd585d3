/** docs/index.html: the contract for people. Parameters, faults, headers and limits are read from the tables that enforce them. */
import type { Artifact } from '../../lib/tree.ts';
import { READING_RULES } from '../discovery/llms.ts';
import { FAULT_MEANINGS } from '../openapi/faults.ts';
import { ANSWER_HEADERS } from '../openapi/headers.ts';
import { FAULTS, type FaultCode } from '../../../shim/core/faults.ts';
import { API_ROOT } from '../../../shim/core/paths.ts';
import { BOUNDARIES } from '../../../shim/core/operations/capabilities.ts';
import { answered, citing, contact, files, limits, mcp } from './docs-guide.ts';
import { resourceSections } from './docs-resources.ts';
import { staleCount, type SiteFacts } from './facts.ts';
import { escaped, raw } from '../../lib/html.ts';
import { page } from './layout.ts';
import { table } from './table.ts';

/** A part of the page: its anchor, its heading, its HTML. */
export interface Section {
  id: string;
  title: string;
  html: string;
}

/** Renders the documentation. */
export function renderDocs(facts: SiteFacts): Artifact {
  const { siteUrl } = facts;
  const sections: Section[] = [
    { id: 'start', title: 'Start here', html: start(facts) },
    { id: 'reading', title: 'How to read it', html: list(READING_RULES.map(marked)) },
    { id: 'answers', title: 'Answers', html: answered(facts) },
    { id: 'resources', title: 'Resources', html: resourceSections(facts) },
    { id: 'faults', title: 'Failures', html: faults() },
    { id: 'headers', title: 'Methods, headers, caching', html: headers() },
    { id: 'limits', title: 'Limits', html: limits(facts) },
    { id: 'mcp', title: 'MCP', html: mcp(facts) },
    { id: 'files', title: 'Files, and how to verify one', html: files(facts) },
    { id: 'citing', title: 'How to cite', html: citing(facts) },
    { id: 'boundaries', title: 'What it will not do', html: list(BOUNDARIES.map(escaped)) },
    { id: 'contact', title: 'Reporting a fault', html: contact() },
  ];
  const body = `<div class="page wide">
<h1>Documentation</h1>
<p class="standfirst">One contract, three doors: REST, MCP and files give the same records with the same rules.</p>
<nav aria-label="On this page"><ul class="toc">
${sections.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('\n')}
</ul></nav>
${sections.map(({ id, title, html }) => `<h2 id="${id}">${escaped(title)}</h2>\n${html}`).join('\n')}
</div>`;
  return page(
    {
      path: 'docs/index.html',
      title: 'Documentation - Public Evidence API',
      description: 'Every resource, parameter, failure, header and limit of the Public Evidence API.',
      body: raw(body),
      head: raw('<link rel="stylesheet" href="../assets/cards.css">\n'),
    },
    siteUrl,
  );
}

function start(facts: SiteFacts): string {
  const { siteUrl, manifest } = facts;
  const { sources, stale } = staleCount(facts);
  return `<p>The root is <code>${escaped(siteUrl)}/${API_ROOT}</code>. Ask the catalog what there is, then ask for it:</p>
<pre><code>curl '${escaped(siteUrl)}/${API_ROOT}/markets'
curl '${escaped(siteUrl)}/${API_ROOT}/atlas?iso3=MEX'</code></pre>
<p>No key, no account. The description for programs is <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1, version 1.6.0); every payload has a <a href="../schemas/">JSON Schema</a>; agents read <a href="../llms.txt">llms.txt</a>.</p>
<p>This release holds data retrieved until ${manifest.generatedAt.slice(0, 10)}. ${stale} of its ${sources} sources are older than their cadence; answers that draw on one say so in <code>limitations</code>.</p>`;
}

function faults(): string {
  const codes = Object.keys(FAULTS) as FaultCode[];
  return `<p>A failure is <code>{"ok": false, "error", "message"}</code>. The message names the parameter, what it got and what it accepts. Unknown, repeated, empty, wrongly typed and out-of-range parameters are refused: nothing is ignored, clamped or coerced.</p>
${table(
  'Failures',
  ['error', 'Status', 'Meaning', 'What to do', 'Cache-Control'],
  codes.map((code) => [
    `<code id="fault-${code}">${code}</code>`,
    String(FAULTS[code].status),
    escaped(FAULT_MEANINGS[code].meaning),
    escaped(FAULT_MEANINGS[code].next),
    `<code>${FAULTS[code].cache}</code>`,
  ]),
)}
<p>Atlas, entities and federation answer 503 with <code>{"ok": false, "resource", "error": "unavailable", "message", "data"}</code>, where <code>data</code> is a complete payload whose status is <code>unavailable</code>.</p>`;
}

function headers(): string {
  return `<p>GET and HEAD answer alike; OPTIONS answers 204 with the methods and CORS headers; any other method is 405. Everything may be read from any web page.</p>
${table(
  'Headers',
  ['Header', 'Meaning', 'Example'],
  ANSWER_HEADERS.map(({ name, description, example }) => [
    `<code>${name}</code>`,
    escaped(description),
    `<code>${escaped(example)}</code>`,
  ]),
)}`;
}

function list(items: string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

/** Text with `code` as it is written in llms.txt. */
function marked(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
