/** sitemap.xml: every page for people in the tree. It says nothing about dates: the machine's would be untrue. */
import { escaped } from '../../lib/html.ts';
import { textArtifact, type Artifact, type Tree } from '../../lib/tree.ts';

/** Renders the site map of the tree so far; render it after the last page. */
export function renderSitemap(tree: Tree, siteUrl: string): Artifact {
  const urls = [...tree.files.keys()]
    .filter((path) => path.endsWith('index.html'))
    .sort()
    .map((path) => `<url><loc>${escaped(`${siteUrl}/${path.slice(0, -'index.html'.length)}`)}</loc></url>\n`);
  return textArtifact(
    'sitemap.xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`,
  );
}
