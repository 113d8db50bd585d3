/** The most recently used of many values, bounded by bytes. A page loads this file, so it is short. */

/** Values by key; those used longest ago go first when there are more than `most` bytes of them. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;
  readonly #bytesOf: (value: Value) => number;
  #bytes = 0;

  constructor(most: number, bytesOf: (value: Value) => number) {
    this.#most = most;
    this.#bytesOf = bytesOf;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    this.#values.set(key, value);
    this.#bytes += this.#bytesOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#most || oldest === key) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= this.#bytesOf(value);
  }
}
