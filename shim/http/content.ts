/**
 * Requests and replies as transports exchange them, and content ready to be sent many times: bytes, a strong ETag from their
 * sha256, and compressed twins made on first use. `send` handles conditional requests and HEAD; `errorReply` is the one place
 * that writes an error. The ETag of a twin carries its coding; any of them gives a 304. Published files have their own ways
 * (files.ts), with the same coding and validators.
 */
import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { errorBody, keptBody, type Body, type WrittenBody } from '../core/envelope.ts';
import { FAULTS, type Fault } from '../core/faults.ts';
import { ALLOWED_METHODS, type HeaderList } from '../core/headers.ts';
import { finished, type Steps } from '../core/steps.ts';
import type { Release } from '../core/types.ts';
import { KeptWith } from '../store/blocks.ts';
import type { Coding } from '../store/twins.ts';

/** The parts of a request that matter here. */
export interface HttpRequest {
  method: string;
  /** Path as sent, percent-encoded. */
  pathname: string;
  /** The query with its `?`, or empty. */
  search: string;
  header(name: string): string | null;
  /** Does the rest of long work in a later turn, while others have theirs; without it, all is done at once. */
  later?: Later | undefined;
}

/** Does work in a later turn; resolves with its result. */
export type Later = <T>(work: () => T) => Promise<T>;

/** Takes the steps of the rest of the work for a request, each in a later turn where its server has turns. */
export function inLaterTurns<T>({ later }: HttpRequest, steps: Steps<T>): T | Promise<T> {
  return later ? takeAll(steps, later) : finished(steps);
}

async function takeAll<T>(steps: Steps<T>, later: Later): Promise<T> {
  for (;;) {
    const { done, value } = await later(() => steps.next());
    if (done) return value;
  }
}

/** A response before a server writes it. */
export interface Reply {
  status: number;
  /** All fields, exactly as they are sent. */
  headers: HeaderList;
  /** Null where the status has no body; a body that is not in memory is read while it is sent. */
  body: Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Whether the body was made for this request, not published: its bytes then count as unsent until it has left. */
  counted?: boolean;
  /** To be called once the system has taken all of the body, so that its memory can be reused; it may never be called. */
  taken?: () => void;
}

/** Makes the reply to a request, at once where nothing has to be waited for. */
export type Replies = (request: HttpRequest) => Reply | Promise<Reply>;

export interface Content {
  bytes: Uint8Array;
  /** Without quotes. */
  etag: string;
  mediaType: string;
  /** Compressed forms made before. */
  twins: { br?: Uint8Array; gzip?: Uint8Array };
}

/** A reply whose body is in memory. */
export interface WholeReply extends Reply {
  body: Uint8Array | null;
}

export const JSON_TYPE = 'application/json';

/** Compressing fewer bytes gains nothing. */
const LEAST_BYTES = 1024;
/** A longer Accept-Encoding is ignored: no client needs one, and parsing it would hold up other requests. */
const ACCEPTED_LENGTH = 256;
const COMPRESSIBLE =
  /^(text\/|application\/(.*\+)?(json|xml|x-ndjson|x-research-info-systems|rss|link-format|linkset|vnd\.oai|vnd\.sqlite3)|image\/svg)/;

/** A request by its method and target. The parts are cut from the text: URL would drop a bare "?" and hide malformed escapes. */
export function requestOf(
  method: string,
  target: string,
  header: HttpRequest['header'],
  later?: Later,
): HttpRequest {
  const query = target.indexOf('?');
  return {
    method,
    pathname: query < 0 ? target : target.slice(0, query),
    search: query < 0 ? '' : target.slice(query),
    header,
    later,
  };
}

/** Content of these bytes. */
export function contentOf(bytes: Uint8Array, mediaType: string): Content {
  return { bytes, etag: hash('sha256', bytes), mediaType, twins: {} };
}

/** A cache of replies of a release by what was requested; the bytes of each count twice, for its compressed twins. */
export function keptReplies<Kept extends { content: Content }>(
  release: Release,
  maxSize: number,
): KeptWith<Kept> {
  return new KeptWith<Kept>(release, {
    maxSize,
    sizeCalculation: ({ content }, key) => content.bytes.length * 2 + key.length * 2 + 1024,
  });
}

/** Buffers that are reused for bodies that are sent once: allocating memory costs more than filling it. */
const POOL: Buffer[] = [];
const MOST_POOLED = 32;
/** The size of these buffers. Longer bodies are rare: a page of 500 records takes half of it. */
const POOLED_BYTES = 512 * 1024;

/** The reply to a request that may not come again: as `send`, with the body in a reused buffer. */
export function sendOnce(body: Body, request: HttpRequest, headers: HeaderList): WholeReply {
  if (body.most > POOLED_BYTES) return send(contentOfBody(keptBody(body)), request, headers);
  const room = POOL.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES);
  const content = contentOfBody(body.writeTo(room));
  const reply = send(content, request, headers);
  const taken = (): void => {
    if (POOL.length < MOST_POOLED) POOL.push(room);
  };
  if (reply.body === content.bytes) reply.taken = taken;
  else taken();
  return reply;
}

/** The content of a result; its ETag is the hash of the body's identity. */
export function contentOfBody({ bytes, identity }: WrittenBody): Content {
  return { bytes, etag: hash('sha256', identity), mediaType: JSON_TYPE, twins: {} };
}

/** The reply to a GET or HEAD for this content. */
export function send(content: Content, request: HttpRequest, headers: HeaderList, status = 200): WholeReply {
  const { bytes, etag, mediaType } = content;
  const coding = codingFor(mediaType, bytes.length, request.header('accept-encoding'));
  const all = [...headers, ...validators(etag, coding)];
  if (status === 200 && isKnown(request, etag)) return { status: 304, headers: all, body: null };
  const body = coding ? (content.twins[coding] ??= compressed(bytes, coding)) : bytes;
  all.push(...describing(mediaType, body.length, coding));
  return { status, headers: all, body: request.method === 'HEAD' ? null : body, counted: true };
}

/** The fields that tell one form of a content from another. */
export function validators(etag: string, coding: Coding | null): HeaderList {
  return ['etag', coding ? `"${etag}-${coding}"` : `"${etag}"`, 'vary', 'Accept-Encoding'];
}

/** The fields that describe a body; without a length where it is not known before the body is sent. */
export function describing(mediaType: string, length: number | null, coding: Coding | null): HeaderList {
  const fields = ['content-type', mediaType];
  if (length !== null) fields.push('content-length', String(length));
  if (coding) fields.push('content-encoding', coding);
  return fields;
}

/** The reply that says what failed; `headers` are those of every response of the same kind. */
export function errorReply(
  fault: Fault,
  request: HttpRequest,
  headers: HeaderList,
  body: Uint8Array = errorBody(fault),
  { status, cache }: { status: number; cache: string } = FAULTS[fault.code],
): WholeReply {
  const all = [...headers, 'cache-control', cache];
  if (fault.code === 'method_not_allowed') all.push('allow', ALLOWED_METHODS);
  all.push(...retrying(fault));
  return send(contentOf(body, JSON_TYPE), request, all, status);
}

/** The Retry-After of a fault, where trying again may help. */
export function retrying(fault: Pick<Fault, 'code' | 'lasting' | 'retryAfter'> | null): HeaderList {
  if (fault?.code !== 'unavailable' || fault.lasting) return [];
  return ['retry-after', String(fault.retryAfter)];
}

/** The coding that the client prefers, brotli where both are equal, because it is smaller. A coding that is not named is not used. */
export function codingFor(mediaType: string, length: number, accepted: string | null): Coding | null {
  if (accepted === null || accepted.length > ACCEPTED_LENGTH || length < LEAST_BYTES) return null;
  if (!COMPRESSIBLE.test(mediaType)) return null;
  const qualities = qualitiesOf(accepted);
  const br = qualities.get('br') ?? 0;
  const gzip = qualities.get('gzip') ?? 0;
  const best = Math.max(br, gzip);
  if (best === 0 || (qualities.get('identity') ?? 0) > best) return null;
  return br === best ? 'br' : 'gzip';
}

/** Accept and Accept-Encoding (RFC 9110, 12.5): what each named type or coding is worth, 0 to 1. */
export function qualitiesOf(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
}

/** Node's zlib, loaded by the first response that needs it. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}

/** Compresses fast, because the body may be sent only once. */
function compressed(bytes: Uint8Array, coding: Coding): Uint8Array {
  const { brotliCompressSync, constants, gzipSync } = zlib();
  if (coding === 'gzip') return gzipSync(bytes, { level: 1 });
  return brotliCompressSync(bytes, {
    params: { ...brotliParams(1, 16), [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** How hard each coding compresses. */
export interface Effort {
  br: { quality: number; windowBits: number };
  gzip: { level: number };
}

/** Compresses off the main thread. */
export async function compressedBeside(
  bytes: Uint8Array,
  coding: Coding,
  { br, gzip: { level } }: Effort,
): Promise<Buffer> {
  const { brotliCompress, gzip } = zlib();
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, form: Buffer): void => (error ? reject(error) : resolve(form));
    if (coding === 'gzip') gzip(bytes, { level }, done);
    else brotliCompress(bytes, { params: brotliParams(br.quality, br.windowBits) }, done);
  });
}

function brotliParams(quality: number, windowBits: number): Record<number, number> {
  const { constants } = zlib();
  return { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: windowBits };
}

/** The most bodies that are compressed while they are sent; others that are not in memory are sent uncompressed. */
const MOST_STREAMS = 16;

/** Makes a compressor for bodies that are not in memory, while they are sent; it gives null while too many are. */
export function codersWhileSent(): (
  whole: AsyncIterable<Uint8Array>,
  coding: Coding,
) => AsyncIterable<Uint8Array> | null {
  let streaming = 0;
  const leave = (place: { isTaken: boolean }): void => {
    if (place.isTaken) streaming -= 1;
    place.isTaken = false;
  };
  // Frees the place of a body that is never read, because its connection ended before the reply was written.
  const unread = new FinalizationRegistry(leave);
  async function* stream(
    whole: AsyncIterable<Uint8Array>,
    coding: Coding,
    place: { isTaken: boolean },
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { createBrotliCompress, createGzip } = zlib();
    const coder =
      coding === 'br' ? createBrotliCompress({ params: brotliParams(4, 18) }) : createGzip({ level: 6 });
    try {
      // Whoever reads the coder receives its failure.
      yield* pipeline(Readable.from(whole, { highWaterMark: 1 }), coder, () => undefined);
    } finally {
      leave(place);
    }
  }
  return (whole, coding) => {
    if (streaming >= MOST_STREAMS) return null;
    // Counted now, not when it is first read: many requests may have waited for the same file.
    streaming += 1;
    const place = { isTaken: true };
    const coded = stream(whole, coding, place);
    unread.register(coded, place);
    return coded;
  };
}

/** Whether an If-None-Match header names this content, in whatever coding. */
export function isKnown({ header }: HttpRequest, etag: string): boolean {
  const known = header('if-none-match');
  if (known === null) return false;
  return known.trim() === '*' || ['', '-br', '-gzip'].some((coding) => known.includes(`"${etag}${coding}"`));
}
