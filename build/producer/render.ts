/** Everything made from the context producer's verified release; without one, the schema alone is published. */
import { BRI_SCHEMA } from '../../shim/core/paths.ts';
import type { VerifiedRelease } from './contract.ts';
import type { Artifact } from '../lib/tree.ts';
import { renderBriArtifact } from './artifact.ts';
import { renderNewswireReceipt } from './newswire-receipt.ts';

/** The artifact, its schema byte for byte, and the newswire receipt. */
export function renderProducer(release: VerifiedRelease | null, schemaBytes: Uint8Array): Artifact[] {
  if (!release) return [{ path: BRI_SCHEMA, bytes: schemaBytes }];
  return [...renderBriArtifact(release, schemaBytes), renderNewswireReceipt(release)];
}
