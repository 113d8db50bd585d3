/** Federation through a real server and real TLS: statuses, envelope, caching, and other requests while an upstream hangs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LANES } from '../../shim/core/lanes.ts';
import { bundled } from '../_support/child.ts';
import { description, judge } from '../_support/openapi.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';
import { behaviourOf } from '../../build/stand-in/behaviours.ts';
import { AUTHORITY_FILE, startUpstream, type Upstream } from '../../build/stand-in/server.ts';

interface Lane {
  id: string;
  error: { code: string } | null;
}
interface Body {
  ok: boolean;
  error?: string;
  data: { status: string; lanes: Lane[] };
}

const ALL = '/api/v1/federation';
const SUMMARY = '/api/v1/federation?lane=producers-summary';
const LIVE = LANES.flatMap((lane) => (lane.kind === 'live' ? [lane] : []));
const LOCAL = LANES.filter(({ kind }) => kind === 'local').map(({ id }) => id);
const AT_ONCE = 50;

const judged = judge(description());
/** A process of its own, since trust is read at start: prints its address and serves until its standard input ends. */
const CHILD = bundled(`
  import { startServer } from './shim/node.ts';
  console.log((await startServer(process.argv[2], process.env)).url);
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
`);
const children: ChildProcess[] = [];

/** Starts a server of its own process; gives its origin. */
async function served(env: Record<string, string>): Promise<string> {
  const { PRODUCERS_BASE_URL: _outer, ...outer } = process.env;
  const child = spawn(process.execPath, [await CHILD, builtTree()], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...outer,
      SITE_URL: TEST_SITE,
      HOST: '127.0.0.1',
      PORT: '0',
      NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
      ...env,
    },
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  for await (const line of createInterface(child.stdout)) return line.replace(/\/$/, '');
  throw new Error(`the server ended before it listened: ${said}`);
}

/** Asks for a federation answer, which must be one that openapi.json describes. */
async function ask(origin: string, target: string) {
  const response = await fetch(`${origin}${target}`);
  const text = await response.text();
  expect(judged(target, response.status, text)).toEqual([]);
  const body = JSON.parse(text) as Body;
  const errors = new Map(body.data.lanes.map(({ id, error }) => [id, error?.code ?? null]));
  return { status: response.status, cache: response.headers.get('cache-control'), body, errors };
}

let upstream: Upstream;
let configured: string;
let unset: string;
beforeAll(async () => {
  upstream = await startUpstream();
  [configured, unset] = await Promise.all([served({ PRODUCERS_BASE_URL: upstream.origin }), served({})]);
});
afterAll(async () => {
  for (const child of children) child.kill();
  await upstream.close();
});
beforeEach(() => {
  for (const { path } of LIVE) upstream.behave(path, behaviourOf('valid'));
});

describe('[FED-STATUS] [FED-CACHE] at a served port', () => {
  test('all lanes valid: 200 available', async () => {
    const { status, cache, body, errors } = await ask(configured, ALL);
    expect([status, cache, body.data.status]).toEqual([200, 'public, max-age=60', 'available']);
    expect([...errors]).toEqual(LANES.map(({ id }) => [id, null]));
  });

  test('some: 200 partial, and the next response is not a stored one', async () => {
    upstream.behave('/api/v2/money-markets', behaviourOf('500'));
    const { status, cache, body, errors } = await ask(configured, ALL);
    expect([status, cache, body.data.status]).toEqual([200, 'public, max-age=60', 'partial']);
    expect([...errors].filter(([, code]) => code !== null)).toEqual([
      ['producers-global-money-atlas', 'upstream_http_error'],
    ]);
    upstream.behave('/api/v2/money-markets', behaviourOf('valid'));
    expect((await ask(configured, ALL)).body.data.status).toBe('available');
  });

  test('[FED-UNSET] unset base URL: 200 partial with the local lanes', async () => {
    const before = upstream.requests.length;
    const { status, cache, body, errors } = await ask(unset, ALL);
    expect([status, cache, body.data.status]).toEqual([200, 'public, max-age=60', 'partial']);
    for (const [id, code] of errors)
      expect([id, code]).toEqual([id, LOCAL.includes(id) ? null : 'upstream_not_configured']);
    expect(upstream.requests).toHaveLength(before);
  });

  test.each(['404', '500', 'typed 503'])('[UNAVAILABLE] none (%s): 503 with the envelope', async (name) => {
    upstream.behave(LIVE.find(({ id }) => id === 'producers-summary')?.path ?? '', behaviourOf(name));
    const { status, cache, body, errors } = await ask(configured, SUMMARY);
    expect([status, cache]).toEqual([503, 'no-store']);
    expect(Object.keys(body)).toEqual(['ok', 'resource', 'error', 'message', 'data']);
    expect([body.ok, body.error, body.data.status]).toEqual([false, 'unavailable', 'unavailable']);
    expect(errors.get('producers-summary')).toMatch(/^upstream_/);
  });

  test.each([
    ['7', '60'],
    ['3600', '3600'],
    ['999999999', '86400'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', '60'],
  ])('a producer asks to try again after %s: this service after %s seconds', async (asked, passed) => {
    upstream.behave(
      LIVE.find(({ id }) => id === 'producers-summary')?.path ?? '',
      ({ response }) => void response.writeHead(503, { 'retry-after': asked }).end(),
    );
    const { status, headers } = await fetch(`${configured}${SUMMARY}`);
    expect([status, headers.get('retry-after')]).toEqual([503, passed]);
  });
});

test(`[FED-DEADLINE] ${AT_ONCE} requests wait for a hanging upstream while everything else responds`, async () => {
  for (const { path } of LIVE) upstream.behave(path, behaviourOf('hang before headers'));
  let ended = 0;
  const before = upstream.requests.length;
  const waiting = Array.from({ length: AT_ONCE }, async (_, index) => {
    const answer = await ask(configured, index === 0 ? SUMMARY : ALL);
    ended += 1;
    return answer;
  });
  await expect.poll(() => upstream.requests.length).toBeGreaterThan(before);

  const others = ['/api/v1/atlas?iso3=MEX', '/api/v1/entities?program=SDNTK', '/api/v1/markets', '/docs/'];
  for (let round = 0; round < 25; round += 1) {
    const answers = await Promise.all(others.map((target) => fetch(`${configured}${target}`)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 200));
  }
  expect(ended).toBe(0);

  const [summary, ...rest] = await Promise.all(waiting);
  expect(summary?.status).toBe(503);
  for (const { status, errors } of rest) {
    expect(status).toBe(200);
    for (const { id } of LIVE) expect(errors.get(id)).toBe('upstream_timeout');
    for (const id of LOCAL) expect(errors.get(id)).toBeNull();
  }
});
