/** Where a release is read from: a folder or an address. Reads are bounded; what cannot be read is an Unserved with its kind. */
import { createHash } from 'node:crypto';

/** Why a file could not be read whole. */
export type Problem = 'missing' | 'oversized' | 'unreachable' | 'status' | 'redirect';

/** A file that could not be read; the message is one sentence about it, without its name. */
export class Unserved extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, message: string) {
    super(message);
    this.name = 'Unserved';
    this.problem = problem;
  }
}

/** A file being read. Headers are null where there is no server. */
export interface Opened {
  chunks: AsyncIterable<Uint8Array>;
  mediaType: string | null;
  allowOrigin: string | null;
}

/** A published tree, wherever it stands. */
export interface ReleaseSource {
  /** The folder or address, as it was given. */
  where: string;
  /** Whether a server answers: then headers count. */
  remote: boolean;
  /** Opens a file by its path; reading stops with an Unserved after `limit` bytes. Throws Unserved. */
  open(path: string, limit: number): Promise<Opened>;
  /** Every file there is, sorted; null where nobody can say. */
  list(): string[] | null;
}

/** What a file turned out to be. */
export interface Digest {
  bytes: number;
  sha256: string;
  mediaType: string | null;
  allowOrigin: string | null;
  /** The bytes themselves, where they were asked for. */
  body: Buffer | null;
}

/** Reads a file through to its hash; `keep` keeps the bytes. Throws Unserved. */
export async function digestOf(
  { open }: ReleaseSource,
  path: string,
  limit: number,
  keep = false,
): Promise<Digest> {
  const { chunks, mediaType, allowOrigin } = await open(path, limit);
  const sum = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    sum.update(chunk);
    bytes += chunk.length;
    if (keep) kept.push(chunk);
  }
  return {
    bytes,
    sha256: sum.digest('hex'),
    mediaType,
    allowOrigin,
    body: keep ? Buffer.concat(kept) : null,
  };
}

/** A small file whole. Throws Unserved. */
export async function readSmall(source: ReleaseSource, path: string, limit: number): Promise<Buffer> {
  const { body } = await digestOf(source, path, limit, true);
  return body ?? Buffer.alloc(0);
}

/** Passes chunks on until there are more than `limit` bytes. */
export async function* bounded(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limit) throw new Unserved('oversized', `is longer than the ${limit} bytes it should have`);
    yield chunk;
  }
}

/** Runs `work` over items, at most `width` at once; results in the order of items. The first error ends it. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
