/** `npm run attack`: starts the server as production does and attacks it over loopback; a table at the end, exit code 1 where a goal is missed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newCommand, wholeNumber } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';
import { attacked, ATTACKS, MIX, type Row } from './attacked.ts';

interface Options {
  seconds: number;
  seed: number;
  tree: string;
  only?: string;
  kills?: number;
  json?: true;
}

const options = programOptions<Options>(
  newCommand(
    'npm run attack',
    `Attack the server on loopback. Attacks, in this order: ${[...ATTACKS.map(({ name }) => name), MIX].join('; ')}.`,
  )
    .option('--seconds <n>', 'length of the random requests at the end', wholeNumber(0, 86_400), 60)
    .option('--seed <n>', 'start of the random choices', wholeNumber(0, 2 ** 31), 1)
    .option('--tree <folder>', 'the published tree', 'public')
    .option('--only <text>', 'only attacks whose name has this text')
    .option(
      '--kills <n>',
      'instead: kill build, release, mirror and refresh so often',
      wholeNumber(1, 10_000),
    )
    .option('--json', 'print one JSON document'),
);

const { tree, kills } = options;
if (kills !== undefined) {
  const files = ['test/attack/kills.test.ts', 'test/release/mirror.test.ts', 'test/refresh/kill.test.ts'];
  execFileSync('npx', ['vitest', 'run', ...files, '-t', 'KILL'], {
    stdio: 'inherit',
    env: { ...process.env, KILLS: String(Math.ceil(kills / 4)), TEST_TREE: tree },
  });
} else {
  const work = mkdtempSync(join(tmpdir(), 'evidence-attack-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true }));
  const say = (line: string): void => console.error(line);
  const rows = await attacked({ ...options, work, share: 1 }, say);
  if (options.json) console.log(JSON.stringify(rows, null, 2));
  else print(rows);
  process.exitCode = rows.some(({ missed }) => missed.length > 0) ? 1 : 0;
}

function print(all: readonly Row[]): void {
  const cells = all.map(({ attack, requests, healthy, descriptors, memory, turns, missed }) => ({
    attack,
    requests,
    'healthy, ms': Math.round(healthy),
    'descriptors after': descriptors,
    'MB after': Math.round(memory),
    'longest step, ms': Math.round(turns.step),
    'of it garbage': Math.round(turns.collecting),
    'idle process late, ms': Math.round(turns.machine),
    missed: missed.length,
  }));
  console.table(cells);
  for (const { attack, missed } of all) for (const line of missed) console.log(`${attack}: ${line}`);
}
