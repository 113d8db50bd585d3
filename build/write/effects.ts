/** The real files and the real terminal, for the effects the build asks for. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import { readWhole } from '../../shim/store/disk.ts';
import { NO_CACHE } from '../lib/cache.ts';
import { byCodeUnits } from '../lib/dataset.ts';
import type { BuildEffects, Origin, Progress } from '../lib/effects.ts';
import { CACHE_FOLDER, openCache, PROJECT } from './cache.ts';
import { piecesOfFile } from './folder-files.ts';
import { claimTree, nextTree, replaceTree } from './tree-folder.ts';

const WIDTH = 30;
const REDRAW_MS = 100;

/**
 * Effects on the real file system, with progress on standard error; the cache is a folder, that of the project where it is
 * `true`, and none otherwise. With it a file of the last tree that was not changed is not read again. Symbolic links are neither files
 * nor folders.
 */
export function realEffects({
  output = process.stderr,
  cache = false,
}: { output?: NodeJS.WriteStream; cache?: string | boolean } = {}): BuildEffects {
  const progress = progressOn(output);
  const folder = cache === true ? CACHE_FOLDER : cache;
  const repeated = folder === false ? {} : { known: join(folder, 'tree', 'hashes'), kept: `${folder}-tree` };
  const found = (cwd: string, pattern: string, options: Parameters<typeof fastGlob.globSync>[1]): string[] =>
    fastGlob.globSync(pattern, { cwd, followSymbolicLinks: false, ...options }).sort(byCodeUnits);
  return {
    read: (path) => (existsSync(path) ? bytesOf(path) : null),
    pieces: (path) => (statSync(path, { throwIfNoEntry: false })?.isFile() ? piecesOfFile(path) : null),
    size: (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    // An import that was killed may have left an edition aside, as `.old`; what else has a dot is being written.
    folders: (path) => found(path, '*', { onlyDirectories: true, ignore: ['*.!(old)'] }),
    files: (path) => found(path, '**', { dot: true }),
    links: (path) =>
      found(path, '**', { dot: true, onlyFiles: false }).filter(
        (one) => !basename(one).startsWith('.') && lstatSync(join(path, one)).isSymbolicLink(),
      ),
    claimTree,
    nextTree: (out) => nextTree(out, repeated),
    replaceTree,
    progress,
    // The second thread is given more as soon as it has done something.
    turn: async () => setImmediate(),
    cache: folder === false ? NO_CACHE : openCache(folder, progress),
    origin,
    today: () => new Date().toISOString().slice(0, 10),
  };
}

/** Reads a file. The system does not always name the file that it cannot read, so the error does. */
function bytesOf(path: string): Buffer {
  try {
    return readWhole(path);
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${String(cause)}`, { cause });
  }
}

/** Reports progress on a stream. A step with a total becomes a bar that is redrawn in place; any other step is a line. */
export function progressOn(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Progress {
  let step = '';
  let drawn = 0;
  let unfinished = false;
  return (message, done, total) => {
    const bar = output.isTTY && done !== undefined && total !== undefined;
    if (message !== step) {
      if (unfinished) output.write('\n');
      if (!bar) output.write(`${message}\n`);
      [step, drawn, unfinished] = [message, 0, bar];
    }
    if (!bar || !unfinished) return;
    const now = performance.now();
    if (done < total && now - drawn < REDRAW_MS) return;
    const filled = '='.repeat(total === 0 ? WIDTH : Math.floor((WIDTH * done) / total)).padEnd(WIDTH);
    output.write(`\r\u001B[2K${message} [${filled}] ${done}/${total}`);
    drawn = now;
    unfinished = done < total;
    if (!unfinished) output.write('\n');
  };
}

/** What a release is made from. */
const INPUTS = ['build', 'datasets', 'package-lock.json', 'package.json', 'schemas', 'shim', 'tsconfig.json'];

/** The commit counts only where the project is the whole checkout, not a folder of another one. */
function origin(): Origin {
  const node = process.versions.node;
  const git = (...words: string[]): string | null => {
    const { status, stdout } = spawnSync('git', words, { cwd: PROJECT, encoding: 'utf8' });
    return status === 0 ? stdout.trimEnd() : null;
  };
  const isWhole = git('rev-parse', '--show-prefix') === '';
  const commit = isWhole ? git('rev-parse', '--verify', 'HEAD') : null;
  const isChanged = commit !== null && git('status', '--porcelain', '--', ...INPUTS) !== '';
  return { commit, isChanged, node };
}
