/**
 * Published files from public/, each read whole and checked against its sidecar before its first byte is sent, and kept in
 * memory with its compressed twins as far as the cache has room. A file that does not match is not served, whatever its size.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { CACHE_STATIC, mediaTypeOf, PAGE_POLICY, type HeaderList } from '../core/headers.ts';
import { contentOf, send, type Content, type HttpRequest, type Reply } from './content.ts';
import { readWithSidecar, RECHECK_MS, stampOf, statOf, type Stamp } from '../store/release.ts';

/** Gives the reply for a published path, null where there is no such file, `damaged` where it does not match its sidecar. */
export type PublishedFiles = (
  path: string,
  request: HttpRequest,
  headers: HeaderList,
) => Reply | null | 'damaged';

const CACHE_BYTES = 96 * 1024 * 1024;

/** Serves the tree at `root`; `now` is a clock in milliseconds. */
export function publishedFiles(root: string, now: () => number): PublishedFiles {
  const cache = new LRUCache<string, { content: Content; stamp: Stamp; checked: number }>({
    maxSize: CACHE_BYTES,
    // Twins grow a content after it was measured: three times its bytes is an upper bound.
    sizeCalculation: ({ content }) => content.bytes.length * 3 + 1,
  });

  const kept = (path: string): Content | null => {
    const known = cache.get(path);
    if (!known) return null;
    if (now() - known.checked < RECHECK_MS) return known.content;
    known.checked = now();
    return stampOf(join(root, path)) === known.stamp ? known.content : null;
  };

  return (path, request, headers) => {
    const all = [...headers, 'cache-control', CACHE_STATIC];
    if (path.endsWith('.html')) all.push('content-security-policy', PAGE_POLICY);
    const found = kept(path);
    if (found) return send(found, request, all);
    const file = join(root, path);
    if (!statOf(file)?.isFile()) return null;
    try {
      const stamp = stampOf(file);
      const bytes = path.endsWith('.sha256') ? readFileSync(file) : readWithSidecar(root, path);
      const content = contentOf(bytes, mediaTypeOf(path), 'static');
      cache.set(path, { content, stamp, checked: now() });
      return send(content, request, all);
    } catch {
      return 'damaged';
    }
  };
}

/** The path below the root a URL path names: decoded, `/` ending in index.html; null where it could leave the tree. */
export function publishedPath(pathname: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname).slice(1);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  // An empty part would give a file a second address, and a redirect to `//name/` would lead to another host.
  if (path.startsWith('/') || path.includes('//')) return null;
  if (path.split('/').some((part) => part === '..' || part === '.')) return null;
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}
