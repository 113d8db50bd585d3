/**
 * Requests for a lane that is being fetched share that call, so that many clients at once cost the upstream, the memory and
 * the processor one call. A call is joined in its first second, and later too when its lane has as many calls in flight as it
 * may have. Nothing is kept once a call has ended: this is no cache.
 */

/** When calls are shared. */
export interface SharingLimits {
  /** How old a call may be to be joined, in milliseconds. */
  withinMs: number;
  /** The most calls of one lane in flight at once. */
  most: number;
}

/** The limits of the product: with six lanes at 2,000,000 bytes, tens of megabytes at worst. */
export const SHARING: SharingLimits = { withinMs: 1000, most: 4 };

/** Fetches a lane, or joins the youngest call for it that is in flight. */
export type InFlight<T> = (lane: string, fetch: () => Promise<T>) => Promise<T>;

/** Shares calls within these limits; `now` in milliseconds. */
export function inFlight<T>({ withinMs, most }: SharingLimits, now: () => number): InFlight<T> {
  const byLane = new Map<string, { since: number; result: Promise<T> }[]>();
  return (lane, fetch) => {
    const calls = byLane.get(lane) ?? [];
    byLane.set(lane, calls);
    const youngest = calls.at(-1);
    if (youngest && (now() - youngest.since < withinMs || calls.length >= most)) return youngest.result;
    const call = {
      since: now(),
      result: fetch().finally(() => void calls.splice(calls.indexOf(call), 1)),
    };
    calls.push(call);
    return call.result;
  };
}
