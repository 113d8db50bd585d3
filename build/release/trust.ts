/** Whether a manifest is by whom it should be by, and whether it is the latest: signature, expiry, serial. */
import { MANIFEST } from '../lib/tree.ts';
import { PUBLIC_KEY, SIGNATURE, type Release, type ReleaseName } from './manifest.ts';
import { keyIdText, publicKeyFile, signatureFault, type PublicKeyText } from './minisign.ts';
import type { ReleaseFinding } from './finding.ts';
import { readSmall, Unserved, type ReleaseSource } from './source.ts';

/** What the reader knows beforehand. */
export interface Expectations {
  /** The reader's clock. */
  now: Date;
  /** The key the manifest must be signed with; null takes the one that comes with it, which proves consistency alone. */
  key: PublicKeyText | null;
  /** Serials below are a rollback. */
  minSerial: number;
  /** The release last seen at this place, if any. */
  known: ReleaseName | null;
}

const SIGNATURE_LIMIT = 4096;

/** Checks signature and public key of a manifest. */
export async function checkSignature(
  source: ReleaseSource,
  manifest: Uint8Array,
  release: Release,
  { key }: Pick<Expectations, 'key'>,
): Promise<ReleaseFinding[]> {
  const own = release.signature?.publicKey ?? null;
  if (own === null && key === null) return [];
  if (own === null)
    return [trust(MANIFEST, 'unsigned', `is unsigned; it must be signed by ${keyIdText(key ?? '')}`)];
  if (key !== null && own !== key)
    return [trust(MANIFEST, 'signing-key', `names the key ${own}; it must be signed by ${key}`)];
  const signature = await textOr(source, SIGNATURE);
  if (signature instanceof Unserved) return [trust(SIGNATURE, 'signature', signature.message)];
  const fault = signatureFault(manifest, signature, own);
  if (fault !== null) return [trust(SIGNATURE, 'signature', fault)];
  const published = await textOr(source, PUBLIC_KEY);
  return published === publicKeyFile(own)
    ? []
    : [trust(PUBLIC_KEY, 'signing-key', `is not the file of the key that signed: ${own}`)];
}

/** Checks expiry and serial. */
export function checkFreshness(
  { serial, treeSha256, expires }: Release,
  { now, minSerial, known }: Omit<Expectations, 'key'>,
): ReleaseFinding[] {
  const findings: ReleaseFinding[] = [];
  if (Date.parse(expires) <= now.getTime())
    findings.push(
      trust(MANIFEST, 'expired', `expired at ${expires}; now is ${now.toISOString().slice(0, 19)}Z`),
    );
  const least = Math.max(minSerial, known?.serial ?? 0);
  if (serial < least)
    findings.push(trust(MANIFEST, 'rollback', `is release ${serial}; release ${least} was seen before`));
  else if (known?.serial === serial && known.treeSha256 !== treeSha256)
    findings.push(
      trust(
        MANIFEST,
        'equivocation',
        `is another release ${serial} than the one seen before: tree ${treeSha256}, not ${known.treeSha256}`,
      ),
    );
  return findings;
}

async function textOr(source: ReleaseSource, path: string): Promise<string | Unserved> {
  try {
    return (await readSmall(source, path, SIGNATURE_LIMIT)).toString('utf8');
  } catch (error) {
    if (error instanceof Unserved) return error;
    throw error;
  }
}

function trust(file: string, rule: ReleaseFinding['rule'], message: string): ReleaseFinding {
  return { file, rule, message };
}
