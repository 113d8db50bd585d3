/** Thrown where an answer breaks a bound; carries the lane's failure and nothing of the answer. */
import type { LaneFailure } from '../core/lanes.ts';

export class Refused extends Error {
  readonly failure: LaneFailure;

  constructor(failure: LaneFailure) {
    super(failure.code);
    this.name = 'Refused';
    this.failure = failure;
  }
}
