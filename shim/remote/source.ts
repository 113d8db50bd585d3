/**
 * Bytes of a published tree on any static file host. A part is requested with Range; where the host ignores it, the whole file that
 * it sends is accepted. What is longer, shorter, compressed in parts, redirected or late is refused with an error that names the
 * file and what was wrong. Hashes are checked by release.ts.
 */
import { concatenated } from '../core/bytes.ts';

/** A file that cannot be read as it should be; the message names it and what was wrong. */
export class SourceError extends Error {
  readonly path: string;

  constructor(path: string, what: string, options?: { cause?: unknown }) {
    super(`${path}: ${what}`, options);
    this.name = 'SourceError';
    this.path = path;
  }
}

/** Bytes from a source: the part that was requested, or the whole file where parts are not given. */
export interface Received {
  bytes: Uint8Array;
  isWhole: boolean;
}

/** The files of a release at some place. Both methods reject with a SourceError. */
export interface Source {
  /** What messages call this place. */
  name: string;
  /** A whole file of at most so many bytes. */
  whole(path: string, most: number): Promise<Uint8Array>;
  /** Bytes [start, start + length) of a file of `size` bytes; or all of it, where the host sends all and that is not too much. */
  part(path: string, start: number, length: number, size: number): Promise<Received>;
}

/** Where a host sends a whole file instead of a part, it is kept up to this size; of a larger file only the part is. */
const WHOLE_BYTES = 32 * 1024 * 1024;

/** How requests are made. */
export interface HttpOptions {
  fetch?: typeof globalThis.fetch;
  /** Milliseconds a file may take; 30,000 where none are given. */
  timeout?: number;
}

/** Files at an http or https address of a folder. Throws a TypeError for another kind of address. */
export function httpSource(
  address: string | URL,
  { fetch: own, timeout = 30_000 }: HttpOptions = {},
): Source {
  const base = new URL(address);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw new TypeError(`${base.href} is not an http or https address`);
  base.search = '';
  base.hash = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const get = own ?? ((input, init) => globalThis.fetch(input, init));

  const addressOf = (path: string): URL => {
    const url = new URL(`./${encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent)}`, base);
    if (url.href.startsWith(base.href)) return url;
    throw new SourceError(path, 'is not the path of a file below the address given');
  };

  const request = async (path: string, headers: Record<string, string>): Promise<Response> => {
    const url = addressOf(path);
    const init = { headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) } as const;
    let response: Response;
    try {
      // A connection that was kept open may have been closed by the host: the request is then repeated once.
      response = await get(url, init).catch(async (cause: unknown) => {
        if (isTimeout(cause)) throw cause;
        return get(url, init);
      });
    } catch (cause) {
      throw failed(path, cause, timeout);
    }
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw new SourceError(
        path,
        `the host redirects it to ${response.headers.get('location') ?? 'another address'}, which is not followed: give the address where the files are`,
      );
    if (response.status === 200 || response.status === 206) return response;
    await response.body?.cancel();
    throw new SourceError(path, `the host answers ${response.status} for it`);
  };

  return {
    name: base.href,
    async whole(path, most) {
      const response = await request(path, {});
      if (response.status !== 200)
        throw new SourceError(path, 'the host sends a part that was not requested');
      return bodyOf(response, path, { most, timeout });
    },
    async part(path, start, length, size) {
      const last = start + length - 1;
      // A browser sets this field itself; elsewhere the client of HTTP would offer compression.
      const headers = { range: `bytes=${start}-${last}`, 'accept-encoding': 'identity' };
      const response = await request(path, headers);
      if (response.status === 200) {
        const isWhole = size <= WHOLE_BYTES;
        const reading = { most: size, timeout, ...(isWhole ? {} : { start, length }) };
        return {
          bytes: complete(path, await bodyOf(response, path, reading), isWhole ? size : length),
          isWhole,
        };
      }
      const coding = response.headers.get('content-encoding') ?? 'identity';
      if (coding !== 'identity')
        throw new SourceError(path, `the host sends bytes compressed with ${coding} for a range`);
      const range = response.headers.get('content-range');
      const expected = `bytes ${start}-${last}/${size}`;
      // A page of another origin sees the field only where the host exposes it; the hash decides in any case.
      if (range !== null && range !== expected)
        throw new SourceError(path, `the host sends "${range}" where "${expected}" was requested`);
      const bytes = complete(path, await bodyOf(response, path, { most: length, timeout }), length);
      return { bytes, isWhole: false };
    },
  };
}

function complete(path: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new SourceError(path, `the host sends ${bytes.length} bytes of ${length} that were requested`);
}

/** The bounds of reading a body. */
interface Reading {
  /** Reading fails as soon as the body is longer. */
  most: number;
  timeout: number;
  /** The part that is kept; reading ends after it. */
  start?: number;
  length?: number;
}

async function bodyOf(
  response: Response,
  path: string,
  { most, timeout, start = 0, length = Infinity }: Reading,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array();
  const end = start + length;
  let at = 0;
  while (at < end) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw failed(path, cause, timeout);
    });
    if (done) break;
    const from = at;
    at += value.length;
    if (at > most) {
      await reader.cancel().catch(() => undefined);
      throw new SourceError(path, `the host sends more than the ${most} bytes it can have`);
    }
    if (at > start) chunks.push(value.subarray(Math.max(start - from, 0), end - from));
  }
  if (at >= end) await reader.cancel().catch(() => undefined);
  return concatenated(chunks);
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}

function failed(path: string, cause: unknown, timeout: number): SourceError {
  const what = isTimeout(cause)
    ? `the host took longer than ${timeout / 1000} seconds`
    : `the host cannot be reached or broke off (${causeOf(cause)})`;
  return new SourceError(path, what, { cause });
}

/** Why a request failed, with the code of the system where there is one: fetch hides both below its own error. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return cause.message.includes(code) ? cause.message : `${code} ${cause.message}`.trim();
}
