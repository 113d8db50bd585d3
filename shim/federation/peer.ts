/** The federation as operations ask it: every lane at once, local ones from the store, live ones from their origin. */
import { request } from 'node:https';
import { createSecureContext } from 'node:tls';
import { lanesAsked, unconfiguredLane, type Lane } from '../core/lanes.ts';
import { localLane } from '../core/local-lanes.ts';
import type { FederationPeer, Settings, Store } from '../core/types.ts';
import { circuit } from './circuit.ts';
import { PRODUCT_LIMITS, type FetchEffects, type FetchLimits } from './fetch.ts';
import { liveLane, type Asking } from './live-lane.ts';
import { parseProducersBaseUrl } from '../core/hosts.ts';
import { SHARING, sharing, type SharingLimits } from './sharing.ts';

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

/** Clock, timers and network of this process; trusts the system's authorities and NODE_EXTRA_CA_CERTS. */
export function processEffects(): FederationEffects {
  // One for all connections: making one takes milliseconds.
  const secureContext = createSecureContext();
  return {
    now: () => Date.now(),
    later(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    request: (url, options) => request(url, Object.assign({}, options, { secureContext })),
  };
}

/** The peer. Throws the setting's error when the base URL is no https origin. Only tests give other limits. */
export function federationPeer(
  settings: FederationSettings,
  store: Store,
  effects: FederationEffects,
  limits: FetchLimits & SharingLimits = { ...PRODUCT_LIMITS, ...SHARING },
): FederationPeer {
  const { producersBaseUrl, upstreamPauseMs = 0 } = settings;
  const asking: Asking | null =
    producersBaseUrl === null
      ? null
      : {
          origin: parseProducersBaseUrl(producersBaseUrl),
          limits,
          effects,
          circuit: circuit(upstreamPauseMs, effects.now),
        };
  const share = sharing<Lane>(limits, effects.now);
  return {
    async lanes(lane) {
      const retrievedAt = new Date(effects.now()).toISOString();
      const lanes = await Promise.all(
        lanesAsked(lane).map((entry) => {
          if (entry.kind === 'local') return localLane(entry, settings, store, retrievedAt);
          if (!asking) return unconfiguredLane(entry, retrievedAt);
          return share(entry.id, () => liveLane(entry, retrievedAt, asking));
        }),
      );
      return { retrievedAt, lanes };
    },
  };
}
