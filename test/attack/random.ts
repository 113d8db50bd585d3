/** Random choices that are the same in every run with the same seed. */
export interface Random {
  /** A number from 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to `below`. */
  whole(below: number): number;
  /** One of a list, which is not empty. */
  one<T>(list: readonly T[]): T;
}

/** Choices by the generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
