/** How a process that npm started notices that npm was stopped. */

const PARENT_CHECK_MS = 100;

/** npm gives a signal to the shell it starts us in, and many shells end without passing it on: their end is the signal. */
export function whenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}
