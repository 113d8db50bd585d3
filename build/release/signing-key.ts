/**
 * SIGNING_KEY: the Ed25519 secret key that signs release manifests. It is a minisign secret key without a password (the file
 * `minisign -G -W` writes, or its second line alone), or a seed of 32 bytes in base64 (`openssl rand -base64 32`).
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A key pair in minisign's terms. */
export interface SigningKey {
  /** 8 bytes that tell keys apart; no secret and no proof. */
  keyId: Buffer;
  /** 32 bytes. */
  publicKey: Buffer;
  privateKey: KeyObject;
}

const PKCS8_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');
/** What is accepted, for messages. */
export const KEY_FORMS =
  'a minisign secret key without a password (minisign -G -W), or a 32-byte seed in base64 (openssl rand -base64 32)';

/** Reads a secret key; null when it is none of the accepted forms. */
export function signingKeyOf(text: string): SigningKey | null {
  const line = text.trim().split(/\r?\n/).at(-1)?.trim() ?? '';
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
  return { privateKey, publicKey, keyId: keyId ?? derivedKeyId(publicKey) };
}

/** A seed carries no key id, and a random one would change the bytes of every build. */
function derivedKeyId(publicKey: Buffer): Buffer {
  return createHash('blake2b512').update(publicKey).digest().subarray(0, 8);
}
