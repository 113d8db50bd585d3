/**
 * /healthz and /readyz, for the program that starts and watches the process. Healthy: it answers. Ready: the release is open and
 * whole, and every file has the hash that release.json, SHA256SUMS and its sidecar name. Each file is hashed once, and again only
 * when its stamp changes; stamps are compared at most once a second, however many probes there are.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Fault } from '../core/faults.ts';
import { RELEASE, sidecarPath, SUMS } from '../core/paths.ts';
import type { Context, DataFile, Release } from '../core/types.ts';
import { openFile, RECHECK_MS, stampOf, statOf } from '../store/disk.ts';
import type { Sums } from '../store/sums.ts';
import { contentOf, JSON_TYPE, send, type HttpRequest, type Reply } from './content.ts';
import { SHARED_LIST } from './failures.ts';

/** How long a result is reused, in milliseconds. */
const KEPT_MS = 1000;
/** Files whose stamps are compared in one go, before other requests get their turn. */
const AT_ONCE = 256;
const HEADERS = [...SHARED_LIST, 'cache-control', 'no-store'];

/** The members of release.json that are used. */
interface Listed {
  serial: number;
  treeSha256: string;
  files: DataFile[];
}

/** What release.json lists: parsed once for a release, because it grows with the site. */
function listedIn(release: Release): Listed {
  return JSON.parse(Buffer.from(release.document(RELEASE)).toString('utf8')) as Listed;
}

/** The replies to both paths; `ready` gives the facts of a release that is ready, or throws a Fault. */
export function probeReplies(ready: () => Promise<object>): (request: HttpRequest) => Promise<Reply> {
  return async (request) => {
    const body = request.pathname === '/healthz' ? { ok: true } : await ready();
    return send(contentOf(Buffer.from(`${JSON.stringify(body)}\n`), JSON_TYPE), request, HEADERS);
  };
}

/** Checks the tree at `root`; `now` is a clock in milliseconds. `report` receives the fault of a release that is not whole. */
export function treeCheck(
  root: string,
  context: Context,
  now: () => number,
  report: (fault: unknown) => void,
  sums: Sums,
): () => Promise<object> {
  const checked = new Map<string, string>();
  let last: Promise<object> | null = null;
  let until = 0;

  /** The file that is missing or damaged: this one, its sidecar or the list; null where all is in order. */
  const damaged = async ({ path, bytes, sha256 }: DataFile): Promise<string | null> => {
    const hashes = sums.hashes();
    if (!hashes) return SUMS;
    const file = join(root, path);
    const seen = `${sha256} ${hashes.get(path)} ${stampOf(file)} ${stampOf(sidecarPath(file))}`;
    if (checked.get(path) === seen) return null;
    if (statOf(file)?.size !== bytes) return path;
    try {
      if (sums.hashOf(path) !== sha256) return path;
    } catch {
      return sidecarPath(path);
    }
    const sum = createHash('sha256');
    try {
      for await (const chunk of createReadStream(file, { fd: openFile(file) })) sum.update(chunk as Buffer);
    } catch {
      return path;
    }
    if (sum.digest('hex') !== sha256) return path;
    checked.set(path, seen);
    return null;
  };

  const check = async (): Promise<object> => {
    const { release } = context;
    const bytes = release.document(RELEASE);
    const { serial, treeSha256, files } = release.derive(listedIn);
    const listed = new Set(files.map(({ path }) => path));
    for (const path of checked.keys()) if (!listed.has(path)) checked.delete(path);
    for (const [index, file] of files.entries()) {
      if (index % AT_ONCE === 0) await setImmediate();
      const path = await damaged(file);
      if (path === null) continue;
      // A release that was switched in meanwhile is noticed by now.
      await setTimeout(RECHECK_MS * 2);
      if (!Buffer.from(bytes).equals(context.release.document(RELEASE))) return check();
      throw new Fault('unavailable', `The release is not whole: ${path} is missing or damaged.`);
    }
    for (const { id } of release.manifest().packs) release.pack(id);
    return { ok: true, serial, treeSha256, files: files.length };
  };

  return async () => {
    if (last && now() < until) return last;
    until = Infinity;
    last = check().finally(() => (until = now() + KEPT_MS));
    last.catch(report);
    return last;
  };
}
