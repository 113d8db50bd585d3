/** Attacks below HTTP: pipelining, hang-ups, readers that do not read, bodies and headers that do not end. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Arena, Attack } from './attack.ts';
import { get, mcpCall, opened, openedAll, pause, post, type Connection } from './connection.ts';

/** Within this every request is answered or its connection closed, in milliseconds. */
const ANSWERED_MS = 30_000;
/** Descriptors are back within this, in milliseconds; the short run is one among other tests that keep the machine busy. */
const RELEASED_MS = 1000;
const RELEASED_SHORT_MS = 5000;
const FILLER = 31_000;

/** The largest file of the tree, as a target: too large to be kept in memory. */
export function largestFile(tree: string): string {
  const files = readdirSync(join(tree, 'data')).map((name) => `data/${name}`);
  const sized = files.map((path) => ({ path, ...sizeOf(join(tree, path)) }));
  return `/${sized.toSorted((a, b) => b.size - a.size)[0]?.path ?? ''}`;
}

function sizeOf(file: string): { size: number } {
  const stat = statSync(file);
  return { size: stat.isFile() ? stat.size : 0 };
}

/** Hangs up on all, and says how many descriptors were not back in time. */
export async function hungUp(
  { server, isShort }: Arena,
  before: number,
  connections: readonly Connection[],
): Promise<string[]> {
  for (const { socket } of connections) socket.resetAndDestroy();
  // The healthy client has a connection or two.
  const areBack = (): boolean => server.descriptors() <= before + 3;
  const allowed = isShort ? RELEASED_SHORT_MS : RELEASED_MS;
  for (const until = performance.now() + allowed; performance.now() < until && !areBack();) await pause(50);
  if (areBack()) return [];
  return [`${server.descriptors()} descriptors ${allowed} ms after the hang-up, ${before} before`];
}

/** Below 1,000 bytes a second over half a minute. */
const SLOW_BYTES = 4000;
const SLOW_EVERY_MS = 5000;
/** Half a minute, and as long again at most until it is looked at. */
const CUT_MS = 65_000;

/** Whether the server cuts a connection in time: its end shows only once what was sent is read, its reset at once. */
function cutAfter(socket: Connection['socket']): Promise<boolean> {
  return new Promise((done) => {
    const late = setTimeout(() => {
      // What was on its way is read now; after it must come the end.
      socket.on('data', () => undefined).resume();
      const stillOpen = setTimeout(() => done(false), 3000);
      socket.once('close', () => {
        clearTimeout(stillOpen);
        done(true);
      });
    }, CUT_MS);
    socket.once('close', () => {
      clearTimeout(late);
      done(true);
    });
  });
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const BODIES: [name: string, headers: string, first: string, dripped: string][] = [
  ['a malformed chunk', CHUNKED, 'ZZ\r\n{}\r\n', ''],
  ['a malformed chunk after a good one', CHUNKED, '2\r\n{}\r\nZZ\r\n', ''],
  ['chunks without end', CHUNKED, '1\r\n{\r\n', '1\r\n \r\n'],
  ['a byte in five seconds', 'Content-Length: 5000\r\n', '{', ' '],
  ['no body at all', 'Content-Length: 5000\r\n', '', ''],
];
const HEADS: [name: string, head: (headers: string) => string][] = [
  ['POST /mcp', (headers) => post('/mcp', headers)],
  ['POST /api/v1/atlas', (headers) => post('/api/v1/atlas', headers)],
  ['POST /nothing', (headers) => post('/nothing', headers)],
  ['GET /api/v1/atlas', (headers) => get('/api/v1/atlas', headers)],
  ['GET of a large file', (headers) => get('/data/arms.ndjson', headers)],
];

/** Headers that are expensive to read, each as long as headers may be. */
const HEADERS: [name: string, headers: string][] = [
  ['codings', `Accept-Encoding: ${','.repeat(FILLER)}\r\n`],
  ['codings with qualities', `Accept-Encoding: ${'a;q=1,'.repeat(FILLER / 6)}\r\n`],
  ['tags', `If-None-Match: ${','.repeat(FILLER)}\r\n`],
  ['ranges', `Range: bytes=${'0-0,'.repeat(FILLER / 4)}\r\n`],
  ['many fields', 'a:b\r\n'.repeat(FILLER / 5)],
  ['many fields of one name', 'accept:a\r\n'.repeat(FILLER / 10)],
  ['cookies', `Cookie: ${'a=b; '.repeat(FILLER / 5)}\r\n`],
];

/** Sends the same request again whenever the answer arrived, from many clients at once. Resolves to how many answers there were. */
async function hammered(port: number, clients: number, ms: number, bytes: string): Promise<number> {
  let answers = 0;
  const until = performance.now() + ms;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const { socket } = await opened(port, bytes);
        await new Promise<void>((done) => {
          const late = setTimeout(() => socket.destroy(), 10_000);
          socket.on('data', () => {
            answers += 1;
            if (performance.now() > until) socket.destroy();
            else socket.write(bytes, 'latin1');
          });
          socket.once('close', () => {
            clearTimeout(late);
            done();
          });
          setTimeout(() => socket.destroy(), Math.max(0, until - performance.now()));
        });
      }
    }),
  );
  return answers;
}

export const SOCKET_ATTACKS: Attack[] = [
  {
    name: 'pipelined files, then a hang-up',
    async run(arena) {
      const { server, tree, times, isShort } = arena;
      const before = server.descriptors();
      const count = times(1150);
      const connection = await opened(server.port, get(largestFile(tree)).repeat(count), false);
      await pause(isShort ? 200 : 1000);
      const during = server.descriptors();
      const faults = await hungUp(arena, before, [connection]);
      if (during > before + 20) faults.push(`${during} descriptors for one connection`);
      return { requests: count, faults };
    },
  },
  {
    name: 'pipelined queries on one connection',
    async run({ server, times, isShort, asked: { indicator } }) {
      const count = times(500);
      const query = (number: number): string =>
        get(`/api/v1/market-observations?indicator=${indicator}&limit=${number + 1}`);
      const connection = await opened(
        server.port,
        Array.from({ length: count }, (_, number) => query(number)).join(''),
      );
      await pause(isShort ? 200 : 3000);
      connection.socket.destroy();
      return { requests: count, faults: [] };
    },
  },
  {
    name: 'requests aborted in the middle of the answer',
    async run(arena) {
      const { server, tree, times } = arena;
      const before = server.descriptors();
      const count = times(1000);
      const target = largestFile(tree);
      for (let first = 0; first < count; first += 50) {
        const some = await openedAll(50, server.port, () => get(target));
        for (const { socket } of some) socket.destroy();
      }
      return { requests: count, faults: await hungUp(arena, before, []) };
    },
  },
  {
    name: 'readers that take nothing',
    async run(arena) {
      const { server, tree, times, isShort } = arena;
      const before = server.descriptors();
      const count = times(500);
      const target = largestFile(tree);
      const all = await openedAll(count, server.port, () => get(target), false);
      await pause(isShort ? 200 : 2000);
      return { requests: count, faults: await hungUp(arena, before, all) };
    },
  },
  {
    name: 'readers below 1 kB/s are cut',
    async run({ server, tree, isShort, asked: { indicator } }) {
      if (isShort) return { requests: 0, faults: [] };
      const targets = [largestFile(tree), `/api/v1/market-observations?indicator=${indicator}&limit=500`];
      const all = await openedAll(
        40,
        server.port,
        (number) => get(targets[number % 2] ?? '').repeat(30),
        false,
      );
      const dripping = setInterval(() => {
        for (const { socket } of all) socket.read(SLOW_BYTES);
      }, SLOW_EVERY_MS);
      const ended = await Promise.all(all.map((each) => cutAfter(each.socket)));
      clearInterval(dripping);
      for (const { socket } of all) socket.destroy();
      const open = ended.filter((cut) => !cut).length;
      return { requests: all.length, faults: open > 0 ? [`${open} of ${all.length} were not cut`] : [] };
    },
  },
  {
    name: 'bodies that are broken or never end',
    async run({ server, isShort, times }) {
      const tried = isShort ? BODIES.slice(0, 2) : BODIES;
      const each = times(10);
      const cases = HEADS.flatMap(([head, make]) =>
        tried.flatMap(([body, headers, first, dripped]) =>
          Array.from({ length: each }, () => ({
            name: `${head}, ${body}`,
            bytes: make(headers) + first,
            dripped,
          })),
        ),
      );
      const faults: string[] = [];
      await Promise.all(
        cases.map(async ({ name, bytes, dripped }) => {
          const connection = await opened(server.port, bytes);
          const drip = setInterval(() => connection.socket.write(dripped), 5000);
          const closed = await connection.closed(ANSWERED_MS);
          clearInterval(drip);
          connection.socket.destroy();
          if (closed === null && !connection.text().startsWith('HTTP/1.1 '))
            faults.push(`${name}: neither answered nor closed in ${ANSWERED_MS} ms`);
        }),
      );
      return { requests: cases.length, faults };
    },
  },
  {
    name: 'headers of 31 kB',
    async run({ server, times, isShort }) {
      let requests = 0;
      for (const [, fields] of HEADERS)
        requests += await hammered(
          server.port,
          times(64),
          isShort ? 50 : 4000,
          get('/api/v1/atlas?iso3=MEX', fields),
        );
      return { requests, faults: [] };
    },
  },
  {
    name: 'connections that send a head without end',
    async run({ server, times, isShort }) {
      const count = times(6000);
      const all = await openedAll(count, server.port, () => 'GET / HTTP/1.1\r\nHost: loc');
      await pause(isShort ? 200 : 2000);
      for (const { socket } of all) socket.destroy();
      return { requests: count, faults: [] };
    },
  },
  {
    name: 'hang-ups in the middle of MCP calls',
    async run(arena) {
      const { server, times } = arena;
      const before = server.descriptors();
      const count = times(500);
      const call = mcpCall('tools/call', { name: 'get_market_catalog', arguments: {} });
      for (let first = 0; first < count; first += 50) {
        const some = await openedAll(50, server.port, (number) => call.slice(0, call.length - (number % 3)));
        await pause(arena.random.whole(40));
        for (const { socket } of some) socket.resetAndDestroy();
      }
      const faults = await hungUp(arena, before, []);
      if (/unexpected|ECONNRESET|aborted/i.test(server.log()))
        faults.push('a hang-up is an entry of the log');
      return { requests: count, faults };
    },
  },
];
