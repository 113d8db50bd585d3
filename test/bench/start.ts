/**
 * From process start to the first filtered response, next to `node -e 0` and a bare node:http server, interleaved. With
 * NODE_EXTRA_CA_CERTS node reads every certificate of the system at each start, so where it is set all is measured without it too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { get } from 'node:http';
import { median, rounded } from './figures.ts';
import { freePort } from '../_support/free-port.ts';

/** How often each is started where nothing else is said. */
export const STARTS = 31;
const { NODE_EXTRA_CA_CERTS: certificates, ...WITHOUT } = process.env;
const HTTP = "require('node:http').createServer((q,s)=>s.end('{}')).listen(+process.env.PORT,'127.0.0.1')";

/** Queries to start with: one of a pack of usual size, and one of the largest. */
export interface FirstQueries {
  usual: string;
  largest: string;
}

/**
 * Medians in milliseconds, and medians of the ratios of each of `runs`, by the environment; `server` are the arguments node is started with.
 */
export async function coldStarts(
  server: string[],
  paths: FirstQueries,
  runs = STARTS,
): Promise<Record<string, object>> {
  const bare = await measured(server, paths, runs, WITHOUT);
  if (certificates === undefined) return { 'as started': bare };
  return {
    'without NODE_EXTRA_CA_CERTS': bare,
    'with NODE_EXTRA_CA_CERTS': await measured(server, paths, runs, process.env),
  };
}

async function measured(
  server: string[],
  { usual, largest }: FirstQueries,
  runs: number,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, number>> {
  const empty: number[] = [];
  const http: number[] = [];
  const ours: number[] = [];
  const ofLargest: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env });
    empty.push(performance.now() - began);
    http.push(await firstAnswer(['-e', HTTP], '/', env));
    ours.push(await firstAnswer(server, usual, env));
    ofLargest.push(await firstAnswer(server, largest, env));
  }
  // Of one run each, since a machine may become slower or faster in between.
  const ratio = (those: number[], others: number[]): number =>
    rounded(median(those.map((time, run) => time / (others[run] ?? Number.NaN))));
  return {
    'node -e 0 ms': rounded(median(empty)),
    'node:http first answer ms': rounded(median(http)),
    'first filtered answer ms': rounded(median(ours)),
    'of the largest pack ms': rounded(median(ofLargest)),
    'ours / node -e 0': ratio(ours, empty),
    'ours / node:http': ratio(ours, http),
    'of the largest pack / node:http': ratio(ofLargest, http),
  };
}

async function firstAnswer(args: string[], path: string, env: NodeJS.ProcessEnv): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  while (!(await responds(port, path))) await new Promise((next) => setImmediate(next));
  const took = performance.now() - began;
  child.kill('SIGKILL');
  return took;
}

/** False as long as nothing listens. Throws for a response other than 200: there would never be one. */
async function responds(port: number, path: string): Promise<boolean> {
  return new Promise((done, failed) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      const { statusCode } = response;
      response.resume();
      response.on('end', () =>
        statusCode === 200 ? done(true) : failed(new Error(`${path} was answered with ${statusCode}`)),
      );
    });
    request.on('error', () => done(false));
  });
}
