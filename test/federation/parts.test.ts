/** Origin, circuit and sharing. */
import { describe, expect, test } from 'vitest';
import { circuit } from '../../shim/federation/circuit.ts';
import { parseProducersBaseUrl, upstreamUrl } from '../../shim/core/hosts.ts';
import { sharing } from '../../shim/federation/sharing.ts';
import { peerOf } from '../_support/federation.ts';

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
    'producers.example',
    'http://producers.example',
    'ftp://producers.example',
    'https://',
    'https://user:secret@producers.example',
    'https://producers.example/api',
    'https://producers.example//',
    'https://producers.example?x',
    'https://producers.example/?',
    'https://producers.example#',
    'https://producers.example\\x',
    ' https://producers.example',
    'https://producers.example\n',
    'https://producers.example:99999',
    'javascript:alert(1)',
  ])('refuses %j in one line that names it', (text) => {
    const refuse = (): URL => parseProducersBaseUrl(text);
    expect(refuse).toThrow(/^PRODUCERS_BASE_URL is ".*"; it accepts an https origin[^\n]*$/);
    expect(refuse).not.toThrow(/secret/);
    expect(() => peerOf(text)).toThrow(/^PRODUCERS_BASE_URL/);
  });

  test('an address never leaves the origin', () => {
    const origin = new URL('https://producers.example');
    expect(upstreamUrl(origin, '/a?b=c').href).toBe('https://producers.example/a?b=c');
    for (const path of [
      '//elsewhere.example/a',
      'https://elsewhere.example',
      'http://producers.example/a',
      'https://u:p@producers.example/',
    ])
      expect(() => upstreamUrl(origin, path)).toThrow(/configured origin/);
  });
});

describe('circuit', () => {
  test('pauses after three troubles in a row, for its time, and is let through once more', () => {
    let now = 1000;
    const lanes = circuit(5000, () => now);
    lanes.note('a', 'upstream_timeout');
    lanes.note('a', 'upstream_unreachable');
    expect(lanes.paused('a')).toBeNull();
    lanes.note('a', 'upstream_timeout');
    expect(lanes.paused('a')).toEqual({ code: 'upstream_timeout', seconds: 5 });
    expect(lanes.paused('b')).toBeNull();
    now += 4001;
    expect(lanes.paused('a')?.seconds).toBe(1);
    now += 999;
    expect(lanes.paused('a')).toBeNull();
    lanes.note('a', 'upstream_timeout');
    expect(lanes.paused('a')?.seconds).toBe(5);
    lanes.note('a', null);
    expect(lanes.paused('a')).toBeNull();
  });

  test('answers that are merely wrong do not open it', () => {
    const lanes = circuit(5000, () => 0);
    for (let row = 0; row < 9; row += 1) lanes.note('a', 'invalid_upstream_contract');
    expect(lanes.paused('a')).toBeNull();
  });

  test('can be switched off', () => {
    const lanes = circuit(0, () => 0);
    for (let row = 0; row < 9; row += 1) lanes.note('a', 'upstream_timeout');
    expect(lanes.paused('a')).toBeNull();
  });

  test('a pause says so in the lane, and nothing was asked', async () => {
    let asked = 0;
    const peer = peerOf('https://producers.example', {
      upstreamPauseMs: 5000,
      effects: {
        request() {
          asked += 1;
          throw new Error('refused');
        },
      },
    });
    for (let row = 0; row < 3; row += 1) await peer.lanes('producers-summary');
    expect(asked).toBe(3);
    const { lanes } = await peer.lanes('producers-summary');
    expect(asked).toBe(3);
    expect(lanes[0]).toMatchObject({
      error: {
        code: 'upstream_unreachable',
        message: expect.stringContaining('was not asked now; it is asked again in 5 s') as string,
        retry_after: '5',
      },
      transport: { attempts: 0, http_status: null },
      data: null,
    });
  });
});

describe('sharing', () => {
  test('joins a call in its first second, of the same lane only, and keeps nothing afterwards', async () => {
    let now = 0;
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const share = sharing<number>({ withinMs: 1000, most: 2 }, () => now);
    const ask = (lane: string): Promise<number> =>
      share(lane, () => {
        asked.push(lane);
        const number = asked.length;
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
    expect(asked).toEqual(['a', 'b', 'a']);
    for (const end of ends) end();
    expect(await Promise.all([first, joined, other, second, beyond])).toEqual([1, 1, 2, 3, 3]);

    const later = ask('a');
    ends.at(-1)?.();
    expect(await later).toBe(4);
  });
});
