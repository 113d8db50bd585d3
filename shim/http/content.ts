/**
 * A body ready to be sent many times: bytes, strong ETag from their sha256, and compressed twins made on first use.
 * `send` answers conditional requests and HEAD. The ETag of a twin carries its coding; any of them gives a 304.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sha256Hex } from '../store/files.ts';
import type { Ask, Reply } from './reply.ts';

/** How hard a body is worth compressing: once for a static file, every time for a fresh answer. */
export type Effort = 'static' | 'fresh';

export interface Content {
  bytes: Uint8Array;
  /** Unquoted. */
  etag: string;
  mediaType: string;
  effort: Effort;
  twins: Map<Coding, Uint8Array>;
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
  return { bytes, etag, mediaType, effort, twins: new Map() };
}

/** The reply for a GET or HEAD of this content. */
export function send(content: Content, ask: Ask, headers: Record<string, string>, status = 200): Reply {
  const coding = codingFor(content, ask.header('accept-encoding'));
  const all: Record<string, string> = { ...headers };
  all['etag'] = coding ? `"${content.etag}-${coding}"` : `"${content.etag}"`;
  all['vary'] = 'Accept-Encoding';
  if (status === 200 && matches(ask.header('if-none-match'), content.etag))
    return { status: 304, headers: all, body: null };
  const body = coding ? twinOf(content, coding) : content.bytes;
  all['content-type'] = content.mediaType;
  all['content-length'] = String(body.length);
  if (coding) all['content-encoding'] = coding;
  return { status, headers: all, body: ask.method === 'HEAD' ? null : body };
}

function codingFor({ bytes, mediaType }: Content, accepted: string | null): Coding | null {
  if (accepted === null || bytes.length < WORTH_COMPRESSING || !COMPRESSIBLE.test(mediaType)) return null;
  if (takes(accepted, 'br')) return 'br';
  return takes(accepted, 'gzip') ? 'gzip' : null;
}

function takes(accepted: string, coding: Coding): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

function twinOf(content: Content, coding: Coding): Uint8Array {
  const known = content.twins.get(coding);
  if (known) return known;
  const made =
    coding === 'br'
      ? brotli(content)
      : gzipSync(content.bytes, { level: content.effort === 'static' ? 9 : 1 });
  content.twins.set(coding, made);
  return made;
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
