/** The federation as operations use it: every lane at once, local ones from the store, live ones from their origin. */
import { request } from 'node:https';
import { createSecureContext } from 'node:tls';
import { lanesAsked, unconfiguredLane, type Lane } from '../core/lanes.ts';
import { localLane } from '../core/local-lanes.ts';
import { parseProducersBaseUrl } from '../core/hosts.ts';
import type { Context, FederationPeer, Settings } from '../core/types.ts';
import { PRODUCT_LIMITS, type FetchEffects, type FetchLimits } from './fetch.ts';
import { inFlight, SHARING, type SharingLimits } from './in-flight.ts';
import { liveLane } from './live-lane.ts';

/** The settings a federation needs. */
export interface FederationSettings extends Settings {
  /** https origin of the money and capital-markets producer; null leaves its lanes unavailable. */
  producersBaseUrl: string | null;
}

/** Network and clock. */
export interface FederationEffects extends FetchEffects {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Clock and network of this process; trusts the system's authorities and NODE_EXTRA_CA_CERTS. */
export function processEffects(): FederationEffects {
  // One for all connections: creating one takes milliseconds.
  const secureContext = createSecureContext();
  return {
    now: () => Date.now(),
    request: (url, options) => request(url, Object.assign({}, options, { secureContext })),
  };
}

/** The peer. Throws the setting's error when the base URL is not an https origin. Only tests give other limits. */
export function federationPeer(
  settings: FederationSettings,
  context: Pick<Context, 'store'>,
  effects: FederationEffects,
  limits: FetchLimits & SharingLimits = { ...PRODUCT_LIMITS, ...SHARING },
): FederationPeer {
  const { producersBaseUrl } = settings;
  const origin = producersBaseUrl === null ? null : parseProducersBaseUrl(producersBaseUrl);
  const shared = inFlight<Lane>(limits, effects.now);
  return {
    async lanes(lane) {
      const retrievedAt = new Date(effects.now()).toISOString();
      const lanes = await Promise.all(
        lanesAsked(lane).map((entry) => {
          if (entry.kind === 'local') return localLane(entry, settings, context.store, retrievedAt);
          if (!origin) return unconfiguredLane(entry, retrievedAt);
          return shared(entry.id, () => liveLane(entry, retrievedAt, origin, limits, effects));
        }),
      );
      return { retrievedAt, lanes };
    },
  };
}
