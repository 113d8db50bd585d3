/** Attacks by many callers at once: MCP calls, listen streams, and the federation while its upstream sends as much as it may. */
import { sending, validPayload, type Behaviour } from '../../build/stand-in/responses.ts';
import { behaviourOf, BEHAVIOURS, HANGING } from '../../build/stand-in/behaviours.ts';
import type { Arena, Attack, Outcome } from './attack.ts';
import { get, mcpCall, openedAll, pause, type Connection } from './connection.ts';
import { hungUp } from './sockets.ts';
import { words } from '../_support/words.ts';

const MOST_BYTES = 1_990_000;
const ANSWERED_MS = 30_000;

/** Waits until every connection has an answer, or was closed; says what was not answered in time. */
async function answeredAll(all: readonly Connection[]): Promise<Outcome> {
  const until = performance.now() + ANSWERED_MS;
  const isOver = ({ socket, text }: Connection): boolean =>
    socket.destroyed || text().startsWith('HTTP/1.1 ');
  while (performance.now() < until && !all.every(isOver)) await pause(50);
  const faults = all.flatMap((connection) => {
    const text = connection.text();
    if (!isOver(connection)) return [`no answer in ${ANSWERED_MS} ms`];
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
    if (status === '503' && !/\nretry-after: \d|unavailable in this release/i.test(text))
      return ['a 503 without Retry-After'];
    return status >= '500' && status !== '503' ? [`status ${status}`] : [];
  });
  for (const { socket } of all) socket.destroy();
  return { requests: all.length, faults };
}

/** Requests whose code and indexes are loaded when the first of them comes. */
const FIRST: [name: string, bytes: string][] = words(`/search/?q=cocaine
  /download/market-observations.csv?indicator=INDICATOR /download/atlas.excel.csv /explore/?geo=GEO
  /embed/?indicator=INDICATOR&geo=GEO /compare/?a=geo%3DGEO&b=indicator%3DINDICATOR%26geo%3DGEO /designations/?q=a /r/nobody /readyz /api/v1/market-observations?indicator=INDICATOR&geo=GEO
  /api/v1/series?query=cocaine /api/v1/federation`).map((target): [string, string] => [target, get(target)]);
FIRST.push(
  ['tools/list', mcpCall('tools/list', {})],
  ['a call of MCP', mcpCall('tools/call', { name: 'find_series', arguments: { query: 'cocaine' } })],
);

/** Each on a server that had none of its kind. */
export const FIRST_REQUESTS: Attack[] = FIRST.map(([name, bytes]) => ({
  name: `the first request: ${name}`,
  async run({ server, asked: { indicator, geo } }) {
    const filled = bytes.replaceAll('INDICATOR', indicator).replaceAll('GEO', geo);
    return answeredAll(await openedAll(1, server.port, () => filled));
  },
}));

/** A valid body that `make` makes of the payload of an address, once; of so many rows where it says. */
function bodies(make: (payload: object) => string, rows?: number): Behaviour {
  const known = new Map<string, string>();
  return sending((url) => {
    const body = known.get(url.href) ?? make(validPayload(url, rows) ?? {});
    known.set(url.href, body);
    return body;
  });
}

/** A valid body with one member more, whose value is made to the size that is left. */
function withMember(value: (bytes: number) => unknown): Behaviour {
  return bodies((payload) =>
    JSON.stringify({ ...payload, more: value(MOST_BYTES - JSON.stringify(payload).length - 100) }),
  );
}

const keys = (count: number, name: (at: number) => string): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 0]));

/** Bodies that are expensive to judge. */
const EXPENSIVE: [name: string, behaviour: Behaviour][] = [
  // As large as one may be.
  ['rows', bodies((payload) => JSON.stringify(payload), 27_000)],
  ['one long text', withMember((bytes) => 'x'.repeat(bytes))],
  ['many keys', withMember((bytes) => keys(Math.floor(bytes / 11), (at) => `k${at}`.padEnd(6, 'x')))],
  ['a long key', withMember((bytes) => ({ ['scor '.repeat(Math.floor(bytes / 5) - 10)]: 0 }))],
  [
    'keys of measures',
    withMember((bytes) => keys(Math.floor(bytes / 260), (at) => `${'scor '.repeat(48)}${at}`)),
  ],
  ['arrays', withMember((bytes) => Array.from({ length: Math.floor(bytes / 3) }, () => []))],
  ['escapes', withMember((bytes) => '\u0001'.repeat(Math.floor(bytes / 6)))],
];

/** Calls of the federation by so many clients at once, under each behaviour of the upstream. */
async function calledUnder(
  { server, upstream }: Arena,
  count: number,
  tried: readonly (readonly [name: string, behaviour: Behaviour])[],
): Promise<Outcome> {
  const all: Outcome = { requests: 0, faults: [] };
  for (const [name, behaviour] of tried) {
    upstream.behave('*', behaviour);
    const { requests, faults } = await answeredAll(
      await openedAll(count, server.port, () => get('/api/v1/federation')),
    );
    all.requests += requests;
    all.faults.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  return all;
}

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
      if (read) return answeredAll(all);
      await pause(isShort ? 1000 : 10_000);
      for (const { socket } of all) socket.destroy();
      return { requests: all.length, faults: [] };
    },
  };
}

const call = (args: Record<string, unknown>): string =>
  mcpCall('tools/call', { name: 'get_federation', arguments: args });

/** Targets of pages and downloads, of which no two are alike. */
function otherPage(number: number, { indicator, geo }: Arena['asked']): string {
  const query = `indicator=${indicator}&geo=${geo}&from=${1900 + (number % 100)}`;
  const targets = [
    `/explore/?${query}&limit=${1 + Math.floor(number / 100)}`,
    `/compare/?a=${encodeURIComponent(query)}&b=${encodeURIComponent(`indicator=${indicator}&geo=${geo}&limit=${1 + number}`)}`,
    `/download/market-observations.csv?${query}&to=${2100 + Math.floor(number / 100)}`,
  ];
  return targets[number % targets.length] ?? '';
}

/** A call with lists in lists, about as many as a message has room for; in place of a text, because they are too deep to be written as JSON. */
function nestedCall(): string {
  const text = 'x'.repeat(64_000);
  const bytes = mcpCall('tools/call', { name: 'get_atlas', arguments: { iso3: text } });
  return bytes.replace(JSON.stringify(text), '['.repeat(32_001) + ']'.repeat(32_001));
}

export const CALLER_ATTACKS: Attack[] = [
  {
    name: 'pages and downloads at once, no two alike',
    async run({ server, times, asked }) {
      const all = await openedAll(times(400), server.port, (number) => get(otherPage(number, asked)));
      return answeredAll(all);
    },
  },
  {
    name: 'MCP calls of nested lists',
    async run({ server, times }) {
      const bytes = nestedCall();
      return answeredAll(await openedAll(times(100), server.port, () => bytes));
    },
  },
  {
    name: 'MCP calls at once, each a page of 450',
    async run({ server, times, asked: { indicator } }) {
      const all = await openedAll(times(500), server.port, (number) =>
        mcpCall('tools/call', {
          name: 'query_market_observations',
          arguments: { indicator, limit: 400 + (number % 100) },
        }),
      );
      return answeredAll(all);
    },
  },
  {
    name: 'listen streams at once',
    async run(arena) {
      const { server, times } = arena;
      const before = server.descriptors();
      const all = await openedAll(times(1000), server.port, () =>
        mcpCall('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      );
      const { requests, faults } = await answeredAll(all);
      return { requests, faults: [...faults, ...(await hungUp(arena, before, []))] };
    },
  },
  {
    name: 'hang-ups before the response is made',
    async run(arena) {
      const { server, upstream, times } = arena;
      upstream.behave('*', behaviourOf(HANGING[0]?.[0] ?? ''));
      const asked = async (count: number): Promise<Connection[]> =>
        openedAll(count, server.port, () => get('/api/v1/federation'));
      // The connections to the producers are there from the first one on.
      const [first] = await asked(1);
      await pause(300);
      const before = server.descriptors();
      const all = await asked(times(500));
      await pause(100);
      for (const { socket } of all) socket.destroy();
      const faults = await hungUp(arena, before, []);
      first?.socket.destroy();
      return { requests: all.length, faults };
    },
  },
  {
    name: 'upstream bodies that are expensive to judge',
    run: async (arena) =>
      calledUnder(arena, arena.times(4), arena.isShort ? EXPENSIVE.slice(1, 4) : EXPENSIVE),
  },
  {
    name: 'every fault of an upstream',
    async run(arena) {
      const hanging = new Set(HANGING.map(([name]) => name));
      const tried = [...BEHAVIOURS].filter(([name]) => !hanging.has(name));
      return calledUnder(arena, 2, arena.isShort ? tried.slice(0, 5) : tried);
    },
  },
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
