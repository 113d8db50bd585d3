/** The tree the test run was given: read-only for tests; `copyOfTree` where a test damages it. */
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { sidecarPath, sidecarText, SUMS } from '../../shim/core/paths.ts';
import type { Release } from '../../shim/core/types.ts';
import { sha256Hex } from '../../shim/store/disk.ts';
import { openReleases } from '../../shim/store/release.ts';

export { TEST_SITE } from './tree-setup.ts';

/** Folder of the built tree, shared by all test files. */
export function builtTree(): string {
  return inject('tree');
}

/** A file of the built tree. */
export function treeFile(path: string): Buffer {
  return readFileSync(join(builtTree(), path));
}

/** A file of the built tree as text. */
export function treeText(path: string): string {
  return treeFile(path).toString('utf8');
}

/** A JSON document of the built tree, or of another. */
export function treeJson<T>(path: string, root = builtTree()): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

/** The records of an NDJSON file of the built tree, or of another. */
export function treeRecords<T = unknown>(path: string, root = builtTree()): T[] {
  const text = readFileSync(join(root, path), 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as T);
}

/** Changes one bit of a file: in its middle, unless stated. */
export function flipBit(file: string, place?: number): void {
  const bytes = readFileSync(file);
  const at = place ?? Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

/** A new, empty folder; the test run removes it when it ends. */
export function temporaryFolder(): string {
  return mkdtempSync(join(inject('temporary'), 'test-'));
}

/** Most files of the tree: pages of places and of rows, with their sidecars. */
export const PLACE_PAGE =
  /^(places|data\/(?!datasets|editions|index|parquet)[^/]+)\/.*index\.html(\.sha256)?$/;

/** Every file of the tree. */
export function filesOfTree(): string[] {
  const tree = builtTree();
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .toSorted();
}

/**
 * A copy of the tree by hard links, without the pages of places. A test may remove any file of it, and change those it names in
 * `changed`: they are real copies. The end of the run checks that no other was changed.
 */
export function copyOfTree(...changed: string[]): string {
  return linkedCopy(
    filesOfTree().filter((path) => changed.includes(path) || !PLACE_PAGE.test(path)),
    changed,
  );
}

/** Such a copy with every file. */
export function wholeCopyOfTree(...changed: string[]): string {
  return linkedCopy(filesOfTree(), changed);
}

function linkedCopy(paths: readonly string[], changed: readonly string[]): string {
  const copy = join(temporaryFolder(), 'public');
  const folders = new Set<string>();
  for (const path of paths) {
    const to = join(copy, path);
    const folder = dirname(to);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    if (changed.includes(path)) copyFileSync(join(builtTree(), path), to);
    else linkSync(join(builtTree(), path), to);
  }
  return copy;
}

/** The release of the built tree, open. */
export function builtStore(root = builtTree()): Release {
  return openReleases(root, () => performance.now()).current();
}

/** What a file is listed by, itself included: what a copy of the tree must have of its own to write the file with `writeListed`. */
export function listedBy(path: string): string[] {
  return [path, SUMS].flatMap((each) => [each, sidecarPath(each)]);
}

/** Writes a file of a copy as another release would have it: with its sidecar, and in SHA256SUMS. */
export function writeListed(root: string, path: string, text: string): void {
  const line = (of: string): string => `${sha256Hex(of)}  ${path}\n`;
  const sums = readFileSync(join(root, SUMS), 'utf8');
  writeWithSidecar(root, SUMS, sums.replace(line(readFileSync(join(root, path), 'utf8')), line(text)));
  writeWithSidecar(root, path, text);
}

/** Writes a file of a copy and its sidecar, which SHA256SUMS does not know of. */
export function writeWithSidecar(root: string, path: string, bytes: string | Buffer): void {
  writeFileSync(join(root, path), bytes);
  writeFileSync(join(root, sidecarPath(path)), sidecarText(path, sha256Hex(bytes)));
}
