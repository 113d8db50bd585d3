/**
 * The pin: what this service accepted of a release. It names the hashes of the manifest and of both receipts, which in turn
 * name everything else, so it is the root of every later check. It is a function of the release: verifying it means making
 * it again and comparing bytes.
 */
import { FILES, type ReleaseFiles } from './contract.ts';
import { describeFile, jsonBytes } from './hash.ts';

/** The bytes of pin.json for a release; a missing top document is left out, and so never equal to a pin that has it. */
export function pinOf(files: ReleaseFiles): Uint8Array {
  const pinned = [FILES.manifest, FILES.pages, FILES.receipt].flatMap((path) => {
    const bytes = files.get(path);
    return bytes ? [describeFile(path, bytes)] : [];
  });
  return jsonBytes({ schemaVersion: 'svc.producerp.source-pin.v1', producer: 'ProducerP', pinned });
}
