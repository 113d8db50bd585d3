/** Small published trees of a test's own files: each with its sidecar, and listed in SHA256SUMS. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sidecarText, SUMS } from '../../shim/core/paths.ts';
import { sha256Hex } from '../../shim/store/disk.ts';
import { temporaryFolder } from './tree.ts';

/** Writes the files by path; resolves to the folder. */
export function treeOf(files: Record<string, Uint8Array | string>): string {
  const root = temporaryFolder();
  const write = (path: string, bytes: Uint8Array | string): string => {
    const hash = sha256Hex(bytes);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
    writeFileSync(join(root, `${path}.sha256`), sidecarText(path, hash));
    return hash;
  };
  const lines = Object.entries(files).map(([path, bytes]) => `${write(path, bytes)}  ${path}\n`);
  write(SUMS, lines.join(''));
  return root;
}
