/** Makes a lane of the body of an upstream response: checks it against its contract, then serializes it. */
import { isObject } from '../core/json.ts';
import { laneBytes, laneOf, LANES, unavailableLane } from '../core/lanes.ts';
import type { Lane, LiveLane } from '../core/lanes.ts';
import type { JsonObject, JsonValue, LaneBytes } from '../core/types.ts';
import { readContract } from './contract.ts';

/** A body that was read whole, and the members of its lane about the transport. */
export interface Received {
  laneId: string;
  at: { source_url: string; retrieved_at: string; transport: JsonObject };
  /** HTTP status. */
  status: number;
  retryAfter: string | undefined;
  body: Uint8Array;
}

/** The lane of a body: what the producer sent, or unavailable with the reason. */
export function readLane({ laneId, at, status: httpStatus, retryAfter, body }: Received): LaneBytes {
  const lane = LANES.find((entry): entry is LiveLane => entry.id === laneId && entry.kind === 'live');
  if (!lane) throw new Error(`no live lane is called ${laneId}`);
  const read = readContract(lane, httpStatus, body);
  if ('code' in read) return laneBytes(unavailableLane(lane, at, { ...read, httpStatus, retryAfter }));
  const { payload } = read;
  const status = String(payload['status']);
  return laneBytes(
    laneOf(lane, {
      ...at,
      availability: status === 'restricted' ? 'restricted' : 'available',
      // The money-markets contract has no evidence status: its figures are compiled by the producer.
      evidence_status: lane.contract === 'world-markets' ? status : 'derived',
      upstream_schema: String(payload['schema']),
      upstream_status: status,
      ...contextOf(lane, payload, at.source_url),
      data: payload,
    }),
  );
}

/** Clocks, scope and citation as given; the money-markets contract has none, so they are taken from its other members. */
function contextOf(
  lane: LiveLane,
  payload: JsonObject,
  url: string,
): Pick<Lane, 'clocks' | 'scope' | 'citation'> {
  const { generated_at = null, methodology, caveats = null } = payload;
  const given = {
    clocks: objectOf(payload['clocks']),
    scope: objectOf(payload['scope']),
    citation: objectOf(payload['citation']),
  };
  if (lane.contract === 'world-markets') return given;
  const cited = { publisher: lane.product, canonical_url: url, generated_at, evidence_as_of: null };
  return {
    clocks: given.clocks ?? { generated_at },
    scope: given.scope ?? { ...objectOf(methodology), caveats },
    citation: given.citation ?? cited,
  };
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}
