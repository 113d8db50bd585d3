/** llms.txt (llmstxt.org): what the service is, how to call it, how to read it. Short on purpose: the links hold the rest. */
import {
  absolute,
  API_CATALOG,
  API_ROOT,
  DATA_FILES,
  DATAPACKAGE,
  OPENAPI,
} from '../../../shim/core/paths.ts';
import { filledText } from '../../lib/template.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { bullets, type SiteFacts } from '../facts.ts';
import { exampleTarget, shortSummary } from '../openapi/examples.ts';

type Link = [path: string, title: string, description: string];

const REFERENCE: Link[] = [
  [OPENAPI, 'OpenAPI 3.1', 'every parameter, response and failure'],
  ['docs/', 'Documentation', 'the same contract for people'],
  ['schemas/index.json', 'Schemas', 'JSON Schema 2020-12 of every payload'],
  [API_CATALOG, 'API catalog', 'RFC 9727 linkset'],
  [DATA_FILES, 'Data files', 'bulk NDJSON, CSV and Parquet with sha256, and the freshness of every source'],
  [DATAPACKAGE, 'Data package', 'columns of the bulk files, sources, licences'],
  ['news/feed.json', 'Newsroom', 'stories in which every number is cited'],
];

const OPTIONAL: Link[] = [
  ['explore/', 'Explore', 'filters in the browser'],
  ['sitemap.xml', 'Site map', 'pages for people'],
  ['.well-known/security.txt', 'security.txt', 'how to report a vulnerability'],
];

/** Renders llms.txt. */
export function renderLlms({ siteUrl, operations, examples, source }: SiteFacts): Artifact {
  const resources = operations.map((operation) => {
    const { name, tool } = operation;
    const address = absolute(siteUrl, exampleTarget(operation, examples.get(name)));
    return `[${name}](${address}): ${shortSummary(operation)}.${tool === null ? '' : ` Tool \`${tool}\`.`}`;
  });
  const listed = (links: Link[]): string =>
    bullets(
      links.map(([path, title, description]) => `[${title}](${absolute(siteUrl, path)}): ${description}`),
    );
  return textArtifact(
    'llms.txt',
    filledText(source('content/llms.md'), {
      root: absolute(siteUrl, API_ROOT),
      mcp: absolute(siteUrl, 'mcp'),
      rules: source('content/reading-rules.md').trimEnd(),
      resources: bullets(resources),
      reference: listed(REFERENCE),
      optional: listed(OPTIONAL),
    }),
  );
}
