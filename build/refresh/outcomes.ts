/**
 * How the check of one source can end. outcomes.json has every outcome with its exit code, whose first digit says what to do:
 * nothing (0), review a new edition (1), correct an address (2), try again later (3), look at the file that was sent (4),
 * look at its content (5). docs/refresh.md describes each.
 */
import OUTCOMES from './outcomes.json' with { type: 'json' };

/** Name of an outcome. */
export type Outcome = keyof typeof OUTCOMES;

/** What was found out about one source or dataset of a family, or about the family as a whole. */
export interface Result {
  family: string;
  /** Id of the source or dataset; null where the whole family is meant. */
  subject: string | null;
  outcome: Outcome;
  /** What happened and, where a person has to act, what to do. */
  message: string;
}

/** A check that ends here: the file is not used, and the last good edition stays. */
export class Stopped extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string) {
    super(message);
    this.name = 'Stopped';
    this.outcome = outcome;
  }
}

/** `seizures wdr-7.1: unchanged: ...`: one line, whatever a publisher's server put into it. */
export function resultLine({ family, subject, outcome, message }: Result): string {
  const about = subject === null || subject === family ? family : `${family} ${subject}`;
  return `${about}: ${outcome}: ${message}`.replaceAll(/\p{Cc}/gu, '?');
}

/** The exit code of a run: the highest among its results, so the one that most needs a person. */
export function exitCodeOf(results: readonly Pick<Result, 'outcome'>[]): number {
  return Math.max(0, ...results.map(({ outcome }) => OUTCOMES[outcome]));
}

/** What `refresh` says of its exit codes in its help. */
export const REFRESH_CODES = `Exit codes: 0 nothing to do, 1 a failure of the command, 2 wrong usage. Of two digits the first says what to do:
1 review a new edition, 2 correct an address, 3 try again later, 4 look at the file that was sent, 5 look at its content.
docs/refresh.md lists all.`;
