/**
 * Every request but those for /mcp: guards, then resources under /api/v1 and published files elsewhere. Unfiltered resources
 * get the published page, filtered ones what `call` returns, remembered with the release. This file adds caching, links and
 * conditional requests, and no rule of its own about evidence. It gives replies and knows no server, so every host sends the
 * same headers and bytes. Nothing is thrown: a Fault becomes its error, anything else is reported and masked.
 */
import { call, readQuery, type Report, type Result } from '../core/call.ts';
import { errorBody, keptBody, successOf, written } from '../core/envelope.ts';
import { Fault, quoted, unknownResource } from '../core/faults.ts';
import {
  ALLOWED_METHODS,
  CACHE_CDN,
  CACHE_LIVE,
  CACHE_STATIC,
  headerList,
  linkHeader,
  PREFLIGHT,
  type HeaderList,
} from '../core/headers.ts';
import { requireFile } from '../core/left-out.ts';
import { OPERATIONS } from '../core/operations/all.ts';
import { CURSOR } from '../core/pagination.ts';
import { absolute, API_CATALOG, API_ROOT, MOST_URL_BYTES, pagePath } from '../core/paths.ts';
import type { Context, Operation, Release } from '../core/types.ts';
import type { KeptWith } from '../store/blocks.ts';
import { answering, publishedPath, type Answered } from './answering.ts';
import { contentOfBody, errorReply, keptReplies, send, sendOnce } from './content.ts';
import type { Content, HttpRequest, Replies, Reply, WholeReply } from './content.ts';
import { apiHeaders, failures, headersBy, redirect, SHARED_LIST } from './failures.ts';
import type { PublishedFiles } from './files.ts';
import { liveReplies } from './live.ts';
import { notFound } from './not-found.ts';
import { bodiesUnderWay, type Sending } from './sending.ts';

/** The parts that the routes are built of. */
export interface RouteOptions {
  context: Context;
  /** Published files; null where a CDN serves them itself. */
  files: PublishedFiles | null;
  answered: Answered;
  /** The reply to a probe of the process (probes.ts); null where a CDN runs it. */
  probes: Replies | null;
  report: Report;
  /** The bodies that the listener has not sent yet. */
  sending?: Sending;
}

/** The replies that are the same on every host. */
export interface Routes {
  /** The reply to a request, at once unless an upstream is involved. */
  reply(request: HttpRequest): Reply | Promise<Reply>;
  /** The reply where something failed: reported, and masked unless it is a Fault. */
  failed(error: unknown, request: HttpRequest): WholeReply;
}

const PREFIX = `/${API_ROOT}/`;
/** The file of an unfiltered page, and the cursor of a further one. */
const PAGE_FILE = new RegExp(`^${API_ROOT}/([^/.]+)(?:/([^/.]+))?\\.json$`);
/** Whether the process is alive, and whether its release is whole. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const BY_NAME = new Map(OPERATIONS.map((operation) => [operation.name, operation]));
/** Caching headers by how long a response may be kept. */
export const CACHING = {
  data: headerList({
    'cache-control': CACHE_STATIC,
    'netlify-cdn-cache-control': CACHE_CDN,
    'netlify-vary': 'query',
  }),
  live: headerList({ 'cache-control': CACHE_LIVE }),
};

/** Builds the routes. */
export function createRoutes(options: RouteOptions): Routes {
  const { context, files, report } = options;
  const resources = resourceRoutes(options);
  const api = apiHeaders(context.settings.siteUrl);
  const headersOf = headersBy(context.settings.siteUrl);
  const failed = failures(context, report);
  /** The page for people at an unknown address. Throws any other error again. */
  const missing = (error: unknown, request: HttpRequest): Reply | Promise<Reply> => {
    if (error instanceof Fault && error.code === 'not_found') return notFound(error, request, files);
    throw error;
  };
  const pageReply = (request: HttpRequest): Reply | Promise<Reply> => {
    const answers = answering(request, options.answered, files);
    if (!answers) return fileReply(request, options, api);
    try {
      const reply = answers.reply(request);
      return reply instanceof Promise ? reply.catch((error: unknown) => missing(error, request)) : reply;
    } catch (error) {
      return missing(error, request);
    }
  };
  return {
    failed,
    reply(request) {
      try {
        guard(request);
        if (request.method === 'OPTIONS') return preflight(headersOf(request));
        const reply = isApi(request)
          ? resources(request)
          : options.probes && PROBES.has(request.pathname)
            ? options.probes(request)
            : pageReply(request);
        return reply instanceof Promise ? reply.catch((error: unknown) => failed(error, request)) : reply;
      } catch (error) {
        return failed(error, request);
      }
    },
  };
}

/**
 * Whether a request target is for MCP, which takes a Request. Many configurations end the address with a slash. One that is too long
 * is refused here like any other.
 */
export function isForMcp(target: string): boolean {
  return target.length <= MOST_URL_BYTES && /^\/mcp\/?(?:\?|$)/.test(target);
}

function isApi({ pathname }: HttpRequest): boolean {
  return pathname === '/api' || pathname.startsWith('/api/');
}

function preflight(headers: HeaderList): Reply {
  const all = [...headers, ...headerList(PREFLIGHT), 'allow', ALLOWED_METHODS];
  return { status: 204, headers: all, body: null };
}

function guard({ method, pathname, search }: HttpRequest): void {
  if (pathname.length + search.length > MOST_URL_BYTES)
    throw new Fault('uri_too_long', `The URL is longer than ${MOST_URL_BYTES} bytes.`);
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method))
    throw new Fault('method_not_allowed', `This service is read-only. Use ${ALLOWED_METHODS}.`);
}

function fileReply(
  request: HttpRequest,
  { files, answered, context }: RouteOptions,
  linked: HeaderList,
): Reply | Promise<Reply> {
  const path = publishedPath(request.pathname);
  // RFC 9727: responses of the catalog itself, HEAD included, carry the link relation too.
  if (path !== null && files?.has(path))
    return files.reply(path, request, path === API_CATALOG ? linked : SHARED_LIST);
  const isFolder = Object.values(answered).some(({ only }) => only === `${request.pathname}/`);
  if (isFolder || (path !== null && !path.endsWith('/index.html') && files?.has(`${path}/index.html`)))
    return redirect(308, `${request.pathname}/${request.search}`);
  if (path !== null) requireFile(path, context);
  return notFound(new Fault('not_found', 'File not found. See /sitemap.xml.'), request, files);
}

/** A reply to any GET or HEAD under /api. Throws a Fault where there is nothing to give. */
function resourceRoutes({ context, files, report, sending = bodiesUnderWay() }: RouteOptions): Replies {
  const { siteUrl } = context.settings;
  const headers = apiHeaders(siteUrl);
  const link = linkHeader(siteUrl);
  const address = absolute(siteUrl, `${API_ROOT}/`);
  const live = liveReplies(sending);

  return (request) => {
    const { pathname, search } = request;
    const operation = pathname.startsWith(PREFIX) ? BY_NAME.get(pathname.slice(PREFIX.length)) : undefined;
    if (!operation) return pageByFile(request);
    const page = search === '' || search === '?' ? unfilteredPage(operation, request) : null;
    return page instanceof Promise
      ? page.catch(() => queried(operation, request))
      : (page ?? queried(operation, request));
  };

  /** The published page of a resource; null where it cannot be given, and the operation has to. */
  function unfilteredPage(operation: Operation, request: HttpRequest): Reply | Promise<Reply> | null {
    const path = pagePath(operation.name);
    if (operation.freshness !== 'data') return null;
    try {
      if (!files?.has(path) || !isCurrent(operation)) return null;
      const next = context.release.derive(currentPages).get(operation.name) ?? null;
      return files.reply(path, request, next === null ? headers : linked(operation, '', next), false);
    } catch {
      return null;
    }
  }

  /** Whether a published page may be served: only while its operation can give all of it, so that the two never disagree. */
  function isCurrent(operation: Operation): boolean {
    const current = context.release.derive(currentPages);
    if (current.has(operation.name)) return true;
    const result = call(operation, {}, context, () => undefined);
    if (result instanceof Promise || !result.ok || result.missing) return false;
    current.set(operation.name, result.next);
    return true;
  }

  /** A page requested by its file name, as mirrors do; it takes no parameters, and none is ignored. */
  function pageByFile(request: HttpRequest): Reply | Promise<Reply> {
    const path = (/\.json(\.sha256)?$/.test(request.pathname) && publishedPath(request.pathname)) || '';
    const published = files?.has(path) ? files : null;
    const filtered = request.search.length > 1;
    const [, name = '', cursor] = PAGE_FILE.exec(path) ?? [];
    const operation = BY_NAME.get(name);
    // The page of an earlier release: its cursor is stale, and the error says what to do.
    const isMade = published ? operation && !isCurrent(operation) : cursor && CURSOR.test(cursor);
    if (operation?.freshness === 'data' && !filtered && isMade)
      return queried(operation, { ...request, search: cursor === undefined ? '' : `?cursor=${cursor}` });
    if (!published) throw unknownResource();
    if (filtered)
      throw new Fault(
        'invalid_request',
        `Static pages take no parameters, and this request has ${quoted(request.search.slice(1))}. To filter, drop ".json".`,
      );
    return published.reply(path, request, headers);
  }

  /** The headers of a response that has a next page. */
  function linked({ name }: Operation, search: string, next: string): HeaderList {
    const following = `<${address}${name}?${nextQuery(search, next)}>; rel="next"`;
    return [...SHARED_LIST, 'link', `${link}, ${following}`];
  }

  function queried(operation: Operation, request: HttpRequest): Reply | Promise<Reply> {
    const { release } = context;
    const answers = release.derive(hotAnswers);
    const key = `${operation.name}${request.search}`;
    const run = (): Result | Promise<Result> =>
      call(operation, () => readQuery(operation, request.search), context, report);
    if (operation.freshness === 'live')
      return live(key, request, headers, async () => {
        const result = await run();
        return { ...written(operation.name, result), fault: result.ok ? null : result.fault };
      });
    const known = answers.get(key);
    if (known) return send(known.content, request, known.headers);
    const reply = (result: Result): Reply => {
      if (!result.ok) {
        const { fault, data } = result;
        return errorReply(fault, request, headers, errorBody(fault, operation.name, data));
      }
      const { next } = result;
      // What is missing may be back in a moment: a partial response is kept no longer than an error.
      const caching = CACHING[result.missing ? 'live' : operation.freshness];
      const own = next === null ? headers : linked(operation, request.search, next);
      const all = [...own, ...caching];
      const body = successOf(operation.name, result.payload);
      // A response that is requested once is not worth keeping.
      const content = !result.missing && answers.isFrequent(key) ? contentOfBody(keptBody(body)) : null;
      if (content) answers.set(key, { content, headers: all });
      return content ? send(content, request, all) : sendOnce(body, request, all);
    };
    const result = run();
    return result instanceof Promise ? result.then(reply) : reply(result);
  }
}

/** The operations whose pages were found current, each with the cursor of its second page. */
function currentPages(): Map<string, string | null> {
  return new Map();
}

/** A response to a query with the headers that are always the same. */
interface Answer {
  content: Content;
  headers: HeaderList;
}

const HOT_BYTES = 64 * 1024 * 1024;

/** Responses to the queries of a release, the most recently used of them. */
function hotAnswers(release: Release): KeptWith<Answer> {
  return keptReplies(release, HOT_BYTES);
}

/** A query whose parameter names have no escapes. Values may have some, which are copied as they are. */
const PLAIN_QUERY = /^\??(?:\w+=[\w.~%+!'()*:@/$-]*(?:&|$))*$/;

/** The query of the next page: the same one with another cursor. */
function nextQuery(search: string, cursor: string): string {
  if (!PLAIN_QUERY.test(search)) {
    const query = new URLSearchParams(search);
    query.set('cursor', cursor);
    return query.toString();
  }
  const others = search.slice(1);
  if (others !== '' && !others.includes('cursor=')) return `${others}&cursor=${cursor}`;
  // A query with a parameter given twice was refused before.
  return `${others.replace(/(?:^|&)cursor=[^&]*/, '')}&cursor=${cursor}`.replace(/^&/, '');
}
