/** What renderers give: a path below the site root and its bytes. One file an output; a path is given once. */
export interface Artifact {
  path: string;
  bytes: Uint8Array;
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

/** Collects artifacts and refuses a path given twice. */
export class Tree {
  readonly files = new Map<string, Uint8Array>();

  add(artifacts: Iterable<Artifact>): void {
    for (const { path, bytes } of artifacts) {
      if (this.files.has(path)) throw new Error(`two outputs are called ${path}`);
      this.files.set(path, bytes);
    }
  }

  /** Files by path, ascending by code units. */
  sorted(): [path: string, bytes: Uint8Array][] {
    return [...this.files].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
