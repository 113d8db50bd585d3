/**
 * Replies with published files: whole, compressed, or one range of bytes (RFC 9110, 14). The store has checked the bytes. A
 * range is always one of the uncompressed file, whose ETag is its sha256. Compressed forms are those that the build made; where it
 * made none, they are made off the main thread and kept, or, for files that are not in memory, made while they are sent.
 */
import { LRUCache } from 'lru-cache';
import { Fault, quoted } from '../core/faults.ts';
import { CACHE_STATIC, headerList, mediaTypeOf, NOT_INDEXED, PAGE_POLICY } from '../core/headers.ts';
import type { HeaderList } from '../core/headers.ts';
import { PAGES } from '../view/address.ts';
import type { PublishedFile, PublishedTree } from '../store/published.ts';
import { MOST_FORM_BYTES, readTwin, type Coding } from '../store/twins.ts';
import {
  codersWhileSent,
  codingFor,
  compressedBeside,
  describing,
  errorReply,
  isKnown,
  validators,
} from './content.ts';
import type { Effort, HttpRequest, Reply } from './content.ts';

/** Replies with the files of a tree. */
export interface PublishedFiles {
  /** Whether a path is one of a published file. */
  has(path: string): boolean;
  /**
   * The reply for such a path, at once unless something has to be made first; `ranges` says whether a part may be requested.
   * Throws, or rejects with, a Fault on damage.
   */
  reply(path: string, request: HttpRequest, headers: HeaderList, ranges?: boolean): Reply | Promise<Reply>;
}

/** The bytes from `start` up to `end`. */
interface Range {
  start: number;
  end: number;
}

/** On every response that supports ranges. */
const ACCEPTED: HeaderList = ['accept-ranges', 'bytes'];
const FORMS_BYTES = 24 * 1024 * 1024;
/** The effort for compressed forms that are kept. */
export const EFFORT: Effort = { br: { quality: 5, windowBits: 22 }, gzip: { level: 6 } };

/** Serves the files of `tree`; `twins` is the folder of their compressed forms, if there is one. */
export function publishedFiles(tree: PublishedTree, twins: string): PublishedFiles {
  const forms = compressedForms(twins);

  const replyWith = (
    path: string,
    { sha256, size, bytes }: PublishedFile,
    request: HttpRequest,
    headers: HeaderList,
    ranges: boolean,
  ): Reply | Promise<Reply> => {
    const mediaType = mediaTypeOf(path);
    const range = ranges ? rangeOf(request, sha256, size) : null;
    const whole = bytes(0, size);
    const wanted = range === null ? codingFor(mediaType, size, request.header('accept-encoding')) : null;
    const known = isKnown(request, sha256);
    if (range === 'outside' && !known) return outside(request, headers, size);
    const isRead = request.method !== 'HEAD';
    const form = wanted && !known ? forms(sha256, whole, wanted, isRead) : null;
    const coding = form || known ? wanted : null;
    const all = [...headers, ...(ranges ? ACCEPTED : []), 'cache-control', CACHE_STATIC];
    all.push(...validators(sha256, coding));
    if (path.endsWith('.html')) all.push('content-security-policy', PAGE_POLICY);
    if (path.startsWith(PAGES.designations)) all.push(...headerList(NOT_INDEXED));
    if (known || range === 'outside') return { status: 304, headers: all, body: null };
    const sent = (status: number, body: Reply['body'], length: number | null): Reply => {
      all.push(...describing(mediaType, length, coding));
      return { status, headers: all, body: isRead ? body : null };
    };
    if (range) {
      all.push('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
      return sent(206, bytes(range.start, range.end), range.end - range.start);
    }
    if (!form) return sent(200, whole, size);
    if (form instanceof Promise) return form.then((made) => sent(200, made, made.length));
    return sent(200, form, form instanceof Uint8Array ? form.length : null);
  };

  return {
    has: tree.has,
    reply(path, request, headers, ranges = true) {
      const file = tree.open(path);
      return file instanceof Promise
        ? file.then((opened) => replyWith(path, opened, request, headers, ranges))
        : replyWith(path, file, request, headers, ranges);
    },
  };
}

/** The one range that a GET requests; null where the reply is the whole file, as for several or malformed ranges. */
function rangeOf({ method, header }: HttpRequest, sha256: string, size: number): Range | 'outside' | null {
  const given = header('range');
  if (given === null || method !== 'GET') return null;
  // A weak tag, one of a compressed form and a date do not say which bytes a client has.
  const condition = header('if-range');
  if (condition !== null && condition !== `"${sha256}"`) return null;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(given) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Number(last) + 1;
  if (end <= start && last !== '') return null;
  return start >= size ? 'outside' : { start, end: Math.min(end, size) };
}

function outside(request: HttpRequest, headers: HeaderList, size: number): Reply {
  const given = quoted(request.header('range'));
  const fault = new Fault(
    'invalid_request',
    `The range ${given} is outside of the file, which has ${size} bytes.`,
  );
  // Not to be cached: a cache could give it to a request without a range.
  return errorReply(
    fault,
    request,
    [...headers, ...ACCEPTED, 'content-range', `bytes */${size}`],
    undefined,
    { status: 416, cache: 'no-store' },
  );
}

/**
 * A compressed form: at once where it is kept, later where it is made of bytes in memory, and else made while it is sent; null
 * where too many are being sent so.
 */
type Forms = (
  sha256: string,
  whole: Uint8Array | AsyncIterable<Uint8Array>,
  coding: Coding,
  isRead: boolean,
) => Uint8Array | Promise<Uint8Array> | AsyncIterable<Uint8Array> | null;

function compressedForms(twins: string): Forms {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: FORMS_BYTES,
    maxEntrySize: MOST_FORM_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  });
  const making = new Map<string, Promise<Uint8Array>>();
  let turn: Promise<unknown> = Promise.resolve();
  const coders = codersWhileSent();

  async function make(key: string, bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
    try {
      const form = await compressedBeside(bytes, coding, EFFORT);
      kept.set(key, form);
      return form;
    } finally {
      making.delete(key);
    }
  }

  async function* keeping(key: string, coded: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of coded) {
      length += chunk.length;
      if (length < MOST_FORM_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      yield chunk;
    }
    if (length < MOST_FORM_BYTES) kept.set(key, Buffer.concat(chunks));
  }

  return (sha256, whole, coding, isRead) => {
    const key = `${coding} ${sha256}`;
    const known = kept.get(key) ?? making.get(key);
    if (known) return known;
    const twin = readTwin(twins, sha256, coding);
    if (twin) {
      kept.set(key, twin);
      return twin;
    }
    if (!(whole instanceof Uint8Array)) {
      // The body of a reply to HEAD is only said to be compressed.
      if (!isRead) return whole;
      const coded = coders(whole, coding);
      return coded && keeping(key, coded);
    }
    // One at a time, so that their work does not add up.
    const made = turn.then(() => make(key, whole, coding));
    making.set(key, made);
    turn = made.catch(() => undefined);
    return made;
  };
}
