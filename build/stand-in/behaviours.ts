/** Every behaviour of the stand-in by name: the fault matrix of the federation, and what `npm run upstream` offers. */
import { gzipSync } from 'node:zlib';
import type { LaneFaultCode } from '../../shim/core/lanes.ts';
import {
  bare,
  bomb,
  brotli,
  byteBySecond,
  changed,
  endless,
  extended,
  having,
  head,
  held,
  interim,
  lacking,
  padded,
  raw,
  replaced,
  rewritten,
  sending,
  status,
  valid,
  whole,
  withHeaders,
  type Behaviour,
} from './responses.ts';

/** A named behaviour and the error code its lane must carry; null is a sound response. */
export type Case = [name: string, code: LaneFaultCode | null, behaviour: Behaviour];

const LIMIT = 2_000_000;
const DEEP = 100_000;
const CHUNKED = { 'transfer-encoding': 'chunked' };
const GZIP = { 'content-encoding': 'gzip' };
const BROTLI = { 'content-encoding': 'br' };
const DOWN = '503 Service Unavailable';
const TYPED_DOWN = '{"ok":false,"error":"unavailable"}';

function cases(code: LaneFaultCode | null, behaviours: Record<string, Behaviour>): Case[] {
  return Object.entries(behaviours).map(([name, behaviour]) => [name, code, behaviour]);
}

const SOUND = cases(null, {
  valid,
  'valid gzip': sending((url) => gzipSync(whole(url)), GZIP),
  'valid brotli': sending((url) => brotli(Buffer.from(whole(url))), BROTLI),
  'valid with charset': sending(whole, { 'content-type': 'Application/JSON; profile=x; charset="UTF-8"' }),
  'valid without length': raw((url) => head() + whole(url)),
  'exact limit': sending((url) => padded(url, LIMIT)),
  'exact limit chunked': sending((url) => padded(url, LIMIT), CHUNKED),
  'exact limit gzip': sending((url) => gzipSync(padded(url, LIMIT)), GZIP),
});

const TOO_LARGE = cases('response_too_large', {
  'limit + 1': sending((url) => padded(url, LIMIT + 1)),
  'limit + 1 chunked': sending((url) => padded(url, LIMIT + 1), CHUNKED),
  'limit + 1 gzip': sending((url) => gzipSync(padded(url, LIMIT + 1)), GZIP),
  'huge declared length': held((url) => head('9'.repeat(15)) + whole(url)),
  'endless body': endless,
  'gzip bomb': sending(bomb(gzipSync), GZIP),
  'brotli bomb': sending(bomb(brotli), BROTLI),
  'huge header': raw((url) => withHeaders(`x-filler: ${'x'.repeat(1_000_000)}\r\n`, url)),
  'many headers': raw((url) => withHeaders('x-filler: yes\r\n'.repeat(20_000), url)),
});

const UNREACHABLE = cases('upstream_unreachable', {
  'gzip cut short': raw((url) =>
    Buffer.concat([
      Buffer.from(head('1000\r\ncontent-encoding: gzip')),
      gzipSync(whole(url)).subarray(0, 50),
    ]),
  ),
  truncated: raw((url) => head(100_000) + whole(url)),
  'truncated chunked': raw((url) => {
    const chunk = whole(url);
    const size = Buffer.byteLength(chunk).toString(16);
    return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\n${chunk}\r\n`;
  }),
  'two lengths': raw((url) => head('10\r\ncontent-length: 20') + whole(url)),
  'no answer': raw(() => ''),
  'not HTTP': raw(() => 'SSH-2.0-OpenSSH_9.2\r\n'),
  'switching protocols': held(
    () => 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  ),
});

const BAD_TYPE = cases('invalid_content_type', {
  'unknown encoding': sending(whole, { 'content-encoding': 'zstd' }),
  'two encodings': sending((url) => gzipSync(gzipSync(whole(url))), { 'content-encoding': 'gzip, gzip' }),
  'text/html': sending(whole, { 'content-type': 'text/html' }),
  'text/json': sending(whole, { 'content-type': 'text/json' }),
  'other charset': sending(whole, { 'content-type': 'application/json; charset=latin1' }),
  'no content type': raw((url) => head(null, null) + whole(url)),
  'two content types': raw((url) => head(null, 'application/json\r\ncontent-type: text/html') + whole(url)),
});

const BAD_STATUS = cases('upstream_http_error', {
  '204': bare(204),
  '206': sending(whole, { 'content-range': 'bytes 0-9/10' }, 206),
  '301': status(301, { location: '/api/v2/money-markets' }),
  '302 elsewhere': status(302, { location: 'https://elsewhere.invalid/' }),
  '307': status(307, { location: '/' }),
  '304': bare(304),
  '401': status(401, { 'www-authenticate': 'Basic realm="x"' }),
  '404': status(404),
  '429': status(429, { 'retry-after': '120' }),
  '500': status(500, {}, '{"ok":false,"error":"boom at /srv/app"}'),
  '500 with a valid body': sending(whole, {}, 500),
  '503 as HTML': status(503, { 'content-type': 'text/html', 'retry-after': '7' }, '<p>'),
  '503 untyped': status(503, {}, '{"message":"down"}'),
  '503 not JSON': status(503, {}, '{'),
  '503 with a valid body': sending(whole, {}, 503),
});

const BAD_JSON = cases('invalid_upstream_json', {
  'broken gzip': sending((url) => gzipSync(whole(url)).subarray(0, -12), GZIP),
  'plain text as gzip': sending(whole, GZIP),
  'broken brotli': sending((url) => brotli(Buffer.from(whole(url))).subarray(0, -8), BROTLI),
  'truncated without length': raw((url) => head() + whole(url).slice(0, -5)),
  'length too short': raw((url) => head(100) + whole(url)),
  'empty body': sending(() => ''),
  'invalid UTF-8': sending((url) => Buffer.from(`{"x":"\xff","from":"${url.pathname}"}`, 'latin1')),
  'overlong UTF-8': sending((url) => Buffer.from(`{"x":"\xc0\xaf","from":"${url.pathname}"}`, 'latin1')),
  'UTF-16': sending(() => Buffer.from('{"ok":true}', 'utf16le')),
  'byte order mark': rewritten((text) => `\ufeff${text}`),
  'invalid JSON': replaced('{', '{,'),
  'single quotes': rewritten((text) => text.replaceAll('"', "'")),
  comment: rewritten((text) => `/* x */${text}`),
  'trailing comma': rewritten((text) => `${text.slice(0, -1)},}`),
  NaN: replaced('"value":0', '"value":NaN'),
  'infinite number': replaced('"value":0', '"value":1e999'),
  'number under zero': replaced('"value":0', '"value":1e-999'),
  'integer that does not fit': replaced('"value":0', '"value":9007199254740993'),
  'whole number that does not fit, as a fraction': replaced('"value":0', '"value":9007199254740993.0'),
  'two documents': rewritten((text) => text + text),
  'trailing bytes': rewritten((text) => `${text}\0`),
  'duplicate key': replaced('{', '{"ok":true,'),
  'duplicate key, escaped': replaced('{', '{"\\u006fk":true,'),
  'duplicate key below': replaced('"unit":', '"value":1,"unit":'),
  'half a surrogate pair': replaced('"percent"', '"\\ud800"'),
  'control character': replaced('percent', 'per\ncent'),
  'deep and open': sending(() => '['.repeat(DEEP)),
});

const NOT_OBJECTS = ['null', 'true', '0', '"text"', '[]', '{}'];

const FORBIDDEN_KEYS = [
  'composite',
  'composite_score',
  'compositeScore',
  'COMPOSITE-SCORE',
  'overall_composite_score',
  'causal_score',
  'Culpability',
  'guilt_score',
  'risk_composite',
  'causal_effect',
  'shared_score',
  'is_guilty',
  'c\u043emposite',
  'guiltScore2',
  'ｇｕｉｌｔ＿ｓｃｏｒｅ',
  'constructor',
  'prototype',
];

const BAD_CONTRACT = cases('invalid_upstream_contract', {
  'deep arrays': sending(() => '['.repeat(DEEP) + ']'.repeat(DEEP)),
  'deep objects': extended(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
  ...Object.fromEntries(NOT_OBJECTS.map((text) => [`only ${text}`, sending(() => text)])),
  'wrong schema': having({ schema: 'producers.world-markets.v2' }),
  'no schema': lacking('schema'),
  'ok as text': having({ ok: 'true' }),
  'bad status': having({ status: 'fine' }),
  'no status': lacking('status'),
  'wrong selection': having({ selection: { section: 'other' } }),
  'no selection': lacking('selection'),
  'another section': changed(({ summary, ...rest }) => ({
    ...rest,
    selection: 'capital_markets',
    capital_markets: summary,
  })),
  'two sections': having({ money_markets: {} }),
  'no section': lacking('summary'),
  'section null': having({ summary: null }),
  'section zero': having({ summary: 0 }),
  'not context only': having({ context_only: false }),
  'no scope': lacking('scope'),
  'scope without not_claimed': lacking('scope.not_claimed'),
  'no clocks': lacking('clocks'),
  'empty clocks': having({ clocks: {} }),
  'clock as word': having({ 'clocks.as_of': 'yesterday' }),
  'no citation': lacking('citation'),
  'citation null': having({ citation: null }),
  'citation by http': having({ 'citation.canonical_url': 'http://producers.example/' }),
  'no publisher': lacking('citation.publisher'),
  'generated_at no moment': having({ generated_at: '2026-07-32' }),
  'no as_of': lacking('as_of'),
  ...Object.fromEntries(FORBIDDEN_KEYS.map((key) => [`key ${key}`, having({ [`summary.${key}`]: null })])),
  'key __proto__': replaced('{', '{"__proto__":{"ok":true},'),
  'forbidden key far down': extended(`${'[{"a":'.repeat(100)}{"guilt_score":0}${'}]'.repeat(100)}`),
  'forbidden key under deep nesting': extended(`${'['.repeat(DEEP)}{"guilt_score":0}${']'.repeat(DEEP)}`),
});

const UNAVAILABLE = cases('upstream_unavailable', {
  'ok false': having({ ok: false }),
  'status unavailable': having({ status: 'unavailable' }),
  'typed 503': having({ ok: false, status: 'unavailable' }, 503),
  'short typed 503': status(503, {}, TYPED_DOWN),
});

/** Responses that never end by themselves: only the deadline ends them. */
export const HANGING = cases('upstream_timeout', {
  'hang before headers': () => undefined,
  'hang in headers': held(() => 'HTTP/1.1 200 OK\r\ncontent-type: appl'),
  'hang in body': held((url) => head(100_000) + whole(url).slice(0, 50)),
  'hang in large body': held((url) => head(LIMIT) + padded(url, 500_000).toString()),
  'hang after a whole body without length': held((url) => head() + whole(url)),
  'hang in a body without length': held((url) => head() + whole(url).slice(0, 50)),
  'hang in a gzip body without length': held((url) =>
    Buffer.concat([
      Buffer.from(head(null, 'application/json\r\ncontent-encoding: gzip')),
      gzipSync(whole(url)).subarray(0, 50),
    ]),
  ),
  'hang in a 503 without length': held(() => `${head(null, 'application/json', DOWN)}{"ok":false`),
  'hang after a typed 503 without length': held(() => head(null, 'application/json', DOWN) + TYPED_DOWN),
  'endless interim answers': interim,
  'one byte a second': byteBySecond,
});

/** The cases that any lane of world-markets is tried with; those that wait for the deadline come last. */
export const CASES: Case[] = [
  ...SOUND,
  ...TOO_LARGE,
  ...UNREACHABLE,
  ...BAD_TYPE,
  ...BAD_STATUS,
  ...BAD_JSON,
  ...BAD_CONTRACT,
  ...UNAVAILABLE,
  ...HANGING,
];

/** The cases of the money-markets atlas alone. */
export const ATLAS_CASES: Case[] = [
  ...cases(null, { 'atlas ready': having({ status: 'READY' }) }),
  ...cases('upstream_unavailable', { 'atlas unavailable': having({ status: 'UNAVAILABLE' }) }),
  ...cases('invalid_upstream_contract', {
    'atlas of bad status': having({ status: 'ready' }),
    'atlas without markets': lacking('markets'),
    'atlas without coverage': lacking('coverage'),
    'atlas without caveats': lacking('caveats'),
    'atlas without role': lacking('methodology.role'),
    'atlas as world-markets': having({ schema: 'producers.world-markets.v1' }),
  }),
];

/** Behaviours by name. */
export const BEHAVIOURS = new Map<string, Behaviour>(
  [...CASES, ...ATLAS_CASES].map(([name, _code, behaviour]) => [name, behaviour]),
);

/** The behaviour of a name; throws where there is none. */
export function behaviourOf(name: string): Behaviour {
  const behaviour = BEHAVIOURS.get(name);
  if (!behaviour) throw new Error(`Unknown behaviour "${name}": --list prints all.`);
  return behaviour;
}
