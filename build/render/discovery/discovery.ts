/** How the service is found and described: API catalog, OpenAPI, schema list, llms.txt, robots.txt, security.txt, site map. */
import type { Operation } from '../../../shim/core/operation.ts';
import type { Context, PackManifest } from '../../../shim/core/types.ts';
import { renderSchemaPage } from '../site/schema-list.ts';
import { renderApiCatalog } from './api-catalog.ts';
import type { Tree } from '../../lib/tree.ts';
import { renderLlms } from './llms.ts';
import type { OperationExample } from '../openapi/examples.ts';
import { renderOpenapi } from '../openapi/openapi.ts';
import { renderRobots } from './robots.ts';
import { renderSchemaIndex, schemaEntries } from './schema-index.ts';
import { renderSecurityTxt } from './security-txt.ts';
import { renderSitemap } from './sitemap.ts';

/** What discovery is read from. */
export interface DiscoverySubject {
  operations: Operation[];
  examples: ReadonlyMap<string, OperationExample>;
  context: Context;
  manifest: PackManifest;
}

/** Adds every discovery document to the tree; the documents list what stands there, so call it after all else but checksums. */
export async function addDiscovery(tree: Tree, subject: DiscoverySubject): Promise<void> {
  const { operations, examples, context, manifest } = subject;
  const { siteUrl } = context.settings;
  const schemas = schemaEntries(tree, siteUrl);
  tree.add([renderSchemaIndex(schemas), renderSchemaPage(schemas, siteUrl)]);
  tree.add([await renderOpenapi(operations, examples, context, tree)]);
  tree.add([renderLlms(operations, examples, (path) => tree.files.has(path), siteUrl)]);
  tree.add([renderApiCatalog(siteUrl), renderSecurityTxt(siteUrl, manifest.generatedAt)]);
  tree.add([renderRobots(siteUrl), renderSitemap(tree, siteUrl)]);
}
