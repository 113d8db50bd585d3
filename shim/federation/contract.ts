/**
 * The conditions for passing on an upstream body: strict JSON, no forbidden key, the published contract, the requested section.
 *
 * Keys that are forbidden at any depth: shared scores and verdicts (the service makes and passes on none), positions on the map
 * (nothing navigable is given), the names JavaScript reserves for prototypes, and keys that are not plain ASCII or longer than 256
 * characters. Case and separators of a key do not
 * matter. A key that merely contains such a word is refused too, since a producer can write it as a value instead.
 */
import moneyMarkets from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarkets from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import { isObject } from '../core/json.ts';
import type { LaneFailure, LiveLane } from '../core/lanes.ts';
import { validator } from '../core/document-schema.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../core/types.ts';
import { readStrictJson } from '../core/strict-json.ts';

/** Deeper responses are refused: transports and clients read JSON by recursion. */
const MAX_DEPTH = 256;

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

const PLAIN = /^[\x20-\x7e]{0,256}$/;
/** Beginnings of the words for a measure. */
const MEASURES = 'scor|rank|rating|index|indices';
/** Verdicts that no lane may have in a key, in any compound: score_composite, causalEffect, is_guilty. */
const VERDICT = new RegExp(
  `composite|culp(?:ab|rit)|guilt|blame|caus(?:al|ation|ative|edby|(?:e|ed|ing)(?:${MEASURES}))`,
);
/** Words of a shared measure; a measure of the producer's own is allowed. */
const SHARED = /shared|combined|unified|blended/;
const MEASURE = new RegExp(`^(?:${MEASURES})`);
const SHARED_MEASURE = new RegExp(`(?:${SHARED.source}|joint)(?:${MEASURES})`);
/** Endings of a key that names the subject of a policy, as in our own federation policy: causal_inference, composite_generation. */
const POLICY = / (?:inference|generation|join|boundary|policy)$/;
/** A policy's text that excludes its subject. It may hold no digit, so that it cannot state a score. */
const REFUSING =
  /^(?:no|none|not|never|without|prohibited|forbidden|disallowed|excluded|unsupported)(?![a-z])[^0-9]{0,500}$/i;
/** Names of a position on the map. */
const POSITION = /latitude|longitude|coordinates|geohash|geojson|streetaddress/;
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype']);

/** Which values a key is forbidden with: any, any except `false` or the refusing text of a policy, or none (null). */
export function banOf(key: string): 'any value' | 'evidence' | null {
  if (!PLAIN.test(key) || PROTOTYPE.has(key)) return 'any value';
  const glued = key.toLowerCase().replace(/[^a-z0-9]+/g, '');
  if (POSITION.test(glued) || SHARED_MEASURE.test(glued) || (SHARED.test(glued) && hasMeasure(glued, key)))
    return 'any value';
  if (!VERDICT.test(glued)) return null;
  return POLICY.test(wordsOf(key)) ? 'evidence' : 'any value';
}

/** Whether a measure begins any word of a key. */
function hasMeasure(glued: string, key: string): boolean {
  return [glued, ...wordsOf(key).split(' ')].some((word) => MEASURE.test(word));
}

/** Whether any object of the value has a forbidden key. Does not recurse. */
export function hasForbiddenKey(value: JsonValue): boolean {
  const bans = new Map<string, ReturnType<typeof banOf>>();
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') pending.push(item);
      continue;
    }
    for (const [key, member] of Object.entries(next)) {
      let ban = bans.get(key);
      if (ban === undefined) {
        ban = banOf(key);
        bans.set(key, ban);
      }
      if (ban === 'any value' || (ban === 'evidence' && !isPolicy(member))) return true;
      if (typeof member === 'object') pending.push(member);
    }
  }
  return false;
}

function isPolicy(value: JsonValue): boolean {
  return value === false || (typeof value === 'string' && REFUSING.test(value));
}

/** The words of a key in lower case, separated by spaces. */
function wordsOf(key: string): string {
  return key
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
