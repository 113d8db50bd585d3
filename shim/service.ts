/** The service put together: store, federation, MCP and REST over one published tree. Entries add settings and a listener. */
import { createApp } from './http/app.ts';
import { staticFiles } from './http/static.ts';
import { federationPeer, processEffects } from './federation/peer.ts';
import { Fault } from './core/faults.ts';
import type { Context } from './core/types.ts';
import { mcpHandler } from './mcp/server.ts';
import type { ServerSettings } from './settings.ts';
import { openStore } from './store/open.ts';

export interface ServiceOptions {
  /** Folder of the published tree. */
  root: string;
  settings: ServerSettings;
  /** Whether published files are served too; a CDN serves them itself. */
  files: boolean;
}

/** The app that answers every request of the service. */
export function createService({ root, settings, files }: ServiceOptions): ReturnType<typeof createApp> {
  const now = (): number => performance.now();
  const store = openStore(root, now);
  const federation = federationPeer(settings, store, processEffects());
  const context: Context = { settings: { siteUrl: settings.siteUrl }, store, peers: { federation } };
  const mcp = mcpHandler(context, {
    allowedHosts: settings.mcpAllowedHosts,
    allowedOrigins: settings.mcpAllowedOrigins,
    report,
    generation: store.generation,
  });
  return createApp({
    context,
    files: files ? staticFiles(root, now) : null,
    generation: store.generation,
    mcp,
    report,
  });
}

/** Expected failures are one line of the log, with what lay behind them; unexpected ones keep their stack. */
function report(error: unknown): void {
  if (!(error instanceof Fault))
    return console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { cause } = error;
  console.error(`${error.code}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
}
