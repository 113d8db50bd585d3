/** The app: which door a request goes through. The only importer of h3. */
import { H3 } from 'h3';
import { faultAnswer, type Report } from '../core/call.ts';
import { Fault, FAULTS } from '../core/faults.ts';
import { API_CATALOG, MOST_URL_BYTES } from '../core/paths.ts';
import type { Context } from '../core/types.ts';
import { contentOf, send } from './content.ts';
import { ALLOWED_METHODS, linkHeader, PREFLIGHT, SHARED } from './headers.ts';
import type { Ask, Reply } from './reply.ts';
import { responseOf } from './response.ts';
import { restDoor } from './rest.ts';
import { publishedPath, type StaticFiles } from './static.ts';

export interface AppOptions {
  context: Context;
  files: StaticFiles | null;
  generation(): number;
  /** The MCP door; absent in tests that do not need it. */
  mcp: ((request: Request) => Promise<Response>) | null;
  report: Report;
}

/** Builds the app. It never throws: what nobody expected is a masked internal_error. */
export function createApp(options: AppOptions): H3 {
  const rest = restDoor(options);
  const { siteUrl } = options.context.settings;
  const app = new H3({ onError: (error) => internalError(error, options.report, siteUrl) });
  return app.all('/**', (event) => {
    const request = event.req;
    const ask = askOf(request);
    if (ask.pathname === '/api' || ask.pathname.startsWith('/api/')) {
      const reply = rest(ask);
      return reply instanceof Promise ? reply.then(responseOf) : responseOf(reply);
    }
    if (ask.pathname === '/mcp' && options.mcp) return options.mcp(request as Request);
    return responseOf(fileReply(ask, options.files, siteUrl));
  });
}

function askOf(request: { method: string; url: string; headers: Headers }): Ask {
  // The search part is taken from the text: URL would drop a bare "?" and hide malformed escapes.
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const target = start < 0 ? '/' : url.slice(start);
  const question = target.indexOf('?');
  return {
    method: request.method,
    pathname: question < 0 ? target : target.slice(0, question),
    search: question < 0 ? '' : target.slice(question),
    header: (name) => request.headers.get(name),
  };
}

function fileReply(ask: Ask, files: StaticFiles | null, siteUrl: string): Reply {
  if (ask.pathname.length + ask.search.length > MOST_URL_BYTES)
    return refusal(new Fault('uri_too_long', `The URL is longer than ${MOST_URL_BYTES} bytes.`), ask);
  if (ask.method === 'OPTIONS')
    return { status: 204, headers: { ...SHARED, ...PREFLIGHT, allow: ALLOWED_METHODS }, body: null };
  if (ask.method !== 'GET' && ask.method !== 'HEAD')
    return refusal(new Fault('method_not_allowed', `Files can only be read: use ${ALLOWED_METHODS}.`), ask);
  const path = publishedPath(ask.pathname);
  // RFC 9727: the catalog's own answers, HEAD included, carry the link relation too.
  const link = path === API_CATALOG ? { link: linkHeader(siteUrl, null) } : {};
  const reply = path === null ? null : files?.(path, ask, { ...SHARED, ...link });
  if (reply === 'damaged')
    return refusal(new Fault('unavailable', 'This file does not match its checksum and is not served.'), ask);
  if (reply) return reply;
  if (path !== null && !path.endsWith('/index.html') && files?.(`${path}/index.html`, ask, {})) {
    return {
      status: 308,
      headers: { ...SHARED, location: `${ask.pathname}/`, 'cache-control': FAULTS.not_found.cache },
      body: null,
    };
  }
  return refusal(
    new Fault('not_found', 'There is no such file; /llms.txt and /sitemap.xml list what there is.'),
    ask,
  );
}

function refusal(fault: Fault, ask: Ask): Reply {
  const { status, body } = faultAnswer(fault);
  const headers: Record<string, string> = { ...SHARED, 'cache-control': FAULTS[fault.code].cache };
  if (fault.code === 'method_not_allowed') headers['allow'] = ALLOWED_METHODS;
  return send(contentOf(body, 'application/json', 'fresh'), ask, headers, status);
}

function internalError(error: unknown, report: Report, siteUrl: string): Response {
  report(error);
  const { status, body } = faultAnswer(
    new Fault('internal_error', 'Something went wrong on our side. It has been logged; try again later.'),
  );
  return responseOf({
    status,
    headers: {
      ...SHARED,
      link: linkHeader(siteUrl, null),
      'content-type': 'application/json',
      'cache-control': FAULTS.internal_error.cache,
    },
    body,
  });
}
