/**
 * What describes a release: release.json (every published file), its signature and public key when there is a key, SHA256SUMS
 * over every file but itself and the sidecars, and `<file>.sha256` next to every file.
 */
import { mediaTypeOf } from '../../shim/core/media-types.ts';
import { placeOf, type Ledger } from './ledger.ts';
import {
  isDescribing,
  isPublishable,
  PUBLIC_KEY,
  sidecarText,
  SIGNATURE,
  SUMS,
  sumsText,
  treeHash,
  type Release,
  type ReleaseFile,
} from './manifest.ts';
import { publicKeyFile, publicKeyText, signatureFile } from './minisign.ts';
import type { SigningKey } from './signing-key.ts';
import { MANIFEST, prettyJsonArtifact, textArtifact, type Artifact, type Tree } from '../lib/tree.ts';

/** What a manifest says about the release as a whole. */
export interface ReleaseContext {
  siteUrl: string;
  generatedAt: string;
  ledger: Ledger;
  /** Null publishes the manifest unsigned, and it says so. */
  signingKey: SigningKey | null;
}

/** The manifest of everything in the tree so far, with its signature and public key. */
export function renderRelease(tree: Tree, context: ReleaseContext): Artifact[] {
  const { siteUrl, generatedAt, ledger, signingKey } = context;
  const files = tree.sorted().map(([path, bytes]) => releaseFile(tree, path, bytes.length));
  const treeSha256 = treeHash(files);
  const { serial, expires, previous } = placeOf(ledger, { siteUrl, treeSha256, generatedAt });
  const publicKey = signingKey && publicKeyText(signingKey);
  const release: Release = {
    schema: 'svc.release.v1',
    siteUrl,
    serial,
    generatedAt,
    expires,
    treeSha256,
    previous,
    signature:
      publicKey === null ? null : { algorithm: 'minisign-ed25519-blake2b512', path: SIGNATURE, publicKey },
    signatureNote: publicKey
      ? `Check with: minisign -V -m ${MANIFEST} -P <the key you were given by another way than this site>`
      : 'This manifest is unsigned: no signing key was set when it was built.',
    files,
  };
  const manifest = prettyJsonArtifact(MANIFEST, release);
  if (!signingKey || !publicKey) return [manifest];
  const comment = `file:${MANIFEST}\tserial:${serial}\ttree:${treeSha256}\texpires:${expires}\thashed`;
  return [
    manifest,
    textArtifact(SIGNATURE, signatureFile(manifest.bytes, signingKey, comment)),
    textArtifact(PUBLIC_KEY, publicKeyFile(publicKey)),
  ];
}

/** SHA256SUMS over every file so far, in the form sha256sum -c reads. */
export function renderSums(tree: Tree): Artifact {
  return textArtifact(SUMS, sumsText(tree.sorted().map(([path]) => ({ path, sha256: tree.sha256(path) }))));
}

/** `<file>.sha256` next to every file: `HEX  name`. */
export function renderSidecars(tree: Tree): Artifact[] {
  return tree.sorted().map(([path]) => textArtifact(`${path}.sha256`, sidecarText(path, tree.sha256(path))));
}

function releaseFile(tree: Tree, path: string, bytes: number): ReleaseFile {
  if (!isPublishable(path) || isDescribing(path))
    throw new Error(
      `${JSON.stringify(path)} cannot be published: use letters, digits and ._~=+,@- between slashes, and not the name of a file that describes the release`,
    );
  return { path, bytes, sha256: tree.sha256(path), mediaType: mediaTypeOf(path) };
}
