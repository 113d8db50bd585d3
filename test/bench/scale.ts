/**
 * `npm run bench:scale -- --rows 1000000,10000000 --editions 1,4`: how the build, its output, responses and memory grow with the
 * collection. Generated datasets of each size go through the real build command in a process of its own; the tree it wrote is
 * queried by another, the built server is started over it, and it is removed. Nothing is asserted: numbers are for reading.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFolder, bundleServer, keepCompiled } from '../../build/bundle/bundle.ts';
import { newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { rounded } from './figures.ts';
import { firstQueries } from './queries.ts';
import { coldStarts, STARTS } from './start.ts';
import { MOST_EDITIONS, writeScaleDatasets } from './scale-datasets.ts';

/** What is measured of one size: memory is the most that was resident, `p50_ms` the median of 200 responses. */
interface ScaleResult {
  /** Records of all editions together. */
  rows: number;
  editions: number;
  build: BuildResult;
  rss_mb: number;
  queries: { name: string; selective: boolean; p50_ms: number }[];
  /** The start of the built server next to a bare one, by the environment. */
  start: Record<string, object>;
}

/** A build: `rss_mb` is the most that its processes had at one time, null where the system does not say. */
interface BuildResult {
  seconds: number;
  rss_mb: number | null;
  files: number;
  output_mb: number;
}

/** What a row takes on disk: in its dataset, in every published form, and in pages. */
const BYTES_PER_ROW = 2000;
const LOOK_MS = 200;
const say = (line: string): void => console.error(line);
const numbers =
  (most: number) =>
  (text: string): number[] =>
    text.split(',').map(wholeNumber(1, most));

const options = programOptions<{ rows: number[]; editions: number[]; starts: number; json?: true }>(
  newCommand('npm run bench:scale', 'Measure how the build, responses and memory grow with the collection.')
    .option(
      '--rows <n,n>',
      'numbers of generated records, separated by commas',
      numbers(100_000_000),
      [100_000, 1_000_000],
    )
    .option('--editions <n,n>', 'editions that the records are spread over', numbers(MOST_EDITIONS), [1])
    .option('--starts <n>', 'how often the built server is started', wholeNumber(1, 1000), STARTS)
    .option('--json', 'print one JSON document, an array of sizes'),
);
const results = await measured();
if (options.json) console.log(JSON.stringify(results, null, 2));
else print();

async function measured(): Promise<ScaleResult[]> {
  const work = mkdtempSync(join(tmpdir(), 'evidence-scale-'));
  const clean = (): void => rmSync(work, { recursive: true, force: true });
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      clean();
      process.exit(status);
    });
  try {
    const server = join(work, 'server.mjs');
    await bundleServer('test/bench/scale-server.ts', server);
    await bundleFolder(join(work, 'server'));
    const taken: ScaleResult[] = [];
    for (const editions of options.editions)
      for (const rows of options.rows) taken.push(await measuredSize(work, server, { rows, editions }));
    return taken;
  } finally {
    clean();
  }
}

async function measuredSize(
  work: string,
  server: string,
  size: { rows: number; editions: number },
): Promise<ScaleResult> {
  const { bavail, bsize } = statfsSync(work);
  if (bavail * bsize < size.rows * BYTES_PER_ROW)
    throw new Error(
      `${size.rows} records need ${size.rows * BYTES_PER_ROW} bytes free in ${work}, there are ${bavail * bsize}`,
    );
  const place = join(work, `${size.rows}-${size.editions}`);
  const [datasets, tree] = [join(place, 'datasets'), join(place, 'public')];
  say(`writing ${size.rows} records in ${size.editions} editions`);
  await writeScaleDatasets(datasets, size, say);
  say('building');
  const build = await built(datasets, tree);
  say('querying');
  const text = execFileSync(process.execPath, [server, tree], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  say('starting');
  const folder = join(work, 'server');
  await keepCompiled(folder, tree);
  const start = await coldStarts([join(folder, 'main.cjs'), tree], firstQueries(tree), options.starts);
  rmSync(place, { recursive: true });
  return { ...size, build, ...(JSON.parse(text) as Pick<ScaleResult, 'rss_mb' | 'queries'>), start };
}

/** Runs the build command on these datasets. */
async function built(datasets: string, out: string): Promise<BuildResult> {
  const words = ['build/run.mjs', 'build', '--no-cache'];
  const began = performance.now();
  const child = spawn(process.execPath, [...words, '--datasets', datasets, '--out', out], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let resident = 0;
  const look = setInterval(() => {
    const running = processesOf(String(child.pid));
    resident = Math.max(
      resident,
      running.reduce((sum, pid) => sum + peakOf(pid), 0),
    );
  }, LOOK_MS);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearInterval(look);
  if (status !== 0) throw new Error(`the build of ${datasets} ended with ${status}`);
  const seconds = rounded((performance.now() - began) / 1000, 1);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return {
    seconds,
    rss_mb: resident === 0 ? null : rounded(resident / 1024, 1),
    files: files.length,
    output_mb: rounded(bytes / 1024 / 1024, 1),
  };
}

/** A process and all below it. */
function processesOf(pid: string): string[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap(processesOf)];
}

/** The most kilobytes a process had resident so far. */
function peakOf(pid: string): number {
  return Number(/VmHWM:\s*(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function print(): void {
  const title = ({ rows, editions }: ScaleResult): string => `${rows} rows, ${editions} editions`;
  const names = results[0]?.queries.map(({ name }) => name) ?? [];
  const table = names.map((name, position) => ({
    query: name,
    selective: results[0]?.queries[position]?.selective,
    ...Object.fromEntries(
      results.map((result) => [`p50 ms, ${title(result)}`, result.queries[position]?.p50_ms]),
    ),
  }));
  console.table(table);
  console.table(results.map((result) => ({ size: title(result), ...result.build })));
  for (const result of results)
    console.log(`${title(result)}: ${result.rss_mb} MB resident at most to answer; start`, result.start);
}
