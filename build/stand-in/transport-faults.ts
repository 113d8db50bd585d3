/** Behaviours of connection, headers and body, each with the code its lane must carry; null is a sound answer. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { LaneFaultCode } from '../../shim/core/lanes.ts';
import { answering, coded, JSON_TYPE, padded, raw, whole, type Behaviour } from './exchange.ts';
import { validAnswer } from './payloads.ts';

/** A named behaviour and what a lane must make of it. */
export type Case = [name: string, code: LaneFaultCode | null, behaviour: Behaviour];

const LIMIT = 2_000_000;
const CHUNKED = { 'transfer-encoding': 'chunked' };
const GZIP = { 'content-encoding': 'gzip' };
const BROTLI = { 'content-encoding': 'br' };

/** Sound answers, up to the limit. */
export const SOUND: Case[] = [
  ['valid', null, valid],
  ['valid gzip', null, answering((url) => gzipSync(whole(url)), GZIP)],
  ['valid brotli', null, answering((url) => brotli(Buffer.from(whole(url))), BROTLI)],
  [
    'valid with charset',
    null,
    answering(whole, { 'content-type': 'Application/JSON; profile=x; charset="UTF-8"' }),
  ],
  ['valid without length', null, raw((url) => closing('application/json') + whole(url))],
  ['exact limit', null, answering((url) => padded(url, LIMIT))],
  ['exact limit chunked', null, answering((url) => padded(url, LIMIT), CHUNKED)],
  ['exact limit gzip', null, answering((url) => gzipSync(padded(url, LIMIT)), GZIP)],
];

/** Answers that never end by themselves: only the deadline ends them. */
export const HANGING: Case[] = [
  ['hang before headers', 'upstream_timeout', () => undefined],
  ['hang in headers', 'upstream_timeout', raw(() => 'HTTP/1.1 200 OK\r\ncontent-type: appl', true)],
  ['hang in body', 'upstream_timeout', raw((url) => head(100_000) + whole(url).slice(0, 50), true)],
  [
    'hang in large body',
    'upstream_timeout',
    raw((url) => Buffer.concat([Buffer.from(head(LIMIT)), padded(url, 500_000)]), true),
  ],
  [
    'hang after a whole body without length',
    'upstream_timeout',
    raw((url) => closing('application/json') + whole(url), true),
  ],
  [
    'hang in a body without length',
    'upstream_timeout',
    raw((url) => closing('application/json') + whole(url).slice(0, 50), true),
  ],
  [
    'hang in a gzip body without length',
    'upstream_timeout',
    raw(
      (url) =>
        Buffer.concat([
          Buffer.from(closing('application/json\r\ncontent-encoding: gzip')),
          gzipSync(whole(url)).subarray(0, 50),
        ]),
      true,
    ),
  ],
  [
    'hang in a 503 without length',
    'upstream_timeout',
    raw(() => closing('application/json', '503 Service Unavailable') + '{"ok":false', true),
  ],
  [
    'hang after a typed 503 without length',
    'upstream_timeout',
    raw(
      () => closing('application/json', '503 Service Unavailable') + '{"ok":false,"error":"unavailable"}',
      true,
    ),
  ],
  ['endless interim answers', 'upstream_timeout', interim],
  ['one byte a second', 'upstream_timeout', byteASecond],
];

/** Violations of the connection, the headers or the size. */
export const TRANSPORT: Case[] = [
  ['limit + 1', 'response_too_large', answering((url) => padded(url, LIMIT + 1))],
  ['limit + 1 chunked', 'response_too_large', answering((url) => padded(url, LIMIT + 1), CHUNKED)],
  ['limit + 1 gzip', 'response_too_large', answering((url) => gzipSync(padded(url, LIMIT + 1)), GZIP)],
  ['huge declared length', 'response_too_large', raw((url) => head('9'.repeat(15)) + whole(url), true)],
  ['endless body', 'response_too_large', endless],
  ['gzip bomb', 'response_too_large', answering(bomb(gzipSync), GZIP)],
  ['brotli bomb', 'response_too_large', answering(bomb(brotli), BROTLI)],
  [
    'huge header',
    'response_too_large',
    raw((url) => withHeaders(`x-filler: ${'x'.repeat(1_000_000)}\r\n`, url)),
  ],
  ['many headers', 'response_too_large', raw((url) => withHeaders('x-filler: yes\r\n'.repeat(20_000), url))],
  ['broken gzip', 'invalid_upstream_json', answering((url) => gzipSync(whole(url)).subarray(0, -12), GZIP)],
  ['plain text as gzip', 'invalid_upstream_json', answering(whole, GZIP)],
  [
    'broken brotli',
    'invalid_upstream_json',
    answering((url) => brotli(Buffer.from(whole(url))).subarray(0, -8), BROTLI),
  ],
  [
    'gzip cut short',
    'upstream_unreachable',
    raw((url) =>
      Buffer.concat([
        Buffer.from(head('1000\r\ncontent-encoding: gzip')),
        gzipSync(whole(url)).subarray(0, 50),
      ]),
    ),
  ],
  ['unknown encoding', 'invalid_content_type', answering(whole, { 'content-encoding': 'zstd' })],
  [
    'two encodings',
    'invalid_content_type',
    answering((url) => gzipSync(gzipSync(whole(url))), { 'content-encoding': 'gzip, gzip' }),
  ],
  ['truncated', 'upstream_unreachable', raw((url) => head(100_000) + whole(url))],
  ['truncated chunked', 'upstream_unreachable', raw((url) => chunkedHead(whole(url)))],
  [
    'truncated without length',
    'invalid_upstream_json',
    raw((url) => `${closing('application/json')}${whole(url).slice(0, -5)}`),
  ],
  ['length too short', 'invalid_upstream_json', raw((url) => head(100) + whole(url))],
  ['two lengths', 'upstream_unreachable', raw((url) => `${head(`10\r\ncontent-length: 20`)}${whole(url)}`)],
  ['no answer', 'upstream_unreachable', raw(() => '')],
  ['not HTTP', 'upstream_unreachable', raw(() => 'SSH-2.0-OpenSSH_9.2\r\n')],
  [
    'switching protocols',
    'upstream_unreachable',
    raw(() => 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', true),
  ],
  ['text/html', 'invalid_content_type', answering(whole, { 'content-type': 'text/html' })],
  ['text/json', 'invalid_content_type', answering(whole, { 'content-type': 'text/json' })],
  [
    'other charset',
    'invalid_content_type',
    answering(whole, { 'content-type': 'application/json; charset=latin1' }),
  ],
  ['no content type', 'invalid_content_type', raw((url) => `${closing(null)}${whole(url)}`)],
  [
    'two content types',
    'invalid_content_type',
    raw((url) => `${closing('application/json\r\ncontent-type: text/html')}${whole(url)}`),
  ],
  ['204', 'upstream_http_error', ({ response }) => void response.writeHead(204).end()],
  ['206', 'upstream_http_error', answering(whole, { 'content-range': 'bytes 0-9/10' }, 206)],
  ['301', 'upstream_http_error', coded(301, { location: '/api/v2/money-markets' })],
  ['302 elsewhere', 'upstream_http_error', coded(302, { location: 'https://elsewhere.invalid/' })],
  ['307', 'upstream_http_error', coded(307, { location: '/' })],
  ['304', 'upstream_http_error', ({ response }) => void response.writeHead(304).end()],
  ['401', 'upstream_http_error', coded(401, { 'www-authenticate': 'Basic realm="x"' })],
  ['404', 'upstream_http_error', coded(404)],
  ['429', 'upstream_http_error', coded(429, { 'retry-after': '120' })],
  ['500', 'upstream_http_error', coded(500, {}, '{"ok":false,"error":"boom at /srv/app"}')],
  ['500 with a valid body', 'upstream_http_error', answering(whole, {}, 500)],
  [
    '503 as HTML',
    'upstream_http_error',
    coded(503, { 'content-type': 'text/html', 'retry-after': '7' }, '<p>'),
  ],
  ['503 untyped', 'upstream_http_error', coded(503, {}, '{"message":"down"}')],
  ['503 not JSON', 'upstream_http_error', coded(503, {}, '{')],
  ['503 with a valid body', 'upstream_http_error', answering(whole, {}, 503)],
];

function valid({ url, response }: Parameters<Behaviour>[0]): void {
  const payload = validAnswer(url);
  response.writeHead(payload ? 200 : 404, JSON_TYPE);
  response.end(JSON.stringify(payload ?? { ok: false, error: 'not_found' }));
}

function byteASecond({ url, response }: Parameters<Behaviour>[0]): void {
  const body = Buffer.from(whole(url));
  response.writeHead(200, { ...JSON_TYPE, 'content-length': body.length });
  let at = 0;
  const timer = setInterval(() => response.write(body.subarray(at, (at += 1))), 1000);
  response.on('close', () => clearInterval(timer));
}

function interim({ response }: Parameters<Behaviour>[0]): void {
  const timer = setInterval(() => response.writeProcessing(), 20);
  response.on('close', () => clearInterval(timer));
}

function endless({ response }: Parameters<Behaviour>[0]): void {
  response.writeHead(200, JSON_TYPE);
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
  };
  response.on('drain', more);
  more();
}

/** Thirty megabytes of one byte, compressed: small on the wire. */
function bomb(compress: (data: Buffer) => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= compress(Buffer.alloc(30_000_000, ' ')));
}

function brotli(data: Buffer): Buffer {
  return brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

function head(length: number | string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`;
}

/** Head of an answer whose body ends with its connection. */
function closing(type: string | null, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\n${type === null ? '' : `content-type: ${type}\r\n`}connection: close\r\n\r\n`;
}

function withHeaders(lines: string, url: URL): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines}\r\n${whole(url)}`;
}

function chunkedHead(chunk: string): string {
  const size = Buffer.byteLength(chunk).toString(16);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\n${chunk}\r\n`;
}
