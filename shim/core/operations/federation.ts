/** `federation`: parallel context lanes of two producers, each with its own scope, status, clocks and citation. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/federation.schema.json' with { type: 'json' };
import { localLane, PRODUCERP } from '../local-lanes.ts';
import { Fault } from '../faults.ts';
import { lanesSelected, unavailableLane, unconfiguredLane, unconfiguredUrl } from '../lanes.ts';
import { defined } from './definitions.ts';
import { NO_MOMENT } from './documents.ts';
import type { Context, Input, JsonObject, JsonValue, Operation, Release } from '../types.ts';

const { policy, limitations } = definitions.federation;

export const federation: Operation = {
  ...defined('federation'),
  output,
  freshness: 'live',
  async run(input, context) {
    const lane = laneOf(input);
    const { retrievedAt, lanes } = context.peers.federation
      ? await context.peers.federation.lanes(lane)
      : withoutPeer(lane, context);
    const shown = input['detail'] === 'summary' && lanes.length > 1 ? withoutLargeData(lanes) : lanes;
    const payload = federationPayload(lane, retrievedAt, shown);
    if (payload['status'] !== 'unavailable') return payload;
    throw new Fault('unavailable', messageOf(lanes), { payload, lasting: areUnconfigured(lanes) });
  },
  unavailable(input, { release }, message) {
    const lane = laneOf(input);
    const retrieved_at = packagedAt(release);
    const lanes = lanesSelected(lane).map((entry) => {
      const live = entry.kind === 'live';
      const at = { source_url: live ? unconfiguredUrl(entry) : PRODUCERP, retrieved_at };
      const code = live ? 'upstream_unavailable' : 'pinned_artifact_unavailable';
      return unavailableLane(entry, at, { code, detail: message });
    });
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
    policy,
    limitations,
  };
}

/** The most bytes that lanes have together in the short form. */
const SHORT_LANES = 18_000;

/** Lanes that are not too large together: the largest data first says how to get it; null would say that it is unavailable. */
function withoutLargeData(lanes: JsonObject[]): JsonObject[] {
  const bytesOf = (value: JsonValue | undefined): number =>
    new TextEncoder().encode(JSON.stringify(value ?? null)).length;
  if (bytesOf(lanes) <= SHORT_LANES) return lanes;
  const sizes = lanes.map(({ data }) => bytesOf(data));
  const largest = sizes.indexOf(Math.max(...sizes));
  const note = 'Left out of the short form. Request this lane alone, or detail=full.';
  const shown = lanes.map((lane, at) =>
    at === largest ? { ...lane, data: { left_out: { bytes: sizes[at] ?? 0, note } } } : lane,
  );
  return bytesOf(shown) < bytesOf(lanes) ? withoutLargeData(shown) : lanes;
}

function withoutPeer(
  lane: string,
  { settings, release }: Context,
): { retrievedAt: string; lanes: JsonObject[] } {
  const retrievedAt = packagedAt(release);
  const lanes = lanesSelected(lane).map((entry) =>
    entry.kind === 'live'
      ? unconfiguredLane(entry, retrievedAt)
      : localLane(entry, settings, release, retrievedAt),
  );
  return { retrievedAt, lanes };
}

function codeOf({ error }: JsonObject): string {
  return String(typeof error === 'object' && error !== null && !Array.isArray(error) ? error['code'] : null);
}

/** Whether only the operator can make these lanes available. */
function areUnconfigured(lanes: JsonObject[]): boolean {
  return lanes.every((lane) => codeOf(lane) === 'upstream_not_configured');
}

function messageOf(lanes: JsonObject[]): string {
  const reasons = lanes.map((lane) => `${String(lane['id'])}: ${codeOf(lane)}`);
  const next = areUnconfigured(lanes)
    ? 'The operator of this service has set no address for them.'
    : 'Try again later.';
  return `None of the requested lanes is available (${reasons.join(', ')}). ${next}`;
}

/** The clock of the packaged data: the core has no other. */
function packagedAt(release: Release): string {
  try {
    return release.manifest().generatedAt;
  } catch {
    return NO_MOMENT;
  }
}

function laneOf(input: Input): string {
  const { lane } = input;
  return typeof lane === 'string' ? lane : 'all';
}
