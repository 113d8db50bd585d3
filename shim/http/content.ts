/**
 * A body ready to be sent many times: bytes, strong ETag from their sha256, and compressed twins made on first use.
 * `send` answers conditional requests and HEAD. The ETag of a twin carries its coding; any of them gives a 304.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sha256Hex } from '../store/files.ts';
import type { HeaderList } from '../core/headers.ts';
import type { Ask, Reply } from './reply.ts';

/** How hard a body is worth compressing: once for a static file, every time for a fresh answer. */
export type Effort = 'static' | 'fresh';

export interface Content {
  bytes: Uint8Array;
  /** Unquoted. */
  etag: string;
  mediaType: string;
  effort: Effort;
  /** Compressed forms made before. */
  twins: { br?: Uint8Array; gzip?: Uint8Array };
  /** The header fields of the last whole answer, and what they were made from. */
  ready: { from: HeaderList; coding: Coding | null; all: HeaderList } | null;
}

type Coding = 'br' | 'gzip';

const WORTH_COMPRESSING = 1024;
const COMPRESSIBLE = /^(text\/|application\/(.*\+)?(json|xml|x-ndjson|rss|linkset|vnd\.oai)|image\/svg)/;

/** Content of these bytes. */
export function contentOf(
  bytes: Uint8Array,
  mediaType: string,
  effort: Effort,
  etag = sha256Hex(bytes),
): Content {
  return { bytes, etag, mediaType, effort, twins: {}, ready: null };
}

/** The reply for a GET or HEAD of this content. */
export function send(content: Content, ask: Ask, headers: HeaderList, status = 200): Reply {
  const coding = codingFor(content, ask.header('accept-encoding'));
  if (status === 200 && matches(ask.header('if-none-match'), content.etag))
    return { status: 304, headers: [...headers, ...tagOf(content, coding)], body: null };
  const body = coding ? twinOf(content, coding) : content.bytes;
  const all = readyHeaders(content, coding, headers, body.length);
  return { status, headers: all, body: ask.method === 'HEAD' ? null : body };
}

/** The header fields of a whole answer, made once for the same content, coding and shared fields: most are asked again. */
function readyHeaders(
  content: Content,
  coding: Coding | null,
  headers: HeaderList,
  length: number,
): HeaderList {
  const { ready, mediaType } = content;
  if (ready?.from === headers && ready.coding === coding) return ready.all;
  const all = [...headers, ...tagOf(content, coding)];
  all.push('content-type', mediaType, 'content-length', String(length));
  if (coding) all.push('content-encoding', coding);
  content.ready = { from: headers, coding, all };
  return all;
}

function tagOf({ etag }: Content, coding: Coding | null): HeaderList {
  return ['etag', coding ? `"${etag}-${coding}"` : `"${etag}"`, 'vary', 'Accept-Encoding'];
}

/** The coding the client likes best; ours are smaller in this order, and none is as good as not named at all. */
function codingFor({ bytes, mediaType }: Content, accepted: string | null): Coding | null {
  if (accepted === null || bytes.length < WORTH_COMPRESSING || !COMPRESSIBLE.test(mediaType)) return null;
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
export function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '');
    return tag === '*' || tag === `"${etag}"` || tag === `"${etag}-br"` || tag === `"${etag}-gzip"`;
  });
}
