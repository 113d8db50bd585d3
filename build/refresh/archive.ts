/** The data file in a publisher's zip archive, found by its central directory; bounded, and checked against its checksum. */
import { crc32, inflateRawSync } from 'node:zlib';
import { Stopped } from './outcomes.ts';

const END = 'PK\u0005\u0006';
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** The only member whose name matches. Throws a Stopped where there is none or several, or where it cannot be read whole. */
export function memberOf(
  archive: Uint8Array,
  pattern: string,
  maxBytes: number,
): { name: string; bytes: Uint8Array } {
  const data = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    const [entry, ...more] = entriesOf(data).filter(({ name }) => new RegExp(pattern).test(name));
    if (!entry || more.length > 0)
      throw new Stopped(
        'refused',
        `${more.length + (entry ? 1 : 0)} files called ${pattern} in the archive, expected 1`,
      );
    const { name, method, size, packed, at, checksum } = entry;
    if (size > maxBytes)
      throw new Stopped('oversized', `${name} in the archive is larger than ${maxBytes} bytes`);
    const from = at + 30 + data.readUInt16LE(at + 26) + data.readUInt16LE(at + 28);
    const content = data.subarray(from, from + packed);
    const isKnown = method === STORED || method === DEFLATED;
    if (!isKnown) throw new Stopped('wrong-type', `${name} in the archive is compressed by method ${method}`);
    const bytes = method === STORED ? content : inflateRawSync(content, { maxOutputLength: maxBytes });
    if (bytes.length !== size || crc32(bytes) !== checksum)
      throw new Stopped('truncated', `${name} in the archive does not match its checksum`);
    return { name, bytes };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    throw new Stopped('truncated', 'the archive is damaged');
  }
}

interface Entry {
  name: string;
  method: number;
  checksum: number;
  packed: number;
  size: number;
  /** Where the header of the member is. */
  at: number;
}

function entriesOf(data: Buffer): Entry[] {
  const end = data.lastIndexOf(END, undefined, 'latin1');
  const count = data.readUInt16LE(end + 10);
  let at = data.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (data.readUInt32LE(at) !== ENTRY) throw new Error('no entry of the central directory');
    const nameLength = data.readUInt16LE(at + 28);
    const entry = {
      name: data.toString('utf8', at + 46, at + 46 + nameLength),
      method: data.readUInt16LE(at + 10),
      checksum: data.readUInt32LE(at + 16),
      packed: data.readUInt32LE(at + 20),
      size: data.readUInt32LE(at + 24),
      at: data.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
    return entry;
  });
}
