/**
 * The app for hosts that speak in Requests and Responses, and for MCP on every host: MCP, the resources, published files, and
 * one place for errors. The only importer of h3.
 */
import { H3 } from 'h3';
import { requestOf, type HttpRequest, type Reply } from './content.ts';
import { isForMcp, type Routes } from './routes.ts';

/** Handles a Request to /mcp. Never throws. */
type McpHandler = (request: Request) => Promise<Response>;

/** The parts of a Request that are used. */
type Head = Pick<Request, 'method' | 'url' | 'headers'>;

/** Builds the app over the routes. It never throws. */
export function createApp(routes: Routes, mcp: McpHandler): H3 {
  const reply = async (request: Head): Promise<Response> => responseOf(await routes.reply(read(request)));
  return new H3({
    // h3 rejects paths that are not UTF-8 before it routes: the routes have a reply for them too.
    onError: (error, { req }) =>
      error.status === 400 ? reply(req) : responseOf(routes.failed(error.cause ?? error, read(req))),
  })
    .all('/mcp', ({ req }) => (isForMcp(targetOf(req)) ? mcp(req as Request) : reply(req)))
    .all('/**', ({ req }) => reply(req));
}

function read(request: Head): HttpRequest {
  return requestOf(request.method, targetOf(request), (name) => request.headers.get(name));
}

/** Path and query as sent. */
function targetOf({ url }: Head): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start < 0 ? '/' : url.slice(start);
}

function responseOf({ status, headers, body }: Reply): Response {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers: pairs });
}
