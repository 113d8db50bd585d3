/** Bodies that are broken, late or never end: each request is answered or its connection closed, and the server can stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { SERVER_OPTIONS } from '../../shim/core/limits.ts';
import { bundled } from '../_support/child.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';
import { onPort } from '../_support/doors.ts';

const ENV = { SITE_URL: TEST_SITE, PORT: '0' };
/** The server's own limits, in milliseconds a test can wait for. */
const SHORT = {
  ...SERVER_OPTIONS,
  headersTimeout: 400,
  requestTimeout: 400,
  connectionsCheckingInterval: 50,
};

const logged = vi.spyOn(console, 'error');
const { port } = await onPort(builtTree(), SHORT);

const POST = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const BROKEN_CHUNK = 'ZZ\r\n{}\r\n';

/** What the server says to these bytes until it closes; `dripped` is sent again and again. */
function said(bytes: string, dripped = '', to = port): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = connect(to, '127.0.0.1');
    const drip = setInterval(() => socket.write(dripped), 60);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      done(text);
    });
    socket.write(bytes);
  });
}

const BODIES: [name: string, head: string, first: string, dripped: string, status: number][] = [
  ['a chunk size that is not a number', CHUNKED, BROKEN_CHUNK, '', 400],
  ['a broken chunk after a good one', CHUNKED, `2\r\n{}\r\n${BROKEN_CHUNK}`, '', 400],
  ['chunks that never end', CHUNKED, '1\r\n{\r\n', '1\r\n \r\n', 408],
  ['a length, and a byte now and then', 'Content-Length: 5000\r\n\r\n', '{', ' ', 408],
  ['a length, and nothing', 'Content-Length: 5000\r\n\r\n', '', '', 408],
];

describe('[BODY] a POST to /mcp', () => {
  test.each(BODIES)('%s: %s', async (_name, head, first, dripped, status) => {
    const [answer = '', body = ''] = (await said(`${POST}${head}${first}`, dripped)).split('\r\n\r\n');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain('content-type: application/json');
    expect(JSON.parse(body)).toMatchObject({ ok: false, error: 'invalid_request' });
  });

  test('after a request that was in order: both are answered, in order', async () => {
    const first = 'GET /api/v1/atlas?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const text = await said(`${first}${POST}${CHUNKED}${BROKEN_CHUNK}`);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual(['200', '400']);
  });
});

describe('[BODY] any other request is answered once, and its connection closed', () => {
  test.each(
    ['GET /api/v1/atlas?iso3=MEX', 'GET /data/arms.ndjson', 'POST /api/v1/atlas', 'GET /nope'].flatMap(
      (line) => BODIES.map(([name, ...body]) => [line, name, body] as const),
    ),
  )('%s, %s', async (line, _name, [head, first, dripped]) => {
    const text = await said(`${line} HTTP/1.1\r\nHost: localhost\r\n${head}${first}`, dripped);
    const status = line.startsWith('POST') ? 405 : line.includes('nope') ? 404 : 200;
    expect([...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, found]) => found)).toEqual([String(status)]);
  });
});

test('[BODY] clients that leave in the middle of a body are no news to the log', async () => {
  logged.mockClear();
  for (let client = 0; client < 20; client += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${POST}Content-Length: 100\r\n\r\n{`);
    await new Promise((done) => setTimeout(done, 10));
    socket.destroy();
  }
  await new Promise((done) => setTimeout(done, 100));
  expect(logged).not.toHaveBeenCalled();
});

test('[DRAIN] a server with bodies that never end stops by itself, with 0', async () => {
  const program = await bundled(
    `import { runServer } from './shim/node.ts';
     await runServer(process.argv[2], process.env, ${JSON.stringify({ ...SHORT, requestTimeout: 3000 })});`,
  );
  const child = spawn(process.execPath, [program, builtTree()], {
    env: { ...process.env, ...ENV },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const to = Number(/:(\d+)\/\n/.exec(line.toString())?.[1]);
  // The first request loads what the others need.
  await said('GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', '', to);
  const open = BODIES.map(([, head, first, dripped]) => said(`${POST}${head}${first}`, dripped, to));
  await new Promise((done) => setTimeout(done, 1000));
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  for (const text of await Promise.all(open)) expect(text).toMatch(/^HTTP\/1\.1 40[08] /);
});

test('[BODY] the limits of the running server: answered within 30 s, stopped within 20 s', () => {
  const { requestTimeout, headersTimeout, connectionsCheckingInterval } = SERVER_OPTIONS;
  expect(Math.max(requestTimeout, headersTimeout) + connectionsCheckingInterval).toBeLessThan(15_000);
});
