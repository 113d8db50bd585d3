/**
 * Published files from public/, each checked against its sidecar when it is read and kept in memory with its compressed
 * twins. A file that does not match is not served. Large files are streamed; only the client can check those.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { CACHE_STATIC, mediaTypeOf, PAGE_POLICY, type HeaderList } from '../core/headers.ts';
import { contentOf, matches, send, type Content, type HttpRequest, type Reply } from './content.ts';
import { readWithSidecar, RECHECK_MS, stampOf, statOf, type Stamp } from '../store/release.ts';

/** Gives the reply for a published path, null where there is no such file, `damaged` where it does not match its sidecar. */
export type PublishedFiles = (
  path: string,
  request: HttpRequest,
  headers: HeaderList,
) => Reply | null | 'damaged';

const IN_MEMORY = 4 * 1024 * 1024;
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
    const stat = statOf(file);
    if (!stat?.isFile()) return null;
    try {
      if (stat.size > IN_MEMORY) return streamed(file, path, stat.size, request, all);
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

/** A file that grows while it is sent ends where its length says. Throws an Error where the sidecar is missing or damaged. */
function streamed(
  file: string,
  path: string,
  size: number,
  request: HttpRequest,
  headers: HeaderList,
): Reply {
  const [sum] = /^[0-9a-f]{64}(?= )/.exec(readFileSync(`${file}.sha256`, 'utf8')) ?? [];
  if (sum === undefined) throw new Error(`${path} has no valid sidecar`);
  const all = [...headers, 'etag', `"${sum}"`];
  if (matches(request.header('if-none-match'), sum)) return { status: 304, headers: all, body: null };
  all.push('content-type', mediaTypeOf(path), 'content-length', String(size));
  const body =
    request.method === 'HEAD'
      ? null
      : (Readable.toWeb(createReadStream(file, { end: size - 1 })) as ReadableStream<Uint8Array>);
  return { status: 200, headers: all, body };
}
