/**
 * Checks a signature in the form of minisign ("ED": Ed25519 over the BLAKE2b-512 of the file, and a second one over the first
 * and the trusted comment) with what browsers and node have: WebCrypto for Ed25519.
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** The signature of release.json. */
export const SIGNATURE = 'release.json.minisig';

const UNTRUSTED = 'untrusted comment: ';
const TRUSTED = 'trusted comment: ';

/** Null where `file` is a signature of these bytes by the key, one line as minisign writes it; else what is wrong. */
export async function signatureFault(bytes: Uint8Array, file: string, key: string): Promise<string | null> {
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
  if (packet.subarray(2, 10).some((byte, position) => byte !== pair[2 + position]))
    return 'is by another key than the one given';
  const signature = packet.slice(10);
  const publicKey = await crypto.subtle.importKey('raw', pair.slice(10), 'Ed25519', false, ['verify']);
  const isBy = async (sum: Uint8Array<ArrayBuffer>, of: Uint8Array<ArrayBuffer>): Promise<boolean> =>
    crypto.subtle.verify('Ed25519', publicKey, sum, of);
  if (!(await isBy(signature, new Uint8Array(blake2b(bytes))))) return 'does not match release.json';
  const signed = concatBytes(signature, utf8ToBytes(comment.slice(TRUSTED.length)));
  return (await isBy(global, new Uint8Array(signed))) ? null : 'carries a trusted comment that was altered';
}

/** Empty where the text is not base64. */
function ofBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
