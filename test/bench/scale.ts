/**
 * `npm run bench:scale -- --rows 1000000,10000000`: how responses and memory grow with the collection, on generated records. Each
 * size is written to its own folder, queried by its own process, and removed. Nothing is asserted: numbers are for reading.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleServer } from '../../build/bundle/bundle.ts';
import { newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { writeScaleTree } from './scale-tree.ts';

/** What is measured of one size: `rss_mb` is the most the process held, `p50_ms` the median of 200 responses. */
interface ScaleResult {
  rows: number;
  rss_mb: number;
  queries: { name: string; selective: boolean; p50_ms: number }[];
}

/** A little more than a record and its share of the index take. */
const BYTES_PER_ROW = 450;
const say = (line: string): void => console.error(line);

const { rows: sizes, json } = programOptions<{ rows: number[]; json?: true }>(
  newCommand('npm run bench:scale', 'Measure how responses and memory grow with the collection.')
    .option(
      '--rows <n,n>',
      'numbers of generated records, separated by commas',
      (text: string) => text.split(',').map(wholeNumber(1, 100_000_000)),
      [100_000, 1_000_000],
    )
    .option('--json', 'print one JSON document, an array of sizes'),
);
const results = await measured();
if (json) console.log(JSON.stringify(results, null, 2));
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
    const taken: ScaleResult[] = [];
    for (const rows of sizes) taken.push(await measuredSize(work, server, rows));
    return taken;
  } finally {
    clean();
  }
}

async function measuredSize(work: string, server: string, rows: number): Promise<ScaleResult> {
  const { bavail, bsize } = statfsSync(work);
  if (bavail * bsize < rows * BYTES_PER_ROW)
    throw new Error(
      `${rows} records need ${rows * BYTES_PER_ROW} bytes free in ${work}, there are ${bavail * bsize}`,
    );
  const tree = join(work, String(rows));
  say(`writing ${rows} records`);
  await writeScaleTree(tree, rows, say);
  say('querying');
  const text = execFileSync(process.execPath, [server, tree], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  rmSync(tree, { recursive: true });
  return { rows, ...(JSON.parse(text) as Omit<ScaleResult, 'rows'>) };
}

function print(): void {
  const names = results[0]?.queries.map(({ name }) => name) ?? [];
  const table = names.map((name, position) => ({
    query: name,
    selective: results[0]?.queries[position]?.selective,
    ...Object.fromEntries(
      results.map(({ rows, queries }) => [`p50 ms, ${rows} rows`, queries[position]?.p50_ms]),
    ),
  }));
  console.table(table);
  for (const { rows, rss_mb } of results) console.log(`${rows} rows: ${rss_mb} MB resident at most`);
}
