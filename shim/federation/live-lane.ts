/** One live lane: fetched once, checked, and passed on as its producer gave it, or unavailable with the reason. */
import { unavailableLane, type Lane, type LaneFailure, type LiveLane } from '../core/lanes.ts';
import { upstreamUrl } from '../core/hosts.ts';
import type { JsonObject, JsonValue } from '../core/types.ts';
import { isObject, readContract } from './contract.ts';
import { boundedFetch, type FetchEffects, type FetchLimits } from './fetch.ts';

/** Fetches the lane from `origin` at `retrievedAt` (date-time). Never throws for an upstream's fault. */
export async function liveLane(
  lane: LiveLane,
  retrievedAt: string,
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
  const at = { source_url: url.href, retrieved_at: retrievedAt, transport };
  const unavailable = (failure: LaneFailure): Lane => unavailableLane(lane, at, failure);

  if (fetched.failure) return unavailable(fetched.failure);
  const httpStatus = fetched.status ?? 0;
  const read = readContract(lane, httpStatus, fetched.body ?? new Uint8Array());
  if ('code' in read) return unavailable({ ...read, httpStatus, retryAfter: fetched.retryAfter });
  const { payload } = read;
  const status = String(payload['status']);
  return {
    id: lane.id,
    product: lane.product,
    availability: status === 'restricted' ? 'restricted' : 'available',
    // The money-markets contract has no evidence status: its figures are compiled by the producer.
    evidence_status: lane.contract === 'world-markets' ? status : 'derived',
    upstream_schema: String(payload['schema']),
    upstream_status: status,
    source_url: url.href,
    retrieved_at: retrievedAt,
    ...contextOf(lane, payload, url),
    transport,
    data: payload,
    error: null,
    boundaries: lane.boundaries,
  };
}

/** Clocks, scope and citation as given; the money-markets contract has none, so they are taken from its other members. */
function contextOf(
  lane: LiveLane,
  payload: JsonObject,
  url: URL,
): Pick<Lane, 'clocks' | 'scope' | 'citation'> {
  const { generated_at = null, methodology, caveats = null } = payload;
  const clocks = objectOf(payload['clocks']);
  const scope = objectOf(payload['scope']);
  const citation = objectOf(payload['citation']);
  if (lane.contract === 'world-markets') return { clocks, scope, citation };
  return {
    clocks: clocks ?? { generated_at },
    scope: scope ?? { ...objectOf(methodology), caveats },
    citation: citation ?? {
      publisher: lane.product,
      canonical_url: url.href,
      generated_at,
      evidence_as_of: null,
    },
  };
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}
