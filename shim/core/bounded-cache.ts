/** A map bounded by the bytes of its values; the least recently used goes first. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  clear(): void;
}

/** `sizeOf` is asked when a value is set; a value larger than the bound is not kept. */
export function boundedCache<V>(mostBytes: number, sizeOf: (value: V) => number): BoundedCache<V> {
  const kept = new Map<string, { value: V; size: number }>();
  let held = 0;
  const drop = (key: string): void => {
    held -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    set(key, value) {
      drop(key);
      const size = sizeOf(value);
      if (size > mostBytes) return;
      kept.set(key, { value, size });
      held += size;
      for (const oldest of kept.keys()) {
        if (held <= mostBytes) break;
        drop(oldest);
      }
    },
    clear() {
      kept.clear();
      held = 0;
    },
  };
}
