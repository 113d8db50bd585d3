/** Replies with what was made for a request: pages of people, their data, and forms of records. */
import { Fault, FAULTS, type FaultCode } from '../core/faults.ts';
import { mediaTypeOf, PAGE_POLICY, type HeaderList } from '../core/headers.ts';
import type { Context, Release } from '../core/types.ts';
import type { KeptWith } from '../store/blocks.ts';
import { contentOf, errorReply, keptReplies, retrying, send } from './content.ts';
import type { Content, HttpRequest, Reply } from './content.ts';
import { SHARED_LIST } from './failures.ts';
import { CACHING } from './routes.ts';

/** What was made, and what is wrong with what was asked, where anything is. */
export interface Made {
  text: string;
  mediaType: string;
  status: number;
  fault: FaultCode | null;
  /** Whether it says all that there is. */
  whole: boolean;
  /** Header fields that only this one has. */
  headers: HeaderList;
}

/** The same, ready to be sent. */
interface Kept {
  content: Content;
  status: number;
  headers: HeaderList;
}

/** The media type of pages, and the header field of all that may not be framed. */
export const HTML = mediaTypeOf('index.html');
const POLICY: HeaderList = ['content-security-policy', PAGE_POLICY];

/** A page with the status of what failed, where anything did, unless there is another. */
export function pageOf(
  text: string,
  fault: Pick<Fault, 'code' | 'lasting' | 'retryAfter'> | null,
  status = fault === null ? 200 : FAULTS[fault.code].status,
): Made {
  const headers = [...retrying(fault), ...POLICY];
  return { text, mediaType: HTML, status, fault: fault?.code ?? null, whole: true, headers };
}

/** A text for programs; `whole` says whether it has all that there is. */
export function dataOf(text: string, mediaType: string, whole = true): Made {
  return { text, mediaType, status: 200, fault: null, whole, headers: [] };
}

/** Sends a page that is not kept here; `whole` says whether it has all that there is. */
export function pageReply(
  text: string,
  request: HttpRequest,
  fault: Fault | null,
  headers: HeaderList = [],
  whole = true,
): Reply {
  const page = pageOf(text, fault);
  const kept = ready({ ...page, whole, headers: [...page.headers, ...headers] });
  return send(kept.content, request, kept.headers, kept.status);
}

/**
 * The reply to a request, made of one release and kept with it where it is frequent; in its place an error. What is damaged or failed
 * is not kept by anyone.
 */
export function answered(
  request: HttpRequest,
  context: Context,
  make: (now: Context) => Made | Fault | Promise<Made>,
): Reply | Promise<Reply> {
  const { release } = context;
  const kept = release.derive(rememberedPages);
  const key = `${request.pathname}${request.search}`;
  const sent = (page: Kept): Reply => send(page.content, request, page.headers, page.status);
  const known = kept.get(key);
  if (known) return sent(known);
  const made = make({ ...context, release });
  if (made instanceof Fault) return errorReply(made, request, SHARED_LIST);
  // What is printed in a later turn was read in this one. A page may lack what could not be read without saying so.
  const isOfAll = release.isWhole?.() !== false;
  const keep = (now: Made): Reply => {
    const page = ready({ ...now, whole: now.whole && isOfAll });
    if (isOfAll && page.status === 200 && kept.isFrequent(key)) kept.set(key, page);
    return sent(page);
  };
  return made instanceof Promise ? made.then(keep) : keep(made);
}

/** What says that something failed is kept by caches as briefly as that error. */
function ready({ text, mediaType, status, fault, whole, headers }: Made): Kept {
  const caching =
    whole && fault === null ? CACHING.data : ['cache-control', FAULTS[fault ?? 'invalid_request'].cache];
  const content = contentOf(Buffer.from(text), mediaType);
  return { content, status, headers: [...SHARED_LIST, ...caching, ...headers] };
}

const REMEMBERED_BYTES = 32 * 1024 * 1024;

/** What was made of a release, the most recently used of it. */
function rememberedPages(release: Release): KeptWith<Kept> {
  return keptReplies(release, REMEMBERED_BYTES);
}
