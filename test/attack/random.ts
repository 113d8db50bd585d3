/** Random choices that are the same in every run with the same seed. */
import { seeded } from '../_support/seeded.ts';
export interface Random {
  /** A number from 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to `below`. */
  whole(below: number): number;
  /** One of a list, which is not empty. */
  one<T>(list: readonly T[]): T;
}

/** Such choices. */
export function randomOf(seed: number): Random {
  const next = seeded(seed);
  const whole = (below: number): number => Math.floor(next() * below);
  return {
    next,
    whole,
    one(list) {
      const chosen = list[whole(list.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}
