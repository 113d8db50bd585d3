/** Fetches files of a release, each once for all runs that need it at the same time, and remembers for a moment what failed. */
import { unavailable, type Fault } from '../core/faults.ts';
import type { Rounds } from './rounds.ts';
import { SourceError } from './source.ts';

/** For servers, which go on with everything else where a file of a release cannot be fetched. */
export interface Serving {
  rounds: Rounds;
  /** A clock in milliseconds, with any origin. */
  now(): number;
  /** Called, and awaited, after each fetch that failed. */
  failed(): Promise<void>;
}

/** Fetches by name. `what` is the name of the evidence in messages to clients. */
export interface Fetches {
  /** The fetch that is under way; undefined where there is none. */
  underway(name: string): Promise<void> | undefined;
  /** Why its fetch failed a moment ago; undefined where it may be fetched. */
  failure(name: string, what: string): Fault | undefined;
  /** Fetches once for all runs that need these at the same time; `expected` is everything that may come with them. */
  once(
    names: readonly string[],
    what: string,
    fetch: () => Promise<void>,
    expected?: readonly string[],
  ): Promise<void>;
  /** The Fault for an operation that needs this: it goes on without this evidence, and so finds what else it needs. */
  lacking(name: string, what: string, fetch: () => Promise<void>): Fault;
}

/** How long a failed fetch is not repeated, in milliseconds, and how many failures are remembered. */
const FAILED_MS = 5000;
const MOST_FAILED = 1000;

/** The fetches for `runs`; `isThere` says that something arrived although its fetch failed as a whole. */
export function fetchesFor(
  runs: Rounds,
  serving: Serving | null,
  isThere: (name: string) => boolean,
): Fetches {
  const underway = new Map<string, Promise<void>>();
  const failures = new Map<string, { fault: Fault; until: number }>();

  /** On a server, remembers why a fetch failed; elsewhere the reader gets the error. */
  const failed = async (names: readonly string[], what: string, cause: unknown): Promise<void> => {
    if (!serving) throw cause;
    if (failures.size >= MOST_FAILED) failures.clear();
    const noted = { fault: unavailable(what, cause), until: serving.now() + FAILED_MS };
    for (const name of names) if (!isThere(name)) failures.set(name, noted);
    await serving.failed();
  };

  const once: Fetches['once'] = (names, what, fetch, expected = names) => {
    const started = fetch()
      .catch(async (cause: unknown) => failed(names, what, cause))
      .finally(() => {
        for (const name of expected) if (underway.get(name) === started) underway.delete(name);
      });
    for (const name of expected) underway.set(name, started);
    return started;
  };

  const failure: Fetches['failure'] = (name, what) => {
    const known = failures.get(name);
    const isKnown = known !== undefined && serving !== null && serving.now() < known.until;
    if (!isKnown && !runs.isLate()) return undefined;
    runs.fails();
    return isKnown
      ? known.fault
      : unavailable(what, new SourceError(name, 'was not sent in the time a response may take'));
  };

  return {
    underway: (name) => underway.get(name),
    failure,
    once,
    lacking(name, what, fetch) {
      const known = failure(name, what);
      if (known) return known;
      runs.lacks(name, async () => underway.get(name) ?? once([name], what, fetch));
      return unavailable(what);
    },
  };
}
