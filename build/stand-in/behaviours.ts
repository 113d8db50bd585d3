/** Every behaviour of the stand-in by name: the fault matrix of the federation, and what `npm run upstream` offers. */
import { ATLAS, CONTRACT_FAULTS, JSON_FAULTS, UNAVAILABLE } from './answer-faults.ts';
import type { Behaviour } from './exchange.ts';
import { HANGING, SOUND, TRANSPORT, type Case } from './transport-faults.ts';

/** The cases that any lane of world-markets is tried with; those that wait for the deadline come last. */
export const CASES: Case[] = [
  ...SOUND,
  ...TRANSPORT,
  ...JSON_FAULTS,
  ...CONTRACT_FAULTS,
  ...UNAVAILABLE,
  ...HANGING,
];

/** The cases of the money-markets atlas. */
export const ATLAS_CASES: Case[] = ATLAS;

/** Behaviours by name. */
export const BEHAVIOURS = new Map<string, Behaviour>(
  [...CASES, ...ATLAS_CASES].map(([name, _code, behaviour]) => [name, behaviour]),
);

/** The behaviour of a name; throws where there is none. */
export function behaviourOf(name: string): Behaviour {
  const behaviour = BEHAVIOURS.get(name);
  if (!behaviour)
    throw new Error(`no behaviour ${JSON.stringify(name)}; there are: ${[...BEHAVIOURS.keys()].join(', ')}`);
  return behaviour;
}
