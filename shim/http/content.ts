/**
 * Requests and replies as transports exchange them, and content ready to be sent many times: bytes, a strong ETag from their
 * sha256, and compressed twins made on first use. `send` handles conditional requests and HEAD; `errorReply` is the one place
 * that writes an error. The ETag of a twin carries its coding; any of them gives a 304.
 */
import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { errorBody } from '../core/envelope.ts';
import { FAULTS, type Fault } from '../core/faults.ts';
import { ALLOWED_METHODS, type HeaderList } from '../core/headers.ts';

/** The parts of a request that matter here. */
export interface HttpRequest {
  method: string;
  /** Path as sent, percent-encoded. */
  pathname: string;
  /** From `?` on, or empty. */
  search: string;
  header(name: string): string | null;
}

/** A response before a server writes it. */
export interface Reply {
  status: number;
  /** All of them, in their final spelling. */
  headers: HeaderList;
  /** Null where the status has no body. */
  body: Uint8Array | null;
}

/** How hard a body is worth compressing: once for a static file, every time for a fresh response. */
export type Effort = 'static' | 'fresh';

export interface Content {
  bytes: Uint8Array;
  /** Unquoted. */
  etag: string;
  mediaType: string;
  effort: Effort;
  /** Compressed forms made before. */
  twins: { br?: Uint8Array; gzip?: Uint8Array };
}

export const JSON_TYPE = 'application/json';

type Coding = 'br' | 'gzip';

/** Below, compression gains nothing; above, it would hold up every other request. */
const COMPRESSED_BYTES = { least: 1024, most: 4 * 1024 * 1024 };
const COMPRESSIBLE = /^(text\/|application\/(.*\+)?(json|xml|x-ndjson|rss|linkset|vnd\.oai)|image\/svg)/;

/** A request by its method and target. The parts are cut from the text: URL would drop a bare "?" and hide malformed escapes. */
export function requestOf(method: string, target: string, header: HttpRequest['header']): HttpRequest {
  const query = target.indexOf('?');
  return {
    method,
    pathname: query < 0 ? target : target.slice(0, query),
    search: query < 0 ? '' : target.slice(query),
    header,
  };
}

/** Content of these bytes. */
export function contentOf(bytes: Uint8Array, mediaType: string, effort: Effort): Content {
  return { bytes, etag: hash('sha256', bytes), mediaType, effort, twins: {} };
}

/** The reply to a GET or HEAD for this content. */
export function send(content: Content, request: HttpRequest, headers: HeaderList, status = 200): Reply {
  const { method, header } = request;
  const { etag, mediaType } = content;
  const coding = codingFor(content, header('accept-encoding'));
  const all = [...headers, 'etag', coding ? `"${etag}-${coding}"` : `"${etag}"`, 'vary', 'Accept-Encoding'];
  const isKnown = status === 200 && matches(header('if-none-match'), etag);
  if (isKnown) return { status: 304, headers: all, body: null };
  const body = coding ? twinOf(content, coding) : content.bytes;
  all.push('content-type', mediaType, 'content-length', String(body.length));
  if (coding) all.push('content-encoding', coding);
  return { status, headers: all, body: method === 'HEAD' ? null : body };
}

/** The reply that says what failed; `headers` are those of every response of the same kind. */
export function errorReply(
  fault: Fault,
  request: HttpRequest,
  headers: HeaderList,
  body: Uint8Array = errorBody(fault),
): Reply {
  const { status, cache } = FAULTS[fault.code];
  const all = [...headers, 'cache-control', cache];
  if (fault.code === 'method_not_allowed') all.push('allow', ALLOWED_METHODS);
  if (fault.code === 'unavailable' && !fault.lasting) all.push('retry-after', '60');
  return send(contentOf(body, JSON_TYPE, 'fresh'), request, all, status);
}

/** The coding the client likes best; brotli is smaller, and a coding that is not named is not used. */
function codingFor({ bytes, mediaType }: Content, accepted: string | null): Coding | null {
  const { least, most } = COMPRESSED_BYTES;
  if (accepted === null || bytes.length < least || bytes.length > most) return null;
  if (!COMPRESSIBLE.test(mediaType)) return null;
  const qualities = qualitiesOf(accepted);
  const br = qualities.get('br') ?? 0;
  const gzip = qualities.get('gzip') ?? 0;
  const best = Math.max(br, gzip);
  if (best === 0 || (qualities.get('identity') ?? 0) > best) return null;
  return br === best ? 'br' : 'gzip';
}

/** Accept-Encoding (RFC 9110, 12.5.3): what each named coding is worth, 0 to 1. */
function qualitiesOf(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
}

function twinOf(content: Content, coding: Coding): Uint8Array {
  return (content.twins[coding] ??=
    coding === 'br'
      ? brotli(content)
      : gzipSync(content.bytes, { level: content.effort === 'static' ? 9 : 1 }));
}

function brotli({ bytes, effort }: Content): Uint8Array {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: effort === 'static' ? 9 : 1,
      [constants.BROTLI_PARAM_LGWIN]: 16,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Whether an If-None-Match header names this content, in whatever coding. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '');
    return tag === '*' || tag === `"${etag}"` || tag === `"${etag}-br"` || tag === `"${etag}-gzip"`;
  });
}
