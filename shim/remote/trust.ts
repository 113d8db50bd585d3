/** Checks a release against what its reader expects, and gives the hashes of its files. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isObject } from '../core/json.ts';
import { RELEASE, SIGNATURE, sidecarPath, sidecarText } from '../core/paths.ts';
import { readStrictJson } from '../core/strict-json.ts';
import type { DataFile, JsonValue } from '../core/types.ts';
import { signatureFault } from './signature.ts';
import { SourceError, type Source } from './source.ts';

/** The reader's expectations of a release. */
export interface Trust {
  /** The publisher's key, one line as minisign writes it: the release must be signed by it. */
  key?: string;
  /** A serial number that was seen before: an earlier release is refused. */
  serial?: number;
  /** The reader's clock in milliseconds, for the date on which a release expires. */
  now?: () => number;
}

/** The manifest of a release that is what the reader expects. */
export interface Listed {
  serial: number;
  treeSha256: string;
  /** The sha256 of the manifest itself. */
  sha256: string;
  /** The hashes of its files, by path. */
  hashes: ReadonlyMap<string, string>;
}

/** The end of the message about a file that a later version of this project may have written. */
export const UNKNOWN_FORM =
  'in a form that this reader knows; if the copy is newer than the reader, get a newer reader';

/** The most bytes of a manifest. */
export const MANIFEST_BYTES = 64 * 1024 * 1024;

/** A sha256, computed by WebCrypto where there is one, which is much faster. */
export async function digestOf(bytes: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto as {
    subtle?: { digest(name: string, bytes: Uint8Array): Promise<ArrayBuffer> };
  };
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256(bytes);
}

/** The bytes, after a check of their hash; rejects with a SourceError where it is another. */
export async function checked(path: string, bytes: Uint8Array, hash: string): Promise<Uint8Array> {
  if (bytesToHex(await digestOf(bytes)) === hash) return bytes;
  throw new SourceError(path, 'does not match its sha256: it was changed, or belongs to another release');
}

/** The hash in the sidecar of a file. Rejects with a SourceError where it is not one. */
export async function sidecarHash(source: Source, path: string): Promise<string> {
  const own = sidecarPath(path);
  const sidecar = new TextDecoder().decode(await source.whole(own, 1024));
  const hash = sidecar.slice(0, 64);
  if (/^[0-9a-f]{64}$/.test(hash) && sidecar === sidecarText(path, hash)) return hash;
  throw new SourceError(own, 'is not the checksum of a file');
}

/** The manifest of the release at a source. Rejects with a SourceError where it is not what the reader expects. */
export async function listedIn(source: Source, { key, serial, now }: Trust): Promise<Listed> {
  const [bytes, proof] = await Promise.all([
    source.whole(RELEASE, MANIFEST_BYTES),
    key === undefined ? sidecarHash(source, RELEASE) : source.whole(SIGNATURE, 4096).catch(needed),
  ]);
  if (key === undefined || typeof proof === 'string') await checked(RELEASE, bytes, String(proof));
  else {
    const fault = await signatureFault(bytes, new TextDecoder().decode(proof), key);
    if (fault !== null) throw new SourceError(SIGNATURE, fault);
  }
  const release = releaseOf(bytes);
  if (serial !== undefined && release.serial < serial)
    throw new SourceError(RELEASE, `is release ${release.serial}; wanted is release ${serial} or later`);
  if (now && !(Date.parse(release.expires) > now()))
    throw new SourceError(RELEASE, `expired at ${release.expires}: a newer release is missing here`);
  const { serial: own, treeSha256 } = release;
  return {
    serial: own,
    treeSha256,
    sha256: bytesToHex(await digestOf(bytes)),
    hashes: new Map(release.files.map((file) => [file.path, file.sha256])),
  };
}

/** Rejects with what is wrong with the signature, and why one is required. */
function needed(cause: unknown): never {
  if (!(cause instanceof SourceError)) throw cause;
  const what = cause.message.slice(`${SIGNATURE}: `.length);
  const reason = 'as a key was given, only a release that is signed by it is accepted';
  throw new SourceError(SIGNATURE, `${what}; ${reason}`, { cause });
}

/** No list of a release is nested deeper. */
const MOST_DEPTH = 64;

/** A list of a release, whose form is not checked. Throws a SourceError where readers could take it for different values. */
export function documentIn(path: string, bytes: Uint8Array): JsonValue | undefined {
  try {
    return readStrictJson(bytes, MOST_DEPTH);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SourceError(path, `is not strict JSON: ${why}`, { cause });
  }
}

interface Manifest {
  serial: number;
  expires: string;
  treeSha256: string;
  files: DataFile[];
}

function releaseOf(bytes: Uint8Array): Manifest {
  const value = documentIn(RELEASE, bytes);
  const { schema, serial, files } = isObject(value) ? value : {};
  if (
    schema === 'svc.release.v1' &&
    Number.isInteger(serial) &&
    Array.isArray(files) &&
    files.every(isObject)
  )
    return value as unknown as Manifest;
  throw new SourceError(RELEASE, `is not the manifest of a release ${UNKNOWN_FORM}`);
}
