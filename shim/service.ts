/** The service put together: releases, federation, MCP and REST over one published tree. Entries add settings and a listener. */
import { LRUCache } from 'lru-cache';
import { Fault, FAULTS, orFault } from './core/faults.ts';
import { RELEASE, SERIES_INDEX } from './core/paths.ts';
import { LANES } from './core/lanes.ts';
import { countryCodes, placeSpellings } from './core/places.ts';
import type { Steps } from './core/steps.ts';
import type { Context, FederationPeer } from './core/types.ts';
import { LONG } from './http/answering.ts';
import { publishedFiles } from './http/files.ts';
import type { HttpRequest, Replies, Reply } from './http/content.ts';
import { createRoutes, type Routes } from './http/routes.ts';
import { bodiesUnderWay, type Sending } from './http/sending.ts';
import type { RemoteReleases } from './remote/current.ts';
import type { ServerSettings } from './settings.ts';
import { publishedTree } from './store/published.ts';
import { twinsFolder } from './store/twins.ts';
import { openReleases } from './store/release.ts';
import { sumsOf } from './store/sums.ts';

export interface ServiceOptions {
  /** Folder of the published tree; not read where the data comes from an address. */
  root: string;
  settings: ServerSettings;
  /** Whether published files are served too; a CDN serves them itself. */
  files: boolean;
  /** Receives what was masked or is unavailable; the log where nothing else is given. */
  report?: (error: unknown) => void;
  /** The release at the address of DATA_FROM, in place of the folder. */
  far?: RemoteReleases | null;
  /** Whether `check` is called once it listens: until then a pack is opened without being checked whole. */
  isChecked?: boolean;
}

/** Between two pages that are made apart from each other, in milliseconds. */
const PAUSE_MS = 4;

/** Everything the service answers, for a listener. */
export interface Service {
  /** REST and published files, for a listener that writes replies itself. */
  routes: Routes;
  /** Where such a listener counts what it sends. */
  sending: Sending;
  /** Every route, MCP included, for Requests. */
  fetch(request: Request): Promise<Response>;
  /** Makes a function that loads a part of the code when it is first called, apart from other parts. */
  onDemand<T>(load: () => Promise<T>): () => Promise<T>;
  /** Checks the packs of the tree whole, piece by piece. */
  check(): Promise<void>;
  /** Loads what is loaded on demand, piece by piece. */
  warm(): Promise<void>;
}

/** Puts the service together over the data that the settings name. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { dataFrom } = options.settings;
  if (!dataFrom) return createService(options);
  const { report = logger() } = options;
  const [{ remoteReleases }, { httpSource }] = await Promise.all([
    import('./remote/current.ts'),
    import('./remote/source.ts'),
  ]);
  const source = httpSource(dataFrom.address, { timeout: FILE_MS });
  const far = remoteReleases(source, dataFrom.key, () => performance.now(), report);
  return createService({ ...options, report, far });
}

/** How long a file from an address may take. */
const FILE_MS = 6000;

/**
 * Puts the service together. MCP, federation and h3 are most of the code, and the first REST response needs none of it: each
 * is loaded by the first request that needs it.
 */
export function createService({
  root,
  settings,
  files: served,
  report: given = logger(),
  far = null,
  isChecked = false,
}: ServiceOptions): Service {
  const now = (): number => performance.now();
  const sums = sumsOf(root, now, isChecked);
  const disk = openReleases(root, now, sums, isChecked);
  const releases = far ?? disk;
  const files = served && !far;
  // A run that only found out what has to be fetched has nothing to report.
  const report = far ? (error: unknown) => (far.isFinal() ? given(error) : undefined) : given;
  let line = Promise.resolve();
  /**
   * Resolves for one after the other, with a pause between them: so work whose time no listener counts leaves room for other work.
   * Timers that end while others are set run in the same round of the event loop; what is set by setImmediate waits for the next.
   */
  const apart = async (): Promise<void> =>
    (line = line.then(async () => new Promise((next) => setTimeout(setImmediate, PAUSE_MS, next))));
  /** What is loaded on demand is one file in a built server: it is read with the smallest part of it, apart from the others. */
  const read = once(async () => import('./http/records.ts').then(apart));
  const onDemand: Service['onDemand'] = (load) =>
    once(async () => {
      await read();
      const part = await load();
      await apart();
      return part;
    });
  /** Takes steps that the first request would wait for. What fails here fails again, and is reported, where a request needs it. */
  const prepared = async (steps: Steps<void>): Promise<void> => {
    try {
      for (const _ of steps) await apart();
    } catch {
      // Other requests have no need of it.
    }
  };
  const upstream = onDemand(async () => {
    const { federationPeer, processEffects } = await import('./federation/peer.ts');
    return federationPeer(settings, context, processEffects());
  });
  const federation: FederationPeer = { lanes: async (lane) => (await upstream()).lanes(lane) };
  const context: Context = {
    settings: { siteUrl: settings.siteUrl },
    federation,
    get release() {
      return releases.current();
    },
    ...(far ? { settled: far.settled } : {}),
  };
  /** A missing file may have been replaced a moment ago: then the release that took the place of this one has it. */
  const replyOf = (replies: Replies, request: HttpRequest): Reply | Promise<Reply> => {
    const { release } = context;
    const run = (): Reply | Promise<Reply> =>
      far ? far.settled(() => replies(request)).then((reply) => reply) : replies(request);
    const again = (first: Reply): Reply | Promise<Reply> =>
      first.status !== FAULTS.unavailable.status || context.release === release ? first : run();
    const first = run();
    return first instanceof Promise ? first.then(again) : again(first);
  };
  /** At once where the code is loaded: a listener can only count the time of work that is done when it asks for it. */
  const answer = (load: () => Promise<Replies>): Replies => {
    let loaded: Replies | null = null;
    const later = async (request: HttpRequest): Promise<Reply> => {
      loaded = await load();
      await apart();
      return replyOf(loaded, request);
    };
    return (request) => (loaded ? replyOf(loaded, request) : later(request));
  };
  const mcp = onDemand(async () => {
    await import('./mcp/messages.ts');
    await apart();
    const { mcpHandler } = await import('./mcp/server.ts');
    await apart();
    const { messageSchemas } = await import('./mcp/protocol.ts');
    await prepared(messageSchemas());
    const { firstSearch } = await import('./core/operations/series.ts');
    // Agents begin with a search. What comes from a host is read in rounds.
    if (!far) await prepared(firstSearch(context.release));
    const { mcpAllowedHosts: allowedHosts, mcpAllowedOrigins: allowedOrigins } = settings;
    return mcpHandler(context, { allowedHosts, allowedOrigins, report });
  });
  const records = onDemand(async () => (await import('./http/records.ts')).recordReplies(context));
  const explored = onDemand(async () => {
    const { exploreReplies } = await import('./http/explore.ts');
    const { firstFacts } = await import('./core/explore.ts');
    if (!far) await prepared(firstFacts(context.release));
    return exploreReplies(context, report);
  });
  const embedded = onDemand(async () => (await import('./http/embed.ts')).embedReplies(context, report));
  const designations = onDemand(async () =>
    (await import('./http/designations.ts')).designationReplies(context, report),
  );
  const downloads = onDemand(async () =>
    (await import('./http/downloads.ts')).downloadReplies(context, report),
  );
  const search = onDemand(async () => (await import('./http/search.ts')).searchReplies(context));
  const probes = onDemand(async () => {
    const { probeReplies, treeCheck } = await import('./http/probes.ts');
    return probeReplies(far ? async () => far.described() : treeCheck(root, context, now, report, sums));
  });
  const sending = bodiesUnderWay();
  const near = createRoutes({
    context,
    sending,
    probes: served ? async (request) => replyOf(await probes(), request) : null,
    answered: {
      r: { reply: answer(records), queried: false },
      explore: { reply: answer(explored), queried: true, below: false },
      designations: { reply: answer(designations), queried: true },
      compare: { reply: answer(explored), queried: true, below: false },
      embed: { reply: answer(embedded), queried: true, only: '/embed/' },
      oembed: { reply: answer(embedded), queried: true, only: '/oembed' },
      download: { reply: answer(downloads), queried: true },
      search: { reply: answer(search), queried: true },
    },
    files: files ? publishedFiles(publishedTree(root, now, report, sums), twinsFolder(root)) : null,
    report,
  });
  const routes: Routes = far
    ? {
        failed: near.failed,
        async reply(request) {
          try {
            // Whether this process is alive does not depend on another.
            if (request.pathname !== '/healthz') await far.ready();
            if (LONG.test(request.pathname)) await apart();
            return await far.settled(() => near.reply(request));
          } catch (error) {
            return near.failed(error, request);
          }
        },
      }
    : near;
  const app = onDemand(async () => {
    const { createApp } = await import('./http/app.ts');
    return createApp(routes, async (request) => {
      await far?.ready();
      return (await mcp())(request);
    });
  });
  return {
    routes,
    sending,
    onDemand,
    fetch: async (request) => (await app()).fetch(request),
    async check() {
      if (far) return;
      const { setImmediate: othersFirst } = await import('node:timers/promises');
      for (const steps of [sums.check(), disk.check()]) for (const _ of steps) await othersFirst();
      // They grow with the site, and the first request that needs them would read them in one step.
      for (const path of [RELEASE, SERIES_INDEX]) {
        for (const _ of sums.readAhead(path)) await othersFirst();
        orFault(() => disk.current().document(path));
      }
    },
    async warm() {
      const { setImmediate: othersFirst } = await import('node:timers/promises');
      const pages = [records, explored, embedded, designations, downloads, search];
      for (const load of [read, upstream, mcp, app, ...pages, probes]) {
        await load();
        await othersFirst();
      }
      const { firstSteps } = await import('./mcp/server.ts');
      for await (const _ of firstSteps(context)) await othersFirst();
      for (const code of countryCodes().keys()) {
        placeSpellings(code, []);
        await othersFirst();
      }
      if (far) return;
      for (const { id, kind } of LANES) {
        if (kind === 'local') await federation.lanes(id);
        await othersFirst();
      }
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
  // Made by the first failure: most servers never need it, and it would delay their start.
  let written: LRUCache<string, true> | null = null;
  return (error) => {
    if (!(error instanceof Fault))
      return console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    let { cause } = error;
    while (cause instanceof Fault && cause.cause !== undefined) ({ cause } = cause);
    const line = `${error.code}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`;
    written ??= new LRUCache({ max: 1000, ttl: REPEAT_MS });
    if (written.has(line)) return;
    written.set(line, true);
    console.error(line);
  };
}
