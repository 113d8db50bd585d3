/** What a build needs of the world outside: files, cache, progress, the date. */
import type { BuildCache } from './cache.ts';
import type { NextTree } from './tree.ts';

/** Reports the current step; `done` of `total` where the step has parts, with the same message each time. */
export type Progress = (message: string, done?: number, total?: number) => void;

/** What a build was made from, for its statement of provenance; nothing else that is published depends on it. */
export interface Origin {
  /** The commit of the checkout; null where the project is not one. */
  commit: string | null;
  /** Whether files differ from that commit. */
  isChanged: boolean;
  /** The version of Node, without a v. */
  node: string;
}

/** All access of a build to the world outside, passed as an argument: steps and renderers are pure. */
export interface BuildEffects {
  /** A file's bytes, or null where there is none. */
  read(path: string): Buffer | null;
  /** A file's bytes piece by piece, each of which may overwrite the one before, or null where there is none; null itself where `read` gives every file. */
  pieces: ((path: string) => Iterable<Uint8Array> | null) | null;
  /** A file's size in bytes; 0 where there is none. */
  size(path: string): number;
  /** Names of the folders in a folder, sorted; empty where the folder does not exist. */
  folders(path: string): string[];
  /** Paths of all files below a folder, relative with `/`, sorted by code units. */
  files(path: string): string[];
  /** Paths of all symbolic links below a folder, likewise; hidden ones are left out: editors make some while a file is open. */
  links(path: string): string[];
  /**
   * Locks `out` for writing until the returned function is called. Throws Busy where another process holds it, and NotATree
   * where it holds other files than a tree, or is inside another tree, inside `inputs` or around them.
   */
  claimTree(out: string, inputs: readonly string[]): () => void;
  /** Starts the tree that will replace the folder `out`, which must be claimed. */
  nextTree(out: string): NextTree;
  /** Replaces the folder `out` by these files, all or nothing: readers see the old tree or the new one. */
  replaceTree(out: string, files: Iterable<readonly [path: string, bytes: Uint8Array]>): void;
  /** Results of earlier builds; the tree is the same without them. */
  cache: BuildCache;
  progress: Progress;
  /** Lets the process handle pending events; throws where the build is no longer wanted. */
  turn(): Promise<void>;
  /** The state of the code and data that this process builds from. */
  origin(): Origin;
  /** The day, `YYYY-MM-DD`: no source can be younger. Nothing that is published depends on it. */
  today(): string;
}
