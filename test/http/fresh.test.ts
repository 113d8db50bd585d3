/** Responses nobody requested before: their ETag says what decides the bytes, and their memory is used again without a wrong byte. */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import type { Observation } from '../../shim/core/records.ts';
import { startServer } from '../../shim/node.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import {
  TEST_SITE,
  builtTree,
  copyOfTree,
  listedBy,
  writeListed,
  treeRecords,
  flipBit,
} from '../_support/tree.ts';
import { seeded } from '../_support/seeded.ts';

const RESOURCE = '/api/v1/market-observations';
const PACKS = ['drug-seizures', 'drug-prices', 'arms', 'informal-economy'];

/** Queries of all kinds, all of which match something, no two alike. */
function queries(count: number, seed: number): string[] {
  const random = seeded(seed);
  const records = PACKS.flatMap((id) => treeRecords<Observation>(`data/${id}.ndjson`));
  const found = new Set<string>();
  while (found.size < count) {
    const record = records[Math.floor(random() * records.length)];
    if (!record) throw new Error('no records');
    const filters = [
      `indicator=${record.indicatorId}`,
      `geo=${record.geoCode}`,
      `category=${encodeURIComponent(record.category)}`,
      `from=${Number(record.period.slice(0, 4)) - Math.floor(random() * 9)}`,
      `to=${record.period.slice(0, 4)}`,
    ].filter(() => random() < 0.5);
    found.add(`${RESOURCE}?${[...filters, `limit=${1 + Math.floor(random() * 500)}`].join('&')}`);
  }
  return [...found];
}

function asking(folder: string): (target: string, headers?: Record<string, string>) => Promise<Response> {
  const ask = requestsTo(testApp(folder));
  return async (target, headers = {}) => ask(target, { headers });
}

test('[CACHE] two services over the same files give the same ETag, and two bodies never have one', async () => {
  const [one, other] = [asking(builtTree()), asking(builtTree())];
  const bodies = new Map<string, string>();
  for (const target of queries(100, 1)) {
    const first = await one(target);
    const etag = first.headers.get('etag') ?? '';
    const body = await first.text();
    expect(etag, target).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await other(target)).headers.get('etag'), target).toBe(etag);
    expect(bodies.get(etag) ?? body, target).toBe(body);
    bodies.set(etag, body);
    // Remembered, and compressed, it is the same content.
    expect((await one(target)).headers.get('etag'), target).toBe(etag);
    const known = await one(target, { 'if-none-match': etag, 'accept-encoding': 'br' });
    expect([known.status, known.headers.get('vary')], target).toEqual([304, 'Accept-Encoding']);
  }
  expect(bodies.size).toBeGreaterThan(80);
});

test('[CACHE] the order of the parameters changes no ETag', async () => {
  const ask = asking(builtTree());
  const [{ headers: one }, { headers: other }] = [
    await ask(`${RESOURCE}?from=2010&limit=7`),
    await ask(`${RESOURCE}?limit=7&from=2010`),
  ];
  expect(one.get('etag')).toBe(other.get('etag'));
});

test('[CACHE] HEAD has the fields of GET, and the first request with a known ETag gets a 304', async () => {
  const target = `${RESOURCE}?from=2011&limit=9`;
  const { headers } = await asking(builtTree())(target);
  const head = await requestsTo()(target, { method: 'HEAD' });
  for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'vary', 'link'])
    expect(head.headers.get(name), name).toBe(headers.get(name));
  expect(await head.text()).toBe('');
  const known = await asking(builtTree())(target, { 'if-none-match': headers.get('etag') ?? '' });
  expect([known.status, await known.text()]).toEqual([304, '']);
});

test('[CACHE] a 400 stays a 400 whatever If-None-Match says', async () => {
  const { status } = await asking(builtTree())(`${RESOURCE}?limit=5junk`, { 'if-none-match': '*' });
  expect(status).toBe(400);
});

test('[CACHE] another digit in one record is another ETag for what is read from its file, and for nothing else', async () => {
  const [file, list] = ['data/drug-prices.ndjson', 'data/packs.json'];
  const changed = copyOfTree(file, ...listedBy(list));
  const text = readFileSync(join(changed, file), 'utf8');
  const other = text.replace(/"value":(\d)/, (_, digit: string) => `"value":${(Number(digit) % 9) + 1}`);
  expect(other.length).toBe(text.length);
  writeFileSync(join(changed, file), other);
  const packs = readFileSync(join(changed, list), 'utf8');
  writeListed(changed, list, packs.replaceAll(sha256(text), sha256(other)));
  const [before, after] = [asking(builtTree()), asking(changed)];
  // A page that does not show the record names the hash of the file it is in.
  for (const [id, isSame] of [
    ['drug-prices', false],
    ['drug-seizures', true],
  ] as const) {
    const target = `${RESOURCE}?dataset=${id}&geo=MMR&from=2019&limit=500`;
    const [one, two] = [await before(target), await after(target)];
    expect([id, one.headers.get('etag') === two.headers.get('etag')]).toEqual([id, isSame]);
    expect([id, (await one.text()) === (await two.text())]).toEqual([id, isSame]);
  }
});

test('[UNAVAILABLE] what became damaged is a 503, also for a client that knows the ETag', async () => {
  const file = 'data/drug-prices.ndjson';
  const damaged = copyOfTree(file);
  const ask = asking(damaged);
  const target = `${RESOURCE}?dataset=drug-prices&limit=3`;
  const etag = (await ask(target)).headers.get('etag') ?? '';
  flipBit(join(damaged, file), 100);
  await delay(300);
  expect((await ask(target, { 'if-none-match': etag })).status).toBe(503);
  expect((await asking(damaged)(target, { 'if-none-match': etag })).status).toBe(503);
});

test('[CACHE] part of the data missing is another ETag', async () => {
  const file = 'data/index/drug-prices.idx';
  const damaged = copyOfTree(file);
  const target = `${RESOURCE}?geo=MEX&from=2019&limit=3`;
  const whole = await asking(damaged)(target);
  writeFileSync(join(damaged, file), '');
  const partial = await asking(damaged)(target);
  expect(partial.status).toBe(200);
  expect(partial.headers.get('etag')).not.toBe(whole.headers.get('etag'));
});

test('[CACHE] no byte is wrong when many connections ask for what nobody asked before, some of them slowly', async () => {
  const expected = asking(builtTree());
  const server = await startServer(builtTree(), { PORT: '0', SITE_URL: TEST_SITE });
  try {
    const port = Number(new URL(server.url).port);
    const targets = queries(144, 2);
    const hashes = await Promise.all(
      targets.map(async (target) => sha256(Buffer.from(await (await expected(target)).arrayBuffer()))),
    );
    const connections = 12;
    const bodies = await Promise.all(
      Array.from({ length: connections }, async (_, turn) =>
        pipelined(
          port,
          targets.filter((_target, at) => at % connections === turn),
          turn % 3 === 0,
        ),
      ),
    );
    for (const [at, hash] of hashes.entries())
      expect(sha256(bodies[at % connections]?.[Math.floor(at / connections)] ?? ''), targets[at]).toBe(hash);
  } finally {
    await server.close();
  }
});

/** The bodies of requests sent at once on one connection, read slowly or as fast as they come. */
async function pipelined(port: number, targets: string[], slowly: boolean): Promise<Buffer[]> {
  const socket = connect({ port, host: '127.0.0.1', ...(slowly ? { highWaterMark: 1024 } : {}) });
  socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(''));
  const bodies: Buffer[] = [];
  let held = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      const length = Number(
        /content-length: (\d+)/i.exec(held.subarray(0, Math.max(0, end)).toString())?.[1],
      );
      if (end < 0 || held.length < end + 4 + length) break;
      bodies.push(held.subarray(end + 4, end + 4 + length));
      held = held.subarray(end + 4 + length);
    }
    if (bodies.length === targets.length) break;
    if (slowly) await delay(1);
  }
  socket.destroy();
  return bodies;
}
