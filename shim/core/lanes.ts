/**
 * The lanes of the federation: which there are, where each comes from, what may not be done with it, and the one shape of a
 * lane in a response. Lanes that fail are made here and hold nothing of the refused response.
 */
import { concatenated } from './bytes.ts';
import lanes from './lanes.json' with { type: 'json' };
import type { JsonObject, LaneBytes, LanePart } from './types.ts';

/** Address of the context producer. */
export const PRODUCERP = 'https://producerp.example/';

interface LaneBase {
  id: string;
  /** Sentences on what may not be done with the lane. */
  boundaries: string[];
}

/** A lane of the money and capital-markets producer, fetched for each request. */
export interface LiveLane extends LaneBase {
  kind: 'live';
  product: 'ProducerS';
  /** Path and query below the producer's origin. */
  path: string;
  contract: 'world-markets' | 'money-markets';
  /** The one section requested; null where the path has none. */
  section: string | null;
}

/** A lane of the context producer, read from the verified release. */
export interface LocalLane extends LaneBase {
  kind: 'local';
  product: 'ProducerP';
}

export type LaneEntry = LiveLane | LocalLane;

/** A lane as responses carry it; all members always present. */
export type Lane = {
  id: string;
  product: string;
  availability: 'available' | 'restricted' | 'unavailable';
  evidence_status: string;
  upstream_schema: string | null;
  upstream_status: string | null;
  /** Address of the evidence, https. */
  source_url: string;
  /** When the evidence was read or verified, date-time. */
  retrieved_at: string;
  clocks: JsonObject | null;
  scope: JsonObject | null;
  citation: JsonObject | null;
  transport: JsonObject | null;
  data: JsonObject | null;
  error: JsonObject | null;
  boundaries: string[];
};

/** Why a lane is unavailable: code and what the reader should know, one row each. */
export const LANE_FAULTS = lanes.faults;

export type LaneFaultCode = keyof typeof LANE_FAULTS;

/** What is known about a lane's failure. `detail` is our own sentence, never text of the upstream. */
export interface LaneFailure {
  code: LaneFaultCode;
  detail?: string | undefined;
  httpStatus?: number | undefined;
  /** The Retry-After header as printed. */
  retryAfter?: string | undefined;
  upstreamSchema?: string | undefined;
  upstreamStatus?: string | undefined;
}

/** Every lane, in the order of responses (by id). */
export const LANES: LaneEntry[] = [
  ...lanes.local.map((lane) => ({ ...lane, kind: 'local' as const, product: 'ProducerP' as const })),
  ...lanes.live.map((lane) => ({
    ...lane,
    kind: 'live' as const,
    product: 'ProducerS' as const,
    contract: lane.section === null ? ('money-markets' as const) : ('world-markets' as const),
    boundaries: lanes.liveBoundaries,
  })),
];

/** The lanes that a value of parameter `lane` selects. */
export function lanesSelected(lane: string): LaneEntry[] {
  return lane === 'all' ? LANES : LANES.filter(({ id }) => id === lane);
}

/** The `source_url` of a lane whose producer has no configured address. */
export function unconfiguredUrl(lane: LiveLane): string {
  return `https://producers.invalid${lane.path}`;
}

/** The members of a lane that lanes.json does not have; those that are left out are null. */
export type LaneContent = Omit<Partial<Lane>, 'id' | 'product' | 'boundaries'> &
  Pick<Lane, 'source_url' | 'retrieved_at'>;

/** A lane with every member, in the order of responses; unavailable where the content does not say otherwise. */
export function laneOf({ id, product, boundaries }: LaneEntry, content: LaneContent): Lane {
  const { source_url, retrieved_at, ...others } = content;
  return {
    id,
    product,
    availability: 'unavailable',
    evidence_status: 'unavailable',
    upstream_schema: null,
    upstream_status: null,
    source_url,
    retrieved_at,
    clocks: null,
    scope: null,
    citation: null,
    transport: null,
    data: null,
    error: null,
    boundaries,
    ...others,
  };
}

/** An unavailable lane: it says why, and holds no evidence. */
export function unavailableLane(lane: LaneEntry, at: LaneContent, failure: LaneFailure): Lane {
  const { code, detail } = failure;
  return laneOf(lane, {
    ...at,
    upstream_schema: failure.upstreamSchema ?? null,
    upstream_status: failure.upstreamStatus ?? null,
    error: {
      code,
      message: detail === undefined ? LANE_FAULTS[code] : `${LANE_FAULTS[code]} ${detail}`,
      upstream_http_status: failure.httpStatus ?? null,
      retry_after: failure.retryAfter ?? null,
    },
  });
}

/** A live lane that was not fetched: no address is configured. */
export function unconfiguredLane(lane: LiveLane, retrieved_at: string): Lane {
  const at = { source_url: unconfiguredUrl(lane), retrieved_at };
  return unavailableLane(lane, at, { code: 'upstream_not_configured' });
}

const encoder = new TextEncoder();

/** The members of a lane whose size the producer decides. */
export const LANE_PARTS: readonly LanePart[] = ['clocks', 'scope', 'citation', 'data'];

/** Serializes a lane. */
export function laneBytes(lane: Lane): LaneBytes {
  const written: Uint8Array[] = [];
  // Filled below: a lane has every part.
  const parts = {} as LaneBytes['parts'];
  let end = 0;
  const write = (text: string): { start: number; end: number } => {
    const bytes = encoder.encode(text);
    written.push(bytes);
    const start = end;
    end += bytes.length;
    return { start, end };
  };
  for (const [name, value] of Object.entries(lane)) {
    write(`${end === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    const place = write(JSON.stringify(value));
    const part = LANE_PARTS.find((each) => each === name);
    if (part) parts[part] = place;
  }
  write('}');
  const code = lane.error === null ? null : String(lane.error['code']);
  return { bytes: concatenated(written), parts, code, caveats: caveatsOf(lane) };
}

/** The caveats among the figures of a lane; nothing where its scope has them, or where there are none. */
function caveatsOf({ data, scope }: Lane): JsonObject {
  const caveats = data?.['caveats'] ?? null;
  return caveats === null || scope?.['caveats'] !== undefined ? {} : { caveats };
}

/** The lane with another value of a part. */
export function withPart(lane: LaneBytes, part: LanePart, value: JsonObject): LaneBytes {
  const { bytes, parts } = lane;
  const text = encoder.encode(JSON.stringify(value));
  const { start, end } = parts[part];
  const by = start + text.length - end;
  const moved = { ...parts, [part]: { start, end: end + by } };
  for (const each of LANE_PARTS) {
    const { start: from, end: to } = parts[each];
    if (from >= end) moved[each] = { start: from + by, end: to + by };
  }
  return {
    ...lane,
    bytes: concatenated([bytes.subarray(0, start), text, bytes.subarray(end)]),
    parts: moved,
  };
}

/** Reads a lane that was written by `laneBytes`. */
export function laneFrom({ bytes }: LaneBytes): Lane {
  return JSON.parse(new TextDecoder().decode(bytes)) as Lane;
}
