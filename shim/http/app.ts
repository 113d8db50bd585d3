/** The app for everything that speaks in Requests and Responses: serverless hosts, tests, the MCP door. The only importer of h3. */
import { H3 } from 'h3';
import { askOf, internalError, isForMcp, openDoors, type Doors } from './doors.ts';
import { responseOf } from './response.ts';
import type { DoorOptions } from './rest.ts';

export interface AppOptions extends DoorOptions {
  /** The MCP door; absent in tests that do not need it. */
  mcp: ((request: Request) => Promise<Response>) | null;
  /** The doors where they are open already; a server that has a listener of its own shares them. */
  doors?: Doors;
}

/** Builds the app. It never throws: what nobody expected is a masked internal_error. */
export function createApp(options: AppOptions): H3 {
  const { mcp, report, doors = openDoors(options) } = options;
  const { siteUrl } = options.context.settings;
  const answer = (request: Asked): Response | Promise<Response> => {
    const reply = doors(askOf(request.method, targetOf(request), (name) => request.headers.get(name)));
    return reply instanceof Promise ? reply.then(responseOf) : responseOf(reply);
  };
  const app = new H3({
    // h3 refuses paths that are no UTF-8 before it routes: the doors have an answer for them too.
    onError: (error, event) =>
      error.status === 400 ? answer(event.req) : responseOf(internalError(error, report, siteUrl)),
  });
  return app.all('/**', ({ req: request }) =>
    mcp && isForMcp(targetOf(request)) ? mcp(request as Request) : answer(request),
  );
}

/** What is read of a request. */
type Asked = Pick<Request, 'method' | 'url' | 'headers'>;

/** Path and query as sent. */
function targetOf({ url }: Asked): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start < 0 ? '/' : url.slice(start);
}
