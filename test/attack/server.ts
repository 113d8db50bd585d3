/** The server under attack: the bundle that production starts, in a process of its own with every limit as it is. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundleFolder, keepCompiled } from '../../build/bundle/bundle.ts';
import { portOf } from '../_support/child.ts';

/** What a healthy client saw since it was asked before. */
export interface Health {
  requests: number;
  /** The slowest answer in milliseconds. */
  worst: number;
  failed: string[];
}

/** What is known of the longest steps of the event loop, in milliseconds. */
export interface Turns {
  /** The longest step at most, and how much of it was the collection of garbage. */
  step: number;
  collecting: number;
  /** The longest that a process which does nothing waited for its turn in the same time. */
  machine: number;
}

export interface Server {
  port: number;
  /** The longest step until it listened, in milliseconds: no client waits for it yet. */
  before: number;
  /** Descriptors that the process has open. */
  descriptors(): number;
  /** Resident memory in megabytes. */
  memory(): number;
  /** The longest turns of the event loop since the last call. */
  busiest(): Promise<Turns>;
  /** What the healthy client saw since the last call. */
  health(): Promise<Health>;
  isAlive(): boolean;
  /** What it wrote to standard error. */
  log(): string;
  /** Stops it by SIGTERM: its exit code, null where it had to be killed, and how long it took. */
  stop(): Promise<{ code: number | null; ms: number }>;
}

/**
 * Serves a folder where it is given one, and says on request how long a step of the event loop was at most. A turn counts no longer
 * than its thread had a processor: on a busy machine it also waits for one. One that handled many events, of sockets that closed at
 * once, was as many steps; each of the others took some of its time. Without a folder it does nothing: what it waits for is the machine.
 */
const PROGRAM = `import { readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
const worked = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
const EVERY = 5;
const LEAST_OF_EVENT = 0.01;
const events = () => performance.nodeTiming.uvMetricsInfo.events;
const nothing = () => ({ from: 0, to: 0, step: 0, collecting: 0, late: 0 });
let longest = nothing();
let wall = performance.now();
let cpu = worked();
let handled = events();
// The last collections: they are known a moment after they happened.
let collections = [];
const add = () => {
  const { from, to } = longest;
  const inside = collections.filter(({ startTime }) => startTime >= from && startTime < to);
  longest.collecting = inside.reduce((sum, { duration }) => sum + duration, 0);
};
new PerformanceObserver((list) => {
  collections = [...collections.slice(-200), ...list.getEntries()];
  add();
}).observe({ entryTypes: ['gc'] });
setInterval(() => {
  const from = wall;
  const to = performance.now();
  const others = Math.max(0, events() - handled - 1);
  const step = Math.min(to - from - EVERY, worked() - cpu) - others * LEAST_OF_EVENT;
  longest.late = Math.max(longest.late, to - from - EVERY);
  if (step > longest.step) {
    longest = { ...longest, from, to, step };
    add();
  }
  wall = performance.now();
  cpu = worked();
  handled = events();
}, EVERY).unref();
process.on('message', () => { process.send(longest); longest = nothing(); });
const [, , tree] = process.argv;
if (tree) {
  process.channel.unref();
  const { runServer } = await import('./server/main.cjs');
  await runServer(tree, process.env);
}
`;

/** What the program says. */
interface Said {
  step: number;
  collecting: number;
  late: number;
}

/** Bundles the server of a tree into a folder, as `npm start` does, unless it is there; once for any number of processes. */
export async function bundledServer(folder: string, tree: string): Promise<string> {
  const server = join(folder, 'server');
  if (!existsSync(server)) {
    mkdirSync(folder, { recursive: true });
    await bundleFolder(server);
    await keepCompiled(server, tree);
  }
  const program = join(folder, 'program.mjs');
  writeFileSync(program, PROGRAM);
  return program;
}

/** Starts the bundled server over a tree and a healthy client of it, who asks `query` among others. */
export async function startServer(
  program: string,
  tree: string,
  query: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const child = spawn(process.execPath, [program, resolve(tree)], {
    env: { ...process.env, SITE_URL: 'https://evidence.example', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const bare = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { pid = 0 } = child;
  const reap = (): void => void (child.kill('SIGKILL'), bare.kill());
  process.once('exit', reap);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const port = await portOf(child).catch((cause: unknown) => {
    throw new Error(log, { cause });
  });
  const turnsOf = async (process: ChildProcess): Promise<Said> => {
    const said = once(process, 'message') as Promise<[Said]>;
    process.send('busiest');
    return (await said)[0];
  };
  const { step: before } = await turnsOf(child);
  const client = new Worker(new URL('healthy.mjs', import.meta.url), { workerData: { port, query } });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    port,
    before,
    descriptors: () => (isAlive() ? readdirSync(`/proc/${pid}/fd`).length : 0),
    memory() {
      const status = isAlive() ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    async busiest() {
      if (!isAlive()) return { step: 0, collecting: 0, machine: 0 };
      const [{ step, collecting }, { late }] = await Promise.all([turnsOf(child), turnsOf(bare)]);
      return { step, collecting, machine: late };
    },
    async health() {
      const said = once(client, 'message') as Promise<[Health]>;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      client.postMessage('health');
      return (await said)[0];
    },
    isAlive,
    log: () => log,
    async stop() {
      await client.terminate();
      bare.kill();
      const began = performance.now();
      const late = setTimeout(reap, 25_000);
      if (isAlive()) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      clearTimeout(late);
      process.off('exit', reap);
      return { code: child.exitCode, ms: performance.now() - began };
    },
  };
}
