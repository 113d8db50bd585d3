/** What is being fetched of a release, once for all who miss it, and what could not be had a moment ago. */
import { unavailable, type Fault } from '../core/faults.ts';
import type { Rounds } from './rounds.ts';
import { SourceError } from './source.ts';

/** How a server reads a release: where something cannot be had, it goes on with everything else. */
export interface Serving {
  rounds: Rounds;
  /** Milliseconds, of any beginning. */
  now(): number;
  /** Is waited for after each failure to fetch something. */
  failed(): Promise<void>;
}

/** What is fetched by name. `what` is how a client reads of it. */
export interface Fetches {
  /** The fetch that is under way already; undefined where there is none. */
  underway(name: string): Promise<void> | undefined;
  /** Why it could not be had a moment ago; undefined where it may be fetched. */
  failure(name: string, what: string): Fault | undefined;
  /** Fetches it once for all runs that miss it at the same time; `expected` is what may come with it. */
  once(
    names: readonly string[],
    what: string,
    fetch: () => Promise<void>,
    expected?: readonly string[],
  ): Promise<void>;
  /** What an operation meets: it goes on as without this evidence, and so finds what else it needs. */
  lacking(name: string, what: string, fetch: () => Promise<void>): Fault;
}

/** How long what could not be had is not requested again, in milliseconds, and of how many things that is remembered. */
const FAILED_MS = 5000;
const MOST_FAILED = 1000;

/** The fetches for `runs`; `isThere` says that a part of what failed came. */
export function fetchesFor(
  runs: Rounds,
  serving: Serving | null,
  isThere: (name: string) => boolean,
): Fetches {
  const underway = new Map<string, Promise<void>>();
  const failures = new Map<string, { fault: Fault; until: number }>();

  /** Notes why something could not be had, where a server reads; otherwise the reader gets the error. */
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
