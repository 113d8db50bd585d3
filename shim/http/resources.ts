/**
 * REST: /api/v1/<resource>. Unfiltered requests get the published page, filtered ones what `call` returns, remembered with the
 * release. This file adds caching, links and conditional requests, and no rule of its own about evidence.
 */
import { LRUCache } from 'lru-cache';
import { readQuery } from '../core/arguments.ts';
import { call, type Report, type Result } from '../core/call.ts';
import { written } from '../core/envelope.ts';
import { Fault, unknownResource } from '../core/faults.ts';
import {
  CACHE_CDN,
  CACHE_LIVE,
  CACHE_STATIC,
  headerList,
  linkHeader,
  SHARED,
  type HeaderList,
} from '../core/headers.ts';
import type { Operation } from '../core/operation.ts';
import { OPERATIONS } from '../core/operations/all.ts';
import { absolute, API_ROOT, pagePath } from '../core/paths.ts';
import { derive } from '../core/release.ts';
import type { Context, Release } from '../core/types.ts';
import {
  contentOf,
  errorReply,
  JSON_TYPE,
  send,
  type Content,
  type HttpRequest,
  type Reply,
} from './content.ts';
import { publishedPath, type PublishedFiles } from './files.ts';

/** What the routes work with. */
export interface RouteOptions {
  context: Context;
  /** Published files; null where a CDN serves them itself. */
  files: PublishedFiles | null;
  report: Report;
}

const PREFIX = `/${API_ROOT}/`;
/** The file of an unfiltered page, and the cursor of a further one. */
const PAGE_FILE = new RegExp(`^${API_ROOT}/([^/.]+)(?:/([^/.]+))?\\.json$`);
const BY_NAME = new Map(OPERATIONS.map((operation) => [operation.name, operation]));
const SHARED_LIST = headerList(SHARED);

/** Caching headers by how long a response may be kept. */
const CACHING = {
  data: headerList({
    'cache-control': CACHE_STATIC,
    'netlify-cdn-cache-control': CACHE_CDN,
    'netlify-vary': 'query',
  }),
  live: headerList({ 'cache-control': CACHE_LIVE }),
};

/** A reply to any GET or HEAD under /api. Throws a Fault where there is nothing to give. */
export function resourceRoutes({
  context,
  files,
  report,
}: RouteOptions): (request: HttpRequest) => Reply | Promise<Reply> {
  const { siteUrl } = context.settings;
  const headers = apiHeaders(siteUrl);

  return (request) => {
    const { pathname, search } = request;
    const operation = pathname.startsWith(PREFIX) ? BY_NAME.get(pathname.slice(PREFIX.length)) : undefined;
    if (!operation) return pageByFile(request);
    const unfiltered = search === '' || search === '?';
    return (unfiltered && unfilteredPage(operation, request)) || queried(operation, request);
  };

  function unfilteredPage(operation: Operation, request: HttpRequest): Reply | null {
    if (!files || operation.freshness !== 'data' || !isCurrent(operation)) return null;
    const page = files(pagePath(operation.name), request, headers);
    return page === 'damaged' ? null : page;
  }

  /** A page says nothing that could not be said again: it is given only while its operation gives all of it. */
  function isCurrent(operation: Operation): boolean {
    const current = derive(context.store, currentPages);
    if (current.has(operation.name)) return true;
    const result = call(operation, {}, context, () => undefined);
    if (result instanceof Promise || !result.ok || result.partial) return false;
    current.add(operation.name);
    return true;
  }

  /** A page requested by its file name, as mirrors do; it takes no parameters, and none is ignored. */
  function pageByFile(request: HttpRequest): Reply | Promise<Reply> {
    const path = /\.json(\.sha256)?$/.test(request.pathname) ? publishedPath(request.pathname) : null;
    const page = path === null ? null : files?.(path, request, headers);
    if (!page) throw unknownResource();
    const filtered = request.search.length > 1;
    const [, name = '', cursor] = PAGE_FILE.exec(path ?? '') ?? [];
    const operation = BY_NAME.get(name);
    if (operation?.freshness === 'data' && !filtered && !isCurrent(operation))
      return queried(operation, { ...request, search: cursor === undefined ? '' : `?cursor=${cursor}` });
    if (page === 'damaged')
      throw new Fault('unavailable', 'This page does not match its checksum and is not served.');
    if (filtered)
      throw new Fault('invalid_request', 'Static pages take no parameters. To filter, drop ".json".');
    return page;
  }

  function queried(operation: Operation, request: HttpRequest): Reply | Promise<Reply> {
    const answers = derive(context.store, hotAnswers);
    const key = `${operation.name}${request.search}`;
    const known = answers.get(key);
    if (known?.content) return send(known.content, request, known.headers);
    const reply = (result: Result): Reply => {
      const { body } = written(operation.name, result);
      if (!result.ok) return errorReply(result.fault, request, headers, body);
      // What is missing may be back in a moment: a partial response is kept no longer than an error.
      const caching = CACHING[result.partial ? 'live' : operation.freshness];
      const all =
        result.next === null
          ? [...headers, ...caching]
          : [
              ...SHARED_LIST,
              'link',
              linkHeader(siteUrl, nextPage(operation, request, result.next)),
              ...caching,
            ];
      const content = contentOf(body, JSON_TYPE, 'fresh');
      // A response nobody asks for again is not worth keeping: the first time only the key is remembered.
      if (operation.freshness === 'data') answers.set(key, { content: known ? content : null, headers: all });
      return send(content, request, all);
    };
    const result = call(operation, () => readQuery(operation, request.search), context, report);
    return result instanceof Promise ? result.then(reply) : reply(result);
  }

  function nextPage({ name }: Operation, { search }: HttpRequest, cursor: string): string {
    return `${absolute(siteUrl, `${API_ROOT}/${name}`)}?${nextQuery(search, cursor)}`;
  }
}

/** On every response of the API. */
export function apiHeaders(siteUrl: string): HeaderList {
  return [...SHARED_LIST, 'link', linkHeader(siteUrl, null)];
}

/** Names of the operations whose pages were found current. */
function currentPages(): Set<string> {
  return new Set();
}

/** A response to a query with the headers that are always the same; without content after the first request. */
interface Answer {
  content: Content | null;
  headers: HeaderList;
}

const HOT_BYTES = 64 * 1024 * 1024;

/** Responses to the queries of a release, the most recently used of them. */
function hotAnswers(_release: Release): LRUCache<string, Answer> {
  return new LRUCache({
    maxSize: HOT_BYTES,
    // Twice, for the compressed twins; an entry without content counts for its key and headers.
    sizeCalculation: ({ content }, key) => (content ? content.bytes.length * 2 : 0) + key.length * 2 + 1024,
  });
}

/** The query of the next page: the same one with another cursor. */
function nextQuery(search: string, cursor: string): string {
  if (!/^[\w.~=&?-]*$/.test(search)) {
    const query = new URLSearchParams(search);
    query.set('cursor', cursor);
    return query.toString();
  }
  // Nothing is escaped, so nothing needs to be escaped again.
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('cursor='));
  return [...kept, `cursor=${cursor}`].join('&');
}
