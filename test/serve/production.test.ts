/** The built server, started as in production: one command, no packages, no sources. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleFolder } from '../../build/bundle/bundle.ts';
import { bundledServer } from '../_support/bundled-server.ts';
import { modern } from '../_support/mcp-request.ts';
import { builtTree, copyOfTree, TEST_SITE, temporaryFolder } from '../_support/tree.ts';

const home = temporaryFolder();
const server = join(home, '.build/server');
const MAIN = join('.build', 'server', 'main.cjs');
const env = { PATH: process.env['PATH'] ?? '', SITE_URL: TEST_SITE, PORT: '0' };

beforeAll(async () => {
  mkdirSync(join(home, '.build'));
  cpSync(await bundledServer(), server, { recursive: true });
  symlinkSync(builtTree(), join(home, 'public'));
});

describe('node .build/server/main.cjs', () => {
  test('serves the folder "public": files, queries, pages and /mcp, and ends with 0', async () => {
    const child = spawn(process.execPath, [MAIN], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const url = await addressOf(child);
    // Another build may replace what the server has not read yet.
    const later = join(server, 'later.js');
    renameSync(later, `${later}.before`);
    writeFileSync(later, 'throw new Error()');
    for (const path of [
      '/',
      '/api/v1/atlas',
      '/api/v1/market-observations?indicator=seizures&geo=MEX&limit=3',
      '/api/v1/federation?lane=producerp-bri',
      '/search/?q=cocaine',
      '/explore/?geo=MEX',
      '/embed/?indicator=dge&geo=MEX',
    ]) {
      const { status } = await fetch(url + path);
      expect([path, status]).toEqual([path, 200]);
    }
    renameSync(`${later}.before`, later);
    const wholesale = await fetch(`${url}/api/v1/series?query=Gro%C3%9Fhandel&limit=1`);
    const { data } = (await wholesale.json()) as { data: { page: { matched: number } } };
    expect(data.page.matched).toBeGreaterThan(0);
    const call = modern('tools/call', { name: 'get_atlas', arguments: { limit: 1 } });
    const request = new Request(`${url}/mcp`, call);
    request.headers.delete('host');
    expect((await fetch(request)).status).toBe(200);
    // A second after its start it loads what no request needed.
    await new Promise((next) => setTimeout(next, 1500));
    child.kill('SIGTERM');
    expect(await new Promise((done) => child.once('exit', (code) => done(code)))).toBe(0);
    expect(complaints).toBe('');
  });

  const withoutList = copyOfTree();
  rmSync(join(withoutList, 'SHA256SUMS'));

  test.each([
    ['another folder that is named', builtTree()],
    ['what is whole of a site that lost SHA256SUMS', withoutList],
  ])('serves %s', async (_name, folder) => {
    const child = spawn(process.execPath, [join(home, MAIN), folder], {
      cwd: temporaryFolder(),
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect((await fetch(`${await addressOf(child)}/api/v1/entities?limit=1`)).status).toBe(200);
    child.kill('SIGTERM');
  });

  test.each<[name: string, cwd: string, more: object, line: string, named?: string]>([
    ['no site', temporaryFolder(), {}, '"public": expected the one that "npm run build" made'],
    ['a bad setting', home, { PORT: '5junk' }, 'PORT is "5junk"'],
    ['a file for the folder', home, {}, 'main.cjs": expected the one that', MAIN],
  ])('%s: one line, exit code 2', (_name, cwd, more, line, named = 'public') => {
    const { status, stderr } = spawnSync(process.execPath, [join(home, MAIN), named], {
      cwd,
      env: { ...env, ...more },
      encoding: 'utf8',
    });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([status, stderr]).toEqual([2, expect.stringContaining(line)]);
  });
});

const CACHES = ['server.js.cache', 'later.js.cache'];

describe('what node compiled of the code', () => {
  test.each([
    ['changed', (bytes: Buffer) => bytes.fill(7, bytes.length / 2, bytes.length / 2 + 64)],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['of other code', (bytes: Buffer) => bytes.fill('0', 0, 64)],
    ['of another hash', (bytes: Buffer) => bytes.fill('0', 64, 128)],
    ['empty', () => Buffer.alloc(0)],
  ])('%s: the server starts without it', async (_name, damaged) => {
    const whole = CACHES.map((name) => [join(server, name), readFileSync(join(server, name))] as const);
    for (const [path, bytes] of whole) writeFileSync(path, damaged(Buffer.from(bytes)));
    const child = spawn(process.execPath, [MAIN], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const { status } = await fetch(`${await addressOf(child)}/api/v1/entities?limit=1`);
    child.kill('SIGTERM');
    for (const [path, bytes] of whole) writeFileSync(path, bytes);
    expect(status).toBe(200);
  });
});

test('[REPRODUCIBLE] bundled again, in another folder, every part has the same bytes', async () => {
  const again = join(temporaryFolder(), 'elsewhere');
  await bundleFolder(again);
  expect([...readdirSync(again), ...CACHES].toSorted()).toEqual(readdirSync(server).toSorted());
  for (const name of readdirSync(again))
    expect(readFileSync(join(again, name)).equals(readFileSync(join(server, name))), name).toBe(true);
  expect(readFileSync(join(again, 'server.js'), 'utf8')).not.toContain(process.cwd());
});

async function addressOf(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const [, url] = /on (http:\S+)\/\n/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended: ${text}`);
}
