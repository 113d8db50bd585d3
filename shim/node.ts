/** Entry for self-hosting: settings in, a server on one port out; SIGTERM and SIGINT drain it. */
import { serve } from 'srvx';
import { createService } from './service.ts';
import { serverSettings } from './settings.ts';

/** How long answers under way may take once a stop was asked for. */
const DRAIN_MS = 20_000;

/** Starts the server over the tree at `root`; resolves when it listens. Throws BadSetting. */
export async function startServer(
  root: string,
  env: Record<string, string | undefined>,
): Promise<{ url: string; close(): Promise<void> }> {
  const settings = serverSettings(env);
  const app = createService({ root, settings, files: true });
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
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(1);
      stopping = true;
      console.log('draining');
      setTimeout(() => process.exit(1), DRAIN_MS).unref();
      void server.close().then(resolve);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
