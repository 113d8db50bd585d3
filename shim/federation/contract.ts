/** What an upstream body must be to be passed on: strict JSON, no forbidden key, the published contract, the section asked for. */
import moneyMarkets from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarkets from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import type { LaneFailure, LiveLane } from '../core/lanes.ts';
import { validator } from '../core/schema.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../core/types.ts';
import { hasForbiddenKey } from './forbidden-keys.ts';
import { readStrictJson, type StrictJson } from './json.ts';

/** Deeper answers are refused: doors and clients read JSON by recursion. */
export const MAX_DEPTH = 256;

const CONTRACTS: Record<LiveLane['contract'], { schema: JsonSchema; id: string }> = {
  'world-markets': { schema: worldMarkets, id: 'producers.world-markets.v1' },
  'money-markets': { schema: moneyMarkets, id: 'producers.global-money-markets.v1' },
};
/** Words for a typed unavailable answer, as each contract spells it. */
const UNAVAILABLE = ['unavailable', 'UNAVAILABLE'];

/** The payload of an answer with HTTP status 200 or 503, or why it is refused. Never throws, never repeats the body. */
export function readContract(
  lane: LiveLane,
  status: number,
  body: Uint8Array,
): { payload: JsonObject } | { failure: LaneFailure } {
  const refused = (failure: LaneFailure): { failure: LaneFailure } => ({
    failure: { ...failure, httpStatus: status },
  });
  const read = parsed(body);
  if (read === null)
    return refused({ code: status === 200 ? 'invalid_upstream_json' : 'upstream_http_error' });
  const { value } = read;
  if (value === undefined)
    return refused({
      code: 'invalid_upstream_contract',
      detail: `It is nested deeper than ${MAX_DEPTH} levels.`,
    });
  if (hasForbiddenKey(value))
    return refused({ code: 'invalid_upstream_contract', detail: 'It has a key that no lane may carry.' });
  const { schema, id } = CONTRACTS[lane.contract];
  const told = typedUnavailable(value, id, status);
  if (told) return refused(told);
  if (status !== 200) return refused({ code: 'upstream_http_error' });
  if (!isObject(value) || validator(schema)(value))
    return refused({
      code: 'invalid_upstream_contract',
      detail: `It does not match schemas/upstream-${lane.contract}.schema.json.`,
    });
  // The schema holds selection and section together; that they are those asked for only the lane knows.
  if (lane.section !== null && !Object.hasOwn(value, lane.section))
    return refused({
      code: 'invalid_upstream_contract',
      detail: 'It selects another section than asked for.',
    });
  return { payload: value };
}

/** The failure of an answer that itself says its evidence is unavailable; null of any other. */
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

function parsed(body: Uint8Array): StrictJson | null {
  try {
    return readStrictJson(body, MAX_DEPTH);
  } catch {
    return null;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
