/** Files and progress as an argument: the only node:fs of the build. Steps and renderers are pure and get what they need. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** What the build does to the world. */
export interface BuildEffects {
  /** A file's bytes, or null where there is none. */
  read(path: string): Buffer | null;
  /** Names of the folders in a folder, sorted; none where there is no such folder. */
  folders(path: string): string[];
  /** Paths of all files below a folder, relative with `/`, sorted by code units. */
  files(path: string): string[];
  /** Replaces the folder `out` by these files, all or nothing: readers see the old tree or the new one. */
  replaceTree(out: string, files: Iterable<readonly [path: string, bytes: Uint8Array]>): void;
  /** Says what is being done; `done` of `total` where a step has parts. */
  progress(message: string): void;
}

/** The real world. Progress overwrites its line on a terminal and prints plain lines elsewhere. */
export function realEffects(output: NodeJS.WriteStream = process.stderr): BuildEffects {
  return {
    read: (path) => (existsSync(path) ? readFileSync(path) : null),
    folders: (path) =>
      existsSync(path)
        ? readdirSync(path, { withFileTypes: true })
            .filter((entry) => entry.isDirectory() && !entry.name.includes('.'))
            .map(({ name }) => name)
            .sort()
        : [],
    files: (path) => filesBelow(path),
    replaceTree,
    progress: (message) => output.write(output.isTTY ? `\r\u001B[2K${message}` : `${message}\n`),
  };
}

function filesBelow(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort((a, b) => (a < b ? -1 : 1));
}

function replaceTree(out: string, files: Iterable<readonly [path: string, bytes: Uint8Array]>): void {
  const target = resolve(out);
  const fresh = `${target}.next`;
  const old = `${target}.previous`;
  recoverTree(target);
  rmSync(fresh, { recursive: true, force: true });
  const made = new Set<string>();
  mkdirSync(fresh, { recursive: true });
  for (const [path, bytes] of files) {
    const folder = dirname(join(fresh, path));
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    writeFileSync(join(fresh, path), bytes);
  }
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  rmSync(old, { recursive: true, force: true });
}

/** A build killed between its two renames leaves the last tree beside its place: put it back. */
export function recoverTree(out: string): void {
  const target = resolve(out);
  const old = `${target}.previous`;
  if (!existsSync(old)) return;
  if (existsSync(target)) rmSync(old, { recursive: true, force: true });
  else renameSync(old, target);
}

/** When a file was last written, in milliseconds; 0 where there is none. */
export function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
