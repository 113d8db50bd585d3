/** Every header constant, also written into the host config: caching, CORS, links, and the media type of every path. */
import mediaTypes from './media-types.json' with { type: 'json' };
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
  'access-control-expose-headers': 'ETag, Link, Retry-After, Accept-Ranges, Content-Range',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Also sent by hosts that are reached over https alone: browsers complain about it elsewhere. */
export const SECURE: Record<string, string> = {
  'strict-transport-security': 'max-age=63072000',
  'cross-origin-opener-policy': 'same-origin',
};

/** On pages for people: nothing is loaded from elsewhere, nothing runs that is not a file of the site, no page is framed. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** On a figure for frames of pages elsewhere, which is the only page that may be framed: nothing runs in it. */
export const EMBED_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  'frame-ancestors *',
].join('; ');

/** On pages of designations, on figures for frames and on downloads: search engines leave them out. */
export const NOT_INDEXED: Record<string, string> = { 'x-robots-tag': 'noindex' };

/** On the response to a preflight. */
export const PREFLIGHT: Record<string, string> = {
  'access-control-allow-methods': ALLOWED_METHODS,
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match, If-Range, Range',
  'access-control-max-age': '86400',
};

/** `Link` of every API response; a page adds the address of the next one. */
export function linkHeader(siteUrl: string): string {
  return `<${absolute(siteUrl, API_CATALOG)}>; rel="api-catalog", <${absolute(siteUrl, OPENAPI)}>; rel="service-desc"`;
}

/** Media types by path, where the ending does not tell. */
export const EXACT: Record<string, string> = mediaTypes.exact;

/** Media types by ending, the first that fits. */
export const ENDINGS: [ending: string, type: string][] = Object.entries(mediaTypes.endings);

/** Media type of a path below the site root. */
export function mediaTypeOf(path: string): string {
  const exact = Object.hasOwn(EXACT, path) ? EXACT[path] : undefined;
  return exact ?? ENDINGS.find(([ending]) => path.endsWith(ending))?.[1] ?? 'application/octet-stream';
}
