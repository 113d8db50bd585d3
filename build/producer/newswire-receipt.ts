/**
 * The newswire lane's receipt, data/svc-producerp-newswire-rights-v1.json: where the pinned rights-status artifact stands,
 * how large it is and its sha256. A historical restriction receipt: it monitors nothing and repeats no quarantined path.
 */
import { NEWSWIRE_RECEIPT } from '../../shim/core/paths.ts';
import { DATA, type VerifiedRelease } from './contract.ts';
import { jsonArtifact, type Artifact } from '../lib/tree.ts';

/** Renders the receipt. Throws when the release lists no rights-status artifact. */
export function renderNewswireReceipt({ files, newswire, receipt }: VerifiedRelease): Artifact {
  const file = files.find(({ path }) => path === DATA.newswire);
  if (!file) throw new Error(`a verified release lists ${DATA.newswire}`);
  return jsonArtifact(NEWSWIRE_RECEIPT, {
    schema: 'svc.producerp.newswire-rights-receipt.v1',
    status: newswire.status,
    url: `${receipt.canonicalBaseUrl}/${file.path}`,
    bytes: file.bytes,
    sha256: file.sha256,
    verified_at: receipt.verifiedAt,
    recorded_at: newswire.recordedAt,
    release_sha256: receipt.artifactTreeSha256,
    continuous_monitoring: false,
    quarantined_paths_republished: newswire.quarantinedPathsRepublished,
    semantics: newswire.statement,
  });
}
