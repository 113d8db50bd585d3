/** What visitors, crawlers and agents find: the pages for people, what they load, and the documents that describe the service. */
import type { Context } from '../../shim/core/types.ts';
import { textArtifact, type Tree } from '../lib/tree.ts';
import { renderApiCatalog } from './discovery/api-catalog.ts';
import { renderLlms } from './discovery/llms.ts';
import { renderSchemaLists } from './discovery/schemas.ts';
import { renderApiNotFound, renderRobots, renderSecurityTxt, renderSitemap } from './discovery/site-files.ts';
import type { SiteFacts } from './facts.ts';
import { renderOpenapi } from './openapi/openapi.ts';
import { renderDocs } from './site/docs.ts';
import { renderExplore } from './site/explore.ts';
import { renderHome } from './site/home.ts';
import { CARD_STYLES, SITE_STYLES } from './site/styles.ts';

/** Adds the website to the tree. The last documents list what is in the tree: call it after all else but checksums. */
export async function addWebsite(tree: Tree, facts: SiteFacts, context: Context): Promise<void> {
  const { siteUrl, manifest, source } = facts;
  tree.add([
    textArtifact('assets/site.css', SITE_STYLES),
    textArtifact('assets/cards.css', CARD_STYLES),
    textArtifact('assets/explore.js', source('site/explore.js')),
    renderHome(facts),
    renderDocs(facts),
    renderExplore(facts),
    ...renderSchemaLists(tree, siteUrl),
  ]);
  tree.add([
    renderLlms(facts),
    renderApiCatalog(siteUrl),
    renderSecurityTxt(siteUrl, manifest.generatedAt),
    renderRobots(siteUrl),
    renderApiNotFound(),
    renderSitemap(tree, siteUrl),
    await renderOpenapi(facts, context, tree),
  ]);
}
