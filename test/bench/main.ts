/** `npm run bench`: ratios measured side by side in one run, interleaved, medians of rounds; numbers are for reading. */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleParts } from '../../build/bundle/bundle.ts';
import { newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { median, rounded } from './figures.ts';
import { GENERATOR, load, type Load } from './load.ts';
import { queries, type Query } from './queries.ts';
import { nginxServer, nodeServer, type Server } from './servers.ts';
import { coldStarts } from './start.ts';
import { warmCalls } from './warm.ts';

const { json, seconds, rounds } = programOptions<{ json?: true; seconds: number; rounds: number }>(
  newCommand('npm run bench', 'Measure ratios to other servers side by side. Nothing is asserted.')
    .option('--seconds <n>', 'length of each measurement', wholeNumber(1, 600), 2)
    .option('--rounds <n>', 'measurements per query and server; medians are reported', wholeNumber(1, 100), 3)
    .option('--json', 'print one JSON document'),
);
const say = (line: string): void => console.error(line);
/** Code that just started is compiled while it runs: the first seconds of any server say nothing of the rest. */
const WARM_UP_SECONDS = 2;
/** Answers whose sizes are looked at. */
const SAMPLE = 50;
const work = fs.mkdtempSync(join(tmpdir(), 'evidence-bench-'));
// Whatever the parts below put into a temporary folder is removed with this one.
process.env['TMPDIR'] = work;
const tree = join(work, 'public');
const home = '.build/bench';
const TSX = ['--import', 'tsx'];

say('building');
const started = performance.now();
execFileSync(process.execPath, [...TSX, 'build/main.ts', 'build', '--out', tree], {
  stdio: ['ignore', 'ignore', 'ignore'],
});
const buildSeconds = (performance.now() - started) / 1000;
const bundleBytes = await bundleParts('shim/node.ts', join(work, 'server'));
const entry = join(work, 'main.mjs');
fs.writeFileSync(
  entry,
  `import { runServer } from './server/main.mjs';\nawait runServer(${JSON.stringify(tree)}, process.env);\n`,
);

const ours = await nodeServer([entry], '/api/v1/capabilities');
const constant = await nodeServer([...TSX, 'test/bench/limit-servers.ts', 'h3'], '/?bytes=10');
const bare = await nodeServer([...TSX, 'test/bench/limit-servers.ts', 'bare'], '/?bytes=10');
const sqlite = installSqlite()
  ? await nodeServer([...TSX, 'test/bench/sqlite-server.ts'], '/api/v1/market-observations?limit=1', {
      TREE: tree,
      SQLITE_HOME: resolve(home),
    })
  : null;
const nginx = await nginxServer(tree);

const asked = await queries(tree, cursorOf);
const rows: Record<string, string | number | null>[] = [];
for (const query of asked) {
  await assertSame(query);
  rows.push(await measured(query, 'hot'));
  if (query.varied.length > 0) rows.push(await measured(query, 'varied'));
}
const document = {
  generator: GENERATOR,
  seconds,
  rounds,
  queries: rows,
  build: {
    seconds: rounded(buildSeconds),
    files: fs.readdirSync(tree, { recursive: true }).length,
    indexBytes: bytesBelow(join(tree, 'data/index')),
  },
  server: { bundleBytes, residentMb: rounded(residentMb(ours.pid)) },
  start: await coldStarts(entry, '/api/v1/market-observations?indicator=seizures&geo=MMR&limit=30'),
};
for (const each of [ours, constant, sqlite, bare, nginx]) each?.stop();
const mcp = await warmCalls(tree);
fs.rmSync(work, { recursive: true });

if (json) console.log(JSON.stringify({ ...document, mcp }, null, 2));
else {
  console.table(rows);
  console.log(`generator ${GENERATOR}, ${rounds} rounds of ${seconds} s each, interleaved; medians`);
  console.log('build', document.build);
  console.log('server', document.server);
  console.log('start', document.start);
  console.log('mcp, a warm call', mcp);
}

/** One row: every server is warmed up, then each takes its turn, round by round. */
async function measured(
  query: Query,
  kind: 'hot' | 'varied',
): Promise<Record<string, string | number | null>> {
  const name = `${query.name}${kind === 'hot' ? '' : ' (varied)'}`;
  say(name);
  const paths = kind === 'hot' ? [query.hot] : query.varied;
  const bytes = await meanBytes(paths);
  const contenders: [string, Server | null, string[]][] = [
    ['ours', ours, paths],
    ['constant', constant, [`/?bytes=${bytes}`]],
    ['sqlite', query.kind === 'query' ? sqlite : null, paths],
    ['bare', query.kind === 'page' ? bare : null, [`/?bytes=${bytes}`]],
    ['nginx', query.kind === 'page' ? nginx : null, paths],
  ];
  const results = new Map<string, Load[]>();
  for (let round = -1; round < rounds; round += 1) {
    for (const [who, at, list] of contenders) {
      if (!at) continue;
      const taken = await load(at.url, list, round < 0 ? Math.max(seconds, WARM_UP_SECONDS) : seconds);
      if (round >= 0) results.set(who, [...(results.get(who) ?? []), taken]);
    }
  }
  const rate = (who: string): number | null =>
    results.has(who) ? median((results.get(who) ?? []).map((each) => each.rate)) : null;
  const own = results.get('ours') ?? [];
  const ratio = (who: string): number | null =>
    rate(who) === null ? null : rounded((rate('ours') ?? 0) / (rate(who) ?? 1));
  return {
    query: name,
    bytes,
    'requests/s': Math.round(rate('ours') ?? 0),
    'p50 ms': rounded(median(own.map(({ p50 }) => p50))),
    'p99 ms': rounded(median(own.map(({ p99 }) => p99))),
    '/ constant': ratio('constant'),
    '/ sqlite': ratio('sqlite'),
    '/ node:http': ratio('bare'),
    '/ nginx': ratio('nginx'),
  };
}

/** Only what gives the same bytes is compared. */
async function assertSame({ name, hot, varied, kind }: Query): Promise<void> {
  const peer = kind === 'query' ? sqlite : nginx;
  for (const path of [hot, ...sampleOf(varied)])
    if (peer && (await textOf(`${peer.url}${path}`)) !== (await textOf(`${ours.url}${path}`)))
      throw new Error(`${name}: ${path} has other answers elsewhere`);
}

function sampleOf(paths: string[]): string[] {
  return paths.filter((_, position) => position % Math.ceil(paths.length / SAMPLE) === 0);
}

/** The mean size of answers, from a sample spread over the paths: the size of the constant they are compared with. */
async function meanBytes(paths: string[]): Promise<number> {
  const sample = sampleOf(paths);
  let bytes = 0;
  for (const path of sample) bytes += Buffer.byteLength(await textOf(`${ours.url}${path}`));
  return Math.round(bytes / sample.length);
}

async function cursorOf(path: string): Promise<string> {
  let target = path;
  for (let page = 0; page < 60; page += 1) {
    const { data } = JSON.parse(await textOf(`${ours.url}${target}`)) as {
      data: { page: { next_cursor: string } };
    };
    target = `${path}&cursor=${data.page.next_cursor}`;
  }
  return target.slice(target.indexOf('&cursor=') + '&cursor='.length);
}

/** One request on a connection of its own: a server may close one that waited through a round. */
async function textOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

/** SQLite's driver is native, so it is no dependency: it is installed for the comparison, on demand. */
function installSqlite(): boolean {
  if (fs.existsSync(`${home}/node_modules/better-sqlite3/build/Release/better_sqlite3.node`)) return true;
  say('installing SQLite for the comparison');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(`${home}/package.json`, '{"private":true}\n');
  const { status } = spawnSync('npm', ['install', '--no-save', '--silent', 'better-sqlite3@12'], {
    cwd: home,
    stdio: 'ignore',
  });
  if (status !== 0) say('SQLite could not be installed: its column stays empty');
  return status === 0;
}

function residentMb(pid: number): number {
  const text = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) / 1024;
}

function bytesBelow(folder: string): number {
  return fs
    .readdirSync(folder)
    .reduce((sum, name) => sum + (name.endsWith('.idx') ? fs.statSync(join(folder, name)).size : 0), 0);
}
