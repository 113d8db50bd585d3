/**
 * Prints which modules of shim/ run for one filtered GET and for one MCP tool call, as JSON: a program of its own, because
 * coverage is counted for the whole process. `node --import tsx test/_support/modules-on-path.ts <tree>`
 */
import { Session, type Profiler } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../shim/node.ts';
import { pause } from '../attack/connection.ts';
import { modern } from './mcp-request.ts';

/** A second after its start the server loads what no request needed yet. */
const LOADING_MS = 2000;
const LOOK_MS = 500;
/** A server that works is at it for a larger share of this time, also where it waits for a processor. */
const QUIET_SHARE = 0.1;

const [, , tree = 'public'] = process.argv;
const server = await startServer(tree, { PORT: '0' });
const session = new Session();
session.connect();

async function get(geo: string): Promise<void> {
  const response = await fetch(`${server.url}api/v1/market-observations?indicator=seizures&geo=${geo}`);
  if (response.status !== 200) throw new Error(await response.text());
  await response.arrayBuffer();
}

async function callTool(geo: string): Promise<void> {
  const call = { name: 'query_market_observations', arguments: { indicator: 'seizures', geo } };
  const request = new Request(`${server.url}mcp`, modern('tools/call', call));
  request.headers.delete('host');
  const response = await fetch(request);
  const text = await response.text();
  if (response.status !== 200 || text.includes('"isError":true')) throw new Error(text.slice(0, 400));
}

/** One request, after which nothing is opened or loaded any more; then these, each of them new. */
const FIRST = 'MEX';
const NEXT = ['BEL', 'ESP', 'FRA', 'DEU', 'ITA'];

/** Modules of which a function ran. */
async function modulesOf(request: () => Promise<void>): Promise<Set<string>> {
  session.post('Profiler.takePreciseCoverage');
  await request();
  const result = await new Promise<Profiler.TakePreciseCoverageReturnType>((resolve, reject) => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => (error ? reject(error) : resolve(taken)));
  });
  const ran = result.result
    .filter(({ url }) => url.startsWith('file:') && !url.includes('node_modules'))
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => relative(process.cwd(), fileURLToPath(url)));
  return new Set(ran.filter((path) => path.startsWith('shim/')));
}

/** Modules that ran for every one of the requests: what the server does on the clock, as looking at its files, may fall into one. */
async function modulesOfEach(request: (geo: string) => Promise<void>): Promise<string[]> {
  await request(FIRST);
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const ran: Set<string>[] = [];
  for (const geo of NEXT) ran.push(await modulesOf(() => request(geo)));
  session.post('Profiler.stopPreciseCoverage');
  const [first = new Set<string>(), ...others] = ran;
  return [...first].filter((path) => others.every((paths) => paths.has(path))).sort();
}

// What a server loads by itself once it is quiet belongs to no request.
await pause(LOADING_MS);
for (let share = 1; share > QUIET_SHARE;) {
  const before = performance.eventLoopUtilization();
  await pause(LOOK_MS);
  share = performance.eventLoopUtilization(before).utilization;
}
console.log(JSON.stringify({ get: await modulesOfEach(get), mcp: await modulesOfEach(callTool) }));
session.disconnect();
await server.close();
process.exit(0);
