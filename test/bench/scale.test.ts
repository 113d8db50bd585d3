/** The bench of scale answers what it says it answers: its document's shape, and counts and first records against brute force. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { readInput, readQuery } from '../../shim/core/call.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import type { Context, Input } from '../../shim/core/types.ts';
import { openReleases } from '../../shim/store/release.ts';
import { restAnswer } from '../_support/doors.ts';
import { MOST_EDITIONS, writeScaleDatasets } from './scale-datasets.ts';
import { casesOf } from '../_support/share.ts';
import { scaleQueries } from './scale-queries.ts';
import { buildSite } from '../_support/few-rows.ts';

const ROWS = 20_000;
const ASKED = 25;

const root = mkdtempSync(join(tmpdir(), 'evidence-scale-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [datasets, out] = [join(root, 'datasets'), join(root, 'public')];
await writeScaleDatasets(datasets, { rows: ROWS, editions: 1 }, () => undefined);
const settings = { siteUrl: 'https://evidence.example' };
await buildSite({ datasets, out, settings, threads: 1 });
const context: Context = {
  settings,
  release: openReleases(out, () => performance.now()).current(),
};
const { packs } = context.release.manifest();
const records = packs.flatMap(({ path }) =>
  readFileSync(join(out, path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Observation),
);
const queries = scaleQueries(context);

test('as many records as asked for, of the size of real ones', () => {
  expect(records).toHaveLength(ROWS);
  expect(new Set(records.map(({ id }) => id)).size).toBe(ROWS);
  const bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0) / ROWS;
  expect(bytes).toBeGreaterThan(300);
  expect(bytes).toBeLessThan(450);
});

test.each(queries)('$name: counts and records are those of brute force', async ({ name, asks }) => {
  let found = 0;
  for (const ask of asks.slice(0, ASKED)) {
    const input = readInput(marketObservations, readQuery(marketObservations, ask));
    const expected = records.filter((record) => matches(record, input));
    const page = await answered(ask);
    expect(page.matched, ask).toBe(expected.length);
    expect(page.ids.length, ask).toBe(page.returned);
    if (name !== 'deep cursor')
      expect(page.ids, ask).toEqual(expected.slice(0, Number(input['limit'])).map(({ id }) => id));
    found += page.returned;
  }
  expect(found).toBeGreaterThan(0);
});

test('all datasets with as many editions as may be asked for are taken by the build', async () => {
  const [many, tree] = [join(root, 'many'), join(root, 'tree')];
  await writeScaleDatasets(
    many,
    { rows: casesOf(40, 8) * MOST_EDITIONS, editions: MOST_EDITIONS, datasets: 4 },
    () => undefined,
  );
  await buildSite({ datasets: many, out: tree, settings, threads: 1 });
  const manifest = openReleases(tree, () => performance.now())
    .current()
    .manifest();
  expect(manifest.packs).toHaveLength(4);
  expect(manifest.editions).toHaveLength(4 * (MOST_EDITIONS - 1));
});

test('one JSON document, an array of sizes, and nothing else on standard output', () => {
  const { status, stdout, stderr } = bench('--rows', '400', '--editions', '2', '--starts', '1', '--json');
  expect(status, stderr).toBe(0);
  const document = JSON.parse(stdout) as {
    rows: number;
    editions: number;
    build: object;
    rss_mb: number;
    queries: object[];
  }[];
  expect(document).toMatchObject([{ rows: 400, editions: 2 }]);
  for (const { build: built, rss_mb, queries: measured } of document) {
    expect(built).toEqual({
      seconds: expect.any(Number),
      rss_mb: process.platform === 'linux' ? expect.any(Number) : null,
      files: expect.any(Number),
      output_mb: expect.any(Number),
    });
    expect(rss_mb).toBeGreaterThan(20);
    expect(measured).toEqual(
      queries.map(({ name, selective }) => ({ name, selective, p50_ms: expect.any(Number) })),
    );
  }
});

test('a size that is not a number of records is refused with exit 2, and standard output stays empty', () => {
  const { status, stdout, stderr } = bench('--rows', '10,,20', '--json');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Expected a whole number from 1 to 100000000.');
});

function bench(...flags: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--import', 'tsx', 'test/bench/scale.ts', ...flags], {
    encoding: 'utf8',
  });
}

async function answered(ask: string): Promise<{ matched: number; returned: number; ids: string[] }> {
  const { text } = await restAnswer(marketObservations, () => readQuery(marketObservations, ask), context);
  const { data } = JSON.parse(text) as {
    data: { page: { matched: number; returned: number }; observations: Observation[] };
  };
  return { ...data.page, ids: data.observations.map(({ id }) => id) };
}

function matches(record: Observation, { indicator, geo, category, subgroup, from, to }: Input): boolean {
  return (
    (indicator === undefined || record.indicatorId === indicator) &&
    (geo === undefined || record.geoCode === geo) &&
    (category === undefined || record.category === category) &&
    (subgroup === undefined || record.subgroup === subgroup) &&
    (from === undefined || record.period >= String(from)) &&
    (to === undefined || record.period <= String(to))
  );
}
