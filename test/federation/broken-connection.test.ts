/** A connection that is reset in the middle of a body whose end was never declared, and one on which interim responses come without end. */
import { laneFrom } from '../../shim/core/lanes.ts';
import { createServer, type Server } from 'node:https';
import { Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { worldMarkets } from '../../build/stand-in/responses.ts';
import { peerOf } from '../_support/federation.ts';
import { listening } from '../_support/free-port.ts';

const TLS = new URL('../../build/stand-in/tls/', import.meta.url);
const BODY = JSON.stringify(worldMarkets('summary'));
const JSON_TYPE = 'content-type: application/json\r\n';

let server: Server | undefined;
afterEach(() => void server?.close());

/** Origin of a server that writes this to each connection and then, a little later, resets it. */
async function resetting(answer: Buffer): Promise<string> {
  const reset: (() => void)[] = [];
  const made = createServer(
    {
      key: readFileSync(new URL('loopback.key.pem', TLS)),
      cert: readFileSync(new URL('loopback.pem', TLS)),
    },
    ({ socket }) => {
      socket.on('error', () => undefined);
      // A reset overtakes what was not read yet, so the answer is given time to arrive.
      socket.write(answer, () => setTimeout(() => reset.at(-1)?.(), 50));
    },
  );
  made.on('connection', (socket) => {
    socket.on('error', () => undefined);
    // Below TLS, which has no reset of its own.
    if (socket instanceof Socket) reset.push(() => socket.resetAndDestroy());
  });
  server = made;
  return `https://localhost:${await listening(made)}`;
}

const answer = (headers: string, body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${JSON_TYPE}${headers}\r\n`), Buffer.from(body)]);

test.each([
  ['a whole body', answer('', BODY)],
  ['half a body', answer('', BODY.slice(0, 50))],
  ['half a gzip body', answer('content-encoding: gzip\r\n', gzipSync(BODY).subarray(0, 50))],
])('[FED-FAULTS] a reset after %s without length', async (_what, written) => {
  const { lanes } = await peerOf(await resetting(written)).lanes('producers-summary');
  expect(lanes.map(laneFrom)[0]).toMatchObject({
    data: null,
    error: { code: 'upstream_unreachable', message: expect.stringContaining('ECONNRESET') as string },
    transport: { bytes: null, sha256: null, http_status: 200 },
  });
});

test('[FED-FAULTS] a reset after the declared end changes nothing', async () => {
  const origin = await resetting(answer(`content-length: ${BODY.length}\r\n`, BODY));
  const { lanes } = await peerOf(origin).lanes('producers-summary');
  expect(lanes.map(laneFrom)[0]).toMatchObject({ error: null, transport: { bytes: BODY.length } });
});

test.each([
  ['100 Continue', 1000, null],
  ['103 Early Hints', 1000, null],
  ['100 Continue', 5000, 'response_too_large'],
  ['103 Early Hints', 5000, 'response_too_large'],
])('[FED-FAULTS] %s, %i times before the response', async (status, times, code) => {
  const interim = Buffer.from(`HTTP/1.1 ${status}\r\n\r\n`.repeat(times));
  const origin = await resetting(
    Buffer.concat([interim, answer(`content-length: ${BODY.length}\r\n`, BODY)]),
  );
  const { lanes } = await peerOf(origin).lanes('producers-summary');
  expect(lanes.map(laneFrom)[0]?.error?.code ?? null).toBe(code);
});
