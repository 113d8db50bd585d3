/** Entry for self-hosting: settings in, a server on one port out; SIGTERM and SIGINT drain it. */
import { closeSync, readSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Server as SocketServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BadSetting } from './core/faults.ts';
import { RELEASE } from './core/paths.ts';
import { LIMITS, SERVER_OPTIONS } from './core/limits.ts';
import { listen, type WebListener } from './http/node-listener.ts';
import { whenOrphaned } from './orphan.ts';
import { openService } from './service.ts';
import { serverSettings, unsetSiteUrl, type ServerSettings } from './settings.ts';
import { openFile } from './store/disk.ts';

/** How long after the signal to stop the process ends in any case. */
const END_MS = 20_000;
/** How often a stopping server looks for connections that wait for nothing. */
const HANG_UP_MS = 50;
/** Signals this close together are one: a terminal and npm both send theirs. */
const SAME_STOP_MS = 500;
/** How long after its start a server checks all of the packs, and loads what no request needed yet. */
const CHECK_MS = 30;
const WARM_MS = 1000;
/** How long after its start a server says where it listens. */
const SAID_MS = 10;

/** A server that listens. */
export interface RunningServer {
  url: string;
  /** Takes no further requests; resolves when the last response has left. */
  close(): Promise<void>;
  /** Ends every connection, whatever is under way. */
  cut(): void;
}

/** Starts the server over the tree at `root`; resolves when it listens. `loaded` is called when all of it is loaded. Throws BadSetting. */
export async function startServer(
  root: string,
  env: Record<string, string | undefined>,
  options: typeof SERVER_OPTIONS = SERVER_OPTIONS,
  loaded: () => void = () => undefined,
): Promise<RunningServer> {
  const settings = serverSettings(env);
  const service = await openService({ root, settings, files: true, isChecked: true });
  const web = service.onDemand(async (): Promise<WebListener> => {
    const { toNodeHandler } = await import('srvx/node');
    return toNodeHandler(service.fetch) as WebListener;
  });
  const server = createServer(options);
  const hangUp = listen(server, service.routes, web, service.sending);
  await listening(server, settings.port, settings.host);
  // Parts not needed yet are loaded once it is quiet: a later build may replace their files.
  let warmed: Promise<unknown> = Promise.resolve();
  const steps: [afterMs: number, step: () => Promise<unknown>][] = [
    [CHECK_MS, async () => service.check()],
    [WARM_MS, async () => service.warm().then(web).then(loaded)],
  ];
  const timers = steps.map(([afterMs, step]) =>
    setTimeout(() => (warmed = warmed.then(step).catch(console.error)), afterMs).unref(),
  );
  return {
    url: addressOf(server),
    cut: () => server.closeAllConnections(),
    async close() {
      timers.forEach(clearTimeout);
      // The close of the HTTP server would cut responses that slow clients still read, and no longer end requests that never arrive.
      const closed = new Promise<void>((resolve, reject) =>
        SocketServer.prototype.close.call(server, (error) => (error ? reject(error) : resolve())),
      );
      // A connection kept open by a client that sends nothing would hold the process until the deadline.
      const again = setInterval(hangUp, HANG_UP_MS);
      hangUp();
      await closed.finally(() => clearInterval(again));
      server.close();
      // Loading is waited for: a process that ends in the middle of it would report a failure where there is none.
      await warmed;
    },
  };
}

/** Resolves when the server listens. Throws BadSetting where it cannot: it is HOST or PORT that has to change. */
async function listening(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const ofPort = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const what = `that this machine can listen on (${error.message})`;
      reject(
        ofPort
          ? new BadSetting('PORT', String(port), `a port ${what}`)
          : new BadSetting('HOST', host, `an address ${what}`),
      );
    });
    // As many may wait to be taken as are taken: beyond that the system lets a client try again after a second.
    server.listen({ port, host, backlog: LIMITS.connections }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/**
 * Garbage is collected whenever the heap has grown to two and a half times what was in use. Left to itself V8 chooses how far by how
 * busy it finds the process, and memory under a steady load goes up and down by a fifth. Not before all is loaded: code that was compiled
 * under other flags is compiled again.
 */
function evenHeap(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=150');
}

/** One line for a site that was built for another address than the one that its server answers with; null where they are the same. */
function otherSiteUrl(root: string, { siteUrl, dataFrom }: ServerSettings): string | null {
  const built = dataFrom ? null : builtFor(root);
  if (built === null || built === siteUrl) return null;
  return `The site in ${root} was built for ${built}, where its pages and files lead; build it with SITE_URL=${siteUrl} for links to this server.`;
}

/** The address that a site was built for; null where it cannot be read. */
function builtFor(root: string): string | null {
  // It is among the first members; the list of all files comes last.
  const begin = Buffer.alloc(1024);
  try {
    const file = openFile(join(root, RELEASE));
    readSync(file, begin);
    closeSync(file);
  } catch {
    return null;
  }
  return /"siteUrl": "([^"]+)"/.exec(begin.toString('latin1'))?.[1] ?? null;
}

function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

/** Runs until it is stopped: the first signal drains, a later one ends it. Then the process ends. */
export async function runServer(
  root: string,
  env: Record<string, string | undefined>,
  options?: typeof SERVER_OPTIONS,
): Promise<void> {
  const server = await startServer(root, env, options, evenHeap);
  // The first line takes milliseconds to print: requests that are there already come first.
  setTimeout(() => {
    const settings = serverSettings(env);
    console.log(`serving ${settings.dataFrom?.address ?? root} on ${server.url}`);
    for (const line of [unsetSiteUrl(env), otherSiteUrl(root, settings)])
      if (line !== null) console.log(line);
  }, SAID_MS);
  await new Promise<void>((resolve, reject) => {
    let stoppedAt: number | null = null;
    const drain = (): void => {
      if (stoppedAt !== null) return;
      stoppedAt = performance.now();
      console.log('draining');
      setTimeout(() => server.cut(), LIMITS.drain).unref();
      setTimeout(() => process.exit(1), END_MS).unref();
      server.close().then(resolve, reject);
    };
    const signalled = (): void => {
      if (stoppedAt !== null && performance.now() - stoppedAt > SAME_STOP_MS) process.exit(1);
      drain();
    };
    process.on('SIGTERM', signalled);
    process.on('SIGINT', signalled);
    if (env['npm_lifecycle_event'] === 'start') whenOrphaned(drain);
  });
  // What still goes on answers nobody: a check of all files takes as long as the site is large.
  process.exit();
}
