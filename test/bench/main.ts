/** `npm run bench`: ratios measured side by side in one run, interleaved, medians of rounds; numbers are for reading. */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleFolder, keepCompiled } from '../../build/bundle/bundle.ts';
import { existing, newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { median, rounded } from './figures.ts';
import { load, type Load } from './load.ts';
import { firstQueries, queries, type Query } from './queries.ts';
import { nginxServer, nodeServer, type Server } from './servers.ts';
import { coldStarts } from './start.ts';
import { warmCalls } from './warm.ts';

const options = programOptions<{
  json?: true;
  requests: number;
  rounds: number;
  only: string;
  tree?: string;
  against?: string;
  sqlite?: true;
}>(
  newCommand('npm run bench', 'Measure ratios to other servers side by side. Nothing is asserted.')
    .option('--requests <n>', 'requests of each measurement', wholeNumber(100, 100_000), 2000)
    .option('--rounds <n>', 'measurements per query and server; medians are reported', wholeNumber(1, 100), 7)
    .option('--only <text>', 'only rows whose name has this text; "start" for the starts alone', '')
    .option(
      '--tree <folder>',
      'a site that was built before; one is built where none is named',
      existing('folder'),
    )
    .option('--against <file>', 'main.cjs of another built server, to compare with', existing('file'))
    .option('--sqlite', 'compare with SQLite too, whose driver is installed for it')
    .option('--json', 'print one JSON document'),
);
const { json, requests, rounds, only } = options;
const say = (line: string): void => console.error(line);
/** Code that just started is compiled while it runs: the first requests of any server say nothing of the rest. */
const WARM_UP_REQUESTS = 12_000;
/** Responses whose bytes are looked at. */
const SAMPLE = 50;
/** Pages whose cursors are requested. */
const CURSORS = 60;
const work = fs.mkdtempSync(join(tmpdir(), 'evidence-bench-'));
process.once('exit', () => fs.rmSync(work, { recursive: true, force: true }));
const home = '.build/bench';
const TSX = ['--import', 'tsx'];

const tree = options.tree ?? built();
const bundleBytes = await bundleFolder(join(work, 'server'));
await keepCompiled(join(work, 'server'), tree);
const start = [join(work, 'server/main.cjs'), resolve(tree)];

const ours = await nodeServer(start, '/api/v1/capabilities');
const constant = await nodeServer([...TSX, 'test/bench/limit-servers.ts', 'h3'], '/?bytes=10');
const bare = await nodeServer([...TSX, 'test/bench/limit-servers.ts', 'bare'], '/?bytes=10');
const sqlite =
  options.sqlite && installSqlite()
    ? await nodeServer([...TSX, 'test/bench/sqlite-server.ts'], '/api/v1/market-observations?limit=1', {
        TREE: tree,
        SQLITE_HOME: resolve(home),
      })
    : null;
const nginx = await nginxServer(tree);
const earlier = options.against
  ? await nodeServer([resolve(options.against), resolve(tree)], '/api/v1/capabilities')
  : null;

type Row = Record<string, string | number | null>;
const rows: Row[] = [];
const all = only === 'start' ? [] : queries(tree, await cursors());
const chosen = all.filter(({ name }) => name.includes(only));
if (chosen.length === 0 && only !== 'start')
  say(`No row has "${only}" in its name; rows are: ${all.map(({ name }) => name).join('; ')}; start.`);
for (const query of chosen) {
  await assertSame(query);
  if (query.kind === 'query') rows.push(await measured(`${query.name}, ever new`, query, endless()));
  rows.push(
    await measured(query.kind === 'query' ? `${query.name}, remembered` : query.name, query, () => 0),
  );
}
const resident = residentMb(ours.pid);
for (const each of [ours, constant, sqlite, bare, nginx, earlier]) each?.stop();
const document = {
  requests,
  rounds,
  queries: rows,
  server: { bundleBytes, residentMb: rounded(resident) },
  start: await coldStarts(start, firstQueries(tree)),
  mcp: only === '' ? await warmCalls(tree) : null,
};

if (json) console.log(JSON.stringify(document, null, 2));
else {
  console.table(rows);
  console.log(`${rounds} rounds of ${requests} requests each, interleaved; medians of the ratios of a round`);
  console.log('server', document.server);
  console.log('start', document.start);
  if (document.mcp) console.log('mcp, a warm call', document.mcp);
}

function built(): string {
  say('building');
  const out = join(work, 'public');
  execFileSync(process.execPath, ['build/run.mjs', 'build', '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return out;
}

/** Numbers that never come again. */
function endless(): () => number {
  let turn = 0;
  return () => turn++;
}

/** One row: every server is warmed up, then each takes its turn, round by round. */
async function measured(name: string, { path, kind }: Query, turn: () => number): Promise<Row> {
  say(name);
  const next = (): string => path(turn());
  const { bytes } = await load(ours, next, WARM_UP_REQUESTS);
  const same = (): string => `/?bytes=${Math.round(bytes)}`;
  const contenders: [string, Server | null, () => string][] = [
    ['ours', ours, next],
    ['constant', constant, same],
    ['node:http', bare, same],
    ['sqlite', kind === 'query' ? sqlite : null, next],
    ['nginx', kind === 'page' ? nginx : null, next],
    ['against', earlier, next],
  ];
  const results = new Map<string, Load[]>(contenders.map(([who]) => [who, []]));
  for (let round = -1; round < rounds; round += 1)
    for (const [who, at, paths] of contenders) {
      if (!at) continue;
      const taken = await load(at, paths, requests);
      if (round >= 0) results.get(who)?.push(taken);
    }
  const own = results.get('ours') ?? [];
  /** Of each round, by what is better when it is more. */
  const ratio = (who: string, of: (one: Load) => number): number | null => {
    const others = results.get(who) ?? [];
    if (others.length === 0) return null;
    return rounded(
      median(others.map((other, round) => (own[round] ? of(own[round]) / of(other) : Number.NaN))),
    );
  };
  const middle = (of: (one: Load) => number): number => rounded(median(own.map(of)));
  const ratios = ['constant', 'node:http', 'sqlite', 'nginx', 'against'].map(
    (who): [string, number | null] => [`/ ${who}`, ratio(who, ({ rate }) => rate)],
  );
  return {
    query: name,
    bytes: Math.round(bytes),
    'requests/s': Math.round(middle(({ rate }) => rate)),
    'p50 ms': middle(({ p50 }) => p50),
    'p99 ms': middle(({ p99 }) => p99),
    'CPU us': Math.round(middle(({ cpu }) => cpu)),
    ...Object.fromEntries(ratios),
    '/ constant by CPU': ratio('constant', ({ cpu }) => 1 / cpu),
  };
}

/** Only what gives the same bytes is compared. */
async function assertSame({ name, path, kind }: Query): Promise<void> {
  const peer = kind === 'query' ? sqlite : nginx;
  if (!peer) return;
  for (let turn = 0; turn < SAMPLE; turn += 1)
    if ((await textOf(`${peer.url}${path(turn)}`)) !== (await textOf(`${ours.url}${path(turn)}`)))
      throw new Error(`${name}: ${path(turn)} has another response elsewhere`);
}

/** The cursors of pages far into the collection. */
async function cursors(): Promise<string[]> {
  const found: string[] = [];
  const target = '/api/v1/market-observations?from=1990&limit=500';
  let next = '';
  while (found.length < CURSORS) {
    const text = await textOf(`${ours.url}${target}${next}`);
    const { data } = JSON.parse(text) as { data: { page: { next_cursor: string | null } } };
    const cursor = data.page.next_cursor;
    if (cursor === null) return found;
    found.push(cursor);
    next = `&cursor=${cursor}`;
  }
  return found;
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
