/** Files of the published site before they are written, the hash of the whole project, and what the build does to the world. */
import { createHash } from 'node:crypto';
import type { BuildCache } from './cache.ts';

/** The manifest of a published tree: a folder that holds one is ours to replace. */
export const MANIFEST = 'release.json';

/** What renderers give: a path below the site root and its bytes. One file an output; a path is given once. */
export interface Artifact {
  path: string;
  bytes: Uint8Array;
  /** Hash of the bytes where the maker has it already. */
  sha256?: string;
}

/** JSON as it is published: compact, LF at the end. */
export function jsonArtifact(path: string, value: unknown): Artifact {
  return { path, bytes: Buffer.from(`${JSON.stringify(value)}\n`, 'utf8') };
}

/** JSON meant to be read by people too: indented. */
export function prettyJsonArtifact(path: string, value: unknown): Artifact {
  return { path, bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8') };
}

/** Text in UTF-8. */
export function textArtifact(path: string, text: string): Artifact {
  return { path, bytes: Buffer.from(text, 'utf8') };
}

/** Lower-case hex sha256. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Collects artifacts and refuses a path given twice. Each file is hashed once, however many listings name it. */
export class Tree {
  readonly files = new Map<string, Uint8Array>();
  private readonly hashes = new Map<string, string>();

  add(artifacts: Iterable<Artifact>): void {
    for (const { path, bytes, sha256: hash } of artifacts) {
      if (this.files.has(path)) throw new Error(`two outputs are called ${path}`);
      this.files.set(path, bytes);
      if (hash !== undefined) this.hashes.set(path, hash);
    }
  }

  /** Lower-case hex sha256 of a file; throws for a path that is not there. */
  sha256(path: string): string {
    const known = this.hashes.get(path);
    if (known !== undefined) return known;
    const bytes = this.files.get(path);
    if (bytes === undefined) throw new Error(`no output is called ${path}`);
    const hash = sha256(bytes);
    this.hashes.set(path, hash);
    return hash;
  }

  /** Files by path, ascending by code units. */
  sorted(): [path: string, bytes: Uint8Array][] {
    return [...this.files].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Reports the current step; `done` of `total` where the step has parts, with the same message each time. */
export type Progress = (message: string, done?: number, total?: number) => void;

/** What the build does to the world, as an argument: steps and renderers are pure and get what they need. */
export interface BuildEffects {
  /** A file's bytes, or null where there is none. */
  read(path: string): Buffer | null;
  /** Names of the folders in a folder, sorted; empty where the folder does not exist. */
  folders(path: string): string[];
  /** Paths of all files below a folder, relative with `/`, sorted by code units. */
  files(path: string): string[];
  /** Takes `out` for writing until the returned function is called. Throws Busy when another process has it, NotATree. */
  claimTree(out: string): () => void;
  /** Replaces the folder `out` by these files, all or nothing: readers see the old tree or the new one. */
  replaceTree(out: string, files: Iterable<readonly [path: string, bytes: Uint8Array]>): void;
  /** Results of earlier builds; the tree is the same without them. */
  cache: BuildCache;
  progress: Progress;
  /** The day, `YYYY-MM-DD`: no source can be younger. Nothing that is published depends on it. */
  today(): string;
}
