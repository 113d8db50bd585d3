/**
 * Checks a signature in the form of minisign ("ED": Ed25519 over the BLAKE2b-512 of the file, and a second one over the first
 * and the trusted comment) with what browsers and node have: WebCrypto for Ed25519. No other code checks signatures.
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** A public key as minisign writes it: 56 characters of base64. */
export type PublicKeyText = string;

/** The beginnings of the comment lines of a signature. */
export const UNTRUSTED = 'untrusted comment: ';
export const TRUSTED = 'trusted comment: ';

/** Null where `file` is a signature of these bytes by the key, else one sentence that says what is wrong. */
export async function signatureFault(
  bytes: Uint8Array,
  file: string,
  key: PublicKeyText,
): Promise<string | null> {
  const pair = ofBase64(key);
  if (pair.length !== 42) return 'cannot be checked: the key given is not a public key of minisign';
  const [untrusted = '', packetLine = '', comment = '', globalLine = ''] = file.split('\n');
  const packet = ofBase64(packetLine);
  const global = ofBase64(globalLine);
  const isFormed =
    untrusted.startsWith(UNTRUSTED) &&
    packet.length === 74 &&
    packet[0] === 0x45 &&
    packet[1] === 0x44 &&
    comment.startsWith(TRUSTED) &&
    global.length === 64;
  if (!isFormed) return 'is not a prehashed minisign signature';
  const [by, expected] = [idText(packet), idText(pair)];
  if (by !== expected) return `is by key ${by}, not by ${expected}`;
  const { subtle } = globalThis.crypto as Partial<typeof globalThis.crypto>;
  if (!subtle) return 'cannot be checked by a page that was not loaded over https';
  const signature = packet.slice(10);
  const publicKey = await subtle
    .importKey('raw', pair.slice(10), 'Ed25519', false, ['verify'])
    .catch(() => null);
  if (!publicKey) return 'cannot be checked: this browser does not know Ed25519';
  const isBy = async (sum: Uint8Array<ArrayBuffer>, of: Uint8Array): Promise<boolean> =>
    subtle.verify('Ed25519', publicKey, sum, new Uint8Array(of));
  if (!(await isBy(signature, blake2b(bytes)))) return 'does not match these bytes';
  const signed = concatBytes(signature, utf8ToBytes(comment.slice(TRUSTED.length)));
  return (await isBy(global, signed)) ? null : 'carries a trusted comment that was altered';
}

/** The key id as minisign prints it: 16 hex digits. */
export function keyIdText(key: PublicKeyText): string {
  return idText(ofBase64(key));
}

/** The id in a key or a signature: 8 bytes after the first two, little-endian. */
function idText({ buffer }: Uint8Array<ArrayBuffer>): string {
  return new DataView(buffer).getBigUint64(2, true).toString(16).toUpperCase().padStart(16, '0');
}

/** Decodes base64; empty where the text is something else. */
function ofBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
