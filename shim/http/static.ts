/**
 * Published files from public/, each checked against its sidecar when it is read and kept in memory with its compressed
 * twins. A file that does not match is not served. Large files are streamed, checked by nobody but the client.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mediaTypeOf } from '../core/media-types.ts';
import { readWithSidecar, stampOf, statOf, type Stamp } from '../store/files.ts';
import { boundedCache } from '../core/bounded-cache.ts';
import { contentOf, matches, send, type Content } from './content.ts';
import { CACHE_STATIC, PAGE_POLICY, type HeaderList } from '../core/headers.ts';
import type { Ask, Reply } from './reply.ts';

/** Gives the reply for a published path, null where there is no such file, `damaged` where it does not match its sidecar. */
export type StaticFiles = (path: string, ask: Ask, headers: HeaderList) => Reply | null | 'damaged';

const IN_MEMORY = 4 * 1024 * 1024;
const CACHE_BYTES = 96 * 1024 * 1024;
const RECHECK_MS = 250;

/** Serves the tree at `root`; `now` is a clock in milliseconds. */
export function staticFiles(root: string, now: () => number): StaticFiles {
  // Twins grow a content after it was measured: three times its bytes is an upper bound.
  const cache = boundedCache<{ content: Content; stamp: Stamp; checked: number }>(
    CACHE_BYTES,
    ({ content }) => content.bytes.length * 3,
  );

  const kept = (path: string): Content | null => {
    const known = cache.get(path);
    if (!known) return null;
    if (now() - known.checked < RECHECK_MS) return known.content;
    known.checked = now();
    return stampOf(join(root, path)) === known.stamp ? known.content : null;
  };

  const cached = withFileHeaders();
  return (path, ask, headers) => {
    const all = cached(headers, path.endsWith('.html'));
    const found = kept(path);
    if (found) return send(found, ask, all);
    const file = join(root, path);
    const stat = statOf(file);
    if (!stat?.isFile()) return null;
    try {
      if (stat.size > IN_MEMORY) return streamed(file, path, stat.size, ask, all);
      const stamp = stampOf(file);
      const bytes = path.endsWith('.sha256') ? readFileSync(file) : readWithSidecar(root, path);
      const content = contentOf(bytes, mediaTypeOf(path), 'static');
      cache.set(path, { content, stamp, checked: now() });
      return send(content, ask, all);
    } catch {
      return 'damaged';
    }
  };
}

/** Shared fields with what files add; the same list for the same fields, so that ready ones are found again. */
function withFileHeaders(): (headers: HeaderList, isPage: boolean) => HeaderList {
  const made = new WeakMap<HeaderList, { page: HeaderList; other: HeaderList }>();
  return (headers, isPage) => {
    let known = made.get(headers);
    if (!known) {
      const other = [...headers, 'cache-control', CACHE_STATIC];
      known = { page: [...other, 'content-security-policy', PAGE_POLICY], other };
      made.set(headers, known);
    }
    return isPage ? known.page : known.other;
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
function streamed(file: string, path: string, size: number, ask: Ask, headers: HeaderList): Reply {
  const [sum] = /^[0-9a-f]{64}(?= )/.exec(readFileSync(`${file}.sha256`, 'utf8')) ?? [];
  if (sum === undefined) throw new Error(`the sidecar of ${path} is none`);
  const all = [...headers, 'etag', `"${sum}"`];
  if (matches(ask.header('if-none-match'), sum)) return { status: 304, headers: all, body: null };
  all.push('content-type', mediaTypeOf(path), 'content-length', String(size));
  const body =
    ask.method === 'HEAD'
      ? null
      : (Readable.toWeb(createReadStream(file, { end: size - 1 })) as ReadableStream<Uint8Array>);
  return { status: 200, headers: all, body };
}
