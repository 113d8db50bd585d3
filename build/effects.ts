/** Files and progress as an argument: steps and renderers are pure and get what they need. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { claimTree, replaceTree } from './release/tree-folder.ts';

export { recoverTree } from './release/tree-folder.ts';

/** What the build does to the world. */
export interface BuildEffects {
  /** A file's bytes, or null where there is none. */
  read(path: string): Buffer | null;
  /** Names of the folders in a folder, sorted; none where there is no such folder. */
  folders(path: string): string[];
  /** Paths of all files below a folder, relative with `/`, sorted by code units. */
  files(path: string): string[];
  /** Takes `out` for writing until the returned function is called. Throws Busy when another process has it, NotATree. */
  claimTree(out: string): () => void;
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
    claimTree,
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
