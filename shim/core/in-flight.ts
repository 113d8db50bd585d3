/** Shares a call among callers that make it at the same time. Nothing is kept once a call has ended: this is not a cache. */

/** When calls are shared. */
export interface SharingLimits {
  /** How old a call may be to be joined, in milliseconds. */
  withinMs: number;
  /** The most calls of one name in flight at once. */
  most: number;
}

/** Makes a call, or joins the youngest of its name that is in flight. */
export type InFlight<T> = (name: string, make: () => Promise<T>) => Promise<T>;

/** Shares calls within these limits; `now` in milliseconds. */
export function inFlight<T>({ withinMs, most }: SharingLimits, now: () => number): InFlight<T> {
  const byName = new Map<string, { since: number; result: Promise<T> }[]>();
  return (name, make) => {
    const calls = byName.get(name) ?? [];
    byName.set(name, calls);
    const youngest = calls.at(-1);
    if (youngest && (now() - youngest.since < withinMs || calls.length >= most)) return youngest.result;
    const call = {
      since: now(),
      result: make().finally(() => {
        calls.splice(calls.indexOf(call), 1);
        if (calls.length === 0) byName.delete(name);
      }),
    };
    calls.push(call);
    return call.result;
  };
}
