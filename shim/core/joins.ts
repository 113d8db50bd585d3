/** Which lanes of evidence may not be shown as if they belonged together, and why: one policy for stories and for comparisons. */
import definitions from './operations/definitions.json' with { type: 'json' };
import joins from './prohibited-joins.json' with { type: 'json' };

/** Two kinds of lane that must not meet, and why. */
export interface ProhibitedJoin {
  lane: string;
  others: readonly string[];
  why: string;
}

/** Lanes that must not meet in a story or a comparison. */
export const PROHIBITED_JOINS: readonly ProhibitedJoin[] = joins;

/** In this policy, all lanes that are fetched live from upstream producers. */
export const UPSTREAM = 'upstream';

const [SEPARATE = ''] = definitions.federation.limitations.filter((sentence) =>
  sentence.startsWith('Each lane is separate'),
);

/** The sentence of the policy that forbids showing two lanes together; null where they may be shown. */
export function joinRefusal(one: string, other: string): string | null {
  const found = PROHIBITED_JOINS.find(
    ({ lane, others }) =>
      (lane === one && others.includes(other)) || (lane === other && others.includes(one)),
  );
  if (found) return `${found.why[0]?.toUpperCase() ?? ''}${found.why.slice(1)}.`;
  return one === UPSTREAM || other === UPSTREAM ? SEPARATE : null;
}
