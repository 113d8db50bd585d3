/** How the service is found and described: schemas, OpenAPI, llms.txt, API catalog, security.txt, robots.txt, site map. */
import type { Context } from '../../../shim/core/types.ts';
import type { Tree } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { renderOpenapi } from '../openapi/openapi.ts';
import { renderApiCatalog } from './api-catalog.ts';
import { renderLlms } from './llms.ts';
import { renderSchemaLists } from './schemas.ts';
import { renderApiNotFound, renderRobots, renderSecurityTxt, renderSitemap } from './site-files.ts';

/** Adds every discovery document; they list what is in the tree, so call it after all else but checksums. */
export async function addDiscovery(tree: Tree, facts: SiteFacts, context: Context): Promise<void> {
  const { siteUrl, manifest } = facts;
  tree.add(renderSchemaLists(tree, siteUrl));
  tree.add([
    await renderOpenapi(facts, context, tree),
    renderLlms(facts),
    renderApiCatalog(siteUrl),
    renderSecurityTxt(siteUrl, manifest.generatedAt),
    renderRobots(siteUrl),
    renderSitemap(tree, siteUrl),
    renderApiNotFound(),
  ]);
}
