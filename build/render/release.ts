/** release.json, SHA256SUMS and sidecars: every published file with its hash. Sidecars are not listed in themselves. */
import { mediaTypeOf } from '../../shim/core/media-types.ts';
import { sha256 } from '../pack/packed.ts';
import { prettyJsonArtifact, textArtifact, type Artifact, type Tree } from './artifact.ts';

/** Files that describe the others and so cannot be listed by them. */
const DESCRIBING = new Set(['release.json', 'SHA256SUMS']);

/** The release manifest of everything in the tree so far. */
export function renderRelease(tree: Tree, generatedAt: string): Artifact {
  const files = tree
    .sorted()
    .map(([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: sha256(bytes),
      mediaType: mediaTypeOf(path),
    }));
  const treeSha256 = sha256(files.map((file) => `${file.sha256}  ${file.path}\n`).join(''));
  return prettyJsonArtifact('release.json', {
    schema: 'svc.release.v1',
    generatedAt,
    treeSha256,
    previous: null,
    signature: null,
    signatureNote: 'This manifest is unsigned: no signing key was set when it was built.',
    files,
  });
}

/** SHA256SUMS over every file so far but itself, in the form sha256sum -c reads. */
export function renderSums(tree: Tree): Artifact {
  const lines = tree.sorted().map(([path, bytes]) => `${sha256(bytes)}  ${path}\n`);
  return textArtifact('SHA256SUMS', lines.join(''));
}

/** `<file>.sha256` beside every file: `HEX  name`. */
export function renderSidecars(tree: Tree): Artifact[] {
  return tree
    .sorted()
    .map(([path, bytes]) =>
      textArtifact(`${path}.sha256`, `${sha256(bytes)}  ${path.slice(path.lastIndexOf('/') + 1)}\n`),
    );
}

/** Whether a path describes the release rather than being part of it. */
export function isDescribing(path: string): boolean {
  return DESCRIBING.has(path) || path.endsWith('.sha256');
}
