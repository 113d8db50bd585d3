/** Work in steps of a few milliseconds, between which a server answers other requests. */
export type Steps<T> = Generator<void, T, undefined>;

/** Runs all steps without a pause. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
