/** The server under attack: the bundle that production starts, in a process of its own with every limit as it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundleParts } from '../../build/bundle/bundle.ts';
import { portOf } from '../_support/child.ts';

/** What a healthy client saw since it was asked before. */
export interface Health {
  requests: number;
  /** The slowest answer in milliseconds. */
  worst: number;
  failed: string[];
}

export interface Server {
  port: number;
  /** Descriptors that the process has open. */
  descriptors(): number;
  /** Resident memory in megabytes. */
  memory(): number;
  /** The longest time the event loop was busy since the last call, in milliseconds. */
  busiest(): Promise<number>;
  /** What the healthy client saw since the last call. */
  health(): Promise<Health>;
  isAlive(): boolean;
  /** What it wrote to standard error. */
  log(): string;
  /** Stops it by SIGTERM: its exit code, null where it had to be killed, and how long it took. */
  stop(): Promise<{ code: number | null; ms: number }>;
}

/**
 * Serves, and says on request how long the event loop was busy at a time. A turn counts no longer than its thread had a processor:
 * on a busy machine it also waits for one.
 */
const PROGRAM = `import { readFileSync } from 'node:fs';
import { runServer } from './server/main.cjs';
const worked = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
const EVERY = 5;
let longest = 0;
let wall = performance.now();
let cpu = worked();
setInterval(() => {
  longest = Math.max(longest, Math.min(performance.now() - wall - EVERY, worked() - cpu));
  wall = performance.now();
  cpu = worked();
}, EVERY).unref();
process.on('message', () => { process.send(longest); longest = 0; });
process.channel.unref();
await runServer(process.argv[2], process.env);
`;

/** Bundles the server into a folder, once for any number of processes. */
export async function bundledServer(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await bundleParts('shim/main.ts', join(folder, 'server'));
  const program = join(folder, 'program.mjs');
  writeFileSync(program, PROGRAM);
  return program;
}

/** Starts the bundled server over a tree and a healthy client of it. */
export async function startServer(
  program: string,
  tree: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const child = spawn(process.execPath, [program, resolve(tree)], {
    env: { ...process.env, SITE_URL: 'https://evidence.example', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { pid = 0 } = child;
  const reap = (): void => void child.kill('SIGKILL');
  process.once('exit', reap);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const port = await portOf(child).catch((cause: unknown) => {
    throw new Error(log, { cause });
  });
  // Parts that are loaded when first needed are there once it is warm.
  await new Promise((next) => setTimeout(next, 2000));
  const client = new Worker(new URL('healthy.mjs', import.meta.url), { workerData: { port } });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    port,
    descriptors: () => (isAlive() ? readdirSync(`/proc/${pid}/fd`).length : 0),
    memory() {
      const status = isAlive() ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    async busiest() {
      if (!isAlive()) return 0;
      const said = once(child, 'message') as Promise<[number]>;
      child.send('busiest');
      return (await said)[0];
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
