/**
 * Who asks for a lane while it is being asked shares the answer, so that many clients at once cost the upstream, the memory
 * and the processor one call. A call under way is joined in its first second, and later too when its lane has as many
 * calls under way as it may have. Nothing is kept once a call has ended: this is no cache.
 */

/** When calls are shared. */
export interface SharingLimits {
  /** How old a call may be to be joined, in milliseconds. */
  withinMs: number;
  /** Calls of one lane under way at once, at most. */
  most: number;
}

/** The limits of the product: with six lanes at 2,000,000 bytes, tens of megabytes at worst. */
export const SHARING: SharingLimits = { withinMs: 1000, most: 4 };

/** Asks for a lane, or joins the youngest call for it that is under way. */
export type Share<T> = (lane: string, ask: () => Promise<T>) => Promise<T>;

/** `now` in milliseconds. */
export function sharing<T>({ withinMs, most }: SharingLimits, now: () => number): Share<T> {
  const underWay = new Map<string, { since: number; answer: Promise<T> }[]>();
  return (lane, ask) => {
    const calls = underWay.get(lane) ?? [];
    underWay.set(lane, calls);
    const youngest = calls.at(-1);
    if (youngest && (now() - youngest.since < withinMs || calls.length >= most)) return youngest.answer;
    const call = {
      since: now(),
      answer: ask().finally(() => void calls.splice(calls.indexOf(call), 1)),
    };
    calls.push(call);
    return call.answer;
  };
}
