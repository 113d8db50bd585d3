/**
 * /healthz and /readyz, for the program that starts and watches the process. Healthy: it answers. Ready: the release is open and
 * whole, and every file has the hash that SHA256SUMS and its sidecar name, which release.json has the hash of. Each file is hashed once, and again only
 * when its stamp changes; stamps are compared at most once a second, however many probes there are.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Fault, unavailable } from '../core/faults.ts';
import { releaseFacts } from '../core/cell.ts';
import { LIMITS } from '../core/limits.ts';
import { DESCRIBING, RELEASE, sidecarPath, SUMS, sumsLine } from '../core/paths.ts';
import type { Context } from '../core/types.ts';
import { openFile, RECHECK_MS, touchedStampOf } from '../store/disk.ts';
import type { Sums } from '../store/sums.ts';
import { contentOf, JSON_TYPE, send, type HttpRequest, type Reply } from './content.ts';
import { SHARED_LIST } from './failures.ts';

/** How long a result is reused, in milliseconds. */
const KEPT_MS = 1000;
/** Files whose stamps are compared in one go, before other requests get their turn. */
const AT_ONCE = 256;
const HEADERS = [...SHARED_LIST, 'cache-control', 'no-store'];

/** The replies to both paths; `ready` gives the facts of a release that is ready, or throws a Fault. */
export function probeReplies(ready: () => Promise<object>): (request: HttpRequest) => Promise<Reply> {
  return async (request) => {
    const body = request.pathname === '/healthz' ? { ok: true } : await ready();
    return send(contentOf(Buffer.from(`${JSON.stringify(body)}\n`), JSON_TYPE), request, HEADERS);
  };
}

/**
 * Checks the tree at `root`; `now` is a clock in milliseconds. `report` receives the fault of a release that is not whole. While a check
 * takes longer than a request may wait, a Fault says how far it is.
 */
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

  /** What is wrong with a file that the list has; null where all is in order. */
  const wrongWithFile = async ({
    path,
    sha256,
  }: {
    path: string;
    sha256: string;
  }): Promise<string | null> => {
    const damaged = `${path} is missing or damaged`;
    const file = join(root, path);
    const seen = `${sha256} ${touchedStampOf(file)} ${touchedStampOf(sidecarPath(file))}`;
    if (checked.get(path) === seen) return null;
    try {
      if (sums.hashOf(path) !== sha256) return damaged;
    } catch {
      return `${sidecarPath(path)} is missing or damaged`;
    }
    const sum = createHash('sha256');
    try {
      for await (const chunk of createReadStream(file, { fd: openFile(file) })) sum.update(chunk as Buffer);
    } catch {
      return damaged;
    }
    if (sum.digest('hex') !== sha256) return damaged;
    checked.set(path, seen);
    return null;
  };

  /** What is wrong with the tree, or the number of its files where nothing is: SHA256SUMS lists those that the tree hash is of. */
  const checkedTree = async (treeSha256: string): Promise<string | number> => {
    const lines = sums.lines();
    if (!lines) return `${SUMS} is missing or damaged`;
    const tree = createHash('sha256');
    const listed = new Set<string>();
    for (const file of lines) {
      if (DESCRIBING.includes(file.path)) continue;
      if (listed.size % AT_ONCE === 0) await setImmediate();
      listed.add(file.path);
      tree.update(sumsLine(file));
      const wrong = await wrongWithFile(file);
      if (wrong !== null) return wrong;
    }
    for (const path of checked.keys()) if (!listed.has(path)) checked.delete(path);
    return tree.digest('hex') === treeSha256 ? listed.size : `${SUMS} and ${RELEASE} are of different trees`;
  };

  const check = async (): Promise<object> => {
    const { release } = context;
    const bytes = release.document(RELEASE);
    const facts = releaseFacts(release);
    if (!facts) throw unavailable(`The document ${RELEASE}`);
    const { serial, treeSha256 } = facts;
    const files = await checkedTree(treeSha256);
    if (typeof files === 'string') {
      // A release that was switched in meanwhile is noticed by now.
      await setTimeout(RECHECK_MS * 2);
      if (!Buffer.from(bytes).equals(context.release.document(RELEASE))) return check();
      throw new Fault('unavailable', `The release is not whole: ${files}.`);
    }
    for (const { id } of release.manifest().packs) release.pack(id);
    return { ok: true, serial, treeSha256, files };
  };

  return async () => {
    if (!last || now() >= until) {
      until = Infinity;
      last = check().finally(() => (until = now() + KEPT_MS));
      last.catch(report);
    }
    const answered = new AbortController();
    const { signal } = answered;
    const late = setTimeout(LIMITS.readiness, null, { signal }).then((): never => {
      throw new Fault('unavailable', `The files are still being checked: ${checked.size} of them so far.`);
    });
    return Promise.race([last, late]).finally(() => answered.abort());
  };
}
