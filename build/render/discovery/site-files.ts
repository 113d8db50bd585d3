/** The small files that crawlers, security researchers and file hosts look for. */
import { errorBody } from '../../../shim/core/envelope.ts';
import { unknownResource } from '../../../shim/core/faults.ts';
import { absolute, API_NOT_FOUND } from '../../../shim/core/paths.ts';
import { markup } from '../../lib/html.ts';
import { textArtifact, type Artifact, type Tree } from '../../lib/tree.ts';

const SECURITY_TXT = '.well-known/security.txt';

/** Renders robots.txt: everything is meant to be read; the site map lists the pages for people. */
export function renderRobots(siteUrl: string): Artifact {
  const sitemap = absolute(siteUrl, 'sitemap.xml');
  return textArtifact('robots.txt', `User-agent: *\nAllow: /\n\nSitemap: ${sitemap}\n`);
}

/** Renders sitemap.xml: every page for people in the tree so far. It has no dates: those of the machine would be untrue. */
export function renderSitemap(tree: Tree, siteUrl: string): Artifact {
  const pages = [...tree.files.keys()].filter((path) => path.endsWith('index.html')).sort();
  const urls = pages.map((path) => {
    const address = absolute(siteUrl, path.slice(0, -'index.html'.length));
    return markup`<url><loc>${address}</loc></url>\n`;
  });
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
  return textArtifact('sitemap.xml', document.text);
}

/**
 * Renders .well-known/security.txt (RFC 9116). The contact is the section of the documentation that says how to report: the
 * project names no person. It expires a year after the data clock `generatedAt`, so the same data gives the same file.
 */
export function renderSecurityTxt(siteUrl: string, generatedAt: string): Artifact {
  const expires = new Date(generatedAt);
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  return textArtifact(
    SECURITY_TXT,
    [
      `Contact: ${absolute(siteUrl, 'docs/#contact')}`,
      `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
      'Preferred-Languages: en',
      `Canonical: ${absolute(siteUrl, SECURITY_TXT)}`,
      '',
    ].join('\n'),
  );
}

/** Renders the 404 body of a host of files alone: the bytes the app sends for an unknown path under /api. */
export function renderApiNotFound(): Artifact {
  return { path: API_NOT_FOUND, bytes: errorBody(unknownResource()) };
}
