/**
 * Runs synchronous code over remote evidence. What a run finds missing is noted and the run goes on without it, so that it finds
 * what else it needs; all of it is fetched together, and the run is repeated, until nothing is missing.
 */
import { SourceError } from './source.ts';

/** The runs over one or more releases, of which one at a time is under way. */
export interface Rounds {
  /** Whether the run under way had everything it needed so far. If not, what it makes must not be kept. */
  isWhole(): boolean;
  /** Whether nothing has to be fetched for the run: its result, whole or not, is then the one that counts. */
  isFinal(): boolean;
  /** Whether the time for fetching is over. */
  isLate(): boolean;
  /** Notes what is missing, by its name, and how it is fetched. */
  lacks(name: string, fetch: () => Promise<void>): void;
  /** Notes that something is missing that cannot be fetched now. */
  fails(): void;
  /** The result of `run`, once everything it needs was fetched. Rejects with what a fetch rejects with, or a SourceError. */
  settled<T>(run: () => T): Promise<T>;
}

/** A query needs a few rounds; more than this means that what was fetched does not stay. */
const MOST_ROUNDS = 200;

interface Attempt {
  missing: Map<string, () => Promise<void>>;
  failed: boolean;
  late: boolean;
}

/** Makes runs whose fetches may take `within` milliseconds in all. */
export function rounds(within = Infinity): Rounds {
  /** The run under way. */
  let attempt: Attempt | null = null;
  /** Whether something was missing while no attempt was under way: it is not fetched then. */
  let strayed = false;

  /** One run; null where something was missing. */
  const attempted = <T>(current: Attempt, run: () => T): { value: T } | null => {
    const outer = attempt;
    attempt = current;
    strayed = false;
    let value: T;
    try {
      value = run();
    } catch (error) {
      if (current.missing.size === 0) throw error;
      return null;
    } finally {
      attempt = outer;
    }
    if (current.missing.size === 0) return { value };
    // A promise that is thrown away must not end the process when it rejects.
    if (value instanceof Promise) value.catch(() => undefined);
    return null;
  };

  return {
    isWhole: () => (attempt ? attempt.missing.size === 0 && !attempt.failed : !strayed),
    isFinal: () => !attempt || attempt.missing.size === 0,
    isLate: () => attempt?.late === true,
    lacks(name, fetch) {
      if (attempt) attempt.missing.set(name, fetch);
      else strayed = true;
    },
    fails() {
      if (attempt) attempt.failed = true;
    },
    async settled(run) {
      let late: Promise<boolean> | null = null;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isLate = false;
      try {
        for (let round = 0; round < MOST_ROUNDS; round += 1) {
          const current: Attempt = { missing: new Map(), failed: false, late: isLate };
          const result = attempted(current, run);
          if (result) return result.value;
          const fetched = Promise.all([...current.missing.values()].map(async (fetch) => fetch()));
          if (within !== Infinity)
            late ??= new Promise((resolve) => {
              timer = setTimeout(() => resolve(true), within);
            });
          isLate = await Promise.race([fetched.then(() => false), ...(late ? [late] : [])]);
        }
      } finally {
        clearTimeout(timer);
      }
      throw new SourceError('the files', 'a query needs more of them than is kept in memory');
    },
  };
}
