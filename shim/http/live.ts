/**
 * Responses of live operations, shared by requests at the same time. While many bytes are unsent, a response that is as young as
 * its Cache-Control allows is reused instead of making another one: slow clients then hold one in memory, not one each.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { inFlight } from '../core/in-flight.ts';
import type { Fault } from '../core/faults.ts';
import { CACHE_LIVE, type HeaderList } from '../core/headers.ts';
import { codingFor, compressedBeside, contentOf, errorReply, JSON_TYPE, send } from './content.ts';
import type { Content, Effort, HttpRequest, Reply } from './content.ts';
import type { Sending } from './sending.ts';

/** How long a response may be reused, in milliseconds: as long as clients may. */
const FRESH_MS = 60_000;
/** With more unsent bytes than this, a fresh response is reused. */
const CROWDED_BYTES = 4 * 1024 * 1024;
const CACHING: HeaderList = ['cache-control', CACHE_LIVE];
const SHARING = { withinMs: 1000, most: 2 };
/** Larger bodies are compressed off the main thread, so that no other request waits. */
const LARGE = 256 * 1024;
const EFFORT: Effort = { br: { quality: 1, windowBits: 18 }, gzip: { level: 1 } };

/** The body of a response; it is an error where there is a fault. */
interface Made {
  body: Uint8Array;
  fault: Fault | null;
}

/** A response that requests share. */
interface Shared {
  content: Content;
  fault: Fault | null;
  /** Its compressed forms that are made off the main thread. */
  coded: { br?: Promise<void>; gzip?: Promise<void> };
}

/** The reply to a query of a live operation, which `make` runs; `headers` are those of every response. */
type LiveReplies = (
  query: string,
  request: HttpRequest,
  headers: HeaderList,
  make: () => Promise<Made>,
) => Promise<Reply>;

/** Shares responses; those with a fault are not reused later. */
export function liveReplies(sending: Sending): LiveReplies {
  const now = (): number => performance.now();
  const shared = inFlight<Shared>(SHARING, now);
  const youngest = new LRUCache<string, { made: WeakRef<Shared>; at: number }>({ max: 32 });
  /** Keeps a response as long as its body is held for any client. */
  const ofBody = new WeakMap<Uint8Array, Shared>();

  const reusable = (query: string): Shared | undefined => {
    const last = youngest.get(query);
    const isFresh = last && now() - last.at < FRESH_MS && sending.bytes() > CROWDED_BYTES;
    return isFresh ? last.made.deref() : undefined;
  };
  const made = async (query: string, make: () => Promise<Made>): Promise<Shared> => {
    const { body, fault } = await make();
    // It is hashed next, which takes as long as making it: others have their turn.
    if (body.length > LARGE) await pause(0);
    const response: Shared = { content: contentOf(body, JSON_TYPE), fault, coded: {} };
    if (fault) return response;
    ofBody.set(body, response);
    youngest.set(query, { made: new WeakRef(response), at: now() });
    return response;
  };
  /** Compresses a large content once, as the request accepts it. */
  const compressedAside = async (response: Shared, { header }: HttpRequest): Promise<void> => {
    const { bytes, mediaType, twins } = response.content;
    const coding = codingFor(mediaType, bytes.length, header('accept-encoding'));
    if (coding === null || bytes.length < LARGE) return;
    await (response.coded[coding] ??= compressedBeside(bytes, coding, EFFORT).then((twin) => {
      twins[coding] = twin;
      ofBody.set(twin, response);
    }));
  };
  return async (query, request, headers, make) => {
    const response = reusable(query) ?? (await shared(query, () => made(query, make)));
    const { content, fault } = response;
    if (fault) return errorReply(fault, request, headers, content.bytes);
    await compressedAside(response, request);
    return send(content, request, [...headers, ...CACHING]);
  };
}
