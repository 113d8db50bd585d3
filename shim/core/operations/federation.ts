/** `federation`: parallel context lanes of two producers, each with its own scope, status, clocks and citation. */
import output from '../../../schemas/federation.schema.json' with { type: 'json' };
import { Fault } from '../faults.ts';
import { choiceParameter, type Input, type Operation } from '../operation.ts';
import { LANE_CHOICES, lanesAsked, unavailableLane, unconfiguredLane, unconfiguredUrl } from '../lanes.ts';
import { localLane, PRODUCERP } from '../local-lanes.ts';
import type { Context, JsonObject, Release } from '../types.ts';
import { NO_MOMENT } from './markets.ts';

const POLICY = {
  mode: 'read_only_parallel_context',
  cross_lane_join: 'prohibited',
  composite_generation: 'prohibited',
  causal_inference: 'prohibited',
  culpability_inference: 'prohibited',
  missing_value_policy: 'unavailable_not_zero',
};

const LIMITATIONS = [
  'Each lane stands alone: lanes are not joined, scored, ranked or combined, and nothing about cause or culpability follows from reading them side by side.',
  'What a lane lacks is unavailable, never zero; an unavailable lane says why in error and carries nothing of what was refused.',
  'Live lanes are asked once per request with no retry, 15 seconds and 2,000,000 bytes at most; a later request may answer differently.',
  "Numbers, units, clocks, citations and caveats are the producer's own; this service checks their shape, not their truth.",
  'Lanes of ProducerP are pinned historical artifacts of a verified release and do not change between releases of this service.',
];

export const federation: Operation = {
  name: 'federation',
  tool: 'get_federation',
  summary:
    'Context from two upstream producers in six separate lanes: money and capital markets fetched live (producers-*), infrastructure-initiative context and a newswire rights receipt from a verified release (producerp-*). Read availability, evidence_status and error of each lane before its data; cite citation and clocks. status is available, partial or unavailable; a lane with an error has data null, which is never zero. Do not join lanes or infer scores, causes, actors or guilt. Ask for one lane when you need only one: live lanes may be large.',
  parameters: [choiceParameter('lane', 'The lane to read; all by default.', LANE_CHOICES, 'all')],
  output,
  freshness: 'live',
  async run(input, context) {
    const lane = laneOf(input);
    const { retrievedAt, lanes } = context.peers.federation
      ? await context.peers.federation.lanes(lane)
      : withoutPeer(lane, context);
    const payload = federationPayload(lane, retrievedAt, lanes);
    if (payload['status'] !== 'unavailable') return payload;
    throw new Fault('unavailable', messageOf(lanes), { payload });
  },
  unavailable(input, { store }, message) {
    const lane = laneOf(input);
    const retrieved_at = packagedAt(store);
    const lanes = lanesAsked(lane).map((entry) =>
      unavailableLane(
        entry,
        {
          source_url: entry.kind === 'live' ? unconfiguredUrl(entry) : PRODUCERP,
          retrieved_at,
          transport: null,
        },
        {
          code: entry.kind === 'live' ? 'upstream_unavailable' : 'pinned_artifact_unavailable',
          detail: message,
        },
      ),
    );
    return federationPayload(lane, retrieved_at, lanes);
  },
  prerender: () => [],
};

/** The payload: `available` when no lane has an error, `unavailable` when all have one, else `partial`. */
function federationPayload(lane: string, retrievedAt: string, lanes: JsonObject[]): JsonObject {
  const failed = lanes.filter(({ error }) => error !== null).length;
  return {
    schema: 'svc.api.federation.v1',
    status: failed === 0 ? 'available' : failed === lanes.length ? 'unavailable' : 'partial',
    retrieved_at: retrievedAt,
    query: { lane },
    lanes,
    policy: POLICY,
    limitations: LIMITATIONS,
  };
}

function withoutPeer(
  lane: string,
  { settings, store }: Context,
): { retrievedAt: string; lanes: JsonObject[] } {
  const retrievedAt = packagedAt(store);
  const lanes = lanesAsked(lane).map((entry) =>
    entry.kind === 'live'
      ? unconfiguredLane(entry, retrievedAt)
      : localLane(entry, settings, store, retrievedAt),
  );
  return { retrievedAt, lanes };
}

function messageOf(lanes: JsonObject[]): string {
  const reasons = lanes.map(({ id, error }) => {
    const code = typeof error === 'object' && error !== null && !Array.isArray(error) ? error['code'] : null;
    return `${String(id)}: ${String(code)}`;
  });
  return `None of the requested lanes is available (${reasons.join(', ')}). Try again later.`;
}

/** The clock of the packaged data: the core has no other. */
function packagedAt(store: Release): string {
  try {
    return store.manifest().generatedAt;
  } catch {
    return NO_MOMENT;
  }
}

function laneOf(input: Input): string {
  const { lane } = input;
  return typeof lane === 'string' ? lane : 'all';
}
