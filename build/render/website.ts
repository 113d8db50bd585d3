/**
 * What visitors, crawlers and agents find: the pages for people, what they load, the documents that describe the service, and
 * the small files that crawlers, security researchers and file hosts look for.
 */
import { BOUNDARIES, INTERFACE_VERSION } from '../../shim/core/operations/all.ts';
import { errorBody } from '../../shim/core/envelope.ts';
import { unknownResource } from '../../shim/core/faults.ts';
import { absolute, API_CATALOG, API_NOT_FOUND, EVIDENCE_FILE } from '../../shim/core/paths.ts';
import type { Context } from '../../shim/core/types.ts';
import { PAGES } from '../../shim/view/address.ts';
import { oneYearAfter } from '../lib/clock.ts';
import { markup, filledText } from '../lib/html.ts';
import { prettyJsonArtifact, textArtifact, type Artifact, type Tree } from '../lib/tree.ts';
import { bullets, type RecordFacts, type SiteFacts } from './facts.ts';
import { exampleTarget, shortSummary } from './openapi/examples.ts';
import { renderMaps } from './map/pages.ts';
import { renderOpenapi } from './openapi/openapi.ts';
import { renderSchemaLists } from './schemas.ts';
import { renderCompare, renderDesignations, renderExplore } from './site/forms.ts';
import { renderDocs, renderReading } from './site/docs.ts';
import { renderGuides } from './site/guides.ts';
import { renderReference } from './site/reference.ts';
import { renderNotFound } from './site/not-found.ts';
import { renderDataIndex } from './site/data-index.ts';
import type { DatasetGroups } from './site/dataset-group.ts';
import { renderHome } from './site/home.ts';
import { renderIndicatorIndex } from './site/indicator-index.ts';
import { renderPlaces } from './site/places.ts';
import { renderReleases } from './site/releases.ts';
import type { sourceFiles } from './site/source-files.ts';
import { renderSources } from './site/sources.ts';
import { contentPage } from './site/page.ts';
import { list } from '../../shim/view/table.ts';
import { renderSearch } from './site/search.ts';
import type { startSearchIndex } from './site/search-index.ts';
import { renderRecordLocator } from './site/records.ts';
import { renderVerify } from './site/verify.ts';

/**
 * Adds the website to the tree, once the pages of places are in it. `whole` adds everything else except checksums; it is called
 * after the pages that can do without it, because the last documents list all files of the tree.
 */
export async function addWebsite(
  tree: Tree,
  known: RecordFacts,
  {
    pages,
    maps,
    sources,
    searchIndex,
  }: DatasetGroups & {
    sources: ReturnType<typeof sourceFiles>;
    searchIndex: ReturnType<typeof startSearchIndex>;
  },
  context: Context,
  placePages: Promise<void> | null,
  whole: () => Promise<Pick<SiteFacts, 'examples' | 'database'>>,
): Promise<void> {
  const { siteUrl, source } = known;
  tree.add(pages);
  tree.add([
    contentPage('about', known, { boundaries: list(BOUNDARIES) }),
    ...renderVerify(known, sources),
    ...renderGuides(known),
    renderNotFound(known),
    renderExplore(known, context),
    renderCompare(known),
    ...renderMaps(known, maps),
    renderIndicatorIndex(known),
    renderPlaces(known),
    ...renderSources(known, sources),
    renderRecordLocator(known),
    renderSearch(known),
    renderDesignations(known),
  ]);
  await placePages;
  const facts = { ...known, ...(await whole()) };
  tree.add([
    renderHome(facts),
    renderDocs(facts),
    ...renderReference(facts),
    renderReading(facts),
    renderDataIndex(facts),
    renderReleases(facts),
    ...renderSchemaLists(tree, facts),
  ]);
  tree.add([
    searchIndex(tree),
    renderLlms(facts),
    // RFC 9727: a linkset (RFC 9264) of the two interfaces, REST and MCP, with the RFC 8631 relations. The REST root is an
    // anchor only: its entry document is capabilities, so every target can be read.
    prettyJsonArtifact(API_CATALOG, JSON.parse(filledText(source('content/api-catalog.json'), { siteUrl }))),
    renderServerJson(facts),
    renderSecurityTxt(facts),
    textArtifact('robots.txt', `User-agent: *\nAllow: /\n\nSitemap: ${absolute(siteUrl, 'sitemap.xml')}\n`),
    // The 404 body for a host that serves only files: the bytes the app sends for an unknown path under /api.
    { path: API_NOT_FOUND, bytes: errorBody(unknownResource()) },
    renderSitemap(tree, siteUrl),
    await renderOpenapi(facts, context, tree),
  ]);
}

/** llms.txt (llmstxt.org): what the service is, how to call it, how to read it. Short on purpose: the links hold the rest. */
function renderLlms({ siteUrl, operations, examples, source, database }: SiteFacts): Artifact {
  const resources = operations.map((operation) => {
    const { name, tool } = operation;
    const address = absolute(siteUrl, exampleTarget(operation, examples.get(name)));
    return `[${name}](${address}): ${shortSummary(operation)}.${tool === null ? '' : ` Tool \`${tool}\`.`}`;
  });
  const rules = source('content/reading-rules.md').trimEnd();
  const address = absolute(siteUrl, EVIDENCE_FILE);
  const listed = database
    ? `- [SQLite](${address}): all of it in one database; start with its view observations\n`
    : '';
  return textArtifact(
    'llms.txt',
    filledText(source('content/llms.md'), {
      siteUrl,
      rules,
      resources: bullets(resources),
      database: listed,
    }),
  );
}

/**
 * Renders server.json, which an operator hands to the MCP registry as it is. The registry admits names below a domain that the
 * operator proves to have, so it is that of the site.
 */
function renderServerJson({ siteUrl, source }: SiteFacts): Artifact {
  const namespace = new URL(siteUrl).hostname.split('.').toReversed().join('.');
  const values = { siteUrl, namespace, version: INTERFACE_VERSION };
  return prettyJsonArtifact('server.json', JSON.parse(filledText(source('content/server.json'), values)));
}

/**
 * Renders sitemap.xml: every page for people in the tree so far but that of designations. It has no dates: those of the machine
 * would be untrue.
 */
function renderSitemap(tree: Tree, siteUrl: string): Artifact {
  const pages = tree
    .sorted()
    .map(({ path }) => path)
    .filter((path) => path.endsWith('index.html') && !path.startsWith(PAGES.designations));
  const urls = pages.map((path) => {
    const address = absolute(siteUrl, path.slice(0, -'index.html'.length));
    return markup`<url><loc>${address}</loc></url>\n`;
  });
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
  return textArtifact('sitemap.xml', document.markup);
}

/**
 * Renders .well-known/security.txt (RFC 9116). The contact is the section of the documentation that says how to report: the
 * project names no person. It expires a year after the data clock, so the same data gives the same file.
 */
function renderSecurityTxt({ siteUrl, manifest, source }: SiteFacts): Artifact {
  const values = { siteUrl, expires: oneYearAfter(manifest.generatedAt) };
  return textArtifact('.well-known/security.txt', filledText(source('content/security.txt'), values));
}
