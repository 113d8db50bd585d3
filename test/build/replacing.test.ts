/** What a build replaces only when it is meant: each accident stops with the flag that means it, and changes nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { modern } from '../_support/mcp-request.ts';
import { run, type Ran } from '../_support/command-line.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { someDatasets } from '../_support/few-rows.ts';

const root = temporaryFolder();
const out = join(root, 'tree');
/** 32 bytes in base64: the seed of a key. */
const SIGNING_KEY = Buffer.alloc(32, 7).toString('base64');

const two = someDatasets('coca-cultivation', 'opium-cultivation');
const one = someDatasets('coca-cultivation');
const none = someDatasets();
const signed = { SIGNING_KEY };

const build = (datasets: string, env: Record<string, string>, ...flags: string[]): Promise<Ran> =>
  run(['build', '--datasets', datasets, '--out', out, ...flags], env);
const sums = (): string => readFileSync(join(out, 'SHA256SUMS'), 'utf8');

beforeAll(() => build(two, signed), 60_000);

test.each([
  ['a folder without datasets', none, signed, [], '--allow-empty'],
  ['a folder of one dataset fewer', one, signed, [], '--allow-smaller'],
  ['no signing key', two, {}, [], '--allow-unsigned'],
  ['the flag of another accident', none, {}, ['--allow-unsigned', '--allow-smaller'], '--allow-empty'],
])('[ACCIDENT] %s stops the build, which names what to pass', async (_what, datasets, env, flags, hint) => {
  const before = sums();
  const { status, stderr } = await build(datasets, env, ...flags);
  expect(status).toBe(1);
  expect(stderr).toContain(`add ${hint}.`);
  expect(sums()).toBe(before);
});

test('[ACCIDENT] a loss is named with what was there and what is left', async () => {
  const { stderr } = await build(one, signed);
  expect(stderr).toMatch(/^ {2}records of opium-cultivation: \d+ before, 0 now$/m);
  expect(stderr).not.toContain('records of coca-cultivation');
});

test('what was published about a release without being in its list stays with it, and goes with it', async () => {
  const about = ['deltas/1..2.json', 'release.intoto.json', 'release.intoto.json.minisig'].flatMap((path) => [
    path,
    `${path}.sha256`,
  ]);
  await build(two, signed, '--provenance');
  mkdirSync(join(out, 'deltas'));
  for (const path of about.slice(0, 2)) writeFileSync(join(out, path), 'what a release was before');
  const there = (): (string | null)[] =>
    about.map((path) => (existsSync(join(out, path)) ? readFileSync(join(out, path), 'utf8') : null));
  const published = there();
  expect(published).not.toContain(null);
  await build(two, signed);
  expect(there()).toEqual(published);
  await build(one, signed, '--allow-smaller');
  expect(there()).toEqual(about.map(() => null));
});

test('[ACCIDENT] what is meant is done', async () => {
  const { status, stderr } = await build(one, {}, '--allow-smaller', '--allow-unsigned');
  expect([status, stderr]).toEqual([0, expect.stringContaining('files in')]);
  expect(sums()).not.toContain('data/opium-cultivation.ndjson');
  expect((await build(none, {}, '--allow-empty', '--allow-smaller')).status).toBe(0);
  const { status: answered } = await testApp(out).fetch(modern('tools/list'));
  expect(answered).toBe(200);
});
