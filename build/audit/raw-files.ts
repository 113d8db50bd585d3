/** The raw publisher files of a folder, found by the hash a descriptor names and by nothing else. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLines, type Line } from './lines.ts';
import { readSheets, type Sheet } from './sheets.ts';

/** One raw file, parsed when first asked for. */
export interface RawFile {
  path: string;
  bytes: Uint8Array;
  /** Empty for a file that is no workbook. */
  sheets: () => Map<string, () => Sheet>;
  lines: () => Line[];
}

/** Every file below the folder by its sha256. */
export function rawFiles(folder: string): Map<string, RawFile> {
  const found = new Map<string, RawFile>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    found.set(createHash('sha256').update(bytes).digest('hex'), rawFile(path, bytes));
  }
  return found;
}

function rawFile(path: string, bytes: Uint8Array): RawFile {
  let sheets: Map<string, () => Sheet> | null = null;
  let lines: Line[] | null = null;
  return {
    path,
    bytes,
    sheets: () => (sheets ??= isZip(bytes) ? readSheets(bytes) : new Map<string, () => Sheet>()),
    lines: () => (lines ??= readLines(bytes)),
  };
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}
