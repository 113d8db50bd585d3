/** release.json as a noun: its shape, its hash rule, and reading one that may come from anybody. */
import schema from '../../schemas/release.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import { sha256 } from '../lib/hash.ts';
import { MANIFEST } from '../lib/tree.ts';

/** The files that describe a release and so are not listed by it. */
export const SIGNATURE = 'release.json.minisig';
export const PUBLIC_KEY = 'release.pub';
export const SUMS = 'SHA256SUMS';

/** A published file. */
export interface ReleaseFile {
  path: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  mediaType: string;
}

/** A release as others name it. */
export interface ReleaseName {
  serial: number;
  treeSha256: string;
}

/** release.json. Clocks come from the data; `expires` is a date-time. */
export interface Release extends ReleaseName {
  schema: 'svc.release.v1';
  siteUrl: string;
  generatedAt: string;
  expires: string;
  previous: ReleaseName | null;
  /** Null when no key was set: the manifest is unsigned. */
  signature: { algorithm: 'minisign-ed25519-blake2b512'; path: string; publicKey: string } | null;
  signatureNote: string;
  files: ReleaseFile[];
}

/** What one directory entry of a path may be called: safe in URLs, shells and every file system. */
const PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9._~=+,@-]+(?:\/[A-Za-z0-9._~=+,@-]+)*$/;

/** Whether a path may be published. */
export function isPublishable(path: string): boolean {
  return path.length <= 1024 && PATH.test(path);
}

/** Whether a path describes the release (manifest, signature, key, sums, sidecars, deltas) rather than being part of it. */
export function isDescribing(path: string): boolean {
  return (
    [MANIFEST, SIGNATURE, PUBLIC_KEY, SUMS].includes(path) || path.endsWith('.sha256') || isDeltaPath(path)
  );
}

/** Whether a path is a delta between two releases: `deltas/<serial>..<serial>.json`. */
export function isDeltaPath(path: string): boolean {
  return /^deltas\/[0-9]+\.\.[0-9]+\.json$/.test(path);
}

/** The tree hash: the sha256 of `<sha256>  <path>\n` of every listed file, in the order of paths by code units. */
export function treeHash(files: Pick<ReleaseFile, 'path' | 'sha256'>[]): string {
  return sha256(files.map((file) => `${file.sha256}  ${file.path}\n`).join(''));
}

/** SHA256SUMS of these files, and a sidecar of one: the forms `sha256sum -c` reads. */
export function sumsText(files: Iterable<Pick<ReleaseFile, 'path' | 'sha256'>>): string {
  return [...files].map((file) => `${file.sha256}  ${file.path}\n`).join('');
}

/** The text of `<path>.sha256`. */
export function sidecarText(path: string, hash: string): string {
  return `${hash}  ${path.slice(path.lastIndexOf('/') + 1)}\n`;
}

/** Reads a manifest; throws an Error with one sentence when it is not a release anybody should follow. */
export function parseRelease(bytes: Uint8Array): Release {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('is not JSON in UTF-8');
  }
  const [violation] = validator(schema)(value) ?? [];
  if (violation)
    throw new Error(`is no release manifest: ${violation.instancePath || '/'} ${violation.message ?? ''}`);
  const release = value as Release;
  let last = '';
  for (const { path } of release.files) {
    if (!isPublishable(path)) throw new Error(`lists ${JSON.stringify(path)}, which is no publishable path`);
    if (isDescribing(path)) throw new Error(`lists ${path}, which describes the release`);
    if (path <= last) throw new Error(`lists ${path} twice or out of order`);
    last = path;
  }
  const hash = treeHash(release.files);
  if (hash !== release.treeSha256)
    throw new Error(`was edited: its file list has the tree hash ${hash}, it says ${release.treeSha256}`);
  return release;
}
