/** release.json: its shape, its hash rule, and reading one that may come from anybody. */
import schema from '../../schemas/release.schema.json' with { type: 'json' };
import { isUnlistedPath, SIGNATURE, SUMS } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { sha256, MANIFEST } from '../lib/tree.ts';

/** The files that describe a release and so are not listed by it. */
export const PUBLIC_KEY = 'release.pub';

/** Most bytes of a manifest or of SHA256SUMS that are read. */
export const MANIFEST_LIMIT = 64 * 1024 * 1024;

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

/** The manifest of a release, with its signature and key where it is signed. */
export function describingPaths({ signature }: Release): string[] {
  return signature ? [MANIFEST, SIGNATURE, PUBLIC_KEY] : [MANIFEST];
}

/** Whether a path describes the release (manifest, signature, key, sums, sidecars, deltas, provenance) rather than being part of it. */
export function isDescribing(path: string): boolean {
  return (
    [MANIFEST, SIGNATURE, PUBLIC_KEY, SUMS].includes(path) || path.endsWith('.sha256') || isUnlistedPath(path)
  );
}

/** The order of every list of files: by path, ascending by code units. */
export function byPath(a: Pick<ReleaseFile, 'path'>, b: Pick<ReleaseFile, 'path'>): number {
  return a.path < b.path ? -1 : 1;
}

/** SHA256SUMS of these files, in the form `sha256sum -c` reads. */
export function sumsText(files: readonly Pick<ReleaseFile, 'path' | 'sha256'>[]): string {
  return files.map((file) => `${file.sha256}  ${file.path}\n`).join('');
}

/** The tree hash: the sha256 of `<sha256>  <path>\n` of every listed file, sorted by path. */
export function treeHash(files: readonly Pick<ReleaseFile, 'path' | 'sha256'>[]): string {
  return sha256(sumsText(files));
}

/** Reads a JSON document that its schema accepts; throws an Error with one sentence otherwise. */
export function parseDocument(bytes: Uint8Array, documentSchema: JsonSchema, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('is not JSON in UTF-8');
  }
  const [violation] = validator(documentSchema)(value) ?? [];
  if (!violation) return value;
  throw new Error(`is not a valid ${what}: ${violation.instancePath || '/'} ${violation.message ?? ''}`);
}

/** Reads a manifest; throws an Error with one sentence when it is not a release anybody should follow. */
export function parseRelease(bytes: Uint8Array): Release {
  const release = parseDocument(bytes, schema, 'release manifest') as Release;
  let last = '';
  for (const { path } of release.files) {
    if (!isPublishable(path))
      throw new Error(`lists ${JSON.stringify(path)}, which is not a publishable path`);
    if (isDescribing(path)) throw new Error(`lists ${path}, which describes the release`);
    if (path <= last) throw new Error(`lists ${path} twice or out of order`);
    last = path;
  }
  const hash = treeHash(release.files);
  if (hash !== release.treeSha256)
    throw new Error(`was edited: its files have the tree hash ${hash}, it says ${release.treeSha256}`);
  return release;
}
