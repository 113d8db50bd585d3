/** The hash of the whole project. */
import { createHash } from 'node:crypto';

/** Lower-case hex sha256. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
