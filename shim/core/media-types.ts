/** The media type of every published path; one table for the server, the release manifest and the host config. */

/** Paths whose type their ending does not tell. */
export const EXACT: Record<string, string> = {
  '.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '.well-known/security.txt': 'text/plain; charset=utf-8',
  'news/feed.json': 'application/feed+json',
  'news/feed.xml': 'application/rss+xml',
  'openapi.json': 'application/vnd.oai.openapi+json;version=3.1',
  SHA256SUMS: 'text/plain; charset=utf-8',
};

/** Types by ending, the first that fits. */
export const ENDINGS: [ending: string, type: string][] = [
  ['.sha256', 'text/plain; charset=utf-8'],
  ['.minisig', 'text/plain; charset=utf-8'],
  ['.schema.json', 'application/schema+json'],
  ['.jsonld', 'application/ld+json'],
  ['.json', 'application/json'],
  ['.ndjson', 'application/x-ndjson'],
  ['.csv', 'text/csv; charset=utf-8'],
  ['.parquet', 'application/vnd.apache.parquet'],
  ['.idx', 'application/octet-stream'],
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.xml', 'application/xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.bib', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
];

/** Media type of a path below the site root. */
export function mediaTypeOf(path: string): string {
  const exact = Object.hasOwn(EXACT, path) ? EXACT[path] : undefined;
  return exact ?? ENDINGS.find(([ending]) => path.endsWith(ending))?.[1] ?? 'application/octet-stream';
}
