/** Reads zip archives: the central directory, and each file only if it is as the directory states. */
import { crc32, inflateRawSync } from 'node:zlib';

/** The record at the end of an archive begins with this. */
export const ZIP_END = 'PK\u0005\u0006';
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** A file of an archive as the directory states it. */
export interface ZipEntry {
  name: string;
  method: number;
  checksum: number;
  /** Bytes when packed. */
  packed: number;
  /** Bytes when unpacked. */
  size: number;
  /** Offset of its local header in the archive. */
  at: number;
}

/** Whether a file is compressed in a way that is read here. */
export function isReadable({ method }: ZipEntry): boolean {
  return method === STORED || method === DEFLATED;
}

/** The files of an archive; throws where its directory is damaged. */
export function zipEntries(data: Buffer): ZipEntry[] {
  const end = data.lastIndexOf(ZIP_END, undefined, 'latin1');
  // Without that record, the offsets below would be read from anywhere.
  if (end < 0) throw new Error('no end of the central directory');
  const count = data.readUInt16LE(end + 10);
  if (count === 0) throw new Error('no file in the archive');
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

/**
 * The bytes of a file; no more are unpacked than its entry states. Null where name, size or checksum differ from the entry: another
 * reader could take it for another file, as each file has its name before its bytes as well.
 */
export function zipContent(data: Buffer, entry: ZipEntry): Buffer | null {
  const { name, method, size, packed, at, checksum } = entry;
  const named = at + 30 + data.readUInt16LE(at + 26);
  if (data.toString('utf8', at + 30, named) !== name) return null;
  const from = named + data.readUInt16LE(at + 28);
  const content = data.subarray(from, from + packed);
  const bytes = method === STORED ? content : inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
  return bytes.length === size && crc32(bytes) === checksum ? bytes : null;
}
