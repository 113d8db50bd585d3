/** `npm run dev` in a project of its own: a changed cell is shown, a broken row is told and leaves what was shown; npm stops all of it. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { portOf } from '../_support/child.ts';
import { temporaryFolder, TEST_SITE } from '../_support/tree.ts';

const project = temporaryFolder();
// Copied, so that nothing is kept of earlier builds: the first start is that of a fresh checkout.
for (const name of ['build', 'docs', 'shim', 'schemas', 'package.json', 'package-lock.json', 'tsconfig.json'])
  cpSync(name, join(project, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
cpSync('datasets/coca-cultivation', join(project, 'datasets/coca-cultivation'), { recursive: true });
const records = join(project, 'datasets/coca-cultivation/2025-06/records.csv');
const QUERY = 'api/v1/market-observations?indicator=coca-cultivation&geo=BOL&from=2010&to=2010';

const original = readFileSync(records, 'utf8');
const change = (value: string): void =>
  writeFileSync(records, original.replace('2010,31000,', `2010,${value},`));
/** Not as often as elsewhere: a page is asked for while a build needs the machine. */
const SELDOM = { interval: 300 };
const env = { PATH: process.env['PATH'] ?? '', SITE_URL: TEST_SITE, PORT: '0' };

test('a changed cell is in API and page; a row that breaks a rule is named, and the last preview stays', async () => {
  const child = spawn(process.execPath, ['build/run.mjs', 'dev'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let said = '';
    let built = '';
    child.stdout.on('data', (chunk: Buffer) => {
      // The server is not there yet.
      if (built === '' && chunk.includes('site built')) change('31005');
      built += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const site = `http://127.0.0.1:${await portOf(child)}`;
    const statuses = new Set<number>();
    const text = async (path: string): Promise<string> => {
      const response = await fetch(`${site}/${path}`);
      statuses.add(response.status);
      return response.text();
    };
    await expect.poll(() => text(QUERY), SELDOM).toContain('"value":31005');
    await expect.poll(() => built.match(/site built/g)).toHaveLength(2);

    change('31007');
    await expect.poll(() => text(QUERY), SELDOM).toContain('"value":31007');
    // Pages follow; those of data that has changed again need not.
    change('31008');
    await expect.poll(() => text(QUERY), SELDOM).toContain('"value":31008');
    await expect.poll(() => text('places/bol/'), SELDOM).toContain('31008');
    await expect.poll(() => text('data/coca-cultivation.csv'), SELDOM).toContain(',31008,');
    // After each change the data is there before the pages are.
    const parts = [...built.matchAll(/(data|site) built in [\d.]+ s\n/g)].map((match) => match[1]).join(' ');
    expect(parts).toMatch(/^site( data( site)?){3,}$/);
    expect([...statuses]).toEqual([200]);

    change('many');
    await expect
      .poll(() => said)
      .toContain('records.csv:2: number: column "value" must be a number or blank, not "many"');
    await expect.poll(() => said).toContain('The last site stays.');
    expect(await text(QUERY)).toContain('"value":31008');
  } finally {
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
  }
});

test('a first preview that cannot be built is served when its data was mended, until npm is stopped', async () => {
  rmSync(join(project, '.build/preview'), { recursive: true });
  change('many');
  const npm = spawn('npm', ['run', 'dev'], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  npm.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    const serving = portOf(npm);
    await expect.poll(() => said).toContain('There is no site yet');
    change('31009');
    const site = `http://127.0.0.1:${await serving}`;
    expect(await (await fetch(`${site}/${QUERY}`)).text()).toContain('"value":31009');
    npm.kill('SIGTERM');
    await expect.poll(() => fetch(site).catch(() => null), SELDOM).toBeNull();
  } finally {
    npm.kill('SIGTERM');
  }
});

const started = (): string =>
  spawnSync(process.execPath, ['build/run.mjs', 'start', '--build-only', '--allow-smaller'], {
    cwd: project,
    env,
  }).stderr.toString();
const server = join(project, '.build/server');

test('npm start builds the server, with what node compiled of its code as this node takes it', () => {
  expect(started()).toContain('bundling the server');
  // V8 may get other flags in the process of the command than in this one.
  const rejected = ['server.js', 'later.js'].map((name) => {
    const cachedData = readFileSync(join(server, `${name}.cache`)).subarray(128);
    return new Script(readFileSync(join(server, name), 'latin1'), { cachedData }).cachedDataRejected;
  });
  expect(rejected).toEqual([false, false]);
});

test('npm start builds the site again where a sidecar is gone, and only then; the server where a part is', () => {
  expect(started()).toBe('');
  for (const sidecar of ['SHA256SUMS.sha256', 'api/v1/markets.json.sha256']) {
    rmSync(join(project, 'public', sidecar));
    const said = started();
    expect(said).toContain('files into place');
    expect(said).not.toContain('bundling the server');
    expect(existsSync(join(project, 'public', sidecar))).toBe(true);
  }
  truncateSync(join(server, 'server.js'), 300);
  expect(started()).toContain('bundling the server');
  expect(started()).toBe('');
});
