/** A seeded choice: the same seed and records give the same sample on every machine. */

/** `count` of the items without repetition, in an order that depends on seed and salt alone. */
export function sample<T>(items: readonly T[], count: number, seed: number, salt: string): T[] {
  const next = mulberry32(
    [...salt].reduce((hash, c) => Math.imul(hash ^ c.charCodeAt(0), 16777619), seed ^ 0x811c9dc5),
  );
  const pool = [...items];
  const chosen: T[] = [];
  while (chosen.length < count && pool.length > 0) {
    const at = Math.floor(next() * pool.length);
    chosen.push(...pool.slice(at, at + 1));
    const last = pool.pop();
    if (last !== undefined && at < pool.length) pool[at] = last;
  }
  return chosen;
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
