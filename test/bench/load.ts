/** Load on a local server: requests per second and latency. wrk where it is installed, autocannon elsewhere. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

export interface Load {
  /** Responses per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const CONNECTIONS = 16;

/** Which generator this machine has. */
export const GENERATOR = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/** Requests the paths in turn, as fast as responses come, for so many seconds. */
export async function load(base: string, paths: string[], seconds: number): Promise<Load> {
  if (GENERATOR === 'wrk') return wrk(base, paths, seconds);
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url: base, connections: CONNECTIONS, duration: seconds, requests });
  if (result.non2xx > 0) throw new Error(`${base} did not answer 200 every time`);
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function wrk(base: string, paths: string[], seconds: number): Load {
  const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency'];
  const [only = '/'] = paths;
  const text = execFileSync(
    'wrk',
    paths.length === 1 ? [...flags, `${base}${only}`] : [...flags, '-s', script(paths), base],
    { encoding: 'utf8' },
  );
  if (/Non-2xx/.test(text)) throw new Error(`${base}${paths[0]} did not answer 200 every time:\n${text}`);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p50: duration(text, '50%'),
    p99: duration(text, '99%'),
  };
}

/** Requests are formatted once, before the clock starts: the generator must not be what is measured. */
function script(paths: string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'evidence-wrk-')), 'paths.lua');
  const list = paths.map((path) => JSON.stringify(path)).join(',');
  writeFileSync(
    file,
    `local paths, ready, i = {${list}}, {}, 0
init = function() for n = 1, #paths do ready[n] = wrk.format("GET", paths[n]) end end
request = function() i = i % #ready + 1 return ready[i] end
`,
  );
  return file;
}

function duration(text: string, row: string): number {
  const [, value = '0', unit = 'ms'] = new RegExp(`${row}\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? 1);
}
