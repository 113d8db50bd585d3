/** What readers do not take is bounded: a large body is refused, of a small one the connection ends. New connections have no more of the server than requests have. */
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import type { Routes } from '../../shim/http/routes.ts';
import { requestOf, type HttpRequest, type Later } from '../../shim/http/content.ts';
import { turnsOf } from '../../shim/http/connections.ts';
import { listen } from '../../shim/http/node-listener.ts';
import { bodiesUnderWay } from '../../shim/http/sending.ts';
import { LIMITS } from '../../shim/core/limits.ts';
import { get, mcpCall, opened, openedAll, type Connection } from '../attack/connection.ts';
import { farApp, onPort, testApp } from '../_support/doors.ts';
import { listening } from '../_support/free-port.ts';

const SMALL = 60_000;
const bodyOf = (target: string): Buffer => Buffer.alloc(target === '/large' ? 100_000 : SMALL);
const replyTo = (target: string): ReturnType<Routes['failed']> => {
  const body = bodyOf(target);
  return { status: 200, headers: ['content-length', String(body.length)], body, counted: true };
};
const routes: Routes = {
  reply: ({ pathname }) => replyTo(pathname),
  failed: () => ({ status: 503, headers: ['content-length', '0'], body: null }),
};
const sending = bodiesUnderWay();
const server = createServer();
listen(server, routes, () => Promise.reject(new Error('there is no MCP here')), sending);
const port = await listening(server);
afterAll(() => server.close());
/** More than the system takes for a reader that takes nothing. */
const MANY = get('/small').repeat(400);

test('a small body counts with all memory it holds, until its reader has gone', async () => {
  const { socket } = await opened(port, MANY, false);
  await expect.poll(() => sending.bytes()).toBe(SMALL);
  socket.resetAndDestroy();
  await expect.poll(() => sending.bytes()).toBe(0);
});

test('when too much is on its way, those who read are answered, and those who do not are closed', async () => {
  const left = sending.begin(Buffer.alloc(LIMITS.unsentBytes));
  const reader = await opened(port, get('/small', 'Connection: close\r\n'));
  expect(await reader.closed(5000)).not.toBeNull();
  expect(reader.text().length).toBeGreaterThan(SMALL);
  const large = await opened(port, get('/large', 'Connection: close\r\n'));
  expect(await large.closed(5000)).not.toBeNull();
  expect(large.text()).toMatch(/^HTTP\/1\.1 503 /);
  const given = new Promise((closed) => server.once('connection', (socket) => socket.once('close', closed)));
  const other = await opened(port, MANY, false);
  await given;
  other.socket.on('data', () => undefined).resume();
  expect(await other.closed(5000)).not.toBeNull();
  left();
  expect(sending.bytes()).toBe(0);
});

test('requests are worked on while new connections come without end', async () => {
  const connections = new EventEmitter();
  const turns = turnsOf(connections);
  const busy = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  let done = 0;
  for (let come = 1; come <= 400; come += 1) {
    connections.emit('connection');
    expect(turns.begin(() => (busy(0.3), (done += 1)))).toBe(true);
    busy(0.5);
    await new Promise(setImmediate);
  }
  expect(done).toBeGreaterThan(300);
});

test.each([
  { itself: 30, promises: 0 },
  { itself: 0, promises: 30 },
])(
  'connections are taken for as long as the work before took: $itself ms itself, $promises ms in promises',
  async (job) => {
    const connections = new EventEmitter();
    const turns = turnsOf(connections);
    const times: number[] = [];
    const work = (): void => {
      times.push(performance.now());
      for (const until = performance.now() + job.itself; performance.now() < until;);
    };
    connections.emit('connection');
    for (let count = 0; count < 3; count += 1) turns.begin(work, true, job.promises);
    while (times.length < 3) {
      connections.emit('connection');
      await new Promise(setImmediate);
    }
    const [first = 0, second = 0, third = 0] = times;
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(60);
  },
);

test('the rest of a long job is done in another round, before long jobs that still wait then', async () => {
  const turns = turnsOf(new EventEmitter());
  const order: string[] = [];
  const ended: Promise<void>[] = [];
  for (const name of ['a', 'b', 'c']) {
    const job = (): void => {
      order.push(`${name} begins`);
      for (const until = performance.now() + 5; performance.now() < until;);
      setImmediate(() => setImmediate(() => order.push(`${name} a round later`)));
      ended.push(turns.goOn(() => void order.push(`${name} ends`)));
    };
    turns.begin(job, true);
  }
  await expect.poll(() => ended.length).toBe(3);
  await Promise.all(ended);
  for (const name of ['a', 'b', 'c'])
    expect(order.indexOf(`${name} ends`)).toBeGreaterThan(order.indexOf(`${name} a round later`));
  expect(order.indexOf('a ends')).toBeLessThan(order.indexOf('c begins'));
  const failing = turns.goOn(() => {
    throw new Error('not printed');
  });
  await expect(failing).rejects.toThrow('not printed');
});

test('what a job does in promises counts in its turn', async () => {
  const turns = turnsOf(new EventEmitter());
  const order: string[] = [];
  for (let count = 0; count < 20; count += 1) turns.begin(() => void order.push('message'), true, 1);
  turns.begin(() => void order.push('request'));
  await expect.poll(() => order.length).toBe(21);
  expect(order.indexOf('request')).toBeLessThan(5);
});

test('a request does not wait behind all the messages of MCP that came before it', async () => {
  const order: string[] = [];
  const both = createServer();
  const answers: Routes = { ...routes, reply: ({ pathname }) => (order.push('request'), replyTo(pathname)) };
  listen(
    both,
    answers,
    async () => async (_request, response) => void (order.push('message'), response.end()),
  );
  let accepted = 0;
  both.on('connection', () => (accepted += 1));
  try {
    // The server has all of them before the first sends anything: node accepts one in each round of the event loop.
    const all = await openedAll(41, await listening(both), () => '');
    await expect.poll(() => accepted).toBe(41);
    for (const [at, { socket }] of all.entries())
      socket.write(at < 40 ? mcpCall('tools/list', {}) : get('/small'));
    await expect.poll(() => order.length).toBe(41);
    expect(order.indexOf('request')).toBeLessThan(20);
    for (const { socket } of all) socket.destroy();
  } finally {
    both.close();
  }
});

test('a request does not wait behind all the replies that others wait for', async () => {
  const turns = turnsOf(new EventEmitter());
  const order: string[] = [];
  const replies = Array.from({ length: 50 }, async () =>
    turns.take(() => {
      for (const until = performance.now() + 5; performance.now() < until;);
      order.push('reply');
    }),
  );
  turns.begin(() => order.push('request'));
  const short = turns.take(() => void order.push('short reply'), true);
  await Promise.all([...replies, short]);
  expect(order).toHaveLength(52);
  expect(order.indexOf('request')).toBeLessThan(3);
  expect(order.indexOf('short reply')).toBeLessThan(5);
});

test('a request does not wait behind all the pages that others wait for', async () => {
  const { port: served } = await onPort();
  const page = (from: number): string =>
    get(`/explore/?indicator=seizures&geo=MEX&from=${from}`, 'Connection: close\r\n');
  const ended = async (client: Connection): Promise<void> => {
    expect(await client.closed(20_000)).not.toBeNull();
    expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
  };
  await ended(await opened(served, page(1999)));
  // They are there before any of them asks for something. Connections are accepted in their order, so this one does not wait to be.
  const other = await opened(served, '');
  const clients = await openedAll(200, served, () => '');
  let before = 0;
  const pages = clients.map(async (client, at) => {
    client.socket.write(page(1900 + at));
    await ended(client);
    before += 1;
  });
  other.socket.write(get('/api/v1/atlas?iso3=MEX&limit=2', 'Connection: close\r\n'));
  await ended(other);
  expect(before).toBeLessThan(50);
  await Promise.all(pages);
});

const pageRequest = (from: number): HttpRequest =>
  requestOf('GET', `/explore/?indicator=seizures&geo=MEX&from=${from}`, () => null);

test.each([
  ['whose code is not loaded', async () => testApp().routes],
  [
    'of a service without data of its own',
    async () => {
      const { routes: far } = farApp();
      await far.reply(pageRequest(1899));
      return far;
    },
  ],
])('pages %s are made one after the other, with room for others between them', async (_name, routesOf) => {
  const tried = await routesOf();
  let round = 0;
  let next = setImmediate(function count() {
    round += 1;
    next = setImmediate(count);
  });
  const rounds = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      await tried.reply(pageRequest(1900 + at));
      // Setting a timer moves the clock that says which others are due in this round.
      clearTimeout(setTimeout(() => undefined, 1000));
      return round;
    }),
  );
  clearImmediate(next);
  expect(new Set(rounds).size).toBe(20);
});

test.each([
  ['/explore/?geo=x-us-cbp-atlanta-field-office', 4],
  ['/compare/?a=geo%3DMEX%26indicator%3Dseizures&b=geo%3DBEL%26indicator%3Dseizures', 3],
  ['/embed/?indicator=cbp-seizure-events&geo=x-us-cbp-atlanta-field-office', 3],
  ['/search/?q=cocaine', 3],
])('%s is printed in at least %s turns, with the bytes of a page printed in one', async (target, least) => {
  let turns = 0;
  const inTurns: Later = async (work) => {
    turns += 1;
    return work();
  };
  const printed = async (later?: Later): Promise<unknown> => {
    const { status, body } = await testApp().routes.reply(requestOf('GET', target, () => null, later));
    return { status, text: Buffer.from(body as Uint8Array).toString() };
  };
  const atOnce = await printed();
  expect(await printed(inTurns)).toEqual(atOnce);
  expect(atOnce).toMatchObject({
    status: 200,
    text: expect.stringMatching(/^<!doctype html>[^]*<\/html>\n$/),
  });
  expect(turns).toBeGreaterThanOrEqual(least);
});
