/** What an upstream body must be to be passed on: strict JSON, no forbidden key, the published contract, the requested section. */
import moneyMarkets from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarkets from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import type { LaneFailure, LiveLane } from '../core/lanes.ts';
import { validator } from '../core/schema.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../core/types.ts';
import { hasForbiddenKey } from './forbidden-keys.ts';
import { readStrictJson } from './json.ts';

/** Deeper responses are refused: transports and clients read JSON by recursion. */
export const MAX_DEPTH = 256;

const CONTRACTS: Record<LiveLane['contract'], { schema: JsonSchema; id: string }> = {
  'world-markets': { schema: worldMarkets, id: 'producers.world-markets.v1' },
  'money-markets': { schema: moneyMarkets, id: 'producers.global-money-markets.v1' },
};
/** Words for a typed unavailable response, as each contract spells it. */
const UNAVAILABLE = ['unavailable', 'UNAVAILABLE'];

/** The payload of a response with HTTP status 200 or 503, or why it is refused. Never throws, never repeats the body. */
export function readContract(
  lane: LiveLane,
  httpStatus: number,
  body: Uint8Array,
): { payload: JsonObject } | LaneFailure {
  let value: JsonValue | undefined;
  try {
    value = readStrictJson(body, MAX_DEPTH);
  } catch {
    return { code: httpStatus === 200 ? 'invalid_upstream_json' : 'upstream_http_error' };
  }
  if (value === undefined) return broken(`It is nested deeper than ${MAX_DEPTH} levels.`);
  if (hasForbiddenKey(value)) return broken('It contains a forbidden key.');
  const { schema, id } = CONTRACTS[lane.contract];
  const unavailable = typedUnavailable(value, id, httpStatus);
  if (unavailable) return unavailable;
  if (httpStatus !== 200) return { code: 'upstream_http_error' };
  if (!isObject(value) || validator(schema)(value))
    return broken(`It does not match schemas/upstream-${lane.contract}.schema.json.`);
  // The schema ties the selection to the section; only the lane knows which section was requested.
  if (lane.section !== null && !Object.hasOwn(value, lane.section))
    return broken('It contains a different section from the one requested.');
  return { payload: value };
}

function broken(detail: string): LaneFailure {
  return { code: 'invalid_upstream_contract', detail };
}

/** The failure of a response that itself says its evidence is unavailable; null for any other. */
function typedUnavailable(value: JsonValue, id: string, httpStatus: number): LaneFailure | null {
  if (!isObject(value)) return null;
  const { schema, ok, status, error } = value;
  const says = typeof status === 'string' && UNAVAILABLE.includes(status);
  const named = schema === id && (says || ok === false);
  const bare = httpStatus === 503 && ok === false && (says || error === 'unavailable');
  if (!named && !bare) return null;
  return {
    code: 'upstream_unavailable',
    upstreamSchema: schema === id ? id : undefined,
    upstreamStatus: says ? status : undefined,
  };
}

/** Whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
