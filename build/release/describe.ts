/**
 * What describes a release: release.json (every published file), its signature and public key when there is a key, SHA256SUMS
 * over every file but itself and the sidecars, and `<file>.sha256` next to every file. Serial, predecessor and expiry come from no
 * clock but from datasets/releases.json: what was published, one row per release, written by `npm run release` and never by the build.
 */
import { byPath, prettyJsonArtifact, sumsText, textArtifact, treeHash } from '../lib/tree.ts';
import type { Artifact, Tree, TreeFile } from '../lib/tree.ts';
import { isDescribing, isPublishable, parseDocument } from './manifest.ts';
import type { Release, ReleaseFile, ReleaseName } from './manifest.ts';
import {
  PUBLIC_KEY,
  RELEASE,
  SIGNATURE,
  SUMS,
  filesInSums,
  sidecarPath,
  sidecarText,
} from '../../shim/core/paths.ts';
import { type SigningKey, publicKeyFile, publicKeyText, signatureFile } from './minisign.ts';
import { mediaTypeOf } from '../../shim/core/headers.ts';
import { oneYearAfter } from '../lib/clock.ts';
import { errorMessage } from '../lib/findings.ts';
import documents from './documents.json' with { type: 'json' };

/** One published release of one site. */
interface LedgerEntry extends ReleaseName {
  siteUrl: string;
  generatedAt: string;
  expires: string;
}

/** The ledger file. */
export interface Ledger {
  schema: 'svc.releases.v1';
  releases: LedgerEntry[];
}

/** The ledger's file name in the folder of the datasets. */
export const LEDGER = 'releases.json';

/** What a manifest says about the release as a whole. */
interface ReleaseContext {
  siteUrl: string;
  generatedAt: string;
  ledger: Ledger;
  /** Null publishes the manifest unsigned, and it says so. */
  signingKey: SigningKey | null;
}

/** The manifest of everything in the tree so far, with its signature and public key. */
export function renderRelease(tree: Tree, context: ReleaseContext): Artifact[] {
  const { siteUrl, generatedAt, ledger, signingKey } = context;
  const files = tree.sorted().map(releaseFile);
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
      ? `Check with: minisign -V -m ${RELEASE} -P <the key you were given by another way than this site>`
      : 'This manifest is unsigned: no signing key was set when it was built.',
    files,
  };
  const manifest = prettyJsonArtifact(RELEASE, release);
  if (!signingKey || !publicKey) return [manifest];
  const comment = `file:${RELEASE}\tserial:${serial}\ttree:${treeSha256}\texpires:${expires}\thashed`;
  return [
    manifest,
    textArtifact(SIGNATURE, signatureFile(manifest.bytes, signingKey, comment)),
    textArtifact(PUBLIC_KEY, publicKeyFile(publicKey)),
  ];
}

/** SHA256SUMS: of the files of a tree, and of those that it takes over from the tree before, whose list is given. */
export function renderSums(tree: Tree, before: Uint8Array | null = null): Artifact {
  const taken = filesInSums(Buffer.from(before ?? []).toString('utf8'));
  const rest = taken.filter(({ path }) => !tree.has(path));
  return textArtifact(SUMS, sumsText([...tree.sorted(), ...rest].sort(byPath)));
}

/** `<file>.sha256` next to every file: `HEX  name`. */
export function renderSidecars(tree: Tree): Artifact[] {
  return tree.sorted().map(({ path, sha256 }) => textArtifact(sidecarPath(path), sidecarText(path, sha256)));
}

function releaseFile({ path, bytes, sha256 }: TreeFile): ReleaseFile {
  if (!isPublishable(path) || isDescribing(path))
    throw new Error(
      `${JSON.stringify(path)} cannot be published: use letters, digits and ._~=+,@- between slashes, and not the name of a file that describes the release`,
    );
  return { path, bytes, sha256, mediaType: mediaTypeOf(path) };
}

/** Reads the ledger; no file means an empty one. Throws an Error when it is malformed. */
export function parseLedger(bytes: Uint8Array | null): Ledger {
  if (bytes === null) return { schema: 'svc.releases.v1', releases: [] };
  try {
    const ledger = parseDocument(bytes, documents.ledger, 'ledger') as Ledger;
    const last = new Map<string, number>();
    for (const [at, { siteUrl, serial }] of ledger.releases.entries()) {
      const before = last.get(siteUrl) ?? 0;
      if (serial <= before)
        throw new Error(
          `is not a valid ledger: /releases/${at}/serial is ${serial}, after ${before} of ${siteUrl}`,
        );
      last.set(siteUrl, serial);
    }
    return ledger;
  } catch (cause) {
    throw new Error(`${LEDGER} ${errorMessage(cause)}`, { cause });
  }
}

/**
 * Serial, predecessor and expiry of a tree: it follows the last published release of the site that has another tree. The published
 * tree itself keeps its serial however often it is built, and going back to an old tree is a new release.
 */
export function placeOf(
  { releases }: Ledger,
  tree: Pick<LedgerEntry, 'siteUrl' | 'treeSha256' | 'generatedAt'>,
): Pick<Release, 'serial' | 'previous' | 'expires'> {
  const own = releases.filter(({ siteUrl }) => siteUrl === tree.siteUrl);
  const before = own.findLast(({ treeSha256 }) => treeSha256 !== tree.treeSha256);
  const serial = (before?.serial ?? 0) + 1;
  const published = own.find((entry) => entry.serial === serial && entry.treeSha256 === tree.treeSha256);
  const previous = before ? { serial: before.serial, treeSha256: before.treeSha256 } : null;
  return { serial, previous, expires: published?.expires ?? oneYearAfter(tree.generatedAt) };
}

/** The ledger with a release recorded: a new row, or the same release with another expiry. */
export function recorded({ schema, releases }: Ledger, release: Release, expires = release.expires): Ledger {
  const { siteUrl, serial, treeSha256, generatedAt } = release;
  const others = releases.filter((entry) => entry.siteUrl !== siteUrl || entry.serial !== serial);
  const replaced = releases.find((entry) => entry.siteUrl === siteUrl && entry.serial === serial);
  if (replaced && replaced.treeSha256 !== treeSha256)
    throw new Error(
      `serial ${serial} of ${siteUrl} was published with another tree: build again, then release`,
    );
  if (others.some((entry) => entry.siteUrl === siteUrl && entry.serial > serial))
    throw new Error(`serial ${serial} of ${siteUrl} is not its latest release`);
  return { schema, releases: [...others, { siteUrl, serial, treeSha256, generatedAt, expires }] };
}
