/**
 * The federation as operations use it: every lane at once, local ones from the release, live ones from their origin. A live
 * lane is fetched once, checked, and passed on as its producer gave it, or unavailable with the reason.
 *
 * Requests for a lane that is being fetched share that call, so that many clients at once cost the upstream, the memory and
 * the processor one call. A call is joined in its first second, and later too when its lane has as many calls in flight as it
 * may have. Nothing is kept once a call has ended: this is not a cache.
 */
import { request } from 'node:https';
import { createSecureContext } from 'node:tls';
import { settled } from '../core/call.ts';
import { unfetchedLane } from '../core/local-lanes.ts';
import { parseProducersBaseUrl, upstreamUrl } from '../core/hosts.ts';
import { inFlight, type SharingLimits } from '../core/in-flight.ts';
import { laneBytes, lanesSelected, unavailableLane } from '../core/lanes.ts';
import type { Lane, LaneFailure, LiveLane } from '../core/lanes.ts';
import type { Context, FederationPeer, JsonObject, LaneBytes, Settings } from '../core/types.ts';
import { boundedFetch, PRODUCT_LIMITS, type FetchEffects, type FetchLimits } from './fetch.ts';
import { readLane, type Received } from './reading.ts';
import { readingThread } from './thread.ts';

/** The settings a federation needs. */
export interface FederationSettings extends Settings {
  /** https origin of the money and capital-markets producer; null leaves its lanes unavailable. */
  producersBaseUrl: string | null;
}

/** Network, clock and thread. */
export interface FederationEffects extends FetchEffects {
  /** Milliseconds since 1970. */
  now(): number;
  /** Gives a reader of bodies in another thread; without one they are read in this thread. */
  reading?(): ((received: Received) => Promise<LaneBytes>) | undefined;
}

/** Clock, network and thread of this process; trusts the system's authorities and NODE_EXTRA_CA_CERTS. */
export function processEffects(): FederationEffects {
  // One for all connections: creating one takes milliseconds.
  const secureContext = createSecureContext();
  return {
    now: () => Date.now(),
    reading: () => readingThread(),
    request: (url, options) => request(url, Object.assign({}, options, { secureContext })),
  };
}

/** The peer. Throws the setting's error when the base URL is not an https origin. Only tests give other limits. */
export function federationPeer(
  settings: FederationSettings,
  context: Pick<Context, 'release' | 'settled'>,
  effects: FederationEffects,
  limits: FetchLimits & SharingLimits = { ...PRODUCT_LIMITS, ...SHARING },
): FederationPeer {
  const { producersBaseUrl } = settings;
  const origin = producersBaseUrl === null ? null : parseProducersBaseUrl(producersBaseUrl);
  const read = (origin && effects.reading?.()) ?? readLane;
  const shared = inFlight<LaneBytes>(limits, effects.now);
  return {
    async lanes(lane) {
      const now = (): string => new Date(effects.now()).toISOString();
      const retrievedAt = now();
      const lanes = await Promise.all(
        lanesSelected(lane).map(async (entry) => {
          if (entry.kind === 'live' && origin)
            return shared(entry.id, () => liveLane(entry, now, origin, limits, effects, read));
          const unfetched = (): Lane => unfetchedLane(entry, settings, context.release, retrievedAt);
          return laneBytes(await settled(context, unfetched));
        }),
      );
      return { retrievedAt: now(), lanes };
    },
  };
}

/** The limits of the product: with six lanes at 2,000,000 bytes, tens of megabytes at worst. */
export const SHARING: SharingLimits = { withinMs: 1000, most: 4 };

/** Fetches the lane from `origin`; `now` gives the date-time at which its body was read. Never throws for an upstream's fault. */
async function liveLane(
  lane: LiveLane,
  now: () => string,
  origin: URL,
  limits: FetchLimits,
  effects: FetchEffects,
  read: (received: Received) => LaneBytes | Promise<LaneBytes>,
): Promise<LaneBytes> {
  const url = upstreamUrl(origin, lane.path);
  const { body, sha256, status, retryAfter, failure } = await boundedFetch(url, limits, effects);
  const transport: JsonObject = {
    method: 'GET',
    attempts: 1,
    timeout_ms: limits.deadlineMs,
    max_response_bytes: limits.maxBytes,
    bytes: body?.length ?? null,
    sha256,
    http_status: status,
  };
  const at = { source_url: url.href, retrieved_at: now(), transport };
  if (failure || !body) return laneBytes(unavailableLane(lane, at, failure ?? UNREADABLE));
  const received: Received = { laneId: lane.id, at, status: status ?? 0, retryAfter, body };
  try {
    return await read(received);
  } catch {
    return laneBytes(unavailableLane(lane, at, UNREADABLE));
  }
}

/** The failure of a body that takes too much memory or time to read. */
const UNREADABLE: LaneFailure = { code: 'invalid_upstream_contract', detail: 'It could not be read.' };
