/**
 * Keys no upstream payload may have, at any depth: shared scores and verdicts (the service makes and passes on none), the
 * names JavaScript reserves for prototypes, and keys that are not plain ASCII or longer than 256 characters. A key is read
 * whatever its case and separators; a name that merely contains such a word is refused too, since it can be a value instead.
 */
import type { JsonValue } from '../core/types.ts';

const PLAIN = /^[\x20-\x7e]{0,256}$/;
/** What no lane may say of anything, in whatever compound: score_composite, causalEffect, is_guilty. */
const VERDICT = /composite|culpab|guilt|causal|causation|blame/;
/** A measure is the producer's own until it is shared or combined. */
const SHARED = /shared|combined/;
const MEASURE = /^(?:scor|rank|rating|index|indices)/;
const SHARED_MEASURE = /(?:shared|combined)(?:scor|rank|rating|index|indices)/;
/** How a policy names what it is about, as our own federation policy does: causal_inference, composite_generation. */
const POLICY = / (?:inference|generation|join|boundary|policy)$/;
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype']);

/** Which values a key is forbidden with: any, any except the text or `false` of a policy, or none (null). */
export function banOf(key: string): 'any value' | 'evidence' | null {
  if (!PLAIN.test(key) || PROTOTYPE.has(key)) return 'any value';
  const glued = key.toLowerCase().replace(/[^a-z0-9]+/g, '');
  if (SHARED.test(glued) && isSharedMeasure(glued, key)) return 'any value';
  if (!VERDICT.test(glued)) return null;
  return POLICY.test(wordsOf(key)) ? 'evidence' : 'any value';
}

/** Whether a measure begins any word of a key that has something shared, or follows it directly. */
function isSharedMeasure(glued: string, key: string): boolean {
  const words = [glued, ...wordsOf(key).split(' ')];
  return SHARED_MEASURE.test(glued) || words.some((word) => MEASURE.test(word));
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
  return typeof value === 'string' || value === false;
}

/** The words of a key in lower case, separated by spaces. */
function wordsOf(key: string): string {
  return key
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
