/** How ready sources are, counted the same way for a release, a target and the artifact. */
import type { ImplementationState, RegisterSource } from './contract.ts';

type Readiness = Pick<RegisterSource, 'implementationState'>;

/** A source the build could read today. */
export function isBuildReady({ implementationState }: Readiness): boolean {
  return implementationState === 'live' || implementationState === 'adapter_ready';
}

/** Sources per state; a state without a source counts 0. */
export function stateCounts(sources: readonly Readiness[]): Record<ImplementationState, number> {
  const states = { adapter_ready: 0, blocked: 0, link_only: 0, live: 0, planned: 0 };
  for (const { implementationState } of sources) states[implementationState] += 1;
  return states;
}

/** How often each word occurs, in the order of first occurrence. */
export function counts(words: readonly string[]): Record<string, number> {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return Object.fromEntries(found);
}
