/** Attacks by many callers at once: MCP calls, listen streams, and the federation while its upstream sends as much as it may. */
import { worldMarkets, moneyMarkets, sending, type Behaviour } from '../../build/stand-in/responses.ts';
import { behaviourOf, BEHAVIOURS, HANGING } from '../../build/stand-in/behaviours.ts';
import type { Arena, Attack, Outcome } from './attack.ts';
import { get, mcpCall, openedAll, pause, type Connection } from './connection.ts';

const MOST_BYTES = 1_990_000;

/** Waits until every connection has an answer, or was closed; says what was not answered in time. */
async function answeredAll(all: readonly Connection[], withinMs: number, typed = true): Promise<Outcome> {
  const until = performance.now() + withinMs;
  const isOver = ({ socket, text }: Connection): boolean =>
    socket.destroyed || text().startsWith('HTTP/1.1 ');
  while (performance.now() < until && !all.every(isOver)) await pause(50);
  const faults = all.flatMap((connection) => {
    const text = connection.text();
    if (!isOver(connection)) return [`no answer in ${withinMs} ms`];
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
    if (status === '503' && !/\nretry-after: \d/i.test(text)) return ['a 503 without Retry-After'];
    return typed && status >= '500' && status !== '503' ? [`status ${status}`] : [];
  });
  for (const { socket } of all) socket.destroy();
  return { requests: all.length, faults };
}

/** Requests whose code and indexes are loaded when the first of them comes. */
const FIRST: [name: string, bytes: string][] = [
  '/search/?q=cocaine',
  '/download/market-observations.csv?indicator=seizures',
  '/download/atlas.excel.csv',
  '/explore/?geo=MEX',
  '/designations/?q=a',
  '/r/nobody',
  '/readyz',
  '/api/v1/market-observations?indicator=seizures&geo=BEL',
  '/api/v1/series?q=cocaine',
  '/api/v1/federation',
].map((target): [string, string] => [target, get(target)]);
FIRST.push(
  ['tools/list', mcpCall('tools/list', {})],
  ['a call of MCP', mcpCall('tools/call', { name: 'find_series', arguments: { query: 'cocaine' } })],
);

/** Each on a server that had none of its kind. */
export const FIRST_REQUESTS: Attack[] = FIRST.map(([name, bytes]) => ({
  name: `the first request: ${name}`,
  run: async ({ server }) => answeredAll(await openedAll(1, server.port, () => bytes), 30_000),
}));

const mcpCalls: Attack = {
  name: 'MCP calls at once, each a page of 450',
  async run({ server, times }) {
    const all = await openedAll(times(500), server.port, (number) =>
      mcpCall('tools/call', {
        name: 'query_market_observations',
        arguments: { indicator: 'seizures', limit: 400 + (number % 100) },
      }),
    );
    return answeredAll(all, 30_000);
  },
};

const listens: Attack = {
  name: 'listen streams at once',
  async run({ server, times }) {
    const all = await openedAll(times(1000), server.port, () =>
      mcpCall('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    return answeredAll(all, 30_000);
  },
};

/** A valid body with so many rows, as large as one may be. */
function largeRows(): Behaviour {
  const rows = 27_000;
  const bodies = new Map<string, Buffer>();
  return sending((url) => {
    const known = bodies.get(url.href);
    if (known) return known;
    const section = url.searchParams.get('section');
    const payload =
      section === null
        ? moneyMarkets(rows)
        : worldMarkets(section as Parameters<typeof worldMarkets>[0], rows);
    const body = Buffer.from(JSON.stringify(payload));
    bodies.set(url.href, body);
    return body;
  });
}

/** A valid body with one member more, whose value is made to the size that is left. */
function withMember(value: (bytes: number) => unknown): Behaviour {
  const bodies = new Map<string, string>();
  return sending((url) => {
    const known = bodies.get(url.href);
    if (known !== undefined) return known;
    const section = url.searchParams.get('section');
    const payload =
      section === null ? moneyMarkets() : worldMarkets(section as Parameters<typeof worldMarkets>[0]);
    const body = JSON.stringify({
      ...payload,
      more: value(MOST_BYTES - JSON.stringify(payload).length - 100),
    });
    bodies.set(url.href, body);
    return body;
  });
}

const keys = (count: number, width: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`.padEnd(width, 'x'), 0]));

/** Bodies that are expensive to judge. */
const EXPENSIVE: [name: string, behaviour: Behaviour][] = [
  ['rows', largeRows()],
  ['one long text', withMember((bytes) => 'x'.repeat(bytes))],
  ['many keys', withMember((bytes) => keys(Math.floor(bytes / 11), 6))],
  ['a long key', withMember((bytes) => ({ ['scor '.repeat(Math.floor(bytes / 5) - 10)]: 0 }))],
  [
    'keys of measures',
    withMember((bytes) =>
      Object.fromEntries(
        Array.from({ length: Math.floor(bytes / 260) }, (_, n) => [`${'scor '.repeat(48)}${n}`, 0]),
      ),
    ),
  ],
  ['arrays', withMember((bytes) => Array.from({ length: Math.floor(bytes / 3) }, () => []))],
  ['escapes', withMember((bytes) => '\u0001'.repeat(Math.floor(bytes / 6)))],
];

const hostileUpstream: Attack = {
  name: 'upstream bodies that are expensive to judge',
  async run({ server, upstream, isShort }) {
    let requests = 0;
    const faults: string[] = [];
    for (const [, behaviour] of isShort ? EXPENSIVE.slice(1, 4) : EXPENSIVE) {
      upstream.behave('*', behaviour);
      const outcome = await answeredAll(
        await openedAll(4, server.port, () => get('/api/v1/federation')),
        30_000,
      );
      requests += outcome.requests;
      faults.push(...outcome.faults);
    }
    return { requests, faults };
  },
};

const faultyUpstream: Attack = {
  name: 'every fault of an upstream',
  async run({ server, upstream, isShort }) {
    const hanging = new Set(HANGING.map(([name]) => name));
    const names = [...BEHAVIOURS.keys()].filter((name) => !hanging.has(name));
    const tried = isShort ? names.slice(0, 5) : names;
    let requests = 0;
    const faults: string[] = [];
    for (const name of tried) {
      upstream.behave('*', behaviourOf(name));
      const outcome = await answeredAll(
        await openedAll(2, server.port, () => get('/api/v1/federation')),
        30_000,
      );
      requests += outcome.requests;
      faults.push(...outcome.faults.map((fault) => `${name}: ${fault}`));
    }
    return { requests, faults };
  },
};

function federation(
  name: string,
  full: number,
  read: boolean,
  bytes: (number: number) => string,
  mostMemory?: number,
): Attack {
  return {
    name,
    ...(mostMemory !== undefined && { mostMemory }),
    async run({ server, upstream, times, isShort }: Arena) {
      upstream.behave('*', EXPENSIVE[0]?.[1] ?? behaviourOf('valid'));
      const all: Connection[] = [];
      // In three groups: those who call at the same time share what they call for.
      for (let group = 0; group < 3; group += 1) {
        all.push(...(await openedAll(Math.ceil(times(full) / 3), server.port, bytes, read)));
        await pause(isShort ? 100 : 1500);
      }
      if (read) return answeredAll(all, 30_000);
      await pause(isShort ? 1000 : 10_000);
      for (const { socket } of all) socket.destroy();
      return { requests: all.length, faults: [] };
    },
  };
}

const call = (args: Record<string, unknown>): string =>
  mcpCall('tools/call', { name: 'get_federation', arguments: args });

export const CALLER_ATTACKS: Attack[] = [
  mcpCalls,
  listens,
  hostileUpstream,
  faultyUpstream,
  federation('federation callers', 100, true, () => get('/api/v1/federation')),
  federation('federation callers who take br', 100, true, () =>
    get('/api/v1/federation', 'Accept-Encoding: br\r\n'),
  ),
  federation('federation callers by MCP', 100, true, (number) =>
    call({ lane: 'all', detail: number % 2 === 0 ? 'full' : 'summary' }),
  ),
  federation('slow federation callers', 300, false, () => get('/api/v1/federation'), 64),
  federation(
    'slow federation callers by MCP',
    300,
    false,
    () => call({ lane: 'producers-summary', detail: 'full' }),
    64,
  ),
];
