/** Entry for self-hosting: settings in, a server on one port out; SIGTERM and SIGINT drain it. */
import { serve } from 'srvx';
import { createApp } from './http/app.ts';
import { staticFiles } from './http/static.ts';
import { serverSettings } from './settings.ts';
import { openStore } from './store/open.ts';

/** How long answers under way may take once a stop was asked for. */
const DRAIN_MS = 20_000;

/** Starts the server over the tree at `root`; resolves when it listens. Throws BadSetting. */
export async function startServer(
  root: string,
  env: Record<string, string | undefined>,
): Promise<{ url: string; close(): Promise<void> }> {
  const settings = serverSettings(env);
  const now = (): number => performance.now();
  const store = openStore(root, now);
  const report = (error: unknown): void =>
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const app = createApp({
    context: { settings: { siteUrl: settings.siteUrl }, store, peers: {} },
    files: staticFiles(root, now),
    generation: store.generation,
    mcp: null,
    report,
  });
  const server = serve({
    fetch: app.fetch,
    port: settings.port,
    hostname: settings.host,
    silent: true,
    gracefulShutdown: false,
  });
  await server.ready();
  return { url: server.url ?? `http://${settings.host}:${settings.port}/`, close: () => server.close() };
}

/** Runs until told to stop: the first signal drains, a second one or the deadline ends it. */
export async function runServer(root: string, env: Record<string, string | undefined>): Promise<void> {
  const server = await startServer(root, env);
  console.log(`serving ${root} on ${server.url}`);
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      console.log('draining');
      setTimeout(() => process.exit(1), DRAIN_MS).unref();
      void server.close().then(resolve);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
}
