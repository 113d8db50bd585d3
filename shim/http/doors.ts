/**
 * Which door a request goes through: REST under /api, published files elsewhere. It gives replies and knows no server: the h3
 * app and node's listener send them, each in its own way, the same headers and bytes.
 */
import type { Report } from '../core/call.ts';
import { errorBody } from '../core/envelope.ts';
import { Fault, FAULTS, internalFault } from '../core/faults.ts';
import { API_CATALOG, MOST_URL_BYTES } from '../core/paths.ts';
import { contentOf, send } from './content.ts';
import { ALLOWED_METHODS, headerList, linkHeader, PREFLIGHT, SHARED } from '../core/headers.ts';
import type { Ask, Reply } from './reply.ts';
import { restDoor, type DoorOptions } from './rest.ts';
import { publishedPath, type StaticFiles } from './static.ts';

const SHARED_LIST = headerList(SHARED);

/** The reply to a request, at once unless an upstream is asked. It never throws: what nobody expected is a masked internal_error. */
export type Doors = (ask: Ask) => Reply | Promise<Reply>;

/** Builds the doors. */
export function openDoors(options: DoorOptions): Doors {
  const { files, report } = options;
  const rest = restDoor(options);
  const { siteUrl } = options.context.settings;
  const failed = (error: unknown): Reply => internalError(error, report, siteUrl);
  return (ask) => {
    try {
      if (ask.pathname !== '/api' && !ask.pathname.startsWith('/api/')) return fileReply(ask, files, siteUrl);
      const reply = rest(ask);
      return reply instanceof Promise ? reply.catch(failed) : reply;
    } catch (error) {
      return failed(error);
    }
  };
}

/** What a door needs of a request. The parts are cut from the text: URL would drop a bare "?" and hide malformed escapes. */
export function askOf(method: string, target: string, header: Ask['header']): Ask {
  const question = target.indexOf('?');
  return {
    method,
    pathname: question < 0 ? target : target.slice(0, question),
    search: question < 0 ? '' : target.slice(question),
    header,
  };
}

/** Whether a request target is the MCP door's, which takes a Request and no ask. */
export function isForMcp(target: string): boolean {
  return target === '/mcp' || target.startsWith('/mcp?');
}

/** The reply to what nobody expected: logged, and masked. */
export function internalError(error: unknown, report: Report, siteUrl: string): Reply {
  report(error);
  const { status } = FAULTS.internal_error;
  const body = errorBody(internalFault());
  return {
    status,
    headers: headerList({
      ...SHARED,
      link: linkHeader(siteUrl, null),
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': FAULTS.internal_error.cache,
    }),
    body,
  };
}

function fileReply(ask: Ask, files: StaticFiles | null, siteUrl: string): Reply {
  if (ask.pathname.length + ask.search.length > MOST_URL_BYTES)
    return refusal(new Fault('uri_too_long', `The URL is longer than ${MOST_URL_BYTES} bytes.`), ask);
  if (ask.method === 'OPTIONS')
    return {
      status: 204,
      headers: headerList({ ...SHARED, ...PREFLIGHT, allow: ALLOWED_METHODS }),
      body: null,
    };
  if (ask.method !== 'GET' && ask.method !== 'HEAD')
    return refusal(new Fault('method_not_allowed', `Files can only be read: use ${ALLOWED_METHODS}.`), ask);
  const path = publishedPath(ask.pathname);
  // RFC 9727: the catalog's own answers, HEAD included, carry the link relation too.
  const shared = path === API_CATALOG ? [...SHARED_LIST, 'link', linkHeader(siteUrl, null)] : SHARED_LIST;
  const reply = path === null ? null : files?.(path, ask, shared);
  if (reply === 'damaged')
    return refusal(new Fault('unavailable', 'This file does not match its checksum and is not served.'), ask);
  if (reply) return reply;
  if (path !== null && !path.endsWith('/index.html') && files?.(`${path}/index.html`, ask, SHARED_LIST)) {
    return {
      status: 308,
      headers: [...SHARED_LIST, 'location', `${ask.pathname}/`, 'cache-control', FAULTS.not_found.cache],
      body: null,
    };
  }
  return refusal(
    new Fault('not_found', 'There is no such file; /llms.txt and /sitemap.xml list what there is.'),
    ask,
  );
}

function refusal(fault: Fault, ask: Ask): Reply {
  const { status } = FAULTS[fault.code];
  const body = errorBody(fault);
  const headers = [...SHARED_LIST, 'cache-control', FAULTS[fault.code].cache];
  if (fault.code === 'method_not_allowed') headers.push('allow', ALLOWED_METHODS);
  return send(contentOf(body, 'application/json', 'fresh'), ask, headers, status);
}
