/** The service put together: releases, federation, MCP and REST over one published tree. Entries add settings and a listener. */
import { LRUCache } from 'lru-cache';
import { Fault } from './core/faults.ts';
import type { Context, FederationPeer } from './core/types.ts';
import { publishedFiles } from './http/files.ts';
import { createRoutes, type Routes } from './http/routes.ts';
import type { ServerSettings } from './settings.ts';
import { publishedTree } from './store/published.ts';
import { openReleases } from './store/release.ts';

export interface ServiceOptions {
  /** Folder of the published tree. */
  root: string;
  settings: ServerSettings;
  /** Whether published files are served too; a CDN serves them itself. */
  files: boolean;
  /** Receives what was masked or is unavailable; the log where nothing else is given. */
  report?: (error: unknown) => void;
}

/** Everything the service answers, for whoever listens. */
export interface Service {
  /** REST and published files, for a listener that writes replies itself. */
  routes: Routes;
  /** Every route, MCP included, for Requests. */
  fetch(request: Request): Promise<Response>;
  /** Loads what is loaded on demand. */
  warm(): Promise<void>;
}

/**
 * Puts the service together. MCP, federation and h3 are most of the code, and the first REST response needs none of it: each
 * is loaded by the first request that needs it.
 */
export function createService({ root, settings, files, report = logger() }: ServiceOptions): Service {
  const now = (): number => performance.now();
  const releases = openReleases(root, now);
  const upstream = once(async () => {
    const { federationPeer, processEffects } = await import('./federation/peer.ts');
    return federationPeer(settings, context, processEffects());
  });
  const federation: FederationPeer = { lanes: async (lane) => (await upstream()).lanes(lane) };
  const context: Context = {
    settings: { siteUrl: settings.siteUrl },
    peers: { federation },
    get release() {
      return releases.current();
    },
  };
  const mcp = once(async () => {
    const { mcpHandler } = await import('./mcp/server.ts');
    const { mcpAllowedHosts: allowedHosts, mcpAllowedOrigins: allowedOrigins } = settings;
    return mcpHandler(context, { allowedHosts, allowedOrigins, report });
  });
  const records = once(async () => {
    const { recordReplies } = await import('./http/pages.ts');
    return recordReplies(context);
  });
  const explored = once(async () => {
    const { exploreReplies } = await import('./http/explore.ts');
    return exploreReplies(context, report);
  });
  const designations = once(async () => {
    const { designationReplies } = await import('./http/designations.ts');
    return designationReplies(context, report);
  });
  const downloads = once(async () => {
    const { downloadReplies } = await import('./http/downloads.ts');
    return downloadReplies(context, report);
  });
  const search = once(async () => {
    const { searchReplies } = await import('./http/search.ts');
    return searchReplies(context);
  });
  const probes = once(async () => {
    const { probeReplies } = await import('./http/probes.ts');
    return probeReplies(root, context, now, report);
  });
  const routes = createRoutes({
    context,
    probes: files ? async (request) => (await probes())(request) : null,
    answered: {
      r: { reply: async (request) => (await records())(request), queried: false },
      explore: { reply: async (request) => (await explored())(request), queried: true, below: false },
      designations: { reply: async (request) => (await designations())(request), queried: true },
      compare: { reply: async (request) => (await explored())(request), queried: true, below: false },
      download: { reply: async (request) => (await downloads())(request), queried: true },
      search: { reply: async (request) => (await search())(request), queried: true },
    },
    files: files ? publishedFiles(publishedTree(root, now, report)) : null,
    report,
  });
  const app = once(async () => {
    const { createApp } = await import('./http/app.ts');
    return createApp(routes, async (request) => (await mcp())(request));
  });
  return {
    routes,
    fetch: async (request) => (await app()).fetch(request),
    async warm() {
      await Promise.all([
        upstream(),
        mcp(),
        app(),
        records(),
        explored(),
        designations(),
        downloads(),
        search(),
        probes(),
      ]);
    },
  };
}

/** Makes a value on first use; a failure is not kept, the next use tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}

/** How long a line of the log about an expected failure is not repeated. */
const REPEAT_MS = 10 * 60_000;

/** Expected failures are one line of the log, with their cause, not one for each request; unexpected ones keep their stack. */
function logger(): (error: unknown) => void {
  const written = new LRUCache<string, true>({ max: 1000, ttl: REPEAT_MS });
  return (error) => {
    if (!(error instanceof Fault))
      return console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const { cause } = error;
    const line = `${error.code}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`;
    if (written.has(line)) return;
    written.set(line, true);
    console.error(line);
  };
}
