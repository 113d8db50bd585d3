/** docs/index.html: the contract for people. Parameters, failures, headers and limits are read from the tables that enforce them. */
import { memberAt } from '../../../shim/core/json.ts';
import { code, joinEach, type Child, type Trusted } from '../../../shim/view/node.ts';
import { chaptersOf, filledPage, lines, markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { type SiteFacts, staleCount } from '../facts.ts';
import { cellsUnder, list, table } from '../../../shim/view/table.ts';
import { grouped } from '../../../shim/view/words.ts';
import { FAULT_MEANINGS, HEADERS } from '../openapi/components.ts';
import { exampleTarget, operationId, parameterExamples, type OperationExample } from '../openapi/examples.ts';
import { referenceAddress } from '../../../shim/view/address.ts';
import { guideList } from './guides.ts';
import { contentPage } from './page.ts';
import { DOWNLOADS } from '../../../shim/core/download.ts';
import { FAULTS, type FaultCode } from '../../../shim/core/faults.ts';
import { BOUNDARIES, INTERFACE_VERSION } from '../../../shim/core/operations/all.ts';
import { marketObservations } from '../../../shim/core/operations/market-observations.ts';
import type { JsonObject, Operation } from '../../../shim/core/types.ts';
import * as paths from '../../../shim/core/paths.ts';

/** Renders the documentation. */
export function renderDocs(facts: SiteFacts): Artifact {
  const { siteUrl, manifest, operations, source } = facts;
  const chapters = chaptersOf(source('content/docs.md')).map(
    ({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`,
  );
  const formats = [paths.packPath, paths.csvPath, paths.parquetPath, paths.xlsxPath];
  const tools = operations.flatMap(({ name, tool }) =>
    tool === null ? [] : [[code(tool), markup`<a href="#${name}">${name}</a>`]],
  );
  return contentPage('docs', facts, {
    ...staleCount(facts),
    siteUrl,
    root: paths.absolute(siteUrl, paths.API_ROOT),
    version: INTERFACE_VERSION,
    ...exampleQuery(facts),
    date: markup`<time>${manifest.generatedAt.slice(0, 10)}</time>`,
    contents: markup`<nav aria-label="On this page"><ul class="toc">\n${lines(chapters)}\n</ul></nav>`,
    rules: filledPage(source('content/reading-rules.md'), {}),
    resources: lines(operations.map((operation) => resourceSection(operation, facts))),
    faults: faultTable(),
    headers: headerTable(),
    limits: limitTable(facts),
    tools: table('Tools', tools, cellsUnder(['Tool', 'Resource'])),
    formats: joinEach(formats, ', ', (path) => code(`/${path('<dataset>')}`)),
    file: paths.packPath(manifest.packs[0]?.id ?? '<dataset>').replace('data/', ''),
    citation: citation(facts),
    boundaries: list(BOUNDARIES),
    guides: guideList(facts),
  });
}

/** A query that finds a record of this release, for the texts about all collections. */
function exampleQuery({ examples }: SiteFacts): { collection: string; query: string } {
  const isShown = ({ name }: Operation): boolean =>
    memberAt(examples.get(name)?.body, 'data.page.returned') === 1;
  const shown = [...DOWNLOADS.values()].find(({ paged }) => isShown(paged))?.paged ?? marketObservations;
  const [, query = 'geo=MEX'] = exampleTarget(shown, examples.get(shown.name)).split('?');
  return { collection: shown.name, query };
}

/** Renders the page about reading the files, with the smallest dataset of observations as its example. */
export function renderReading(facts: SiteFacts): Artifact {
  const [smallest] = facts.manifest.packs
    .filter(({ kind }) => kind === 'observations')
    .toSorted((a, b) => a.rows - b.rows);
  const values = { siteUrl: facts.siteUrl, dataset: smallest?.id ?? '<dataset>' };
  const database = facts.database ? filledPage(facts.source('content/sqlite.md'), values) : '';
  return contentPage('reading', facts, { ...values, database });
}

function resourceSection(operation: Operation, facts: SiteFacts): Trusted {
  const { name, summary } = operation;
  return markup`<h3 id="${name}"><code>GET /${paths.API_ROOT}/${name}</code></h3>
<p>${summary}</p>
${curlCommand(operation, facts)}
${parameterTable(operation, facts)}
${resourceLinks(operation, facts, '../', markup`<a href="../${referenceAddress(name)}">Try it${ofName(operation)}</a>`)}`;
}

/** Words for screen readers, which tell links with the same text apart. */
function ofName({ name }: Operation): Trusted {
  return markup`<span class="hidden"> of ${name}</span>`;
}

/** A request to copy; where the release lacks what it would find, the sentence that says so. */
export function curlCommand(operation: Operation, { siteUrl, examples }: SiteFacts): Trusted {
  const example = examples.get(operation.name);
  return isLeftOut(operation, example)
    ? markup`<p>${String(example?.body['message'])}</p>`
    : markup`<pre><code>curl '${siteUrl}/${exampleTarget(operation, example)}'</code></pre>`;
}

function isLeftOut({ freshness }: Operation, example: OperationExample | undefined): boolean {
  return freshness === 'data' && example?.status === FAULTS.unavailable.status;
}

/** Where the response is described and where it is a file; `more` are further links. */
export function resourceLinks(
  operation: Operation,
  { examples }: SiteFacts,
  root: string,
  more: Child = '',
): Trusted {
  const { name, tool, freshness } = operation;
  const of = ofName(operation);
  const file = markup`<a href="${root}${paths.pagePath(name)}">First page as a file${of}</a>`;
  const access =
    freshness === 'live'
      ? markup`<span>Requested live, cached for a minute</span>`
      : isLeftOut(operation, examples.get(name))
        ? ''
        : file;
  return markup`<p class="links">${more}${tool === null ? '' : markup`<span>Tool ${code(operationId(operation))}</span>`}<a href="${root}${paths.responseSchemaPath(name)}">Schema of the response${of}</a><a href="${root}${paths.payloadSchemaPath(name)}">Schema of its data${of}</a>${access}</p>`;
}

/** A row for each parameter of a resource. */
export function parameterTable(operation: Operation, { examples }: SiteFacts): Child {
  const { name, parameters } = operation;
  if (parameters.length === 0) return markup`<p>No parameters.</p>`;
  const example = examples.get(name);
  const values = example ? parameterExamples(operation, example) : new Map<string, unknown>();
  return table(`Parameters of ${name}`, parameters, [
    ['Parameter', (parameter) => markup`<code id="${name}-${parameter.name}">${parameter.name}</code>`],
    ['Meaning', ({ description }) => description],
    ['Accepts', ({ accepts }) => accepts],
    ['Default', ({ schema: { default: initial } }) => (initial === undefined ? '' : code(String(initial)))],
    [
      'Example',
      (parameter) => {
        const value = String(values.get(parameter.name) ?? '');
        return value === '' ? (values.has(parameter.name) ? 'empty' : '') : code(value);
      },
    ],
  ]);
}

function faultTable(): Child {
  return table('Failures', Object.keys(FAULTS) as FaultCode[], [
    ['error', (fault) => markup`<code id="fault-${fault}">${fault}</code>`],
    ['Status', (fault) => FAULTS[fault].status],
    ['Meaning', (fault) => FAULT_MEANINGS[fault].meaning],
    ['What to do', (fault) => FAULT_MEANINGS[fault].next],
    ['Cache-Control', (fault) => code(FAULTS[fault].cache)],
  ]);
}

function headerTable(): Child {
  return table('Headers', HEADERS, [
    ['Header', ({ name }) => code(name)],
    ['Meaning', ({ description }) => description],
    ['Example', ({ example }) => code(example)],
  ]);
}

/** Every limit a client may meet, as capabilities lists them. */
function limitTable({ examples }: SiteFacts): Child {
  const limits = memberAt(examples.get('capabilities')?.body, 'data.limits');
  const limit = (path: string): string => {
    const value = memberAt(limits, path);
    return typeof value === 'number' ? grouped(value) : 'none';
  };
  const rows: Child[][] = [
    ...Object.keys((memberAt(limits, 'pageSize') ?? {}) as JsonObject).map((name) => [
      `Page of ${name}`,
      `${limit(`pageSize.${name}.default`)} by default, ${limit(`pageSize.${name}.maximum`)} at most`,
    ]),
    ['Cursor', `${limit('cursorCharacters')} characters`],
    ['URL', `${limit('urlBytes')} bytes`],
    ['Body of an MCP request', `${limit('mcpBodyBytes')} bytes`],
    [
      'Upstream calls of a live lane',
      `${limit('upstream.requestsPerLane')} request, ${limit('upstream.retries')} retries, ${limit('upstream.deadlineMs')} ms, ${limit('upstream.responseBytes')} bytes`,
    ],
    ['Rate limit', limit('rateLimit')],
  ];
  return table('Limits', rows, cellsUnder(['Limit', 'Value']));
}

function citation({ examples, descriptors, siteUrl }: SiteFacts): Trusted {
  const record = memberAt(examples.get('market-observations')?.body, 'data.observations.0');
  const text = (member: string): string => String(memberAt(record, member) ?? '');
  const dataset = descriptors.find(({ name }) => name === text('datasetId'));
  const source = dataset?.sources.find(({ id }) => id === text('sourceId'));
  if (!source) return markup`<p>There is no record to cite in this release.</p>`;
  return markup`<blockquote class="note"><p>${source.publisher}, <cite>${source.title}</cite> (edition ${source.dated}), ${text('sourceLocator')}; sha256 of the source file <code class="hash">${source.sha256}</code>. Record ${code(text('id'))} of dataset ${code(text('datasetId'))}, Public Evidence API, ${siteUrl}/, release <code>treeSha256</code> of release.json.</p></blockquote>`;
}
