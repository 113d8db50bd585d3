/** A peer over a stand-in producer, and a store that holds the two artifacts of the context producer. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { renderProducer } from '../../build/producer/artifact.ts';
import { verifyProducer } from '../../build/producer/verify.ts';
import { AUTHORITY } from '../../build/stand-in/server.ts';
import type { FederationPeer, Release } from '../../shim/core/types.ts';
import { type FetchLimits, PRODUCT_LIMITS } from '../../shim/federation/fetch.ts';
import type { SharingLimits } from '../../shim/core/in-flight.ts';
import {
  type FederationEffects,
  SHARING,
  federationPeer,
  processEffects,
} from '../../shim/federation/peer.ts';
import { documentStore } from './documents.ts';
import { referenceProducer } from './producer.ts';

/** The moment the peer's clock shows. */
export const NOW = '2026-08-01T12:00:00.000Z';

/** The artifacts as the build makes them, by path. */
export function artifacts(): Map<string, Uint8Array> {
  const { producer, findings } = verifyProducer(referenceProducer());
  if (!producer) throw new Error(JSON.stringify(findings));
  const schema = readFileSync('schemas/svc-producerp-bri-v1.schema.json');
  const rendered = renderProducer(producer, schema);
  return new Map(rendered.map(({ path, bytes }) => [path, bytes]));
}

/** Effects that trust the stand-in's authority and stop the clock. */
export function trustingEffects(): FederationEffects {
  return {
    ...processEffects(),
    now: () => Date.parse(NOW),
    request: (url, options) => request(url, { ...options, ca: AUTHORITY }),
  };
}

/** A peer that asks `origin`, null for none; its store is empty unless one is given. */
export function peerOf(
  origin: string | null,
  over: {
    release?: Release;
    limits?: Partial<FetchLimits & SharingLimits>;
    effects?: Partial<FederationEffects>;
  } = {},
): FederationPeer {
  return federationPeer(
    { siteUrl: 'https://evidence.example', producersBaseUrl: origin },
    { release: over.release ?? documentStore(new Map()) },
    { ...trustingEffects(), ...over.effects },
    { ...PRODUCT_LIMITS, ...SHARING, ...over.limits },
  );
}
