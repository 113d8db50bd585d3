/** One live lane: asked once, checked, and passed on as its producer gave it, or unavailable with the reason. */
import { unavailableLane, type Lane, type LaneFailure, type LiveLane } from '../core/lanes.ts';
import type { JsonObject, JsonValue } from '../core/types.ts';
import type { Circuit } from './circuit.ts';
import { readContract } from './contract.ts';
import { boundedFetch, type Fetched, type FetchEffects, type FetchLimits } from './fetch.ts';
import { upstreamUrl } from '../core/hosts.ts';

/** What asking a lane takes. */
export interface Asking {
  origin: URL;
  limits: FetchLimits;
  effects: FetchEffects;
  circuit: Circuit;
}

/** The lane, asked at `retrievedAt` (date-time). Never throws for an upstream's fault. */
export async function liveLane(lane: LiveLane, retrievedAt: string, asking: Asking): Promise<Lane> {
  const url = upstreamUrl(asking.origin, lane.path);
  const unavailable = (failure: LaneFailure, fetched: Fetched | null): Lane =>
    unavailableLane(
      lane,
      { source_url: url.href, retrieved_at: retrievedAt, transport: transportOf(fetched, asking.limits) },
      failure,
    );

  const pause = asking.circuit.paused(lane.id);
  if (pause) {
    const detail = `It failed so several times in a row and was not asked now; it is asked again in ${pause.seconds} s.`;
    return unavailable({ code: pause.code, detail, retryAfter: String(pause.seconds) }, null);
  }
  const fetched = await boundedFetch(url, asking.limits, asking.effects);
  asking.circuit.note(lane.id, fetched.failure?.code ?? null);
  if (fetched.failure) return unavailable(fetched.failure, fetched);
  const read = readContract(lane, fetched.status ?? 0, fetched.body ?? new Uint8Array());
  if ('failure' in read) return unavailable({ ...read.failure, retryAfter: fetched.retryAfter }, fetched);

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
    transport: transportOf(fetched, asking.limits),
    data: payload,
    error: null,
    boundaries: lane.boundaries,
  };
}

/** Clocks, scope and citation as given; the money-markets contract has none of its own, so they are told from its members. */
function contextOf(
  lane: LiveLane,
  payload: JsonObject,
  url: URL,
): Pick<Lane, 'clocks' | 'scope' | 'citation'> {
  const { clocks, scope, citation, generated_at = null, methodology, caveats = null } = payload;
  if (lane.contract === 'world-markets')
    return { clocks: objectOf(clocks), scope: objectOf(scope), citation: objectOf(citation) };
  return {
    clocks: objectOf(clocks) ?? { generated_at },
    scope: objectOf(scope) ?? { ...objectOf(methodology), caveats },
    citation: objectOf(citation) ?? {
      publisher: lane.product,
      canonical_url: url.href,
      generated_at,
      evidence_as_of: null,
    },
  };
}

function transportOf(fetched: Fetched | null, { deadlineMs, maxBytes }: FetchLimits): JsonObject {
  return {
    method: 'GET',
    attempts: fetched ? 1 : 0,
    timeout_ms: deadlineMs,
    max_response_bytes: maxBytes,
    bytes: fetched?.body?.length ?? null,
    sha256: fetched?.sha256 ?? null,
    http_status: fetched?.status ?? null,
  };
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}
