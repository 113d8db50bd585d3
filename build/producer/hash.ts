/** The hashes of a static release, each recomputable with sha256sum and git alone. All results are lower-case hex. */
import { createHash } from 'node:crypto';
import { byCodeUnits } from '../lib/dataset.ts';
import type { FileDescriptor } from './contract.ts';

/** sha256 of bytes, or of the UTF-8 of a text. */
export function sha256Hex(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** What `git hash-object` prints for the bytes. */
export function gitBlobOid(bytes: Uint8Array): string {
  return gitOid('blob', bytes);
}

/** The id of a commit object with this text. */
export function gitCommitOid(text: string): string {
  return gitOid('commit', Buffer.from(text, 'utf8'));
}

/** What `git write-tree` prints for plain files (mode 100644) at these paths. */
export function gitTreeOid(files: readonly Pick<FileDescriptor, 'path' | 'gitBlobOid'>[]): string {
  const blobs: [name: string, oid: string][] = [];
  const folders = new Map<string, { path: string; gitBlobOid: string }[]>();
  for (const { path, gitBlobOid: oid } of files) {
    const slash = path.indexOf('/');
    if (slash === -1) blobs.push([path, oid]);
    else {
      const folder = path.slice(0, slash);
      folders.set(folder, [...(folders.get(folder) ?? []), { path: path.slice(slash + 1), gitBlobOid: oid }]);
    }
  }
  const entries = [
    ...blobs.map(([name, oid]) => ({ order: name, head: `100644 ${name}\0`, oid })),
    // git orders a folder as if its name ended with a slash
    ...[...folders].map(([name, inner]) => ({
      order: `${name}/`,
      head: `40000 ${name}\0`,
      oid: gitTreeOid(inner),
    })),
  ].sort((a, b) => byCodeUnits(a.order, b.order));
  return gitOid(
    'tree',
    Buffer.concat(entries.flatMap(({ head, oid }) => [Buffer.from(head), Buffer.from(oid, 'hex')])),
  );
}

/** sha256 of the lines `<sha256>  <path>\n` of the files, sorted by path: the tree hash of a release. */
export function artifactTreeSha256(files: readonly Pick<FileDescriptor, 'path' | 'sha256'>[]): string {
  const lines = [...files]
    .sort((a, b) => byCodeUnits(a.path, b.path))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  return sha256Hex(lines.join(''));
}

/** Path, size and both hashes of a file. */
export function describeFile(path: string, bytes: Uint8Array): FileDescriptor {
  return { path, bytes: bytes.length, sha256: sha256Hex(bytes), gitBlobOid: gitBlobOid(bytes) };
}

/** Packaged JSON: two spaces, one trailing newline. */
export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

function gitOid(type: 'blob' | 'tree' | 'commit', content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}
