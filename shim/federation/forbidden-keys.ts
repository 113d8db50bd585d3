/**
 * Keys no upstream payload may have, at any depth: shared scores and verdicts (the service makes and passes on none), and
 * the names JavaScript reserves for prototypes. A key is read as a person reads it, whatever its case, separators, accents,
 * compatibility forms or letters of other scripts. A name that merely holds such a word is refused too: it can stand as a
 * value.
 */
import type { JsonValue } from '../core/types.ts';

/** What no lane may tell of anything, in whatever compound: score_composite, causalEffect, is_guilty. */
const VERDICT = /composite|culpab|guilt|causal|causation|blame/;
const SHARED = '(?:shared|combined)';
const MEASURE = '(?:scor|rank|rating|index|indices)';
/** A measure is the producer's own until it is shared or combined. */
const SHARED_MEASURE = new RegExp(`${SHARED}(?:.* )?${MEASURE}|(?:^| )${MEASURE}[a-z]*(?:.* )?${SHARED}`);
/** How a policy names what it is about, as the federation's own does: causal_inference, composite_generation. */
const POLICY = / (?:inference|generation|join|boundary|policy)$/;
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype']);

/** Letters that pass for a Latin one, of every Latin letter in the words above. */
const LOOK_ALIKES: Record<string, string> = {
  a: 'аαɑ',
  b: 'вβ',
  c: 'сςϲ',
  d: 'ԁ',
  e: 'еεє',
  g: 'ɡ',
  h: 'һнη',
  i: 'іιı',
  k: 'кκ',
  l: 'ӏ',
  m: 'м',
  n: 'ո',
  o: 'оοօ',
  p: 'рρ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'υս',
  x: 'хχ',
};
const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
);

/** Which values a key is forbidden with: any, any that is not the text or `false` of a policy, or none (null). */
export function banOf(key: string): 'any value' | 'evidence' | null {
  if (PROTOTYPE.has(key)) return 'any value';
  const words = wordsOf(key);
  const glued = words.replaceAll(' ', '');
  if (SHARED_MEASURE.test(words) || SHARED_MEASURE.test(glued)) return 'any value';
  if (!VERDICT.test(glued)) return null;
  return POLICY.test(words) ? 'evidence' : 'any value';
}

/** Whether any object of the value has a forbidden key. Walks with its own stack. */
export function hasForbiddenKey(value: JsonValue): boolean {
  const seen = new Map<string, ReturnType<typeof banOf>>();
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') pending.push(item);
      continue;
    }
    for (const [key, member] of Object.entries(next)) {
      let ban = seen.get(key);
      if (ban === undefined) {
        ban = banOf(key);
        seen.set(key, ban);
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

/** The words of a key in small plain Latin letters, a space between any two. */
function wordsOf(key: string): string {
  const plain = key
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain.replace(/[^ -~]/gu, (letter) => LATIN.get(letter) ?? letter);
}
