/** The real files and the real terminal, for the effects the build asks for. */
import { existsSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { BuildEffects } from '../lib/effects.ts';
import { progressOn } from './progress.ts';
import { claimTree, replaceTree } from './tree-folder.ts';

/** Effects on the real file system, with progress on standard error. */
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
    files: (path) => (existsSync(path) ? pathsBelow(path, (entry) => entry.isFile()) : []),
    claimTree,
    replaceTree,
    progress: progressOn(output),
  };
}

/** Paths of the chosen entries below a folder, relative with `/`, sorted by code units. */
export function pathsBelow(root: string, isChosen: (entry: Dirent) => boolean): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(isChosen)
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort((a, b) => (a < b ? -1 : 1));
}
