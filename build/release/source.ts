/**
 * Where a release is read from: a folder or an http address. A mirror is not trusted: no redirect is followed, no response is read
 * beyond the bytes the manifest lists, and every response has a deadline that grows with its size.
 */
import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { siteAddress } from '../../shim/core/hosts.ts';
import { causeOf } from '../../shim/remote/source.ts';
import { byCodeUnits } from '../lib/dataset.ts';
import type { Tree } from '../lib/tree.ts';
import { adviceOn } from '../lib/findings.ts';
import type { ReleaseFinding } from './findings.ts';

/** Files checked or fetched at the same time. */
export const CONCURRENCY = 8;

const BASE_DEADLINE_MS = 30_000;
/** Timers count no further. */
const LONGEST_DEADLINE_MS = 2 ** 31 - 1;
/** A slower server counts as unreachable. */
const SLOWEST_BYTES_PER_MS = 50;
/** After so many files in a row that a server did not send whole, no more are requested: each may take until its deadline. */
const MOST_UNREACHABLE = 2 * CONCURRENCY;

type Problem = 'missing' | 'oversized' | 'unreachable' | 'status' | 'redirect';

/** A file that could not be read; the message is one sentence about it, without its name. */
export class Unserved extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, message: string) {
    super(message);
    this.name = 'Unserved';
    this.problem = problem;
  }

  findingFor(file: string): ReleaseFinding {
    return { file, rule: this.problem, message: this.message };
  }
}

/** A file being read. The headers are null where there is no server. */
interface Opened {
  chunks: AsyncIterable<Uint8Array>;
  mediaType: string | null;
  allowOrigin: string | null;
}

/** A published tree in a folder or on a server. */
export interface ReleaseSource {
  /** The folder or address, as it was given. */
  where: string;
  /** Whether it is a server, so that headers count. */
  remote: boolean;
  /** Opens a file by its path; reading stops with an Unserved after `limit` bytes. Throws Unserved. */
  open(path: string, limit: number): Promise<Opened>;
  /** Every file there is, sorted; null where that cannot be known. Throws Unserved. */
  list(): string[] | null;
}

/** Size and hash of a file that was read, with its headers. */
export interface Digest extends Omit<Opened, 'chunks'> {
  bytes: number;
  sha256: string;
  /** The bytes themselves, where they were wanted. */
  body: Buffer | null;
}

/** The source for a folder or an http(s) address; null when it is neither. */
export function sourceAt(where: string): ReleaseSource | null {
  if (siteAddress(where)) return httpSource(where);
  return statSync(where, { throwIfNoEntry: false })?.isDirectory() ? folderSource(where) : null;
}

/** A published tree in a folder. */
export function folderSource(folder: string): ReleaseSource {
  return {
    where: folder,
    remote: false,
    async open(path, limit) {
      const file = join(folder, path);
      try {
        const stat = lstatSync(file, { throwIfNoEntry: false });
        if (!stat?.isFile()) throw new Unserved('missing', stat ? 'is not a regular file' : 'is missing');
      } catch (error) {
        throw unreadable(file, error);
      }
      return { chunks: bounded(chunksOf(file, limit), limit), mediaType: null, allowOrigin: null };
    },
    // Everything but folders, links and unusual names included: whatever is in a published tree must be listed.
    list() {
      try {
        return readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
          .sort(byCodeUnits);
      } catch (error) {
        throw unreadable((error as NodeJS.ErrnoException).path ?? folder, error);
      }
    },
  };
}

/** A published tree that is in memory, or on its way into a folder. */
export function treeSource(where: string, tree: Tree): ReleaseSource {
  return {
    where,
    remote: false,
    async open(path, limit) {
      if (!tree.has(path)) throw new Unserved('missing', 'is missing');
      const chunks = bounded(Readable.from([tree.read(path)]), limit);
      return { chunks, mediaType: null, allowOrigin: null };
    },
    list: () => tree.sorted().map(({ path }) => path),
  };
}

/** A published tree at an http or https address, with or without a slash at its end. */
export function httpSource(address: string): ReleaseSource {
  const root = address.replace(/\/+$/, '');
  let unreachable = 0;
  const failed = (what: string, error: unknown): Unserved => {
    unreachable += 1;
    return new Unserved('unreachable', `${what}: ${causeOf(error)}`);
  };
  async function* bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of body ?? []) yield chunk;
    } catch (error) {
      throw failed('broke off', error);
    }
    unreachable = 0;
  }
  return {
    where: root,
    remote: true,
    async open(path, limit) {
      if (unreachable >= MOST_UNREACHABLE)
        throw new Unserved(
          'unreachable',
          `was not requested: the ${unreachable} files before did not arrive`,
        );
      const allowed = BASE_DEADLINE_MS + Math.ceil(limit / SLOWEST_BYTES_PER_MS);
      const signal = AbortSignal.timeout(Math.min(allowed, LONGEST_DEADLINE_MS));
      const response = await requested(`${root}/${path}`, signal).catch((error: unknown) => {
        throw failed('got no response', error);
      });
      if (response.status !== 200) {
        unreachable = 0;
        await response.body?.cancel();
        throw problemOf(response);
      }
      return {
        chunks: bounded(bodyOf(response), limit),
        mediaType: response.headers.get('content-type'),
        allowOrigin: response.headers.get('access-control-allow-origin'),
      };
    },
    list: () => null,
  };
}

/** Reads a file through to its hash; its bytes are kept where it has at most `keep`. Throws Unserved. */
export async function digestOf(
  { open }: ReleaseSource,
  path: string,
  limit: number,
  keep = 0,
): Promise<Digest> {
  const { chunks, mediaType, allowOrigin } = await open(path, limit);
  const hash = createHash('sha256');
  let kept: Uint8Array[] | null = keep > 0 ? [] : null;
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > keep) kept = null;
    kept?.push(chunk);
  }
  const body = kept && Buffer.concat(kept);
  return { bytes, sha256: hash.digest('hex'), mediaType, allowOrigin, body };
}

/** A small file whole. Throws Unserved. */
export async function readSmall(source: ReleaseSource, path: string, limit: number): Promise<Buffer> {
  const { body } = await digestOf(source, path, limit, limit);
  return body ?? Buffer.alloc(0);
}

/** What `read` gives, or its Unserved. */
export async function orUnserved<T>(read: Promise<T>): Promise<T | Unserved> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Unserved) return error;
    throw error;
  }
}

async function* chunksOf(file: string, limit: number): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024, end: limit }))
      yield chunk as Uint8Array;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A failure of the system to read a file of a folder, as an Unserved; any other error stays as it is. */
function unreadable(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const message = `cannot be read: ${file} (${code}).${adviceOn(code)}`;
  return new Unserved('missing', code === 'ENOTDIR' ? 'is missing' : message);
}

async function* bounded(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limit) throw new Unserved('oversized', `is longer than the ${limit} bytes it should have`);
    yield chunk;
  }
}

function requested(url: string, signal: AbortSignal): Promise<Response> {
  // With an Origin servers respond as they do to a browser; identity keeps a proxy from choosing an encoding.
  const headers = { origin: 'https://reader.example', 'accept-encoding': 'identity' };
  return fetch(url, { redirect: 'manual', signal, headers });
}

function problemOf({ status, headers }: Response): Unserved {
  if (status === 404 || status === 410) return new Unserved('missing', `is missing (HTTP ${status})`);
  const location = JSON.stringify(headers.get('location'));
  return status >= 300 && status < 400
    ? new Unserved('redirect', `redirects to ${location}; a mirror must serve the file itself`)
    : new Unserved('status', `got the response HTTP ${status}`);
}
