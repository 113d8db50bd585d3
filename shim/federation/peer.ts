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
import { localLane } from '../core/local-lanes.ts';
import { parseProducersBaseUrl, upstreamUrl } from '../core/hosts.ts';
import { lanesSelected, laneOf, unavailableLane, unconfiguredLane } from '../core/lanes.ts';
import type { Lane, LaneFailure, LiveLane } from '../core/lanes.ts';
import type { Context, FederationPeer, JsonObject, JsonValue, Settings } from '../core/types.ts';
import { isObject, readContract } from './contract.ts';
import { boundedFetch, PRODUCT_LIMITS, type FetchEffects, type FetchLimits } from './fetch.ts';

/** The settings a federation needs. */
export interface FederationSettings extends Settings {
  /** https origin of the money and capital-markets producer; null leaves its lanes unavailable. */
  producersBaseUrl: string | null;
}

/** Network and clock. */
export interface FederationEffects extends FetchEffects {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Clock and network of this process; trusts the system's authorities and NODE_EXTRA_CA_CERTS. */
export function processEffects(): FederationEffects {
  // One for all connections: creating one takes milliseconds.
  const secureContext = createSecureContext();
  return {
    now: () => Date.now(),
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
  const shared = inFlight<Lane>(limits, effects.now);
  return {
    async lanes(lane) {
      const now = (): string => new Date(effects.now()).toISOString();
      const retrievedAt = now();
      const lanes = await Promise.all(
        lanesSelected(lane).map((entry) => {
          if (entry.kind === 'local')
            return settled(context, () => localLane(entry, settings, context.release, retrievedAt));
          if (!origin) return unconfiguredLane(entry, retrievedAt);
          return shared(entry.id, () => liveLane(entry, now, origin, limits, effects));
        }),
      );
      return { retrievedAt: now(), lanes };
    },
  };
}

/** When calls are shared. */
export interface SharingLimits {
  /** How old a call may be to be joined, in milliseconds. */
  withinMs: number;
  /** The most calls of one lane in flight at once. */
  most: number;
}

/** The limits of the product: with six lanes at 2,000,000 bytes, tens of megabytes at worst. */
export const SHARING: SharingLimits = { withinMs: 1000, most: 4 };

/** Fetches a lane, or joins the youngest call for it that is in flight. */
export type InFlight<T> = (lane: string, fetch: () => Promise<T>) => Promise<T>;

/** Shares calls within these limits; `now` in milliseconds. */
export function inFlight<T>({ withinMs, most }: SharingLimits, now: () => number): InFlight<T> {
  const byLane = new Map<string, { since: number; result: Promise<T> }[]>();
  return (lane, fetch) => {
    const calls = byLane.get(lane) ?? [];
    byLane.set(lane, calls);
    const youngest = calls.at(-1);
    if (youngest && (now() - youngest.since < withinMs || calls.length >= most)) return youngest.result;
    const call = {
      since: now(),
      result: fetch().finally(() => void calls.splice(calls.indexOf(call), 1)),
    };
    calls.push(call);
    return call.result;
  };
}

/** Fetches the lane from `origin`; `now` gives the date-time at which its body was read. Never throws for an upstream's fault. */
export async function liveLane(
  lane: LiveLane,
  now: () => string,
  origin: URL,
  limits: FetchLimits,
  effects: FetchEffects,
): Promise<Lane> {
  const url = upstreamUrl(origin, lane.path);
  const fetched = await boundedFetch(url, limits, effects);
  const transport: JsonObject = {
    method: 'GET',
    attempts: 1,
    timeout_ms: limits.deadlineMs,
    max_response_bytes: limits.maxBytes,
    bytes: fetched.body?.length ?? null,
    sha256: fetched.sha256,
    http_status: fetched.status,
  };
  const at = { source_url: url.href, retrieved_at: now(), transport };
  const unavailable = (failure: LaneFailure): Lane => unavailableLane(lane, at, failure);

  if (fetched.failure) return unavailable(fetched.failure);
  const httpStatus = fetched.status ?? 0;
  const read = readContract(lane, httpStatus, fetched.body ?? new Uint8Array());
  if ('code' in read) return unavailable({ ...read, httpStatus, retryAfter: fetched.retryAfter });
  const { payload } = read;
  const status = String(payload['status']);
  return laneOf(lane, {
    ...at,
    availability: status === 'restricted' ? 'restricted' : 'available',
    // The money-markets contract has no evidence status: its figures are compiled by the producer.
    evidence_status: lane.contract === 'world-markets' ? status : 'derived',
    upstream_schema: String(payload['schema']),
    upstream_status: status,
    ...contextOf(lane, payload, url),
    data: payload,
  });
}

/** Clocks, scope and citation as given; the money-markets contract has none, so they are taken from its other members. */
function contextOf(
  lane: LiveLane,
  payload: JsonObject,
  url: URL,
): Pick<Lane, 'clocks' | 'scope' | 'citation'> {
  const { generated_at = null, methodology, caveats = null } = payload;
  const given = {
    clocks: objectOf(payload['clocks']),
    scope: objectOf(payload['scope']),
    citation: objectOf(payload['citation']),
  };
  if (lane.contract === 'world-markets') return given;
  const cited = { publisher: lane.product, canonical_url: url.href, generated_at, evidence_as_of: null };
  return {
    clocks: given.clocks ?? { generated_at },
    scope: given.scope ?? { ...objectOf(methodology), caveats },
    citation: given.citation ?? cited,
  };
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}
