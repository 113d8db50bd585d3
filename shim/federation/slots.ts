/**
 * How many large bodies may be held in memory at once. Whoever waits keeps its socket paused, so many oversized answers at
 * the same time cost memory for a few of them only.
 */

export interface Slots {
  /** Resolves to the function that gives the slot back; rejects when the signal ends first. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** `count` slots, given in the order of asking. */
export function slots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  const giveBack = (): void => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  const once = (): (() => void) => {
    let given = false;
    return () => {
      if (!given) giveBack();
      given = true;
    };
  };

  return {
    take(signal) {
      if (free > 0 && !signal.aborted) {
        free -= 1;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const abandon = (): void => {
          waiting.delete(proceed);
          reject(new Error('no slot before the deadline'));
        };
        const proceed = (): void => {
          waiting.delete(proceed);
          signal.removeEventListener('abort', abandon);
          resolve(once());
        };
        if (signal.aborted) return abandon();
        waiting.add(proceed);
        signal.addEventListener('abort', abandon, { once: true });
      });
    },
  };
}
