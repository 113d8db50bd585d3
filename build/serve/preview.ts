/**
 * What `npm run dev` runs and restarts when code changes: a preview of the site, built again in this process when datasets or
 * stories change. The server is a process of its own that goes on and opens each new tree.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { SUMS } from '../../shim/core/paths.ts';
import { serverSettings } from '../../shim/settings.ts';
import { build } from '../build.ts';
import { bundleFolder } from '../bundle/bundle.ts';
import { BuildStopped, findingLine } from '../lib/findings.ts';
import { buildSettings } from '../settings.ts';
import { realEffects } from '../write/effects.ts';

const DATASETS = 'datasets';
const TREE = '.build/preview';
const SERVER = '.build/preview-server';

/** Changes that come together are one. */
const SETTLED_MS = 30;

/** Builds the preview, serves it, and builds again after each change of the datasets. Ends with a signal. */
export async function preview(env: Record<string, string | undefined>): Promise<number> {
  serverSettings(env);
  const settings = buildSettings(env);
  const effects = { ...realEffects({ cache: true }), progress: () => undefined };
  const meant = { allowEmpty: true, allowSmaller: true, allowUnsigned: true };
  const options = { datasets: DATASETS, schemas: 'schemas', out: TREE, settings, ...meant };
  let isFirst = true;
  let shown: () => void = () => undefined;
  /** Resolves when there is a site to serve, of an earlier start or of this one: what is broken at first may be mended later. */
  const isThere = new Promise<void>((done) => (shown = done));
  let changes = 0;
  const show = async (part: 'data' | 'site', started: number, seen = changes): Promise<void> => {
    // Pages of data that has changed again are given up: the newer data is shown first.
    const turn = async (): Promise<void> => {
      await setImmediate();
      if (part === 'site' && !isFirst && changes !== seen) throw new Outdated();
    };
    // After the first time little is to be done: a second thread would not pay.
    await build({ ...options, preview: part, ...(isFirst ? {} : { threads: 1 }) }, { ...effects, turn });
    console.log(`${TREE}: ${part} built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  const render = async (): Promise<void> => {
    const started = performance.now();
    const seen = changes;
    try {
      if (!isFirst) await show('data', started);
      await show('site', started, seen);
      isFirst = false;
      shown();
    } catch (error) {
      if (error instanceof Outdated) return;
      const lines = error instanceof BuildStopped ? error.findings.map(findingLine) : [String(error)];
      const hasLast = existsSync(`${TREE}/${SUMS}`);
      if (hasLast) shown();
      lines.push(
        hasLast ? 'The last site stays.' : 'There is no site yet: it is served once this is mended.',
      );
      console.error(lines.join('\n'));
    }
  };
  const first = render();
  // From the start on: what changes while the first site is built is in the next.
  onChange(DATASETS, first, () => (changes += 1), render);
  // One after the other: a build that makes the scripts of pages ends esbuild when it has them.
  await isThere;
  await bundleFolder(SERVER);
  // Started by `npm start`, a server ends when who started it is gone: none is left on the port.
  const own = { ...env, npm_lifecycle_event: 'start' };
  const server = spawn(process.execPath, [`${SERVER}/main.cjs`, TREE], { stdio: 'inherit', env: own });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  return new Promise((done) =>
    server.once('exit', (status) => done(status ?? 0) ?? process.exit(status ?? 0)),
  );
}

/** Why pages are not made to their end. */
class Outdated extends Error {}

/** Calls `noticed` at each change in a folder, and `step` after changes, one after another, the first of them after `begun`. */
function onChange(
  folder: string,
  begun: Promise<void>,
  noticed: () => void,
  step: () => Promise<void>,
): void {
  let waiting: NodeJS.Timeout | null = null;
  let running = begun;
  const watched = new Map<string, FSWatcher>();
  const end = (own: string, watcher: FSWatcher): void => {
    watcher.close();
    watched.delete(own);
  };
  // Each folder by itself: of a whole tree, node 20 watches files, and none any more that was replaced by another.
  const look = (): void => {
    const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const there = new Set([folder, ...below.map(({ parentPath, name }) => join(parentPath, name))]);
    for (const [own, watcher] of watched) if (!there.has(own)) end(own, watcher);
    for (const own of there) {
      if (watched.has(own)) continue;
      const watcher = watch(own, changed);
      watched.set(own, watcher);
      watcher.on('error', () => end(own, watcher));
    }
  };
  function changed(): void {
    noticed();
    try {
      look();
    } catch {
      // A folder that goes away while it is looked at: that is a change too, after which all are looked at again.
    }
    if (waiting) clearTimeout(waiting);
    waiting = setTimeout(() => {
      waiting = null;
      running = running.then(step);
    }, SETTLED_MS);
  }
  look();
}
