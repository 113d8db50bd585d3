/**
 * The release at an address, for a server without data of its own: opened on first use, and exchanged for the one that takes its
 * place there. All files are those that one manifest lists, so nothing is ever mixed. What the host does not send as it should is
 * unavailable for some seconds, while everything else goes on. Nothing is written anywhere, and memory is bounded (release.ts).
 */
import { unavailable, type Fault } from '../core/faults.ts';
import { RELEASE } from '../core/paths.ts';
import type { Release } from '../core/types.ts';
import { openRemote, type RemoteRelease } from './release.ts';
import { rounds } from './rounds.ts';
import { SourceError, type Source } from './source.ts';
import { sidecarHash } from './trust.ts';

/** How old the last look for a newer release may be: before one is looked for meanwhile, and before it is waited for. */
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
  /** The newest release that was opened; one of which nothing can be had where there is none. */
  current(): Release;
  /** What a probe says of that release. Throws an unavailable Fault where there is none. */
  described(): object;
  /** What `run` gives over a release, once everything it needs was fetched, or is known not to be had. */
  settled<T>(run: () => T): Promise<T>;
  /** Whether what is reported now is of a run that counts. */
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
  /** A file that could not be had may be gone because another release took the place of this one. */
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
