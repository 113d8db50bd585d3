/**
 * The lanes of the federation: which there are, where each comes from, what may not be done with it, and the one shape of a
 * lane in an answer. Whatever goes wrong, a lane is made here and holds nothing of what was refused.
 */
import type { JsonObject } from './types.ts';

/** A lane of the money and capital-markets producer, asked live. */
export interface LiveLane {
  kind: 'live';
  id: string;
  product: 'ProducerS';
  /** Path and query below the producer's origin. */
  path: string;
  contract: 'world-markets' | 'money-markets';
  /** The one section asked for; null where the path has none. */
  section: string | null;
  boundaries: string[];
}

/** A lane of the context producer, read from the verified release. */
export interface LocalLane {
  kind: 'local';
  id: string;
  product: 'ProducerP';
  boundaries: string[];
}

export type LaneEntry = LiveLane | LocalLane;

/** A lane as answers carry it; all members always present. */
export type Lane = {
  id: string;
  product: string;
  availability: 'available' | 'restricted' | 'unavailable';
  evidence_status: string;
  upstream_schema: string | null;
  upstream_status: string | null;
  /** Address of the evidence, https. */
  source_url: string;
  /** When the evidence was asked for or verified, date-time. */
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
export const LANE_FAULTS = {
  upstream_not_configured: 'This upstream is not configured; no request was sent.',
  upstream_unreachable:
    'The upstream could not be reached, or the connection broke before the response was complete.',
  upstream_timeout: 'The upstream did not respond completely in time.',
  response_too_large: 'The upstream response is larger than allowed and was not read further.',
  invalid_content_type: 'The upstream response is not UTF-8 application/json in an accepted encoding.',
  invalid_upstream_json: 'The upstream response is not strict UTF-8 JSON with unique keys.',
  upstream_http_error: 'The upstream did not respond with HTTP status 200.',
  invalid_upstream_contract: 'The upstream response breaks its published contract and is withheld.',
  upstream_unavailable: 'The upstream reports that its evidence is unavailable.',
  pinned_artifact_unavailable: 'The pinned artifact of the verified release is missing or damaged.',
} as const;

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

const WORLD_MARKETS = '/api/v2/world-markets';
const MARKET_BOUNDARIES = [
  'Context only: it is not evidence about illicit markets, persons, routes or causes, and is never joined to another lane.',
  'Scope, status, clocks, citation and caveats are those of the producer; units are as given, and a missing value is unavailable, never zero.',
  'No score, composite or ranking may be made from it.',
];

/** Every lane, in the order of answers (by id). */
export const LANES: LaneEntry[] = [
  {
    kind: 'local',
    id: 'producerp-bri',
    product: 'ProducerP',
    boundaries: [
      'Parallel context only: it is not evidence of a project, an actor, a route, a cause or guilt.',
      'It cannot be joined to drug-market evidence, and national series cannot be attributed to projects.',
      'A summary of the pinned artifact; data.links points to the full document and its checksum.',
    ],
  },
  {
    kind: 'local',
    id: 'producerp-newswire-rights',
    product: 'ProducerP',
    boundaries: [
      'A bounded, pinned, historical receipt of restriction; it is not continuous monitoring.',
      'The list of quarantined paths is not republished here.',
    ],
  },
  section('producers-capital-markets', 'capital_markets'),
  {
    kind: 'live',
    id: 'producers-global-money-atlas',
    product: 'ProducerS',
    path: '/api/v2/money-markets',
    contract: 'money-markets',
    section: null,
    boundaries: MARKET_BOUNDARIES,
  },
  section('producers-money-markets', 'money_markets'),
  section('producers-summary', 'summary'),
];

/** The values of parameter `lane`. */
export const LANE_CHOICES: string[] = ['all', ...LANES.map(({ id }) => id)];

/** The lanes that a value of parameter `lane` asks for. */
export function lanesAsked(lane: string): LaneEntry[] {
  return lane === 'all' ? LANES : LANES.filter(({ id }) => id === lane);
}

/** Where a lane's evidence stands when its producer has no address. */
export function unconfiguredUrl(lane: LiveLane): string {
  return `https://producers.invalid${lane.path}`;
}

/** The lane that says why it is unavailable, and nothing else. */
export function unavailableLane(
  { id, product, boundaries }: LaneEntry,
  at: { source_url: string; retrieved_at: string; transport: JsonObject | null },
  failure: LaneFailure,
): Lane {
  const message = LANE_FAULTS[failure.code];
  return {
    id,
    product,
    availability: 'unavailable',
    evidence_status: 'unavailable',
    upstream_schema: failure.upstreamSchema ?? null,
    upstream_status: failure.upstreamStatus ?? null,
    source_url: at.source_url,
    retrieved_at: at.retrieved_at,
    clocks: null,
    scope: null,
    citation: null,
    transport: at.transport,
    data: null,
    error: {
      code: failure.code,
      message: failure.detail === undefined ? message : `${message} ${failure.detail}`,
      upstream_http_status: failure.httpStatus ?? null,
      retry_after: failure.retryAfter ?? null,
    },
    boundaries,
  };
}

/** A live lane nobody asked: no address is configured. */
export function unconfiguredLane(lane: LiveLane, retrievedAt: string): Lane {
  return unavailableLane(
    lane,
    { source_url: unconfiguredUrl(lane), retrieved_at: retrievedAt, transport: null },
    { code: 'upstream_not_configured' },
  );
}

function section(id: string, name: string): LiveLane {
  return {
    kind: 'live',
    id,
    product: 'ProducerS',
    path: `${WORLD_MARKETS}?section=${name}`,
    contract: 'world-markets',
    section: name,
    boundaries: MARKET_BOUNDARIES,
  };
}
