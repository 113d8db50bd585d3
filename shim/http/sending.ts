/** What was made for single requests and has not left yet. Bytes that several clients receive are counted once. */
import { LIMITS } from '../core/limits.ts';

/** The bodies on their way. */
export interface Sending {
  /** Counts a body until the function it gives is called; null where too much is on its way already. */
  begin(body: Uint8Array): (() => void) | null;
  /** All bytes on their way. */
  bytes(): number;
}

/** Smaller bodies are not worth counting. */
export const COUNTED_BYTES = 64 * 1024;

/** Nothing on its way yet. */
export function bodiesUnderWay(): Sending {
  const readers = new Map<Uint8Array, number>();
  let bytes = 0;
  return {
    bytes: () => bytes,
    begin(body) {
      const known = readers.get(body);
      if (known === undefined) {
        if (bytes + body.length > LIMITS.unsentBytes) return null;
        bytes += body.length;
      }
      readers.set(body, (known ?? 0) + 1);
      return () => {
        const left = (readers.get(body) ?? 1) - 1;
        if (left > 0) return void readers.set(body, left);
        readers.delete(body);
        bytes -= body.length;
      };
    },
  };
}
