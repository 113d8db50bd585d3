/**
 * A pause for an upstream that keeps failing: after some failures in a row a lane is not asked for a few seconds. It asks
 * nothing twice, so it is no retry; it can be switched off.
 */
import type { LaneFaultCode } from '../core/lanes.ts';

/** Failures that say the upstream is in trouble, rather than that one answer was wrong. */
const TROUBLE = new Set<LaneFaultCode>(['upstream_unreachable', 'upstream_timeout']);
const IN_A_ROW = 3;

export interface Circuit {
  /** Why the lane may not be asked now, and for how many more seconds; null when it may. */
  paused(lane: string): { code: LaneFaultCode; seconds: number } | null;
  /** Notes how asking ended; null is success. */
  note(lane: string, failure: LaneFaultCode | null): void;
}

/** Pauses of `pauseMs` after three troubles in a row; 0 switches it off. `now` in milliseconds. */
export function circuit(pauseMs: number, now: () => number): Circuit {
  const lanes = new Map<string, { code: LaneFaultCode; row: number; until: number }>();
  return {
    paused(lane) {
      const state = lanes.get(lane);
      const left = (state?.until ?? 0) - now();
      return state && left > 0 ? { code: state.code, seconds: Math.ceil(left / 1000) } : null;
    },
    note(lane, failure) {
      if (pauseMs === 0 || failure === null || !TROUBLE.has(failure)) {
        lanes.delete(lane);
        return;
      }
      const row = (lanes.get(lane)?.row ?? 0) + 1;
      lanes.set(lane, { code: failure, row, until: row >= IN_A_ROW ? now() + pauseMs : 0 });
    },
  };
}
