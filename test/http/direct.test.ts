/** The two ways a reply leaves: a Response of the app, and node's own response. Both send the same. */
import { createServer, get, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalFault } from '../../shim/core/faults.ts';
import { errorReply } from '../../shim/http/content.ts';
import { listen, type WebListener } from '../../shim/http/node-listener.ts';
import type { Routes } from '../../shim/http/routes.ts';
import { once as onceMade } from '../../shim/service.ts';
import { requestsTo, onPort } from '../_support/doors.ts';
import { treeFile } from '../_support/tree.ts';
import { listening } from '../_support/free-port.ts';

const ask = requestsTo();
const { url: base } = await onPort();

interface Sent {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Of the connection, not of the answer. */
const HOP = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

async function overPort(method: string, target: string, headers: Record<string, string>): Promise<Sent> {
  const asked = request(`${base}${target}`, { method, headers: { ...headers, connection: 'close' } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const fields = Object.entries(response.headers).filter(([name]) => !HOP.has(name));
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString('base64'),
  };
}

async function overApp(method: string, target: string, headers: Record<string, string>): Promise<Sent> {
  const response = await ask(target, { method, headers });
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !HOP.has(name))),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  };
}

const LARGE = '/data/arms.ndjson';

describe('[DOORS] the same status, header fields and bytes', () => {
  test.each([
    ['GET', '/api/v1/atlas', {}],
    ['GET', '/api/v1/atlas?', {}],
    ['GET', '/api/v1/market-observations?geo=DEU&limit=30', {}],
    ['GET', '/api/v1/market-observations?geo=DEU&limit=30', { 'accept-encoding': 'br' }],
    ['GET', '/api/v1/entities?query=a%20b', { 'accept-encoding': 'gzip, deflate' }],
    ['HEAD', '/api/v1/market-observations?geo=DEU&limit=30', {}],
    ['GET', '/api/v1/atlas?iso3=MEX', { 'if-none-match': '*' }],
    ['GET', '/api/v1/atlas', { 'if-none-match': '*' }],
    ['GET', '/api/v1/atlas?iso3=mex', {}],
    ['GET', '/api/v1/atlas?x=%ff', {}],
    ['GET', '/api/v1/nothing', {}],
    ['POST', '/api/v1/atlas', {}],
    ['OPTIONS', '/api/v1/atlas', {}],
    ['OPTIONS', '/data/catalog.json', {}],
    ['DELETE', '/data/catalog.json', {}],
    ['GET', '/', {}],
    ['GET', '/docs', {}],
    ['GET', '//docs/', {}],
    ['GET', '/nothing', {}],
    ['GET', '/%ff', {}],
    ['GET', '/api/v1/atlas/%zz', {}],
    ['POST', '/api/%ff', {}],
    ['GET', '/.well-known/api-catalog', {}],
    ['HEAD', '/.well-known/api-catalog', {}],
    ['GET', LARGE, {}],
    ['HEAD', LARGE, {}],
    ['GET', LARGE, { 'if-none-match': '*' }],
  ] as [string, string, Record<string, string>][])('%s %s %j', async (method, target, headers) => {
    expect(await overPort(method, target, headers)).toEqual(await overApp(method, target, headers));
  });
});

test('[DOORS] a file larger than memory is worth arrives whole, with its length', async () => {
  const { headers, body } = await overPort('GET', LARGE, {});
  const file = treeFile(LARGE);
  expect(headers['content-length']).toBe(String(file.length));
  expect(Buffer.from(body, 'base64').equals(file)).toBe(true);
});

test('[DOORS] a reader who leaves in the middle of a file disturbs nobody', async () => {
  for (let reader = 0; reader < 5; reader += 1) {
    const [response] = (await once(get(`${base}${LARGE}`), 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.destroy();
  }
  expect((await overPort('GET', '/api/v1/atlas?iso3=MEX', {})).status).toBe(200);
});

describe('[DOORS] what fails on the way is a masked error, and the server goes on', () => {
  const told: unknown[] = [];
  const routes: Routes = {
    reply: ({ pathname }) => ({
      status: 200,
      headers: ['x-path', pathname === '/broken' ? 'a\nb' : 'fine'],
      body: null,
    }),
    failed(error, asked) {
      told.push(error);
      return errorReply(internalFault(), asked, []);
    },
  };
  let loads = 0;
  const otherwise = onceMade(async (): Promise<WebListener> => {
    loads += 1;
    if (loads === 1) throw new Error('a part is missing');
    return async (asked, response) => {
      if (asked.method === 'PUT') throw new Error('it failed later');
      response.end('loaded');
    };
  });
  const server = createServer();
  listen(server, routes, otherwise);
  let port = 0;
  beforeAll(async () => {
    port = await listening(server);
  });
  afterAll(() => void server.close());

  test.each([
    ['GET', '/fine', 200, ''],
    ['GET', '/broken', 500, 'internal_error'],
    ['POST', '/mcp', 500, 'internal_error'],
    ['POST', '/mcp', 200, 'loaded'],
    ['PUT', '/mcp', 500, 'internal_error'],
    ['GET', '/fine', 200, ''],
  ])('%s %s: %i', async (method, path, status, shows) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(shows)]);
    expect(text).not.toContain('part is missing');
  });

  test('all of it was reported', () => expect(told).toHaveLength(3));
});
