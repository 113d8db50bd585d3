/** Reading a body within its bounds: decoded bytes are counted chunk by chunk, and many large bodies wait for each other. */
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Refused } from './refused.ts';
import type { Slots } from './slots.ts';

/** What a body may hold in memory before it needs a slot. */
const SMALL_BYTES = 16_384;
/** Compressed data is hardly larger than what it decodes to: headers, checksums, stored blocks. */
const ENCODING_BYTES = 65_536;

/** The whole decoded body. Throws Refused when it is too large or cannot be decoded, the connection's error when that broke. */
export async function readBody(
  source: Readable,
  encoding: 'identity' | 'gzip' | 'br',
  maxBytes: number,
  slots: Slots,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let broken: Error | undefined;
  source.once('error', (error) => (broken = error));
  const body = encoding === 'identity' ? source : decodedBy(source, encoding, maxBytes);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let giveBack: (() => void) | undefined;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      if (bytes > SMALL_BYTES) giveBack ??= await slots.take(signal);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } catch (error) {
    if (error instanceof Refused || encoding === 'identity' || broken || signal.aborted)
      throw broken ?? error;
    throw new Refused({ code: 'invalid_upstream_json', detail: `Its ${encoding} encoding is broken.` });
  } finally {
    giveBack?.();
  }
}

/** The refusal of a body over the limit. */
export function tooLarge(maxBytes: number): Refused {
  return new Refused({ code: 'response_too_large', detail: `The limit is ${maxBytes} bytes.` });
}

function decodedBy(source: Readable, encoding: 'gzip' | 'br', maxBytes: number): Readable {
  let received = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > maxBytes + ENCODING_BYTES) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
  const decoder = encoding === 'gzip' ? createGunzip() : createBrotliDecompress();
  // The reader of the decoder sees every error; the callback is only there because pipeline wants one.
  pipeline(source, counted, decoder, () => undefined);
  return decoder;
}
