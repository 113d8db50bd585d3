/** A release held in memory, every byte checked against its manifest. */
import { MANIFEST } from '../lib/tree.ts';
import { parseRelease, PUBLIC_KEY, SIGNATURE, type Release } from './manifest.ts';
import { sha256 } from '../lib/hash.ts';
import { MANIFEST_LIMIT } from './check-sums.ts';
import { readSmall, Unserved, type ReleaseSource } from './source.ts';

/** The manifest and every listed file; signature and key stand among `describing`, with the manifest's own bytes. */
export interface WholeRelease {
  release: Release;
  files: Map<string, Uint8Array>;
  describing: Map<string, Uint8Array>;
}

/** Reads a release whole. Throws an Error that names the first file that is not as released. */
export async function readRelease(source: ReleaseSource): Promise<WholeRelease> {
  const manifest = await named(source, MANIFEST, MANIFEST_LIMIT);
  const release = parseRelease(manifest);
  const files = new Map<string, Uint8Array>();
  for (const { path, bytes, sha256: hash } of release.files) {
    const body = await named(source, path, bytes);
    if (sha256(body) !== hash)
      throw new Error(`${source.where}/${path} is not as released; run verify on it`);
    files.set(path, body);
  }
  const describing = new Map<string, Uint8Array>([[MANIFEST, manifest]]);
  if (release.signature)
    for (const path of [SIGNATURE, PUBLIC_KEY])
      describing.set(path, await named(source, path, MANIFEST_LIMIT));
  return { release, files, describing };
}

async function named(source: ReleaseSource, path: string, limit: number): Promise<Buffer> {
  try {
    return await readSmall(source, path, limit);
  } catch (error) {
    if (error instanceof Unserved)
      throw new Error(`${source.where}/${path} ${error.message}`, { cause: error });
    throw error;
  }
}
