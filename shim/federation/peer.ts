/** The federation as operations ask it: every lane at once, local ones from the store, live ones from their origin. */
import { request } from 'node:https';
import { lanesAsked, unconfiguredLane } from '../core/lanes.ts';
import { localLane } from '../core/local-lanes.ts';
import type { FederationPeer, Settings, Store } from '../core/types.ts';
import { circuit } from './circuit.ts';
import { PRODUCT_LIMITS, type FetchEffects, type FetchLimits } from './fetch.ts';
import { liveLane, type Asking } from './live-lane.ts';
import { parseProducersBaseUrl } from './origin.ts';
import { slots } from './slots.ts';

export interface FederationSettings extends Settings {
  /** https origin of the money and capital-markets producer; null leaves its lanes unavailable. */
  producersBaseUrl: string | null;
  /** Pause for an upstream that keeps failing, in milliseconds; 0 or absent is none. */
  upstreamPauseMs?: number;
}

export interface FederationEffects extends FetchEffects {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Large bodies held at once, over all requests. */
const LARGE_BODIES = 12;

/** Clock, timers and network of this process; trusts the system's authorities and NODE_EXTRA_CA_CERTS. */
export function processEffects(): FederationEffects {
  return {
    now: () => Date.now(),
    later(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    request,
  };
}

/** The peer. Throws the setting's error when the base URL is no https origin. `limits` are shortened by tests only. */
export function federationPeer(
  settings: FederationSettings,
  store: Store,
  effects: FederationEffects,
  limits: FetchLimits = PRODUCT_LIMITS,
): FederationPeer {
  const { producersBaseUrl, upstreamPauseMs = 0 } = settings;
  const asking: Asking | null =
    producersBaseUrl === null
      ? null
      : {
          origin: parseProducersBaseUrl(producersBaseUrl),
          limits,
          effects,
          slots: slots(LARGE_BODIES),
          circuit: circuit(upstreamPauseMs, effects.now),
        };
  return {
    async lanes(lane) {
      const retrievedAt = new Date(effects.now()).toISOString();
      const lanes = await Promise.all(
        lanesAsked(lane).map((entry) => {
          if (entry.kind === 'local') return localLane(entry, settings, store, retrievedAt);
          return asking ? liveLane(entry, retrievedAt, asking) : unconfiguredLane(entry, retrievedAt);
        }),
      );
      return { retrievedAt, lanes };
    },
  };
}
