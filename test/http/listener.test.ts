/** What never reaches the app: broken requests get the same JSON errors, and the server goes on. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startServer } from '../../shim/node.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';
import { onPort } from '../_support/doors.ts';

const { port } = await onPort();

/** Everything the server says to these bytes until it closes; with `isEnded`, to a client that says it sends nothing more. */
function said(bytes: string, isEnded = false): Promise<string> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => done(Buffer.concat(chunks).toString('latin1')));
    if (isEnded) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
  });
}

const get = (target: string, headers = 'Host: localhost\r\n'): string =>
  `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
const long = (length: number): string => `/api/v1/atlas?${'a'.repeat(length - '/api/v1/atlas?'.length)}`;

test.each([
  ['a URL of 8,193 bytes', get(long(8193)), 414, 'uri_too_long'],
  ['a URL of 16,000 bytes', get(long(16_000)), 414, 'uri_too_long'],
  ['a URL of 40,000 bytes', get(long(40_000)), 414, 'uri_too_long'],
  ['a URL of a megabyte', get(long(1_000_000)), 414, 'uri_too_long'],
  ['a file name of 9,000 bytes', get(`/${'a'.repeat(9000)}`), 414, 'uri_too_long'],
  ['an address of /mcp of 9,000 bytes', get(`/mcp?${'a'.repeat(9000)}`), 414, 'uri_too_long'],
  [
    'header fields of 40,000 bytes',
    get('/api/v1/atlas', `Host: a\r\nX: ${'b'.repeat(40_000)}\r\n`),
    400,
    'invalid_request',
  ],
  ['no Host', get('/api/v1/atlas', ''), 400, 'invalid_request'],
  ['a target of another scheme', get('ftp://localhost/api/v1/atlas'), 400, 'invalid_request'],
  ['a target without path', get('atlas'), 400, 'invalid_request'],
  ['raw bytes in the target', get('/api/v1/entities?query=\xe9'), 400, 'invalid_request'],
  ['an unknown method', 'FOO /api/v1/atlas HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ['a method in small letters', 'get /api/v1/atlas HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ['a Host that is none', get('/api/v1/atlas', 'Host: a b/c@d\r\n'), 400, 'invalid_request'],
  ['two Hosts', get('/api/v1/atlas', 'Host: a\r\nhost: b\r\n'), 400, 'invalid_request'],
  ['an address with an impossible port', get('http://x:99999/api/v1/atlas'), 400, 'invalid_request'],
  ['an address with a broken host', get('http://%zz/docs'), 400, 'invalid_request'],
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid_request'],
  [
    'two lengths',
    get('/api/v1/atlas', 'Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n'),
    400,
    'invalid_request',
  ],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
])('[LISTENER] %s', async (_name, bytes, status, error) => {
  const [head = '', body = ''] = (await said(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(body)).toEqual({ ok: false, error, message: expect.stringMatching(/\.$/) });
  const lines = head.toLowerCase().split('\r\n');
  expect(lines).toContain('content-type: application/json');
  expect(lines).toContain('access-control-allow-origin: *');
  if (status === 405) expect(lines).toContain('allow: get, head, options');
});

test.each(['é', 'a b', '\t', '\x7f'])(
  '[LISTENER] a target with %j unencoded is told how to write it',
  async (given) => {
    const target = Buffer.from(`/api/v1/entities?query=${given}`).toString('latin1');
    expect(await said(get(target))).toContain(
      'percent-encoded UTF-8, such as %C3%A9 for Ã© and %20 for a space.',
    );
  },
);

test('[LISTENER] a client that sends nothing more gets all its responses, whole', async () => {
  const paths = [
    '/api/v1/atlas?limit=1',
    '/search/?q=cocaine',
    '/download/atlas.csv?iso3=MEX',
    '/data/arms.ndjson',
    '/llms.txt',
  ];
  const text = await said(paths.map((path) => get(path).replace('Connection: close\r\n', '')).join(''), true);
  const alone = await Promise.all(paths.map((path) => said(get(path))));
  const bodies = alone.map((one) => one.slice(one.indexOf('\r\n\r\n') + 4));
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(paths.length);
  expect(bodies.map((body) => text.includes(body))).toEqual(paths.map(() => true));
});

test('[LISTENER] a connection is kept for a client that pauses between two requests', async () => {
  const { headers } = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'OPTIONS' });
  expect(headers.get('keep-alive')).toBe('timeout=20');
});

test.each([
  ['absolute form', get(`${TEST_SITE}/api/v1/atlas?limit=1`)],
  ['HTTP/1.0 without Host', 'GET /api/v1/atlas?limit=1 HTTP/1.0\r\n\r\n'],
  ['an expectation nobody knows', get('/api/v1/atlas?limit=1', 'Host: a\r\nExpect: tea\r\n')],
])('[LISTENER] %s is answered', async (_name, bytes) => {
  expect(await said(bytes)).toMatch(/^HTTP\/1\.1 200 [^]*"resource":"atlas"/);
});

test('[LISTENER] requests in one packet are answered in order; nothing is written into an answer', async () => {
  const text = await said(
    `${get('/api/v1/atlas?limit=1').replace('Connection: close\r\n', '')}${get('/api/v1/entities?limit=1').replace('Connection: close\r\n', '')}nonsense\r\n\r\n`,
  );
  expect([...text.matchAll(/"resource":"([a-z]+)"/g)].map(([, name]) => name)).toEqual(['atlas', 'entities']);
  expect(text).toMatch(/"error":"invalid_request","message":"[^"]+"}$/);
});

test.each([
  ['https://beispiel-Ж.example/', 'https://xn--beispiel--y0h.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://site.example:443//', 'https://site.example'],
])('[SETTINGS] the site %s is written %s, in header fields too', async (given, written) => {
  const server = await startServer(builtTree(), { SITE_URL: given, PORT: '0' });
  const { status, headers } = await fetch(`${server.url}api/v1/atlas`);
  await server.close();
  expect(status).toBe(200);
  expect(headers.get('link')).toContain(`<${written}/openapi.json>`);
});
