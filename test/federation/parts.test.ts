/** The configured origin, and calls that are shared while in flight. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { validPayload } from '../../build/stand-in/responses.ts';
import { parseProducersBaseUrl, upstreamUrl } from '../../shim/core/hosts.ts';
import { inFlight } from '../../shim/core/in-flight.ts';
import { LANES } from '../../shim/core/lanes.ts';
import { PRODUCT_LIMITS } from '../../shim/federation/fetch.ts';
import { readingThread } from '../../shim/federation/thread.ts';
import { bundledServer } from '../_support/bundled-server.ts';
import { NOW, peerOf } from '../_support/federation.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

/** Values that take many times the memory of their text. */
const LARGEST: [values: string, value: string][] = [
  ['objects', '{}'],
  ['arrays in arrays', '[[]]'],
];

describe('the thread that reads bodies', () => {
  test.each(LARGEST)('has enough memory for 2 MB of %s', async (_values, value) => {
    const [lane] = LANES.flatMap((entry) => (entry.kind === 'live' ? entry : []));
    const url = upstreamUrl(new URL('https://producers.example'), lane?.path ?? '');
    const known = JSON.stringify(validPayload(url)).slice(0, -1);
    const count = Math.floor((PRODUCT_LIMITS.maxBytes - known.length - 100) / (value.length + 1));
    const body = Buffer.from(`${known},"more":[${Array(count).fill(value).join(',')}]}`);
    const at = { source_url: url.href, retrieved_at: NOW, transport: {} };
    const read = readingThread(pathToFileURL(join(await bundledServer(), 'reading-thread.cjs')));
    const received = { laneId: lane?.id ?? '', at, status: 200, retryAfter: undefined, body };
    expect((await read?.(received))?.code).toBeNull();
  });

  test('is ended when a body takes too long, and another one reads the next', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'thread.cjs');
    // The first body of a thread is never read; the next thread finds that there was one.
    const body = `const { existsSync, writeFileSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
const seen = ${JSON.stringify(join(folder, 'seen'))};
parentPort.on('message', ({ id }) => {
  if (existsSync(seen)) return parentPort.postMessage({ id, lane: 'read' });
  writeFileSync(seen, '');
  for (;;);
});`;
    writeFileSync(file, body);
    const read = readingThread(pathToFileURL(file), 1500);
    const received = { laneId: '', status: 200, retryAfter: undefined };
    const at = { source_url: '', retrieved_at: '', transport: {} };
    const next = async (): Promise<unknown> => read?.({ ...received, at, body: new Uint8Array(1) });
    await expect(next()).rejects.toBeDefined();
    expect(await next()).toBe('read');
  });
});

describe('[FED-ORIGIN] PRODUCERS_BASE_URL', () => {
  test.each([
    ['https://producers.example', 'https://producers.example'],
    ['https://producers.example/', 'https://producers.example'],
    ['HTTPS://Producers.Example:8443', 'https://producers.example:8443'],
    ['https://127.0.0.1:9443', 'https://127.0.0.1:9443'],
    ['https://[::1]:9443', 'https://[::1]:9443'],
  ])('takes %s', (text, origin) => {
    expect(parseProducersBaseUrl(text).origin).toBe(origin);
  });

  test.each([
    '',
    ' https://producers.example',
    'https://producers.example\n',
    ...`producers.example http://producers.example ftp://producers.example https://
      https://user:secret@producers.example https://producers.example/api https://producers.example//
      https://producers.example?x https://producers.example/? https://producers.example#
      https://producers.example\\x https://producers.example:99999 javascript:alert(1)`.split(/\s+/),
  ])('refuses %j in one line that names it', (text) => {
    const refuse = (): URL => parseProducersBaseUrl(text);
    expect(refuse).toThrow(/^PRODUCERS_BASE_URL is ".*": expected an https origin[^\n]*$/);
    expect(refuse).not.toThrow(/secret/);
    expect(() => peerOf(text)).toThrow(/^PRODUCERS_BASE_URL/);
  });

  test('an address never leaves the origin', () => {
    const origin = new URL('https://producers.example');
    expect(upstreamUrl(origin, '/a?b=c').href).toBe('https://producers.example/a?b=c');
    for (const path of words(`//elsewhere.example/a https://elsewhere.example http://producers.example/a
      https://u:p@producers.example/`))
      expect(() => upstreamUrl(origin, path)).toThrow(/configured origin/);
  });
});

describe('calls in flight', () => {
  test('are joined in their first second, for the same lane only, and nothing is kept afterwards', async () => {
    let now = 0;
    const fetched: string[] = [];
    const ends: (() => void)[] = [];
    const share = inFlight<number>({ withinMs: 1000, most: 2 }, () => now);
    const ask = (lane: string): Promise<number> =>
      share(lane, () => {
        fetched.push(lane);
        const number = fetched.length;
        return new Promise((resolve) => ends.push(() => resolve(number)));
      });

    const first = ask('a');
    now = 999;
    const joined = ask('a');
    const other = ask('b');
    now = 1000;
    const second = ask('a');
    now = 9000;
    const beyond = ask('a');
    expect(fetched).toEqual(['a', 'b', 'a']);
    for (const end of ends) end();
    expect(await Promise.all([first, joined, other, second, beyond])).toEqual([1, 1, 2, 3, 3]);

    const later = ask('a');
    ends.at(-1)?.();
    expect(await later).toBe(4);
  });
});
