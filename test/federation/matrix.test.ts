/** The fault matrix: every behaviour of the upstream ends in its own code, schema-valid, after one request at most. */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LANE_FAULTS, LANES, type LaneFaultCode } from '../../shim/core/lanes.ts';
import { federation } from '../../shim/core/operations/federation.ts';
import { validator } from '../../shim/core/schema.ts';
import type { FederationPeer } from '../../shim/core/types.ts';
import { PRODUCT_LIMITS } from '../../shim/federation/fetch.ts';
import { processEffects } from '../../shim/federation/peer.ts';
import { restAnswer } from '../_support/doors.ts';
import { documentStore } from '../_support/documents.ts';
import { peerOf } from '../_support/federation.ts';
import { freePort, listening } from '../_support/free-port.ts';
import { ATLAS_CASES, behaviourOf, CASES, HANGING } from '../../build/stand-in/behaviours.ts';
import { startUpstream, type Upstream } from '../../build/stand-in/server.ts';
import { words } from '../_support/words.ts';

const SUMMARY = '/api/v2/world-markets?section=summary';
const ATLAS = '/api/v2/money-markets';
const STORE = documentStore(new Map());
const HANGS = new Set(HANGING.map(([name]) => name));

interface Body {
  ok: boolean;
  data: { status: string; lanes: Record<string, unknown>[] };
}

/** One lane through the operation: status and the lane. */
async function ask(
  peer: FederationPeer,
  lane: string,
): Promise<{ status: number; lane: Record<string, unknown> }> {
  const context = {
    settings: { siteUrl: 'https://evidence.example' },
    release: STORE,
    federation: peer,
  };
  const answer = await restAnswer(federation, { lane }, context);
  const { data } = JSON.parse(answer.text) as Body;
  expect(validator(federation.output)(data)).toBeNull();
  expect(data.lanes).toHaveLength(1);
  expect(data.status).toBe(answer.status === 200 ? 'available' : 'unavailable');
  return { status: answer.status, lane: data.lanes[0] ?? {} };
}

/** What a lane must look like: sound, or without evidence, number or any text of the payload. */
function expected(code: string | null): object {
  if (code === null) return { availability: 'available', error: null };
  return {
    availability: 'unavailable',
    evidence_status: 'unavailable',
    clocks: null,
    scope: null,
    citation: null,
    data: null,
    error: { code },
  };
}

/** Failures after which nothing is known to be whole. */
const CUT = new Set(['upstream_timeout', 'upstream_unreachable', 'response_too_large']);

/** Words of the stand-in that none of our own texts has. */
const LEAKS = /instrument_|percent|stand-in|boom|elsewhere/;

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

test('[FED-BOUNDS] the bounds of the product', () => {
  expect(PRODUCT_LIMITS).toEqual({ deadlineMs: 15_000, maxBytes: 2_000_000 });
  expect(CASES.length).toBeGreaterThanOrEqual(40);
  expect(new Set(CASES.map(([name]) => name)).size).toBe(CASES.length);
});

describe.concurrent('[FED-FAULTS] [FED-ONE-GET] a lane of world-markets', () => {
  test.each(CASES)('%s: %s', async (name, code, behaviour) => {
    const own = await startUpstream();
    try {
      own.behave(SUMMARY, behaviour);
      const hangs = HANGS.has(name);
      const deadlineMs = hangs ? 700 : 15_000;
      const started = performance.now();
      const peer = peerOf(own.origin, { limits: { deadlineMs } });
      const { status, lane } = await ask(peer, 'producers-summary');
      const took = performance.now() - started;
      expect(took).toBeLessThan(deadlineMs + 10_000);
      expect(took).toBeGreaterThan(hangs ? deadlineMs - 50 : 0);
      expect(own.requests).toEqual([`GET ${SUMMARY}`]);
      expect(lane).toMatchObject(expected(code));
      expect(LEAKS.test(JSON.stringify(lane))).toBe(code === null);
      expect(JSON.stringify(lane['error'])).not.toContain('undefined');
      expect(status).toBe(code === null ? 200 : 503);
      expect(lane['source_url']).toBe(`${own.origin}${SUMMARY}`);
      expect(lane['transport']).toMatchObject({ method: 'GET', attempts: 1, timeout_ms: deadlineMs });
      if (code !== null && CUT.has(code))
        expect(lane['transport']).toMatchObject({ bytes: null, sha256: null });
      await vi.waitFor(() => expect(own.connections()).toBe(0));
    } finally {
      await own.close();
    }
  });
});

describe('[FED-FAULTS] a lane of the money-markets atlas', () => {
  test.each(ATLAS_CASES)('%s: %s', async (_name, code, behaviour) => {
    upstream.behave(ATLAS, behaviour);
    const { status, lane } = await ask(peerOf(upstream.origin), 'producers-global-money-atlas');
    expect(status).toBe(code === null ? 200 : 503);
    expect(lane).toMatchObject(expected(code));
    expect(LEAKS.test(JSON.stringify(lane))).toBe(code === null);
  });
});

describe('[FED-FAULTS] before any request', () => {
  test('a refused connection', async () => {
    const free = await freePort();
    const { lane } = await ask(peerOf(`https://localhost:${free}`), 'producers-summary');
    expect(lane).toMatchObject(expected('upstream_unreachable'));
  });

  test('an untrusted authority', async () => {
    const before = upstream.requests.length;
    const peer = peerOf(upstream.origin, { effects: { request: processEffects().request } });
    const { lane } = await ask(peer, 'producers-summary');
    expect(lane).toMatchObject(expected('upstream_unreachable'));
    expect(upstream.requests).toHaveLength(before);
  });

  test('a certificate of another name', async () => {
    const stranger = await startUpstream(0, 'stranger');
    const { lane } = await ask(peerOf(stranger.origin), 'producers-summary');
    expect(lane).toMatchObject(expected('upstream_unreachable'));
    expect(stranger.requests).toEqual([]);
    await stranger.close();
  });

  test('a name that does not resolve', async () => {
    const { lane } = await ask(peerOf('https://nobody.invalid'), 'producers-summary');
    expect(lane).toMatchObject(expected('upstream_unreachable'));
  });

  test.each(['a handshake that hangs', 'plain text instead of TLS'])('%s', async (what) => {
    const sockets = createServer((socket) => {
      socket.on('error', () => undefined);
      if (what.startsWith('plain')) socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    const origin = `https://127.0.0.1:${await listening(sockets)}`;
    const started = performance.now();
    const { lane } = await ask(peerOf(origin, { limits: { deadlineMs: 300 } }), 'producers-summary');
    expect(lane).toMatchObject(
      expected(what.startsWith('plain') ? 'upstream_unreachable' : 'upstream_timeout'),
    );
    expect(performance.now() - started).toBeLessThan(10_000);
    sockets.close();
  });
});

describe('what the error says', () => {
  test.each([
    ['429', { upstream_http_status: 429, retry_after: '120' }],
    ['429 with words', { upstream_http_status: 429, retry_after: null }],
    ['503 as HTML', { upstream_http_status: 503, retry_after: '7' }],
    ['204', { upstream_http_status: 204, retry_after: null }],
    ['301', { upstream_http_status: 301, retry_after: null }],
    ['no answer', { upstream_http_status: null, retry_after: null }],
    ['hang in body', { upstream_http_status: 200, retry_after: null }],
    ['typed 503', { upstream_http_status: 503, retry_after: null }],
  ])('%s', async (name, error) => {
    upstream.behave(SUMMARY, CASES.find(([known]) => known === name)?.[2] ?? (() => undefined));
    const { lane } = await ask(peerOf(upstream.origin, { limits: { deadlineMs: 500 } }), 'producers-summary');
    expect(lane['error']).toMatchObject(error);
  });

  test.each([
    ['limit + 1', 'The limit is 2000000 bytes.'],
    ['huge header', 'Its headers exceed 16384 bytes.'],
    ['broken gzip', 'Its gzip encoding is broken.'],
    ['broken brotli', 'Its br encoding is broken.'],
    ['two lengths', 'The connection ended with HPE_UNEXPECTED_CONTENT_LENGTH.'],
    ['switching protocols', ''],
  ])('%s: "%s"', async (name, sentence) => {
    upstream.behave(SUMMARY, behaviourOf(name));
    const { lane } = await ask(peerOf(upstream.origin), 'producers-summary');
    const { code, message } = lane['error'] as { code: LaneFaultCode; message: string };
    expect(message).toBe(`${LANE_FAULTS[code]} ${sentence}`.trim());
  });

  test.each([
    ['Wed, 21 Oct 2026 07:28:00 GMT', true],
    ['Tue, 21 Oct 2026 07:28:00 GMT', false],
    ['Wed, 21 Oct 2026 07:28:00', false],
    ['Invalid Date', false],
    ['0', true],
    ['\t 12 ', true],
    ['123456789', true],
    ['1234567890', false],
    ['12 seconds', false],
    ['in 12', false],
    ['1.5', false],
  ])('to try again after "%s" is passed on: %s', async (retryAfter, isPassed) => {
    upstream.behave(
      SUMMARY,
      ({ response }) => void response.writeHead(503, { 'retry-after': retryAfter }).end(),
    );
    const { lane } = await ask(peerOf(upstream.origin), 'producers-summary');
    expect(lane['error']).toMatchObject({ retry_after: isPassed ? retryAfter.trim() : null });
  });

  test.each([
    ['typed 503', 'producers.world-markets.v1', 'unavailable'],
    ['ok false', 'producers.world-markets.v1', null],
    ['short typed 503', null, null],
  ])('%s: the lane names the schema and the status that were sent', async (name, schema, status) => {
    upstream.behave(SUMMARY, behaviourOf(name));
    const { lane } = await ask(peerOf(upstream.origin), 'producers-summary');
    expect(lane).toMatchObject({ upstream_schema: schema, upstream_status: status });
  });

  test.each([
    ['500', null],
    ['404', null],
    ['503 as HTML', null],
    ['503 untyped', 18],
    ['typed 503', expect.any(Number)],
  ])('%s: a body is read with 200, and with 503 in JSON', async (name, bytes) => {
    upstream.behave(SUMMARY, behaviourOf(name));
    const { lane } = await ask(peerOf(upstream.origin), 'producers-summary');
    expect(lane['transport']).toMatchObject({ bytes, http_status: Number(/\d+/.exec(name)) });
  });

  test('a refused body is known by its size and hash, one cut short is not', async () => {
    upstream.behave(SUMMARY, CASES.find(([name]) => name === 'only {}')?.[2] ?? (() => undefined));
    const refused = await ask(peerOf(upstream.origin), 'producers-summary');
    expect(refused.lane['transport']).toMatchObject({
      bytes: 2,
      sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      http_status: 200,
    });
    upstream.behave(SUMMARY, CASES.find(([name]) => name === 'gzip bomb')?.[2] ?? (() => undefined));
    const cut = await ask(peerOf(upstream.origin), 'producers-summary');
    expect(cut.lane['transport']).toMatchObject({ bytes: null, sha256: null, http_status: 200 });
  });
});

test('[FED-ONE-GET] no lane sends anything but GET to its own address, with no header of a client', async () => {
  const own = await startUpstream();
  const seen: unknown[] = [];
  own.behave('*', ({ request, response }) => {
    seen.push({ host: `https://${request.headers.host}`, connection: request.headers.connection });
    expect(Object.keys(request.headers).toSorted()).toEqual(
      words(`accept accept-encoding connection host
      user-agent`),
    );
    expect(request.headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'gzip, br' });
    response.writeHead(500).end();
  });
  await peerOf(own.origin).lanes('all');
  const paths = LANES.flatMap((lane) => (lane.kind === 'live' ? [`GET ${lane.path}`] : []));
  expect(own.requests.toSorted()).toEqual(paths.toSorted());
  expect(seen).toEqual(paths.map(() => ({ host: own.origin, connection: 'close' })));
  await own.close();
});
