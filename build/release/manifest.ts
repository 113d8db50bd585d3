/** release.json: its shape, its hash rule, and reading one that may come from anybody. */
import schema from '../../schemas/release.schema.json' with { type: 'json' };
import {
  DESCRIBING,
  PROVENANCE,
  PROVENANCE_SIGNATURE,
  PUBLIC_KEY,
  RELEASE,
  SIGNATURE,
  SUMS,
  isUnlistedPath,
  sidecarPath,
} from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { readStrictJson } from '../../shim/core/strict-json.ts';
import { errorMessage } from '../lib/findings.ts';
import { treeHash, type TreeFile } from '../lib/tree.ts';

/** Most bytes of a manifest or of SHA256SUMS that are read. */
export const MANIFEST_LIMIT = 64 * 1024 * 1024;

/** A published file. */
export interface ReleaseFile extends TreeFile {
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

/** What one part of a path may be called: safe in URLs, shells and every file system. */
const PART = /^(?:\.well-known|[A-Za-z0-9_+,=][A-Za-z0-9._~=+,@-]{0,254})$/;
/** Devices of Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Whether a path may be published. */
export function isPublishable(path: string): boolean {
  const isName = (part: string): boolean => PART.test(part) && !part.endsWith('.') && !DEVICE.test(part);
  return path.length <= 1024 && path.split('/').every(isName);
}

/** What may stand next to the files of a release without being listed. */
const BESIDE = [RELEASE, SIGNATURE, PUBLIC_KEY, SUMS, PROVENANCE, PROVENANCE_SIGNATURE, 'deltas/1..2.json'];

/** Two paths that cannot both be files everywhere: one is a folder of the other, or they differ in case only. Null where none are. */
function clashOf(paths: readonly string[]): [string, string] | null {
  const byName = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const name = path.toLowerCase();
    const same = byName.get(name) ?? folders.get(name);
    if (same !== undefined) return [same, path];
    byName.set(name, path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end);
      const file = byName.get(folder);
      if (file !== undefined) return [file, path];
      if (folders.has(folder)) break;
      folders.set(folder, path);
    }
  }
  return null;
}

/** Those of them that a release has. */
export function describingPaths({ signature }: Release): readonly string[] {
  return signature ? DESCRIBING : [RELEASE];
}

/** Whether a path describes the release (manifest, signature, key, sums, sidecars, deltas, provenance) rather than being part of it. */
export function isDescribing(path: string): boolean {
  return [...DESCRIBING, SUMS].includes(path) || path.endsWith('.sha256') || isUnlistedPath(path);
}

/** No document about releases is nested deeper. */
const MOST_DEPTH = 64;

/** Reads a JSON document that its schema accepts and that no reader takes otherwise; throws an Error with one sentence otherwise. */
export function parseDocument(bytes: Uint8Array, documentSchema: JsonSchema, what: string): unknown {
  let value: unknown;
  try {
    value = readStrictJson(bytes, MOST_DEPTH);
  } catch (cause) {
    throw new Error(`is not strict JSON: ${errorMessage(cause)}`, { cause });
  }
  if (value === undefined) throw new Error(`is nested deeper than ${MOST_DEPTH} levels`);
  const [violation] = validator(documentSchema)(value) ?? [];
  if (!violation) return value;
  throw new Error(`is not a valid ${what}: ${violation.instancePath || '/'} ${violation.message ?? ''}`);
}

/** Reads a manifest; throws an Error with one sentence when it is not a release anybody should follow. */
export function parseRelease(bytes: Uint8Array): Release {
  const release = parseDocument(bytes, schema, 'release manifest') as Release;
  let last = '';
  for (const { path } of release.files) {
    if (![path, sidecarPath(path)].every(isPublishable))
      throw new Error(`lists ${JSON.stringify(path)}, which is not a publishable path`);
    if (isDescribing(path)) throw new Error(`lists ${path}, which describes the release`);
    if (path <= last) throw new Error(`lists ${path} twice or out of order`);
    last = path;
  }
  const paths = [...BESIDE, ...release.files.map(({ path }) => path)];
  const clash = clashOf(paths.flatMap((path) => [path, sidecarPath(path)]));
  if (clash) throw new Error(`lists ${clash[0]} and ${clash[1]}, which no folder can hold everywhere`);
  const { serial, previous } = release;
  if (serial !== (previous?.serial ?? 0) + 1 || previous?.treeSha256 === release.treeSha256)
    throw new Error(
      `says that release ${serial} follows ${previous ? `release ${previous.serial} with the tree ${previous.treeSha256}` : 'no other'}, which cannot be`,
    );
  const hash = treeHash(release.files);
  if (hash !== release.treeSha256)
    throw new Error(`was edited: its files have the tree hash ${hash}, it says ${release.treeSha256}`);
  return release;
}
