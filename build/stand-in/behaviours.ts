/** Every behaviour of the stand-in by name: the fault matrix of the federation, and what `npm run upstream` offers. */
import { gzipSync } from 'node:zlib';
import { UsageError } from '../lib/command-line.ts';
import {
  type Behaviour,
  HEAD,
  bare,
  bomb,
  brotli,
  byteBySecond,
  changed,
  cutGzip,
  emptyBlocks,
  endless,
  filled,
  having,
  held,
  interim,
  padded,
  raw,
  sending,
  valid,
  whole,
} from './responses.ts';
import type { LaneFaultCode } from '../../shim/core/lanes.ts';
import faults from './faults.json' with { type: 'json' };

/** A named behaviour and the error code its lane must carry; null is a sound response. */
export type Case = [name: string, code: LaneFaultCode | null, behaviour: Behaviour];

type Code = LaneFaultCode | 'none';

/** Rows of faults.json by what they do. Texts may hold the marks that `filled` knows. */
interface Rows {
  /** The valid payload with other values at these paths. */
  members?: Record<string, Record<string, unknown>>;
  /** The valid payload without one member. */
  without?: Record<string, string>;
  /** The valid text with its first part replaced by the second. */
  replaced?: Record<string, string[]>;
  /** This text in place of the payload. */
  body?: Record<string, string>;
  /** The valid payload with other headers. */
  headers?: Record<string, Record<string, string>>;
  /** This status, with headers and a body where they are given. */
  status?: Record<string, { code: number; headers?: Record<string, string>; body?: string }>;
  /** Exactly these characters on the connection, which is then closed. */
  raw?: Record<string, string>;
  /** Exactly these characters on a connection that stays open. */
  held?: Record<string, string>;
}

const LIMIT = 2_000_000;
const DEEP = 100_000;
const CHUNKED = { 'transfer-encoding': 'chunked' };
const GZIP = { 'content-encoding': 'gzip' };
const BROTLI = { 'content-encoding': 'br' };

const ROWS: Record<'world-markets' | 'money-markets', Partial<Record<Code, Rows>>> = faults;

/** What data cannot say. The codes are in the order of the matrix. */
const MADE: Partial<Record<Code, Record<string, Behaviour>>> = {
  none: {
    valid,
    'valid gzip': sending((url) => gzipSync(whole(url)), GZIP),
    'valid brotli': sending((url) => brotli(Buffer.from(whole(url))), BROTLI),
    'valid x-gzip in capitals': sending((url) => gzipSync(whole(url)), { 'content-encoding': ' X-GZIP ' }),
    'exact limit': sending((url) => padded(url, LIMIT)),
    'exact limit chunked': sending((url) => padded(url, LIMIT), CHUNKED),
    'exact limit gzip': sending((url) => gzipSync(padded(url, LIMIT)), GZIP),
  },
  response_too_large: {
    'limit + 1': sending((url) => padded(url, LIMIT + 1)),
    'limit + 1 chunked': sending((url) => padded(url, LIMIT + 1), CHUNKED),
    'limit + 1 gzip': sending((url) => gzipSync(padded(url, LIMIT + 1)), GZIP),
    'endless body': endless,
    'gzip bomb': sending(bomb(gzipSync), GZIP),
    'brotli bomb': sending(bomb(brotli), BROTLI),
    'much gzip of nothing': sending(emptyBlocks, GZIP),
    'huge header': raw((url) => `${HEAD}x-filler: ${'x'.repeat(1_000_000)}\r\n\r\n${whole(url)}`),
    'many headers': raw((url) => `${HEAD}${'x-filler: yes\r\n'.repeat(20_000)}\r\n${whole(url)}`),
  },
  upstream_unreachable: {
    'gzip cut short': raw((url) => cutGzip(url, 'content-length: 1000\r\n')),
    'truncated chunked': raw((url) => {
      const chunk = whole(url);
      return `${HEAD}transfer-encoding: chunked\r\n\r\n${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`;
    }),
  },
  invalid_content_type: {
    'two encodings': sending((url) => gzipSync(gzipSync(whole(url))), { 'content-encoding': 'gzip, gzip' }),
  },
  upstream_http_error: { '204': bare(204), '304': bare(304) },
  invalid_upstream_json: {
    'broken gzip': sending((url) => gzipSync(whole(url)).subarray(0, -12), GZIP),
    'gzip and more': sending((url) => Buffer.concat([gzipSync(whole(url)), Buffer.alloc(9)]), GZIP),
    'broken brotli': sending((url) => brotli(Buffer.from(whole(url))).subarray(0, -8), BROTLI),
    'brotli and more': sending(
      (url) => Buffer.concat([brotli(Buffer.from(whole(url))), Buffer.alloc(9)]),
      BROTLI,
    ),
    'invalid UTF-8': sending((url) => Buffer.from(`{"x":"\xff","from":"${url.pathname}"}`, 'latin1')),
    'overlong UTF-8': sending((url) => Buffer.from(`{"x":"\xc0\xaf","from":"${url.pathname}"}`, 'latin1')),
    'UTF-16': sending(() => Buffer.from('{"ok":true}', 'utf16le')),
    'single quotes': sending((url) => whole(url).replaceAll('"', "'")),
    'deep and open': sending(() => '['.repeat(DEEP)),
  },
  invalid_upstream_contract: {
    'deep arrays': sending(() => '['.repeat(DEEP) + ']'.repeat(DEEP)),
    'deep objects': sending(filled(`<open>,"x":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`)),
    'another section': changed(({ summary, ...rest }) => ({
      ...rest,
      selection: 'capital_markets',
      capital_markets: summary,
    })),
    'forbidden key far down': sending(
      filled(`<open>,"x":${'[{"a":'.repeat(100)}{"guilt_score":0}${'}]'.repeat(100)}}`),
    ),
    'forbidden key under deep nesting': sending(
      filled(`<open>,"x":${'['.repeat(DEEP)}{"guilt_score":0}${']'.repeat(DEEP)}}`),
    ),
  },
  upstream_unavailable: { 'typed 503': having({ ok: false, status: 'unavailable' }, 503) },
  upstream_timeout: {
    'hang before headers': () => undefined,
    'hang in large body': held(
      (url) =>
        `${HEAD}content-length: ${LIMIT}\r\nconnection: close\r\n\r\n${padded(url, 500_000).toString()}`,
    ),
    'hang in a gzip body without length': held((url) => cutGzip(url)),
    'endless interim answers': interim,
    'one byte a second': byteBySecond,
  },
};

function casesOf(lane: keyof typeof ROWS, code: Code): Case[] {
  const rows = ROWS[lane][code] ?? {};
  const behaviours: [name: string, behaviour: Behaviour][] = [
    ...Object.entries(lane === 'world-markets' ? (MADE[code] ?? {}) : {}),
    ...each(rows.members, (members) => having(members)),
    ...each(rows.without, (path) => having({ [path]: undefined })),
    ...each(rows.replaced, ([part = '', by = '']) => sending((url) => whole(url).replace(part, by))),
    ...each(rows.body, (text) => sending(filled(text))),
    ...each(rows.headers, (headers) => sending(whole, headers)),
    ...each(rows.status, ({ code: status, headers, body = '{}' }) => sending(filled(body), headers, status)),
    ...each(rows.raw, (text) => raw(filled(text))),
    ...each(rows.held, (text) => held(filled(text))),
  ];
  return behaviours.map(([name, behaviour]) => [name, code === 'none' ? null : code, behaviour]);
}

function each<T>(rows: Record<string, T> = {}, behaviourOfRow: (row: T) => Behaviour): [string, Behaviour][] {
  return Object.entries(rows).map(([name, row]) => [name, behaviourOfRow(row)]);
}

/** Responses that never end by themselves: only the deadline ends them. */
export const HANGING = casesOf('world-markets', 'upstream_timeout');

/** The cases that any lane of world-markets is tried with; those that wait for the deadline come last. */
export const CASES = (Object.keys(MADE) as Code[]).flatMap((code) => casesOf('world-markets', code));

/** The cases of the money-markets atlas alone. */
export const ATLAS_CASES = (Object.keys(MADE) as Code[]).flatMap((code) => casesOf('money-markets', code));

/** Behaviours by name. */
export const BEHAVIOURS = new Map<string, Behaviour>(
  [...CASES, ...ATLAS_CASES].map(([name, _code, behaviour]) => [name, behaviour]),
);

/** The behaviour of a name; throws where there is none. */
export function behaviourOf(name: string): Behaviour {
  const behaviour = BEHAVIOURS.get(name);
  if (!behaviour) throw new UsageError(`Unknown behaviour "${name}": --list prints all.`);
  return behaviour;
}
