/** Counts the bodies in memory that clients have not taken yet. A body that several clients receive is counted once. */
import { LIMITS } from '../core/limits.ts';

/** The bodies that are being sent. */
export interface Sending {
  /** Whether a body may be sent: other clients receive it already, or it fits the limit. */
  fits(body: Uint8Array): boolean;
  /** Counts the memory of a body until the function it gives is called. */
  begin(body: Uint8Array): () => void;
  /** Bytes of all bodies that are being sent, each counted once. */
  bytes(): number;
}

/** A larger body that does not fit is refused; a smaller one is written, and its connection ends if the client does not take it at once. */
export const LARGE_BYTES = 64 * 1024;

/** A count with nothing on its way yet. */
export function bodiesUnderWay(): Sending {
  const readers = new WeakMap<ArrayBufferLike, number>();
  let bytes = 0;
  return {
    bytes: () => bytes,
    fits: ({ buffer }) => readers.has(buffer) || bytes + buffer.byteLength <= LIMITS.unsentBytes,
    begin({ buffer }) {
      const others = readers.get(buffer) ?? 0;
      if (others === 0) bytes += buffer.byteLength;
      readers.set(buffer, others + 1);
      return () => {
        const left = (readers.get(buffer) ?? 1) - 1;
        if (left > 0) return void readers.set(buffer, left);
        readers.delete(buffer);
        bytes -= buffer.byteLength;
      };
    },
  };
}
