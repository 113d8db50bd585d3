/** The function as it is deployed: bundled, with only the included files. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fg from 'fast-glob';
import { serve } from 'srvx';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleFunction, functionEnv, FUNCTIONS_FOLDER, INCLUDED_FILES } from '../../build/deploy/netlify.ts';
import { smoke } from '../../build/deploy/smoke.ts';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { restDoor, testApp } from '../_support/doors.ts';
import { fileServer } from '../_support/file-server.ts';
import { freePort } from '../_support/free-port.ts';
import { builtTree, temporaryFolder, TEST_SITE, treeText } from '../_support/tree.ts';
import { ANSWERED, REFUSED } from '../contract/cases.ts';
import { answered, doorOf, modern, type Answered, type Handler } from '../mcp/asking.ts';

interface Deployed {
  default(request: Request): Promise<Response>;
  config: { path: string[]; includedFiles: string[] };
}

const LOCAL = { port: 0, hostname: '127.0.0.1', silent: true, gracefulShutdown: false };
const project = temporaryFolder();
let size = 0;
let deployed: Deployed;

beforeAll(async () => {
  const home = join(project, FUNCTIONS_FOLDER);
  size = await bundleFunction(home, { SITE_URL: TEST_SITE });
  const tree = builtTree();
  for (const path of fg.sync(
    INCLUDED_FILES.map((glob) => glob.replace(/^public\//, '')),
    { cwd: tree },
  )) {
    mkdirSync(dirname(join(project, 'public', path)), { recursive: true });
    cpSync(join(tree, path), join(project, 'public', path));
  }
  deployed = (await import(pathToFileURL(join(home, 'shim/shim.mjs')).href)) as Deployed;
});

const ask = (target: string, init?: RequestInit): Promise<Response> =>
  deployed.default(
    new Request(`${TEST_SITE}${target}`, {
      ...init,
      headers: { host: new URL(TEST_SITE).host, ...init?.headers },
    }),
  );

test('the bundle, with all that is loaded on request, is under 920 kB', () => {
  expect(size).toBeLessThan(920_000);
  expect(size).toBeGreaterThan(100_000);
});

test('the text of the entry lists its paths and files, where the host looks for them', () => {
  const home = join(project, FUNCTIONS_FOLDER, 'shim');
  expect(deployed.config.path).toEqual(['/mcp', '/mcp/', '/_shim/*']);
  expect(deployed.config.includedFiles.map((glob) => join(home, glob))).toEqual(
    INCLUDED_FILES.map((glob) => join(project, glob)),
  );
  expect(readFileSync(join(home, 'shim.mjs'), 'utf8')).toContain(
    "export const config = { path: ['/mcp', '/mcp/', '/_shim/*'], includedFiles: ['../../../public/data/*.ndjson', ",
  );
});

test('with DATA_FROM the function is deployed without files, and answers from those at the address', async () => {
  const host = await fileServer(builtTree());
  const home = join(temporaryFolder(), FUNCTIONS_FOLDER);
  await bundleFunction(home, { SITE_URL: TEST_SITE, DATA_FROM: host.url });
  expect(readdirSync(home, { recursive: true }).sort()).toEqual(['shim', 'shim/server.mjs', 'shim/shim.mjs']);
  const alone = (await import(pathToFileURL(join(home, 'shim/shim.mjs')).href)) as Deployed;
  expect(alone.config.includedFiles).toEqual([]);
  const rest = restDoor();
  // All of the contract is tested in process (test/remote/service.test.ts).
  for (const [, target] of ANSWERED.filter((_, at) => at % 6 === 0)) {
    const response = await alone.default(new Request(`${TEST_SITE}/_shim${target}`));
    expect(await response.text(), target).toBe((await rest.ask(target)).text);
  }
  host.close();
});

describe.each(['/_shim', ''])('with the prefix "%s"', (prefix) => {
  const rest = restDoor();
  test.each([...REFUSED, ...ANSWERED])('[DOORS] [CDN-FUNCTION] %s %s', async (_id, target, status, shows) => {
    const response = await ask(`${prefix}${target}`, { headers: { 'accept-encoding': 'br, gzip' } });
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(text).toBe((await rest.ask(target)).text);
    expect(text).toMatch(status === 200 ? shows : /invalid_request/);
  });
});

test('[MCP-TOOLS] it lists the tools that the sources list', async () => {
  const list = (handler: Handler): Promise<Answered> => answered(handler, modern('tools/list'));
  const { result } = await list((request) => deployed.default(request));
  expect(result['tools']).toHaveLength(9);
  expect(result).toEqual((await list(doorOf())).result);
});

test('responses are not compressed: the CDN stores one for all', async () => {
  const response = await ask('/_shim/api/v1/atlas?limit=5', { headers: { 'accept-encoding': 'br' } });
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('netlify-vary')).toBe('query');
  expect(response).toBeInstanceOf(Response);
});

test.each([
  ['OPTIONS', '/_shim/api/v1/atlas', 204],
  ['HEAD', '/_shim/api/v1/atlas?limit=1', 200],
  ['POST', '/_shim/api/v1/atlas', 405],
  ['GET', '/_shim/api/v1/nope', 404],
  ['GET', '/_shim/mcp-not', 404],
  ['GET', '/_shimapi/v1/atlas', 404],
  ['GET', '/mcp', 405],
  ['GET', '/mcp/', 405],
  ['OPTIONS', '/mcp/?a=1', 204],
])('%s %s gives %d', async (method, target, status) => {
  expect((await ask(target, { method })).status).toBe(status);
});

test('a record is a page here too, in its edition, with release and earlier editions', async () => {
  const [line = ''] = treeText('data/drug-seizures.ndjson').split('\n');
  const { id, edition } = JSON.parse(line) as { id: string; edition: string };
  const response = await ask(`/_shim/r/${encodeURIComponent(`${id}@${edition}`)}`);
  expect([response.status, response.headers.get('content-security-policy')]).toEqual([200, PAGE_POLICY]);
  const text = await response.text();
  expect(text).toMatch(/tree <code class="hash">[0-9a-f]{64}/);
  expect(text).toContain('>2024-06<');
  expect((await ask('/_shim/r/nope')).headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('the explorer answers a query here too, with its map', async () => {
  const response = await ask('/_shim/explore/?indicator=dge&from=2018&view=map');
  expect([response.status, response.headers.get('content-security-policy')]).toEqual([200, PAGE_POLICY]);
  expect(await response.text()).toMatch(/class="ground"[^]*data-record="dge\./);
});

test.each([
  ['/_shim/download/atlas.excel.csv?iso3=MEX', 200, /^"domain","meta\.availability",.*\r\n/],
  ['/_shim/download/atlas.csv?limit=5', 400, /"invalid_request"/],
  ['/_shim/designations/?query=zzzzzz', 200, /No official name in this edition has these words/],
  ['/_shim/designations/999999999', 404, /There is no such designation/],
])('%s is answered by the function with %i', async (target, status, shows) => {
  const response = await ask(target);
  expect([response.status, response.headers.get('x-robots-tag')]).toEqual([
    status,
    status === 400 ? null : 'noindex',
  ]);
  expect(await response.text()).toMatch(shows);
});

test('the local lanes of the federation are there, the unconfigured ones say so', async () => {
  const { data } = (await (await ask('/_shim/api/v1/federation')).json()) as {
    data: { lanes: { id: string; availability: string; error: { code: string } | null }[] };
  };
  expect(data.lanes.map(({ id, availability, error }) => [id, availability, error?.code])).toEqual([
    ['producerp-bri', 'available', undefined],
    ['producerp-newswire-rights', 'restricted', undefined],
    ['producers-capital-markets', 'unavailable', 'upstream_not_configured'],
    ['producers-global-money-atlas', 'unavailable', 'upstream_not_configured'],
    ['producers-money-markets', 'unavailable', 'upstream_not_configured'],
    ['producers-summary', 'unavailable', 'upstream_not_configured'],
  ]);
});

test('every smoke check passes where files and function are served together', async () => {
  const files = testApp();
  const server = serve({
    ...LOCAL,
    fetch: (request) => (/\/mcp\/?$/.test(request.url) ? deployed.default(request) : files.fetch(request)),
  });
  await server.ready();
  const lines: string[] = [];
  const code = await smoke(server.url ?? '', fetch, (line) => void lines.push(line));
  await server.close(true);
  expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(34);
  expect(code).toBe(0);
});

test('smoke says what is wrong, one line per check, and fails', async () => {
  const empty = async (): Promise<Response> => new Response('<h1>hello</h1>', { status: 200 });
  const lines: string[] = [];
  expect(await smoke(TEST_SITE, empty as typeof fetch, (line) => void lines.push(line))).toBe(1);
  expect(lines).toContain(
    'FAIL a filtered response is cached by clients for minutes: content-type is "text/plain;charset=UTF-8", expected /^application\\/json/',
  );
  expect(lines.some((line) => line.startsWith('ok'))).toBe(false);
});

test('smoke says why a site cannot be reached', async () => {
  const lines: string[] = [];
  expect(await smoke(`http://127.0.0.1:${await freePort()}`, fetch, (line) => void lines.push(line))).toBe(1);
  expect(lines[0]).toMatch(/^FAIL .*: no whole response to \/.*: .*ECONNREFUSED/);
});

describe('the settings that the build gives the function', () => {
  test('its own address, and every address of the deploy for MCP', () => {
    const env = {
      NETLIFY: 'true',
      URL: 'https://evidence.example',
      DEPLOY_PRIME_URL: 'https://deploy-preview-7--evidence.netlify.app',
      DEPLOY_URL: 'https://65f0--evidence.netlify.app',
    };
    const made = functionEnv(env);
    expect(made['SITE_URL']).toBe('https://evidence.example');
    expect(made['MCP_ALLOWED_HOSTS']).toBe(
      'evidence.example,localhost,127.0.0.1,[::1],deploy-preview-7--evidence.netlify.app,65f0--evidence.netlify.app',
    );
    expect(made['MCP_ALLOWED_ORIGINS']).toBe(made['MCP_ALLOWED_HOSTS']);
  });

  test('names that were set stay as they are; a bad address stops the build', () => {
    expect(functionEnv({ MCP_ALLOWED_HOSTS: 'one.example' })['MCP_ALLOWED_HOSTS']).toBe('one.example');
    expect(() => functionEnv({ SITE_URL: 'evidence' })).toThrow('SITE_URL');
  });
});
