/** Builds and releases killed at any moment leave one whole tree and ledger, and the next run completes. KILLS=50 for more moments. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseLedger } from '../../build/release/describe.ts';
import { recoverTree } from '../../build/write/tree-folder.ts';
import { bundled, killed, moments, started } from '../_support/child.ts';
import { temporaryFolder, TEST_SITE } from '../_support/tree.ts';
import { findingsOf, release, written } from '../release/fixture.ts';
import { someDatasets } from '../_support/few-rows.ts';

const KILLS = Number(process.env['KILLS'] ?? 2);
/** Before any release expires. */
const AT_ANY_TIME = { now: new Date(0) };

const BUILD = `
import { build } from './build/build.ts';
import { realEffects } from './build/write/effects.ts';
const [datasets, out, cache] = process.argv.slice(2);
process.stdout.write('go');
const settings = { siteUrl: ${JSON.stringify(TEST_SITE)} };
const effects = { ...realEffects({ cache }), progress: () => undefined };
await build({ datasets, schemas: 'schemas', out, settings, threads: 1, allowSmaller: true }, effects);
`;

// Builds take seconds: only where kills are what a run is about. Their last step, the switch, is killed in test/release.
test.runIf(process.env['KILLS'])(
  `[KILL] a build killed at ${KILLS} moments leaves the old tree or the new one, whole`,
  { timeout: 120_000 + KILLS * 60_000 },
  async () => {
    // Datasets of one source each: their builds take seconds.
    const [one, two] = [
      someDatasets('coca-cultivation'),
      someDatasets('coca-cultivation', 'opium-cultivation'),
    ];
    const child = await bundled(BUILD, { outside: true });
    const out = join(temporaryFolder(), 'site');
    const kept = join(temporaryFolder(), 'kept');
    const cache = join(temporaryFolder(), 'cache');
    const built = async (datasets: string): Promise<number> => {
      const running = await started(child, datasets, out, cache);
      const began = performance.now();
      await once(running, 'exit');
      return performance.now() - began;
    };
    await built(one);
    cpSync(out, kept, { recursive: true });
    rmSync(cache, { recursive: true });
    const first = await built(two);
    const again = await built(two);
    const releaseOf = (folder: string): string => readFileSync(join(folder, 'release.json'), 'utf8');
    console.log(`a build takes ${Math.round(first)} ms, ${Math.round(again)} ms with what it kept`);
    const trees = [releaseOf(kept), releaseOf(out)];
    expect(new Set(trees).size).toBe(2);
    // Most builds take what builds before them kept, those that were killed included, and replace their tree; some start with nothing.
    for (const [number, part] of moments(KILLS, 1).entries()) {
      const isFirst = number % 5 === 0;
      if (isFirst) {
        rmSync(out, { recursive: true });
        cpSync(kept, out, { recursive: true });
        for (const folder of [cache, `${cache}-tree`]) rmSync(folder, { recursive: true, force: true });
      }
      const datasets = releaseOf(out) === trees[0] ? two : one;
      await killed(await started(child, datasets, out, cache), part * (isFirst ? first : again));
      recoverTree(out);
      expect(await findingsOf(out, AT_ANY_TIME)).toEqual([]);
      expect(trees).toContain(releaseOf(out));
    }
    await built(two);
    expect([await findingsOf(out, AT_ANY_TIME), releaseOf(out)]).toEqual([[], trees[1]]);
    // Files of more than 64 kB cannot be written, as on a full disk.
    const full = spawnSync('bash', [
      '-c',
      'ulimit -f 64; exec "$0" "$@"',
      process.execPath,
      child,
      one,
      out,
      cache,
    ]);
    expect(full.status).toBe(1);
    expect(full.stderr.toString()).toMatch(/file too large[^]*path: '\S+\/next\//);
    expect([await findingsOf(out, AT_ANY_TIME), releaseOf(out)]).toEqual([[], trees[1]]);
    expect(readdirSync(dirname(out))).toEqual(['site']);
  },
);

const RELEASE = `
import { releaseCommand } from './build/release/command.ts';
const [tree, datasets] = process.argv.slice(2);
process.stdout.write('go');
process.exitCode = await releaseCommand({ tree, datasets, expires: '2199-01-01' });
`;

test(
  `[KILL] a release killed at ${KILLS} moments leaves a readable ledger`,
  { timeout: 60_000 + KILLS * 15_000 },
  async () => {
    const tree = written(release());
    const child = await bundled(RELEASE);
    const datasets = temporaryFolder();
    const ledger = join(datasets, 'releases.json');
    const whole = await started(child, tree, datasets);
    const began = performance.now();
    await once(whole, 'exit');
    const span = performance.now() - began + 20;
    const text = readFileSync(ledger, 'utf8');
    for (const moment of moments(KILLS, span)) {
      rmSync(ledger, { force: true });
      await killed(await started(child, tree, datasets), moment);
      if (existsSync(ledger)) expect(readFileSync(ledger, 'utf8')).toBe(text);
    }
    await once(await started(child, tree, datasets), 'exit');
    expect(parseLedger(readFileSync(ledger)).releases).toHaveLength(1);
  },
);
