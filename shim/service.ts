/** The service put together: store, federation, MCP and REST over one published tree. Entries add settings and a listener. */
import { internalError, openDoors, type Doors } from './http/doors.ts';
import type { Reply } from './http/reply.ts';
import { staticFiles } from './http/static.ts';
import { Fault } from './core/faults.ts';
import type { Context, FederationPeer } from './core/types.ts';
import type { ServerSettings } from './settings.ts';
import { openStore } from './store/open.ts';

export interface ServiceOptions {
  /** Folder of the published tree. */
  root: string;
  settings: ServerSettings;
  /** Whether published files are served too; a CDN serves them itself. */
  files: boolean;
}

/** Everything the service answers, for whoever listens. */
export interface Service {
  /** REST and published files, for a listener that sends replies itself. */
  doors: Doors;
  /** Every door, the MCP one included, for Requests. */
  fetch(request: Request): Promise<Response>;
  /** The reply to a failure nobody expected: logged, and masked. */
  failed(error: unknown): Reply;
  /** Loads what is loaded on demand. */
  warm(): Promise<void>;
}

/**
 * Puts the service together. MCP, federation and what turns replies into Responses are most of the code, and the first REST
 * answer needs none of it: each is loaded by the first request that asks for it.
 */
export function createService({ root, settings, files }: ServiceOptions): Service {
  const now = (): number => performance.now();
  const store = openStore(root, now);
  const { generation } = store;
  const upstream = once(async () => {
    const { federationPeer, processEffects } = await import('./federation/peer.ts');
    return federationPeer(settings, store, processEffects());
  });
  const federation: FederationPeer = { lanes: async (lane) => (await upstream()).lanes(lane) };
  const context: Context = { settings: { siteUrl: settings.siteUrl }, store, peers: { federation } };
  const door = once(async () => {
    const { mcpHandler } = await import('./mcp/server.ts');
    const { mcpAllowedHosts: allowedHosts, mcpAllowedOrigins: allowedOrigins } = settings;
    return mcpHandler(context, { allowedHosts, allowedOrigins, report });
  });
  const options = { context, files: files ? staticFiles(root, now) : null, generation, report };
  const doors = openDoors(options);
  const app = once(async () => {
    const { createApp } = await import('./http/app.ts');
    return createApp({ ...options, doors, mcp: async (request) => (await door())(request) });
  });
  return {
    doors,
    fetch: async (request) => (await app()).fetch(request),
    failed: (error) => internalError(error, report, settings.siteUrl),
    async warm() {
      await Promise.all([upstream(), door(), app()]);
    },
  };
}

/** Makes a value when it is first asked for; a failure is no value, the next one who asks tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}

/** Expected failures are one line of the log, with what lay behind them; unexpected ones keep their stack. */
function report(error: unknown): void {
  if (!(error instanceof Fault))
    return console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { cause } = error;
  console.error(`${error.code}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
}
