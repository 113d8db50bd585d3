/** robots.txt: everything is meant to be read; the site map lists the pages for people. */
import { absolute } from '../../../shim/core/paths.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';

/** Renders robots.txt. */
export function renderRobots(siteUrl: string): Artifact {
  return textArtifact(
    'robots.txt',
    `User-agent: *\nAllow: /\n\nSitemap: ${absolute(siteUrl, 'sitemap.xml')}\n`,
  );
}
