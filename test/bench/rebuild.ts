/**
 * `npm run bench:rebuild`: what one changed dataset costs. In a copy of the packaged datasets one number of one of them is changed;
 * then the site is built by the real build command from what earlier builds kept, and without it. That both trees are the same is
 * checked; the seconds are for reading.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUMS } from '../../shim/core/paths.ts';
import { csvText } from '../../shim/core/csv.ts';
import { readCsv } from '../../build/lib/csv.ts';
import { newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { median, rounded } from './figures.ts';

/** What a change of one dataset cost: `records` of all its editions, medians of `seconds`, and of the ratios of both builds. */
interface Rebuilt {
  dataset: string;
  records: number;
  'rebuilt s': number;
  'whole s': number;
  'rebuilt / whole': number;
}

const options = programOptions<{ only: string; rounds: number; json?: true }>(
  newCommand(
    'npm run bench:rebuild',
    'Measure what one changed dataset costs, next to a build of everything.',
  )
    .option('--only <text>', 'only datasets whose name has this text', '')
    .option('--rounds <n>', 'changes of each dataset; medians are reported', wholeNumber(1, 100), 3)
    .option('--json', 'print one JSON document, an array of datasets'),
);
const say = (line: string): void => console.error(line);
const work = mkdtempSync(join(tmpdir(), 'evidence-rebuild-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
const datasets = join(work, 'datasets');
cpSync('datasets', datasets, { recursive: true });
const names = readdirSync(datasets).filter(
  (name) => name.includes(options.only) && editionsOf(name).length > 0,
);
if (names.length === 0) {
  console.error(`--only: no dataset has ${JSON.stringify(options.only)} in its name`);
  process.exit(2);
}
say('building');
const kept = join(work, 'kept');
built(kept);
const rows = names.flatMap(measured);
if (options.json) console.log(JSON.stringify(rows, null, 2));
else console.table(rows);

/** Nothing for a dataset without numbers. */
function measured(dataset: string): Rebuilt[] {
  const editions = editionsOf(dataset);
  const newest = editions.at(-1) ?? '';
  const rebuilt: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    say(`${dataset}, change ${round + 1} of ${options.rounds}`);
    if (!changeNumber(newest)) {
      say(`${dataset} has no number that could be changed`);
      return [];
    }
    rebuilt.push(built(kept));
    const other = join(work, 'whole');
    whole.push(built(other, '--no-cache'));
    const [own, all] = [kept, other].map((tree) => readFileSync(join(tree, SUMS), 'utf8'));
    if (own !== all) throw new Error(`the two trees differ after a change of ${newest}`);
  }
  const seconds = (all: number[]): number => rounded(median(all), 1);
  const row = {
    dataset,
    records: editions.reduce((sum, file) => sum + readCsv(readFileSync(file)).length - 1, 0),
    'rebuilt s': seconds(rebuilt),
    'whole s': seconds(whole),
    'rebuilt / whole': rounded(median(rebuilt.map((own, round) => own / (whole[round] ?? 1)))),
  };
  return [row];
}

/** The rows of the editions of a dataset, oldest first. */
function editionsOf(dataset: string): string[] {
  const folders = readdirSync(join(datasets, dataset), { withFileTypes: true });
  return folders
    .map(({ parentPath, name }) => join(parentPath, name, 'records.csv'))
    .filter((file) => existsSync(file))
    .sort();
}

/**
 * Makes the last number of the last row that has one another: of observations their value; never that of the first column, which
 * names a row. Returns false where there is none.
 */
function changeNumber(file: string): boolean {
  const table = readCsv(readFileSync(file)).map(({ cells }) => cells);
  const value = table[0]?.indexOf('value') ?? -1;
  const at = (cells: string[]): number =>
    cells.findLastIndex(
      (cell, column) => (value < 0 ? column > 0 : column === value) && /^\d+(?:\.\d+)?$/.test(cell),
    );
  const row = table.findLast((cells) => at(cells) >= 0);
  if (!row) return false;
  const cell = row[at(row)] ?? '';
  row[at(row)] = cell.slice(0, -1) + ((Number(cell.at(-1)) + 1) % 10);
  writeFileSync(file, csvText(table));
  return true;
}

/** Runs the build command, once all that was written before is on the disk; returns the seconds it took. Only builds of this run are known to it. */
function built(out: string, ...words: string[]): number {
  const own = ['--cache', join(work, 'cache'), '--datasets', datasets];
  spawnSync('sync');
  const began = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['build/run.mjs', 'build', ...own, '--out', out, ...words],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the build ended with ${status}: ${stderr}`);
  return (performance.now() - began) / 1000;
}
