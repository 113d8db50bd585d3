/** The app for everything that speaks in Requests and Responses: serverless hosts, tests, the MCP door. The only importer of h3. */
import { H3 } from 'h3';
import { askOf, internalError, isForMcp, openDoors, type DoorOptions, type Doors } from './doors.ts';
import { responseOf } from './response.ts';

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
  const app = new H3({ onError: (error) => responseOf(internalError(error, report, siteUrl)) });
  return app.all('/**', (event) => {
    const request = event.req;
    const { url } = request;
    const start = url.indexOf('/', url.indexOf('://') + 3);
    const target = start < 0 ? '/' : url.slice(start);
    if (mcp && isForMcp(target)) return mcp(request as Request);
    const reply = doors(askOf(request.method, target, (name) => request.headers.get(name)));
    return reply instanceof Promise ? reply.then(responseOf) : responseOf(reply);
  });
}
