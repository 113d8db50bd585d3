/**
 * Signatures in the form of minisign (https://jedisct1.github.io/minisign/): made here with node:crypto, and by the stock tool;
 * checked in shim/remote/signature.ts, as browsers do. "ED": Ed25519 over the BLAKE2b-512 of the file; a second signature covers the first and the trusted
 * comment. Nothing in them comes from a clock, so the same key and bytes give the same signature.
 */
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { keyIdText, TRUSTED, UNTRUSTED, type PublicKeyText } from '../../shim/remote/signature.ts';

/** A key pair in minisign's terms. */
export interface SigningKey {
  /** 8 bytes that tell keys apart; no secret and no proof. */
  keyId: Buffer;
  /** 32 bytes. */
  publicKey: Buffer;
  privateKey: KeyObject;
}

/** What SIGNING_KEY, the Ed25519 secret key that signs release manifests, may be; for messages. */
export const KEY_FORMS =
  'a minisign secret key without a password (minisign -G -W), or a 32-byte seed in base64 (openssl rand -base64 32)';

const PKCS8_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Reads a secret key: a minisign key file or its second line alone, or a seed; null when it is neither. */
export function signingKeyOf(text: string): SigningKey | null {
  const line = lastLine(text);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(line)) return null;
  const bytes = Buffer.from(line, 'base64');
  if (bytes.length === 32) return keyOfSeed(bytes, null);
  return bytes.length === 158 ? keyOfMinisign(bytes) : null;
}

/** Layout: "Ed", key derivation (zeros: no password), "B2", salt 32, limits 16, key id 8, seed 32, public key 32, checksum 32. */
function keyOfMinisign(bytes: Buffer): SigningKey | null {
  const plain = bytes.readUInt16BE(2) === 0 && bytes.toString('latin1', 0, 2) === 'Ed';
  if (!plain) return null;
  const key = keyOfSeed(bytes.subarray(62, 94), bytes.subarray(54, 62));
  return key.publicKey.equals(bytes.subarray(94, 126)) ? key : null;
}

function keyOfSeed(seed: Buffer, keyId: Buffer | null): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_SEED, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  // A seed carries no key id, and a random one would change the bytes of every build.
  return { privateKey, publicKey, keyId: keyId ?? prehash(publicKey).subarray(0, 8) };
}

/** The one-line public key, as `minisign -P` takes it. */
export function publicKeyText({ keyId, publicKey }: Pick<SigningKey, 'keyId' | 'publicKey'>): PublicKeyText {
  return Buffer.concat([Buffer.from('Ed', 'latin1'), keyId, publicKey]).toString('base64');
}

/** The key file `minisign -p` takes. */
export function publicKeyFile(key: PublicKeyText): string {
  return `${UNTRUSTED}minisign public key ${keyIdText(key)}\n${key}\n`;
}

/** Reads a public key from its line or its file; null when it is not one. */
export function publicKeyOf(text: string): PublicKeyText | null {
  const line = lastLine(text);
  const bytes = Buffer.from(line, 'base64');
  return bytes.length === 42 && bytes.toString('latin1', 0, 2) === 'Ed' && bytes.toString('base64') === line
    ? line
    : null;
}

/** The `.minisig` file of these bytes. The trusted comment is signed too; one line. */
export function signatureFile(bytes: Uint8Array, key: SigningKey, trustedComment: string): string {
  const signature = sign(null, prehash(bytes), key.privateKey);
  const global = sign(null, Buffer.concat([signature, Buffer.from(trustedComment, 'utf8')]), key.privateKey);
  const packet = Buffer.concat([Buffer.from('ED', 'latin1'), key.keyId, signature]);
  return [
    `${UNTRUSTED}signature of a release manifest, key ${keyIdText(publicKeyText(key))}`,
    packet.toString('base64'),
    `${TRUSTED}${trustedComment}`,
    global.toString('base64'),
    '',
  ].join('\n');
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1)?.trim() ?? '';
}

function prehash(bytes: Uint8Array): Buffer {
  return createHash('blake2b512').update(bytes).digest();
}
