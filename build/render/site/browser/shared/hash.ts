/** The hash of a file of any size, without sending it and without keeping the page from answering. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** The bytes that are hashed between two turns of the page: some milliseconds' work. */
const PIECE = 256 * 1024;

/** The largest file that is read whole, for the hash of the browser itself: it is faster and works in the background. */
const WHOLE = 64 * 1024 * 1024;

/** Hex sha256 of a file or blob. Rejects where it cannot be read, and once `signal` says that nobody waits for it. */
export async function hashOf(blob: Blob, signal?: AbortSignal): Promise<string> {
  // Absent from pages that were not loaded over https, whatever its type says.
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle && blob.size <= WHOLE)
    return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', await blob.arrayBuffer())));
  const hash = sha256.create();
  for (let at = 0; at < blob.size; at += PIECE) {
    signal?.throwIfAborted();
    hash.update(new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}
