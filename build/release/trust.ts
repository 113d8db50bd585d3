/**
 * Whether a manifest is by the expected publisher and is the latest: signature, expiry, serial. What a mirror remembers for this is
 * in `<folder>.state.json`.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, replaceFile } from '../lib/replace-file.ts';
import { prettyJson } from '../lib/tree.ts';
import { placeOfTree } from '../write/tree-folder.ts';
import documents from './documents.json' with { type: 'json' };
import type { ReleaseFinding } from './findings.ts';
import { parseDocument, type Release, type ReleaseName } from './manifest.ts';
import { PUBLIC_KEY, RELEASE, SIGNATURE } from '../../shim/core/paths.ts';
import { keyIdText, signatureFault, type PublicKeyText } from '../../shim/remote/signature.ts';
import { publicKeyFile } from './minisign.ts';
import { orUnserved, readSmall, Unserved, type ReleaseSource } from './source.ts';

/** What the reader knows beforehand. */
export interface Expectations {
  /** The clock of the reader, by which a release expires. */
  now: Date;
  /** The key the manifest must be signed with; null takes the one that comes with it, which proves consistency alone. */
  key: PublicKeyText | null;
  /** A lower serial is a rollback. */
  minSerial: number;
  /** The release last seen at this place, if any. */
  known: ReleaseName | null;
  /** The most bytes that all files of the release may have; without it, any number. */
  maxBytes?: number | undefined;
}

/** The last release seen at a place, and the key it was signed with (null: unsigned). */
interface MirrorState extends ReleaseName {
  schema: 'svc.mirror-state.v1';
  publicKey: PublicKeyText | null;
}

/** Most bytes of a signature or a public key that are read. */
export const SIGNATURE_LIMIT = 4096;

/** Checks signature and public key of a manifest. */
export async function checkSignature(
  source: ReleaseSource,
  manifest: Uint8Array,
  { signature }: Release,
  { key }: Pick<Expectations, 'key'>,
): Promise<ReleaseFinding[]> {
  const finding = (file: string, rule: ReleaseFinding['rule'], message: string): ReleaseFinding[] => [
    { file, rule, message },
  ];
  const own = signature?.publicKey ?? null;
  if (own === null)
    return key === null
      ? []
      : finding(RELEASE, 'unsigned', `is unsigned; it must be signed by ${keyIdText(key)}`);
  if (key !== null && own !== key)
    return finding(RELEASE, 'signing-key', `names the key ${own}; it must be signed by ${key}`);
  const file = await orUnserved(readSmall(source, SIGNATURE, SIGNATURE_LIMIT));
  const fault =
    file instanceof Unserved ? file.message : await signatureFault(manifest, file.toString('utf8'), own);
  if (fault !== null) return finding(SIGNATURE, 'signature', fault);
  const published = await orUnserved(readSmall(source, PUBLIC_KEY, SIGNATURE_LIMIT));
  if (published instanceof Unserved) return finding(PUBLIC_KEY, 'signing-key', published.message);
  return published.toString('utf8') === publicKeyFile(own)
    ? []
    : finding(PUBLIC_KEY, 'signing-key', `is not the file of the key that signed: ${own}`);
}

/** Checks expiry and serial. */
export function checkFreshness(
  { serial, treeSha256, expires }: Release,
  { now, minSerial, known }: Omit<Expectations, 'key'>,
): ReleaseFinding[] {
  const findings: ReleaseFinding[] = [];
  const add = (rule: ReleaseFinding['rule'], message: string): unknown =>
    findings.push({ file: RELEASE, rule, message });
  // An expiry that cannot be read as a moment, such as a leap second, counts as past.
  if (!(Date.parse(expires) > now.getTime()))
    add('expired', `expired at ${expires}; now is ${now.toISOString().slice(0, 19)}Z`);
  if (serial < (known?.serial ?? 0))
    add('rollback', `is release ${serial}; release ${known?.serial} was seen before`);
  else if (serial < minSerial)
    add('rollback', `is release ${serial}; wanted is release ${minSerial} or later`);
  else if (known?.serial === serial && known.treeSha256 !== treeSha256)
    add(
      'equivocation',
      `is another release ${serial} than the one seen before: tree ${treeSha256}, not ${known.treeSha256}`,
    );
  return findings;
}

/** The state file of a folder. */
export function statePath(folder: string): string {
  return `${placeOfTree(folder)}.state.json`;
}

/** Reads a state file; null where there is none. Throws an Error when it is damaged: forgetting it would allow a rollback. */
export function readState(path: string): MirrorState | null {
  if (!statSync(path, { throwIfNoEntry: false })) return null;
  const bytes = readFileSync(path);
  try {
    return parseDocument(bytes, documents.mirrorState, 'mirror state') as MirrorState;
  } catch (cause) {
    const advice = 'restore it, or delete it to trust the next release as the first';
    throw new Error(`${path} is not a valid mirror state; ${advice}`, { cause });
  }
}

/** Writes the state of a release, in one step. */
export function writeState(path: string, { serial, treeSha256, signature }: Release): void {
  const state: MirrorState = {
    schema: 'svc.mirror-state.v1',
    serial,
    treeSha256,
    publicKey: signature?.publicKey ?? null,
  };
  makeFolder(dirname(path));
  replaceFile(path, prettyJson(state));
}
