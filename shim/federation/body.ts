/** Reading a body within its bounds: decoded bytes are counted chunk by chunk. */
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Refused } from './refused.ts';

/** Compressed data is hardly larger than what it decodes to: headers, checksums, stored blocks. */
const ENCODING_BYTES = 65_536;

/** Decoding goes through the thread pool once a chunk: larger ones are fewer turns. */
const DECODED_CHUNK = 65_536;

/** The whole decoded body. Throws Refused when it is too large or cannot be decoded, the connection's error when that broke. */
export async function readBody(
  source: Readable,
  encoding: 'identity' | 'gzip' | 'br',
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let broken: unknown;
  source.once('error', (error) => (broken = error));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const body = encoding === 'identity' ? source : decodedBy(source, encoding, maxBytes);
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } catch (error) {
    if (error instanceof Refused || encoding === 'identity' || error === broken || signal.aborted)
      throw error;
    throw new Refused({ code: 'invalid_upstream_json', detail: `Its ${encoding} encoding is broken.` });
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
  const decoder =
    encoding === 'gzip'
      ? createGunzip({ chunkSize: DECODED_CHUNK })
      : createBrotliDecompress({ chunkSize: DECODED_CHUNK });
  // The reader of the decoder sees every error; the callback is only there because pipeline wants one.
  pipeline(source, counted, decoder, () => undefined);
  return decoder;
}
