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
  /** Headers made before, by coding, with the shared headers they were made from. */
  ready: Map<Coding | null, { from: Record<string, string>; all: Record<string, string> }>;
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
  return { bytes, etag, mediaType, effort, twins: new Map(), ready: new Map() };
}

/** The reply for a GET or HEAD of this content. */
export function send(content: Content, ask: Ask, headers: Record<string, string>, status = 200): Reply {
  const coding = codingFor(content, ask.header('accept-encoding'));
  if (status === 200 && matches(ask.header('if-none-match'), content.etag))
    return { status: 304, headers: tagged(content, coding, headers), body: null };
  const body = coding ? twinOf(content, coding) : content.bytes;
  const all = readyHeaders(content, coding, headers, body.length);
  return { status, headers: all, body: ask.method === 'HEAD' ? null : body };
}

/** The headers of a whole answer, made once for the same content, coding and shared headers: most answers are asked again. */
function readyHeaders(
  content: Content,
  coding: Coding | null,
  headers: Record<string, string>,
  length: number,
): Record<string, string> {
  const known = content.ready.get(coding);
  if (known?.from === headers) return known.all;
  const all = tagged(content, coding, headers);
  all['content-type'] = content.mediaType;
  all['content-length'] = String(length);
  if (coding) all['content-encoding'] = coding;
  content.ready.set(coding, { from: headers, all });
  return all;
}

function tagged(
  { etag }: Content,
  coding: Coding | null,
  headers: Record<string, string>,
): Record<string, string> {
  return { ...headers, etag: coding ? `"${etag}-${coding}"` : `"${etag}"`, vary: 'Accept-Encoding' };
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
