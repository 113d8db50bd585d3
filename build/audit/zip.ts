/** A minimal zip reader: the central directory and the two methods workbooks use (stored, deflated). */
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** The members of a zip file by name, unpacked on demand; throws where there is no central directory. */
export function readZip(bytes: Uint8Array): Map<string, () => Buffer> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = file.length - 22;
  while (end >= 0 && file.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error('not a zip file: no end of central directory');
  const members = new Map<string, () => Buffer>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (file.readUInt32LE(at) !== ENTRY) throw new Error(`not a zip file: no entry at byte ${at}`);
    const method = file.readUInt16LE(at + 10);
    const size = file.readUInt32LE(at + 20);
    const nameLength = file.readUInt16LE(at + 28);
    const local = file.readUInt32LE(at + 42);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    members.set(name, () => unpack(file, local, size, method, name));
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return members;
}

// The local header repeats the name with an extra field of its own length, so the data's start is read there.
function unpack(file: Buffer, local: number, size: number, method: number, name: string): Buffer {
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const packed = file.subarray(start, start + size);
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed);
  throw new Error(`zip member ${name}: method ${method}, expected 0 or 8`);
}
