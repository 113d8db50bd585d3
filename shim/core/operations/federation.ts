/** `federation`: parallel context lanes of two producers, each with its own scope, status, clocks and citation. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/federation.schema.json' with { type: 'json' };
import { settled } from '../call.ts';
import { Fault } from '../faults.ts';
import {
  laneBytes,
  laneFrom,
  LANE_PARTS,
  lanesSelected,
  PRODUCERP,
  unavailableLane,
  unconfiguredUrl,
  withPart,
  type Lane,
} from '../lanes.ts';
import { defined } from './definitions.ts';
import { readableManifest } from './documents.ts';
import type { Context, Input, JsonObject, LaneBytes, LanePart, Operation } from '../types.ts';

const { policy, limitations } = definitions.federation;

const DAY_SECONDS = 86_400;

export const federation: Operation = {
  ...defined('federation'),
  output,
  freshness: 'live',
  async run(input, context) {
    const lane = askedLane(input);
    const { retrievedAt, lanes } = await (context.federation?.lanes(lane) ?? withoutPeer(lane, context));
    const shown = withoutLargeParts(
      lanes,
      input['detail'] === 'summary' ? IN_SHORT : { ...IN_FULL, bytes: context.most ?? Infinity },
    );
    const failed = lanes.filter(({ code }) => code !== null).length;
    if (failed < lanes.length) {
      const status = failed === 0 ? 'available' : 'partial';
      return federationPayload(
        lane,
        status,
        retrievedAt,
        shown.map(({ bytes }) => bytes),
      );
    }
    const read = lanes.map(laneFrom);
    throw new Fault('unavailable', messageOf(lanes), {
      payload: federationPayload(lane, 'unavailable', retrievedAt, read),
      lasting: areUnconfigured(lanes),
      retryAfter: retryAfterOf(read),
    });
  },
  unavailable(input, { release }, message) {
    const lane = askedLane(input);
    const { generatedAt: retrieved_at } = readableManifest(release);
    const lanes = lanesSelected(lane).map((entry) => {
      const live = entry.kind === 'live';
      const at = { source_url: live ? unconfiguredUrl(entry) : PRODUCERP, retrieved_at };
      const code = live ? 'upstream_unavailable' : 'pinned_artifact_unavailable';
      return unavailableLane(entry, at, { code, detail: message });
    });
    return federationPayload(lane, 'unavailable', retrieved_at, lanes);
  },
  prerender: () => [],
};

/** The payload around its lanes, which are objects or bytes. */
function federationPayload<Lanes extends JsonObject[] | Uint8Array[]>(
  lane: string,
  status: 'available' | 'partial' | 'unavailable',
  retrieved_at: string,
  lanes: Lanes,
) {
  return {
    schema: 'svc.api.federation.v1',
    status,
    retrieved_at,
    query: { lane },
    lanes,
    policy,
    limitations,
  };
}

/** The most that the lanes of a response may have together, and the note in place of a part that is left out. */
interface Room {
  bytes: number;
  pieces: number;
  note: string;
}

/** The short form: at most 8,000 tokens with what is around the lanes. */
const IN_SHORT: Room = {
  bytes: 18_000,
  pieces: 6500,
  note: 'Left out of the short form. Request this lane alone with detail=full.',
};

/** The full form: REST gives lanes of any size, and MCP bounds their bytes. */
const IN_FULL: Omit<Room, 'bytes'> = {
  pieces: Infinity,
  note: 'Left out: it is larger than a result may be here. The REST resource federation gives all of it.',
};

/** The lanes as they fit: scope, clocks, citation and caveats stay as long as leaving out figures is enough. */
function withoutLargeParts(lanes: LaneBytes[], room: Room): LaneBytes[] {
  const shown = withoutLargest(lanes, room, ['data']);
  return fits(shown, room) ? shown : withoutLargest(lanes, room, LANE_PARTS);
}

/** Replaces the largest of some parts, one after the other, until the lanes fit: by a note, because null would say that they are unavailable. */
function withoutLargest(lanes: LaneBytes[], room: Room, from: readonly LanePart[]): LaneBytes[] {
  if (fits(lanes, room)) return lanes;
  const parts = lanes.flatMap((lane) =>
    from.map((part) => ({ lane, part, bytes: lane.parts[part].end - lane.parts[part].start })),
  );
  const largest = parts.reduce((found, each) => (each.bytes > found.bytes ? each : found));
  const left = { left_out: { bytes: largest.bytes, note: room.note } };
  const value = from === LANE_PARTS ? left : { ...left, ...largest.lane.caveats };
  const shown = lanes.map((lane) => (lane === largest.lane ? withPart(lane, largest.part, value) : lane));
  return bytesOf(shown) < bytesOf(lanes) ? withoutLargest(shown, room, from) : lanes;
}

function fits(lanes: LaneBytes[], { bytes, pieces }: Room): boolean {
  return bytesOf(lanes) <= bytes && (pieces === Infinity || piecesOf(lanes) <= pieces);
}

function bytesOf(lanes: LaneBytes[]): number {
  return lanes.reduce((sum, { bytes }) => sum + bytes.length + 1, 1);
}

/** An upper estimate of tokens: pieces of at most four letters, three digits or two other characters. */
function piecesOf(lanes: LaneBytes[]): number {
  let pieces = 0;
  for (const { bytes } of lanes) {
    let before = 0;
    let run = 0;
    // Counted without making strings, because many requests are answered at once.
    for (const byte of bytes) {
      const most = mostInPiece(byte);
      run = most === before ? run + 1 : 1;
      before = most;
      if ((run - 1) % most === 0) pieces += 1;
    }
  }
  return pieces;
}

/** How many bytes of the kind of this one make a piece; 0 for blanks, which are part of none. */
function mostInPiece(byte: number): number {
  if (byte > 0x7e) return 1;
  const small = byte | 0x20;
  if (small >= 0x61 && small <= 0x7a) return 4;
  if (byte >= 0x30 && byte <= 0x39) return 3;
  return byte > 0x20 ? 2 : 0;
}

async function withoutPeer(
  lane: string,
  context: Context,
): Promise<{ retrievedAt: string; lanes: LaneBytes[] }> {
  // Imported on first use: it loads large schemas that the first requests of a server do not need.
  const { unfetchedLane } = await import('../local-lanes.ts');
  const { settings, release } = context;
  return settled(context, () => {
    // The clock of the packaged data: the core has no other.
    const { generatedAt: retrievedAt } = readableManifest(release);
    const lanes = lanesSelected(lane).map((entry) =>
      laneBytes(unfetchedLane(entry, settings, release, retrievedAt)),
    );
    return { retrievedAt, lanes };
  });
}

/** The longest that a producer asks clients to wait, in seconds, at most a day; 0 where none says so in seconds. */
function retryAfterOf(lanes: Lane[]): number {
  const asked = lanes.map(({ error }) => Number(error?.['retry_after'] ?? 0) || 0);
  return Math.min(DAY_SECONDS, Math.max(...asked));
}

/** Whether only the operator can make these lanes available. */
function areUnconfigured(lanes: LaneBytes[]): boolean {
  return lanes.every(({ code }) => code === 'upstream_not_configured');
}

function messageOf(lanes: LaneBytes[]): string {
  const ids = lanes.map((lane) => laneFrom(lane).id);
  const reasons = lanes.map(({ code }, at) => `${ids[at]}: ${code}`);
  const next = areUnconfigured(lanes)
    ? 'The operator of this service has set no address for them.'
    : 'Try again later.';
  return `None of the requested lanes is available (${reasons.join(', ')}). ${next}`;
}

function askedLane({ lane = 'all' }: Input): string {
  return String(lane);
}
