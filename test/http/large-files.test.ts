/** Files too large to be kept in memory: checked once, then block by block; compressed while they are sent. */
import { randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, statSync, openSync, writeSync, closeSync, readFileSync } from 'node:fs';
import { get, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { Fault } from '../../shim/core/faults.ts';
import { startServer } from '../../shim/node.ts';
import { testApp, requestsTo, onPort } from '../_support/doors.ts';
import { treeOf } from '../_support/made-tree.ts';
import { TEST_SITE } from '../_support/tree.ts';

const MIB = 1024 * 1024;
const rows = Array.from({ length: 300_000 }, (_, row) =>
  JSON.stringify({ id: `row.${row}`, value: row % 97 }),
);
const text = Buffer.from(`${rows.join('\n')}\n`.repeat(3));
const PATH = 'data/large.ndjson';
const noise = randomBytes(40 * MIB);

/** Everything a response carries, as it came over the wire. */
async function received(url: string, headers: Record<string, string> = {}): Promise<Received> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let whole = true;
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    whole = false;
  }
  const { statusCode: status = 0, headers: fields } = response;
  return { status, fields, body: Buffer.concat(chunks), whole };
}

interface Received {
  status: number;
  fields: IncomingMessage['headers'];
  body: Buffer;
  /** Whether the response came to its end. */
  whole: boolean;
}

function flip(path: string, at: number): void {
  const { atime, mtime } = statSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([(readFileSync(path)[at] ?? 0) ^ 1]), 0, 1, at);
  closeSync(file);
  // The date says nothing has happened, as after a fault of the disk.
  utimesSync(path, atime, mtime);
}

const { url: address, port } = await onPort(treeOf({ [PATH]: text, 'data/noise.bin': noise }));
const base = `${address}/`;

test('[LARGE] it is larger than what is kept in memory', () => {
  expect(text.length).toBeGreaterThan(17 * MIB);
});

test('[LARGE] whole, in parts and compressed it has the same bytes', async () => {
  const plain = await received(base + PATH);
  expect([plain.status, plain.fields['content-length']]).toEqual([200, String(text.length)]);
  expect(plain.body.equals(text)).toBe(true);
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { status, fields, body } = await received(base + PATH, { 'accept-encoding': coding });
    expect([status, fields['content-encoding'], fields.vary]).toEqual([200, coding, 'Accept-Encoding']);
    expect(fields.etag).toBe(`${plain.fields.etag?.slice(0, -1)}-${coding}"`);
    expect(body.length).toBeLessThan(text.length / 4);
    expect(decode(body).equals(text)).toBe(true);
    // It was kept, so its length is known now.
    const again = await received(base + PATH, { 'accept-encoding': coding });
    expect(again.fields['content-length']).toBe(String(body.length));
    expect(again.body.equals(body)).toBe(true);
  }
  for (const [start, end] of [
    [0, 1],
    [131_071, 131_073],
    [5 * MIB, 6 * MIB],
    [text.length - 1, text.length],
  ] as [number, number][]) {
    const { status, body } = await received(base + PATH, { range: `bytes=${start}-${end - 1}` });
    expect(status).toBe(206);
    expect(body.equals(text.subarray(start, end))).toBe(true);
  }
});

test('[LARGE] 16 replies are compressed while they are sent, however many first requests come together', async () => {
  const server = await startServer(treeOf({ [PATH]: text }), { SITE_URL: TEST_SITE, PORT: '0' });
  /** How many of so many requests at once get a compressed reply; they are ended when its head arrives. */
  const compressed = async (count: number, method = 'GET'): Promise<number> => {
    const responses = await Promise.all(
      Array.from({ length: count }, async () => {
        const headers = { 'accept-encoding': 'br' };
        const sent = request(server.url + PATH, { method, headers, agent: false }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        return response.on('error', () => undefined);
      }),
    );
    for (const response of responses) response.destroy();
    return responses.filter(({ headers }) => headers['content-encoding'] === 'br').length;
  };
  try {
    expect(await compressed(40)).toBe(16);
    // Clients that leave make room for others; replies to HEAD take none.
    await vi.waitFor(async () => expect(await compressed(1)).toBe(1), 5000);
    expect(await compressed(20, 'HEAD')).toBe(20);
    expect(await compressed(1)).toBe(1);
  } finally {
    await server.close();
  }
});

test('[LARGE] small parts cost neither the time nor the memory of the file', async () => {
  const path = 'data/noise.bin';
  await received(base + path, { range: 'bytes=0-0' });
  const before = process.memoryUsage().rss;
  const started = performance.now();
  for (let part = 0; part < 200; part += 1) {
    const at = (part * 7919 * 101) % (noise.length - 10);
    const { body } = await received(base + path, { range: `bytes=${at}-${at + 9}` });
    expect(body.equals(noise.subarray(at, at + 10))).toBe(true);
  }
  // Hashing the file for each would take 200 times some 80 ms.
  expect(performance.now() - started).toBeLessThan(12_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
});

test('[LARGE] readers that leave, and requests in one packet, hold no descriptors', async () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  const line = `GET /${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(line.repeat(100));
    await once(socket, 'data');
  }
  for (const socket of sockets) socket.destroy();
  await expect.poll(open).toBeLessThanOrEqual(before + 2);
  expect((await received(base + PATH, { range: 'bytes=0-3' })).status).toBe(206);
});

test('[LARGE] readers of the same blocks at the same time each get all bytes', async () => {
  const ranges = Array.from({ length: 40 }, (_, reader) => reader * 50_000);
  const parts = ranges.map((at) => received(base + PATH, { range: `bytes=${at}-${at + MIB - 1}` }));
  for (const [reader, { body }] of (await Promise.all(parts)).entries())
    expect(body.equals(text.subarray(ranges[reader], (ranges[reader] ?? 0) + MIB)), `${reader}`).toBe(true);
});

test('[LARGE] two requests in one packet are both answered whole', async () => {
  const socket = connect(port, '127.0.0.1');
  const head = `GET /${PATH} HTTP/1.1\r\nHost: localhost\r\n`;
  socket.write(`${head}\r\n${head}Connection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const second = all.indexOf('HTTP/1.1 200', 20);
  for (const one of [all.subarray(0, second), all.subarray(second)])
    expect(one.subarray(one.indexOf('\r\n\r\n') + 4).equals(text)).toBe(true);
});

test('[LARGE] a file of another size than the release lists is not read; the list itself may be as large', async () => {
  const others = Array.from({ length: 120_000 }, (_, row) => ({
    path: `data/${row}.json`,
    bytes: row,
    sha256: 'x'.repeat(64),
  }));
  for (const [bytes, status] of [
    [text.length, 206],
    [text.length - 1, 503],
  ]) {
    const manifest = JSON.stringify({ files: [...others, { path: PATH, bytes }] }, null, 2);
    expect(manifest.length).toBeGreaterThan(16 * MIB);
    const root = treeOf({ [PATH]: text, 'release.json': manifest });
    const ask = requestsTo(testApp(root, () => undefined));
    expect((await ask(PATH, { headers: { range: 'bytes=0-3' } })).status).toBe(status);
    expect(await (await ask('release.json')).text()).toBe(manifest);
  }
});

describe('[LARGE] damage', () => {
  test.each([0, 70_000, Math.floor(text.length / 2), text.length - 1])(
    'before the first request, at byte %d: 503, and one line of the log',
    async (at) => {
      const root = treeOf({ [PATH]: text });
      flip(join(root, PATH), at);
      const reported: unknown[] = [];
      const ask = requestsTo(testApp(root, (error) => void reported.push(error)));
      const asked: Record<string, string>[] = [{}, { range: 'bytes=0-3' }, { 'accept-encoding': 'br' }, {}];
      for (const headers of asked) {
        const response = await ask(PATH, { headers });
        expect([response.status, await response.json()]).toMatchObject([503, { error: 'unavailable' }]);
      }
      expect(reported).toEqual([expect.any(Fault)]);
    },
  );

  test('after it was checked: what was sent is right, the response is cut, then 503', async () => {
    const root = treeOf({ [PATH]: text });
    const { url, close: stop } = await startServer(root, { SITE_URL: TEST_SITE, PORT: '0' });
    expect((await received(url + PATH, { range: 'bytes=0-3' })).status).toBe(206);
    const at = Math.floor(text.length / 2);
    flip(join(root, PATH), at);
    for (const { body, whole } of await Promise.all([url, url, url].map((each) => received(each + PATH)))) {
      expect(whole && body.length === text.length).toBe(false);
      if (body.subarray(0, 4).toString() === text.subarray(0, 4).toString())
        expect(body.equals(text.subarray(0, body.length))).toBe(true);
    }
    await expect
      .poll(async () => (await received(url + PATH, { range: `bytes=${at}-${at}` })).status)
      .toBe(503);
    await stop();
  });
});
