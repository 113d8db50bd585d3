/** The real files and the real terminal, for the effects the build asks for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { BuildEffects } from '../lib/effects.ts';
import { claimTree, replaceTree } from './tree-folder.ts';

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
