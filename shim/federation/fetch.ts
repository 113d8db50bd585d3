/**
 * The bounded fetch: one GET of one https address, no redirect, no retry, no kept connection. One deadline covers name,
 * connection, TLS, headers and body; decoded bytes are counted as they arrive, whatever Content-Length says; the first
 * violation closes the connection. It gives the whole body or a failure, and never throws.
 */
import { hash } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { LaneFailure } from '../core/lanes.ts';

/** Bounds of one upstream call. */
export interface FetchLimits {
  /** From the name lookup to the last byte, in milliseconds. */
  deadlineMs: number;
  /** Decoded bytes of the body. */
  maxBytes: number;
}

/** The bounds of the product. */
export const PRODUCT_LIMITS: FetchLimits = { deadlineMs: 15_000, maxBytes: 2_000_000 };

/** The network as the fetch uses it. */
export interface FetchEffects {
  /** Sends one request; node:https's own `request`, or one that trusts another authority. */
  request(url: URL, options: RequestOptions): ClientRequest;
}

/** The outcome of a fetch. `body` is null when it was not read whole; then there is a failure. */
export interface Fetched {
  status: number | null;
  body: Uint8Array | null;
  /** Lower-case hex of the body. */
  sha256: string | null;
  retryAfter: string | undefined;
  failure: LaneFailure | null;
}

type Encoding = 'identity' | 'gzip' | 'br';

const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'user-agent': 'public-evidence-api',
};
const MAX_HEADER_BYTES = 16_384;
/** Compressed data may exceed its decoded size by at most this: headers, checksums, stored blocks. */
const ENCODING_BYTES = 65_536;
/** An upstream may send interim responses (1xx) without end, and reading them would hold up everything else. */
const MOST_INTERIM = 1000;
/** Decoding goes through the thread pool once per chunk: larger ones take fewer turns. */
const DECODED_CHUNK = 65_536;

/** Thrown where a response breaks a bound; carries the lane's failure and nothing of the response. */
class Refused extends Error {
  readonly failure: LaneFailure;

  constructor(failure: LaneFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Makes one request. A body is read with status 200, and with 503 in JSON, which may be a typed unavailable response. */
export async function boundedFetch(url: URL, limits: FetchLimits, effects: FetchEffects): Promise<Fetched> {
  const deadline = AbortSignal.timeout(limits.deadlineMs);
  const fetched: Fetched = { status: null, body: null, sha256: null, retryAfter: undefined, failure: null };
  let request: ClientRequest | undefined;
  try {
    request = effects.request(url, {
      method: 'GET',
      agent: false,
      rejectUnauthorized: true,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: HEADERS,
      signal: deadline,
    });
    const response = await responseOf(request);
    fetched.status = response.statusCode ?? null;
    fetched.retryAfter = retryAfterOf(response);
    const encoding = readableEncoding(response, limits);
    const body = await readBody(response, encoding, limits.maxBytes, deadline);
    // A body without a declared end looks whole to node when the deadline closes its connection.
    deadline.throwIfAborted();
    return { ...fetched, body, sha256: hash('sha256', body) };
  } catch (error) {
    return { ...fetched, failure: failureOf(error, deadline, fetched) };
  } finally {
    request?.destroy();
  }
}

/**
 * The response's head; rejects when the connection ends before it. A connection that breaks later breaks the body too: node
 * itself ends a body without a declared end as if it were whole, and tells the request alone.
 */
function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', (response) => {
      response.on('error', () => undefined);
      request.on('error', (error) => response.complete || response.destroy(error));
      resolve(response);
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) request.destroy(tooManyInterim());
    });
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed before a response')));
    request.end();
  });
}

/** The encoding of a body worth reading; throws Refused otherwise. */
function readableEncoding(response: IncomingMessage, { maxBytes }: FetchLimits): Encoding {
  const { statusCode } = response;
  const json = isJson(response);
  if (statusCode !== 200 && !(statusCode === 503 && json)) throw new Refused({ code: 'upstream_http_error' });
  const encoding = encodingOf(response);
  if (!json || encoding === null) throw new Refused({ code: 'invalid_content_type' });
  if (encoding === 'identity' && Number(response.headers['content-length']) > maxBytes)
    throw tooLarge(maxBytes);
  return encoding;
}

/** Whether the body is declared as application/json, in UTF-8 where it names a charset. */
function isJson(response: IncomingMessage): boolean {
  const [type = '', ...parameters] = (single(response, 'content-type') ?? '')
    .split(';')
    .map((part) => part.trim());
  return (
    type.toLowerCase() === 'application/json' &&
    parameters.every((parameter) => !/^charset/i.test(parameter) || /^charset="?utf-?8"?$/i.test(parameter))
  );
}

/** The one encoding of the body; null when it is not one of those accepted. */
function encodingOf(response: IncomingMessage): Encoding | null {
  if (response.headersDistinct['content-encoding'] === undefined) return 'identity';
  const printed = (single(response, 'content-encoding') ?? '').toLowerCase();
  if (printed === 'gzip' || printed === 'x-gzip') return 'gzip';
  return printed === 'br' || printed === 'identity' ? printed : null;
}

/** The Retry-After header as printed, when it is seconds or a date. */
function retryAfterOf(response: IncomingMessage): string | undefined {
  const printed = single(response, 'retry-after');
  if (printed === undefined) return undefined;
  // A date as HTTP writes it (RFC 9110, 5.6.7): its words are those of that date.
  const isDate = printed.endsWith('GMT') && new Date(printed).toUTCString() === printed;
  return /^[0-9]{1,9}$/.test(printed) || isDate ? printed : undefined;
}

/** The value of a header that was sent once; node reads it without the spaces around it. */
function single(response: IncomingMessage, name: string): string | undefined {
  const [value, ...more] = response.headersDistinct[name] ?? [];
  return more.length === 0 ? value : undefined;
}

/** The whole decoded body. Throws Refused when it is too large or cannot be decoded, the connection's error when that broke. */
async function readBody(
  source: Readable,
  encoding: Encoding,
  maxBytes: number,
  deadline: AbortSignal,
): Promise<Uint8Array> {
  let broken: unknown;
  source.once('error', (error) => (broken = error));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const decoding = encoding === 'identity' ? null : decoded(source, encoding, maxBytes);
    for await (const chunk of (decoding?.decoder ?? source) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    if (decoding?.isWhole() === false) throw new Error('something follows the encoded body');
    return Buffer.concat(chunks, bytes);
  } catch (error) {
    if (error instanceof Refused || encoding === 'identity' || error === broken || deadline.aborted)
      throw error;
    throw new Refused({ code: 'invalid_upstream_json', detail: `Its ${encoding} encoding is broken.` });
  }
}

/** Decodes a body; `isWhole` says at its end whether all bytes received were used, because a brotli decoder ignores what follows. */
function decoded(
  source: Readable,
  encoding: 'gzip' | 'br',
  maxBytes: number,
): { decoder: Readable; isWhole(): boolean } {
  let received = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > maxBytes + ENCODING_BYTES) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
  const options = { chunkSize: DECODED_CHUNK };
  const decoder = encoding === 'gzip' ? createGunzip(options) : createBrotliDecompress(options);
  // The reader of the decoder sees every error; the callback is only there because pipeline wants one.
  pipeline(source, counted, decoder, () => undefined);
  return { decoder, isWhole: () => decoder.bytesWritten === received };
}

function tooLarge(maxBytes: number): Refused {
  return new Refused({ code: 'response_too_large', detail: `The limit is ${maxBytes} bytes.` });
}

function tooManyInterim(): Refused {
  return new Refused({
    code: 'response_too_large',
    detail: `It has more than ${MOST_INTERIM} interim responses.`,
  });
}

function failureOf(error: unknown, deadline: AbortSignal, { status, retryAfter }: Fetched): LaneFailure {
  const context = { httpStatus: status ?? undefined, retryAfter };
  if (error instanceof Refused) return { ...error.failure, ...context };
  if (deadline.aborted) return { code: 'upstream_timeout', ...context };
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      ...context,
      code: 'response_too_large',
      detail: `Its headers exceed ${MAX_HEADER_BYTES} bytes.`,
    };
  return { code: 'upstream_unreachable', detail: code && `The connection ended with ${code}.`, ...context };
}

/** The engine's own name of an error, such as ECONNREFUSED; nothing an upstream could have written. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}
