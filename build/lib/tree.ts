import { sha256 as sha256Of } from './hash.ts';

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

/** Collects artifacts and refuses a path given twice. Each file is hashed once, however many listings name it. */
export class Tree {
  readonly files = new Map<string, Uint8Array>();
  private readonly hashes = new Map<string, string>();

  add(artifacts: Iterable<Artifact>): void {
    for (const { path, bytes, sha256 } of artifacts) {
      if (this.files.has(path)) throw new Error(`two outputs are called ${path}`);
      this.files.set(path, bytes);
      if (sha256 !== undefined) this.hashes.set(path, sha256);
    }
  }

  /** Lower-case hex sha256 of a file; throws for a path that is not there. */
  sha256(path: string): string {
    const known = this.hashes.get(path);
    if (known !== undefined) return known;
    const bytes = this.files.get(path);
    if (bytes === undefined) throw new Error(`no output is called ${path}`);
    const hash = sha256Of(bytes);
    this.hashes.set(path, hash);
    return hash;
  }

  /** Files by path, ascending by code units. */
  sorted(): [path: string, bytes: Uint8Array][] {
    return [...this.files].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
