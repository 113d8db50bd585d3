/** The files of a published site while it is built, and the hash function of the whole project. */
import { createHash, hash as hashOf } from 'node:crypto';
import { sumsLine } from '../../shim/core/paths.ts';

/** What renderers return: a path below the site root and its bytes. No path may be returned twice. */
export interface Artifact {
  path: string;
  bytes: Uint8Array;
  /** Hash of the bytes where the renderer already has it. */
  sha256?: string;
}

/** JSON as it is published: compact, LF at the end. */
export function jsonArtifact(path: string, value: unknown): Artifact {
  return { path, bytes: Buffer.from(`${JSON.stringify(value)}\n`, 'utf8') };
}

/** JSON meant to be read by people too: indented, LF at the end. */
export function prettyJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}

/** Such JSON as it is published. */
export function prettyJsonArtifact(path: string, value: unknown): Artifact {
  return { path, bytes: prettyJson(value) };
}

/** Text in UTF-8. */
export function textArtifact(path: string, text: string): Artifact {
  return { path, bytes: Buffer.from(text, 'utf8') };
}

/** Lower-case hex sha256. */
export function sha256(bytes: Uint8Array | string): string {
  return hashOf('sha256', bytes);
}

/** The lower-case hex sha256 of bytes that come piece by piece. */
export function sha256OfPieces(pieces: Iterable<Uint8Array>): string {
  const sum = createHash('sha256');
  for (const piece of pieces) sum.update(piece);
  return sum.digest('hex');
}

/** A file of a tree: its size and lower-case hex sha256. */
export interface TreeFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** The facts of a file alone, of something that says more about it. */
export function asFile({ path, bytes, sha256: hash }: TreeFile): TreeFile {
  return { path, bytes, sha256: hash };
}

/** The order of every list of files: by path, ascending by code units. */
export function byPath(a: Pick<TreeFile, 'path'>, b: Pick<TreeFile, 'path'>): number {
  return a.path < b.path ? -1 : 1;
}

/** SHA256SUMS of these files. */
export function sumsText(files: readonly Pick<TreeFile, 'path' | 'sha256'>[]): string {
  return files.map(sumsLine).join('');
}

/** The tree hash of files in the order of their paths: the sha256 of the lines `<sha256>  <path>\n`. */
export function treeHash(files: readonly Pick<TreeFile, 'path' | 'sha256'>[]): string {
  return sha256(sumsText(files));
}

/** A file of an earlier build. `file` is its place on disk, to be copied soon and never changed; null where it is part of a larger file. */
export interface TakenFile extends TreeFile {
  file: string | null;
  read(): Uint8Array;
}

/** The folder, or memory, that keeps the bytes of a tree while it grows. */
export interface TreeFolder {
  /** Writes a file; the hash where the caller has it. */
  write(path: string, bytes: Uint8Array, sha256?: string): void;
  /** Whether the tree that this one replaces has the same file, as far as that is known without reading it. */
  has(file: TreeFile): boolean;
  /** Takes a file of an earlier build; it is not read where `has` said that it is there. */
  place(file: TakenFile): void;
  /** A file that is written piece by piece. */
  create(path: string): { write(bytes: Uint8Array): void; close(): void };
  /** The bytes of a file that was written, or `length` of them from `start` on; the caller may keep and change them. */
  read(path: string, start?: number, length?: number): Buffer;
  /** The bytes of a file piece by piece, each of which may overwrite the one before. */
  pieces(path: string): Iterable<Uint8Array>;
  remove(path: string): void;
}

/** Bytes that are written at once. */
const PIECE = 64 * 1024;

/** Starts a file of any size that is written piece by piece and hashed on the way. */
export function growingFile(folder: TreeFolder, path: string) {
  const file = folder.create(path);
  const sum = createHash('sha256');
  let waiting: Uint8Array[] = [];
  let held = 0;
  let bytes = 0;
  const flush = (): void => {
    const piece = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting);
    sum.update(piece);
    file.write(piece);
    bytes += held;
    waiting = [];
    held = 0;
  };
  return {
    add(piece: Uint8Array): void {
      waiting.push(piece);
      held += piece.length;
      if (held >= PIECE) flush();
    },
    finish(): TreeFile {
      if (held > 0) flush();
      file.close();
      return { path, bytes, sha256: sum.digest('hex') };
    },
  };
}

/** The bytes of a file in a folder, piece by piece; each may overwrite the one before. Throws for a file that is not whole. */
export function* piecesOf(
  folder: Pick<TreeFolder, 'pieces'>,
  { path, bytes }: Pick<TreeFile, 'path' | 'bytes'>,
): Generator<Uint8Array> {
  let read = 0;
  for (const piece of folder.pieces(path)) {
    read += piece.length;
    yield piece;
  }
  if (read !== bytes) throw new Error(`${path} has ${read} bytes, not the ${bytes} that were written`);
}

/** A tree that is written next to the one it replaces. Only `replace` makes it visible. */
export interface NextTree extends TreeFolder {
  /** The folder that holds it until then, for those who write or read its files themselves. */
  root: string;
  /** Takes over every file of the replaced tree for which `has` is false. */
  keepRest(has: (path: string) => boolean): void;
  /** Puts the files for which `has` is true into place, all or nothing: readers see the old tree or the new one. Resolves when the old one is gone. */
  replace(has: (path: string) => boolean): Promise<void>;
  /** Deletes what was written, unless it was put into place. */
  discard(): void;
}

/** Collects artifacts and refuses a path given twice. Of each file only size and hash are kept here; the bytes are in the folder. */
export class Tree {
  private readonly listed = new Map<string, TreeFile>();
  readonly folder: TreeFolder;

  constructor(folder: TreeFolder = inMemory()) {
    this.folder = folder;
  }

  add(artifacts: Iterable<Artifact>): void {
    for (const { path, bytes, sha256: hash = sha256(bytes) } of artifacts) {
      this.list([{ path, bytes: bytes.length, sha256: hash }]);
      this.folder.write(path, bytes, hash);
    }
  }

  /** Takes files of an earlier build. */
  place(files: Iterable<TakenFile>): void {
    for (const file of files) {
      this.list([{ path: file.path, bytes: file.bytes, sha256: file.sha256 }]);
      this.folder.place(file);
    }
  }

  /** Takes files that are in the folder already. */
  list(files: Iterable<TreeFile>): void {
    for (const file of files) {
      if (this.listed.has(file.path)) throw new Error(`two outputs are called ${file.path}`);
      this.listed.set(file.path, file);
    }
  }

  get size(): number {
    return this.listed.size;
  }

  has(path: string): boolean {
    return this.listed.has(path);
  }

  /** The bytes of a file, or `length` of them from `start` on; throws for a path that is not there. */
  read(path: string, start?: number, length?: number): Buffer {
    this.sha256(path);
    return this.folder.read(path, start, length);
  }

  /** Lower-case hex sha256 of a file; throws for a path that is not there. */
  sha256(path: string): string {
    const file = this.listed.get(path);
    if (file === undefined) throw new Error(`no output is called ${path}`);
    return file.sha256;
  }

  /** Files by path, ascending by code units. */
  sorted(): TreeFile[] {
    return [...this.listed.values()].sort(byPath);
  }

  /** Every file with its bytes, in that order. */
  *contents(): Generator<[path: string, bytes: Buffer]> {
    for (const { path } of this.sorted()) yield [path, this.read(path)];
  }
}

/** Keeps a small tree in memory. */
export function inMemory(): TreeFolder {
  const files = new Map<string, Uint8Array>();
  return {
    write: (path, bytes) => void files.set(path, bytes),
    has: () => false,
    place: ({ path, read }) => void files.set(path, read()),
    create(path) {
      const pieces: Uint8Array[] = [];
      return {
        write: (bytes) => void pieces.push(bytes),
        close: () => void files.set(path, Buffer.concat(pieces)),
      };
    },
    read: (path, start = 0, length = Infinity) =>
      Buffer.from((files.get(path) ?? new Uint8Array()).subarray(start, start + length)),
    pieces: (path) => [files.get(path) ?? new Uint8Array()],
    remove: (path) => void files.delete(path),
  };
}
