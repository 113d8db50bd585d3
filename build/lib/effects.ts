/** Files and progress as an argument: steps and renderers are pure and get what they need. */

/** Reports the current step; `done` of `total` where the step has parts, with the same message each time. */
export type Progress = (message: string, done?: number, total?: number) => void;

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
  progress: Progress;
}
