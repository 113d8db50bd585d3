/** Every header constant, also written into the host config: caching, CORS, links, and the media type of every path. */
import { absolute, API_CATALOG, OPENAPI } from './paths.ts';

export const CACHE_STATIC = 'public, max-age=300, stale-while-revalidate=86400';
export const CACHE_LIVE = 'public, max-age=60';
export const CACHE_CDN = 'public, durable, max-age=86400, stale-while-revalidate=604800';
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Header fields as node takes them and in the order they are sent: name, value, name, value. */
export type HeaderList = readonly string[];

/** The fields of a record as a list. */
export function headerList(fields: Record<string, string>): HeaderList {
  return Object.entries(fields).flat();
}

/** On every response, errors included. */
export const SHARED: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** On pages for people: nothing is loaded from elsewhere. */
export const PAGE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** On the response to a preflight. */
export const PREFLIGHT: Record<string, string> = {
  'access-control-allow-methods': ALLOWED_METHODS,
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match',
  'access-control-max-age': '86400',
};

/** `Link` of every API response; a page that is followed by another adds that one's address. */
export function linkHeader(siteUrl: string): string {
  return `<${absolute(siteUrl, API_CATALOG)}>; rel="api-catalog", <${absolute(siteUrl, OPENAPI)}>; rel="service-desc"`;
}

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
