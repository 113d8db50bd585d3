/**
 * Every request but those for /mcp: guards, then resources under /api and published files elsewhere. It gives replies and
 * knows no server, so every host sends the same headers and bytes. Nothing is thrown: a Fault becomes its error, anything else
 * is reported and masked.
 */
import { Fault, internalFault } from '../core/faults.ts';
import { ALLOWED_METHODS, headerList, PREFLIGHT, SHARED, type HeaderList } from '../core/headers.ts';
import { API_CATALOG, MOST_URL_BYTES } from '../core/paths.ts';
import { errorReply, type HttpRequest, type Reply } from './content.ts';
import { publishedPath, type PublishedFiles } from './files.ts';
import { apiHeaders, resourceRoutes, type RouteOptions } from './resources.ts';

/** What every host serves. */
export interface Routes {
  /** The reply to a request, at once unless an upstream is involved. */
  reply(request: HttpRequest): Reply | Promise<Reply>;
  /** The reply where something failed: reported, and masked unless it is a Fault. */
  failed(error: unknown, request: HttpRequest): Reply;
}

const FILE_HEADERS = headerList(SHARED);

/** Builds the routes. */
export function createRoutes(options: RouteOptions): Routes {
  const { context, files, report } = options;
  const resources = resourceRoutes(options);
  const api = apiHeaders(context.settings.siteUrl);
  const headersOf = (request: HttpRequest): HeaderList => (isApi(request) ? api : FILE_HEADERS);
  const failed: Routes['failed'] = (error, request) => {
    if (!(error instanceof Fault)) report(error);
    return errorReply(error instanceof Fault ? error : internalFault(), request, headersOf(request));
  };
  return {
    failed,
    reply(request) {
      try {
        guard(request);
        if (request.method === 'OPTIONS') return preflight(headersOf(request));
        const reply = isApi(request) ? resources(request) : fileReply(request, files, api);
        return reply instanceof Promise ? reply.catch((error: unknown) => failed(error, request)) : reply;
      } catch (error) {
        return failed(error, request);
      }
    },
  };
}

/** Whether a request target is for MCP, which takes a Request. */
export function isForMcp(target: string): boolean {
  return target === '/mcp' || target.startsWith('/mcp?');
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

function fileReply(request: HttpRequest, files: PublishedFiles | null, linked: HeaderList): Reply {
  const path = publishedPath(request.pathname);
  // RFC 9727: responses of the catalog itself, HEAD included, carry the link relation too.
  const reply = path === null ? null : files?.(path, request, path === API_CATALOG ? linked : FILE_HEADERS);
  if (reply === 'damaged')
    throw new Fault('unavailable', 'This file does not match its checksum and is not served.');
  if (reply) return reply;
  if (path !== null && !path.endsWith('/index.html') && files?.(`${path}/index.html`, request, FILE_HEADERS))
    return {
      status: 308,
      headers: [...FILE_HEADERS, 'location', `${request.pathname}/`, 'cache-control', 'public, max-age=60'],
      body: null,
    };
  throw new Fault('not_found', 'File not found. See /sitemap.xml.');
}
