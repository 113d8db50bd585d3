/**
 * The release at an address, for a server without data of its own: opened on first use, and replaced when a newer one is published
 * there. All files are those that one manifest lists, so nothing is ever mixed. What the host does not send correctly is
 * unavailable for some seconds, while everything else goes on. Nothing is written anywhere, and memory is bounded (release.ts).
 */
import { unavailable, type Fault } from '../core/faults.ts';
import { RELEASE } from '../core/paths.ts';
import type { Release } from '../core/types.ts';
import { openRemote, type RemoteRelease } from './release.ts';
import { rounds } from './rounds.ts';
import { SourceError, type Source } from './source.ts';
import { sidecarHash } from './trust.ts';

/** How old the last look for a newer release may be before the next is made in the background, and before requests wait for it. */
const LOOK_MS = 5000;
const WAIT_MS = 60_000;
/** How often a release that could not be opened is tried again. */
const AGAIN_MS = 1000;
/** How long a request may wait for files. */
const WITHIN_MS = 12_000;

/** The release at an address. */
export interface RemoteReleases {
  /** Looks for the release where that is due. Never rejects. */
  ready(): Promise<void>;
  /** The newest release that was opened; where there is none, one that throws for everything. */
  current(): Release;
  /** The facts of that release for a probe. Throws an unavailable Fault where there is none. */
  described(): object;
  /** The result of `run` once everything it needs of a release was fetched or is known to be unavailable. */
  settled<T>(run: () => T): Promise<T>;
  /** Whether an error reported now is of a run whose result counts, and not of one that will be repeated. */
  isFinal(): boolean;
}

/** Follows the release at a source; `now` is a clock in milliseconds. */
export function remoteReleases(
  source: Source,
  key: string | null,
  now: () => number,
  report: (fault: unknown) => void,
): RemoteReleases {
  const runs = rounds(WITHIN_MS);
  let open: RemoteRelease | null = null;
  let fault: Fault = unavailable('The packaged data');
  let looked = -Infinity;
  let looking: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    try {
      if (open?.listed && (await sidecarHash(source, RELEASE)) === open.listed.sha256) return;
      const trust = { serial: open?.listed?.serial ?? 0, ...(key === null ? {} : { key }) };
      open = await openRemote(source, trust, { rounds: runs, now, failed: lookAgain });
    } catch (cause) {
      fault = unavailable('The packaged data', cause);
      report(fault);
    }
  };
  const lookNow = async (): Promise<void> => {
    looking ??= look().finally(() => {
      looked = now();
      looking = null;
    });
    return looking;
  };
  /** Called where a file could not be fetched: another release may have replaced this one. */
  const lookAgain = async (): Promise<void> => (now() - looked < AGAIN_MS ? undefined : lookNow());

  return {
    async ready() {
      const age = now() - looked;
      if (age < (open ? LOOK_MS : AGAIN_MS)) return;
      const done = lookNow();
      if (!open || age >= WAIT_MS) await done;
    },
    current: () => open?.release ?? closedRelease(fault),
    described() {
      if (!open?.listed) throw fault;
      const { serial, treeSha256, hashes } = open.listed;
      return { ok: true, serial, treeSha256, files: hashes.size };
    },
    async settled(run) {
      try {
        return await runs.settled(run);
      } catch (error) {
        throw error instanceof SourceError ? unavailable('This evidence', error) : error;
      }
    },
    isFinal: runs.isFinal,
  };
}

function closedRelease(fault: Fault): Release {
  const refuse = (): never => {
    throw fault;
  };
  return {
    manifest: refuse,
    pack: refuse,
    document: refuse,
    sha256: refuse,
    isWhole: () => false,
    derive(make) {
      return make(this);
    },
  };
}
