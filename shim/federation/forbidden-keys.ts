/**
 * Keys no upstream payload may have, at any depth: shared scores and verdicts (the service makes and passes on none), and
 * the names JavaScript reserves for prototypes.
 */
import type { JsonValue } from '../core/types.ts';

/** Whole keys, folded. */
const VERDICTS = new Set([
  'composite',
  'composites',
  'culpability',
  'culpabilities',
  'guilt',
  'blame',
  'causalindex',
  'culpabilityindex',
  'guiltindex',
  'guiltprobability',
  'guiltlikelihood',
]);
/** Anywhere in a folded key: overall_composite_score, causalScoreV2. */
const SCORE = /(composite|causal|causality|causation|culpability|guilt|blame)(sub)?scor/;
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a key is forbidden, however it is cased, joined or spelt in compatibility characters. */
export function isForbiddenKey(key: string): boolean {
  if (PROTOTYPE.has(key)) return true;
  const folded = key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return VERDICTS.has(folded) || SCORE.test(folded);
}

/** Whether any object of the value has a forbidden key. Walks with its own stack. */
export function hasForbiddenKey(value: JsonValue): boolean {
  const seen = new Map<string, boolean>();
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') pending.push(item);
      continue;
    }
    for (const [key, member] of Object.entries(next)) {
      let forbidden = seen.get(key);
      if (forbidden === undefined) {
        forbidden = isForbiddenKey(key);
        seen.set(key, forbidden);
      }
      if (forbidden) return true;
      if (typeof member === 'object') pending.push(member);
    }
  }
  return false;
}
