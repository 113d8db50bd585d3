/**
 * The bounded fetch: one GET of one https address, no redirect, no retry, no kept connection. One deadline covers name,
 * connection, TLS, headers and body; decoded bytes are counted as they arrive, whatever Content-Length says; the first
 * violation closes the connection. It answers with the whole body or with a failure, and never throws.
 */
import { createHash } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { LaneFailure } from '../core/lanes.ts';
import { readBody, tooLarge } from './body.ts';
import { Refused } from './refused.ts';
import { acceptedEncoding, isJson, retryAfterOf } from './response-headers.ts';

/** Bounds of one upstream call. */
export interface FetchLimits {
  /** From asking for the name to the last byte, in milliseconds. */
  deadlineMs: number;
  /** Decoded bytes of the body. */
  maxBytes: number;
}

/** The bounds of the product. */
export const PRODUCT_LIMITS: FetchLimits = { deadlineMs: 15_000, maxBytes: 2_000_000 };

/** What the fetch needs from outside. */
export interface FetchEffects {
  /** Sends one request; node:https's own `request`, or one that trusts another authority. */
  request(url: URL, options: RequestOptions): ClientRequest;
  /** Runs a function later and returns what cancels it. */
  later(ms: number, run: () => void): () => void;
}

/** How a fetch ended. `body` is null when it was not read whole; then there is a failure. */
export interface Fetched {
  status: number | null;
  body: Uint8Array | null;
  /** Lower-case hex of the body. */
  sha256: string | null;
  retryAfter: string | undefined;
  failure: LaneFailure | null;
}

const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'user-agent': 'public-evidence-api',
};
const MAX_HEADER_BYTES = 16_384;

/** Asks once. A body is read of status 200, and of 503 in JSON, which may be a typed unavailable answer. */
export async function boundedFetch(url: URL, limits: FetchLimits, effects: FetchEffects): Promise<Fetched> {
  const ended = new AbortController();
  const cancel = effects.later(limits.deadlineMs, () => ended.abort());
  const told: Fetched = { status: null, body: null, sha256: null, retryAfter: undefined, failure: null };
  let request: ClientRequest | undefined;
  try {
    request = effects.request(url, {
      method: 'GET',
      agent: false,
      rejectUnauthorized: true,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: HEADERS,
      signal: ended.signal,
    });
    const response = await responseOf(request);
    told.status = response.statusCode ?? null;
    told.retryAfter = retryAfterOf(response);
    const encoding = readable(response, limits);
    const body = await readBody(response, encoding, limits.maxBytes, ended.signal);
    // A body without a declared end looks whole to node when the deadline closes its connection.
    ended.signal.throwIfAborted();
    return { ...told, body, sha256: createHash('sha256').update(body).digest('hex') };
  } catch (error) {
    return { ...told, failure: failureOf(error, ended.signal, told) };
  } finally {
    cancel();
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
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed before an answer')));
    request.end();
  });
}

/** The encoding of a body worth reading; throws Refused otherwise. */
function readable(response: IncomingMessage, { maxBytes }: FetchLimits): 'identity' | 'gzip' | 'br' {
  const { statusCode } = response;
  const json = isJson(response);
  if (statusCode !== 200 && !(statusCode === 503 && json)) throw new Refused({ code: 'upstream_http_error' });
  if (!json) throw new Refused({ code: 'invalid_content_type' });
  const encoding = acceptedEncoding(response);
  if (encoding === null) throw new Refused({ code: 'invalid_content_type' });
  if (encoding === 'identity' && Number(response.headers['content-length']) > maxBytes)
    throw tooLarge(maxBytes);
  return encoding;
}

function failureOf(error: unknown, ended: AbortSignal, { status, retryAfter }: Fetched): LaneFailure {
  const where = { httpStatus: status ?? undefined, retryAfter };
  if (error instanceof Refused) return { ...error.failure, ...where };
  if (ended.aborted) return { code: 'upstream_timeout', ...where };
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW')
    return { code: 'response_too_large', detail: `Its headers exceed ${MAX_HEADER_BYTES} bytes.`, ...where };
  return { code: 'upstream_unreachable', detail: code && `The connection ended with ${code}.`, ...where };
}

/** The engine's own name of an error, such as ECONNREFUSED; nothing an upstream could have written. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}
