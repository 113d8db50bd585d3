/** The hashes of the producer's files, each recomputable with sha256sum and git alone. All results are lower-case hex. */
import { createHash } from 'node:crypto';
import { byCodeUnits } from '../lib/dataset.ts';
import { byPath, prettyJson, sha256, treeHash } from '../lib/tree.ts';
import {
  type Documents,
  FILES,
  type FileDescriptor,
  type HashPointers,
  type ProducerFiles,
  type ReceiptFacts,
  type SourceDescriptor,
} from './contract.ts';

/** The id git gives an object: what `git hash-object -t <type>` prints for the content. */
export function gitOid(type: 'blob' | 'tree' | 'commit', content: Uint8Array | string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** What `git write-tree` prints for plain files (mode 100644) at these paths. */
export function gitTreeOid(files: readonly Pick<FileDescriptor, 'path' | 'gitBlobOid'>[]): string {
  const folders = new Map<string, { path: string; gitBlobOid: string }[]>();
  const entries: { order: string; head: string; oid: string }[] = [];
  for (const { path, gitBlobOid: oid } of files) {
    const [name = '', ...rest] = path.split('/');
    if (rest.length === 0) entries.push({ order: name, head: `100644 ${name}\0`, oid });
    else folders.set(name, [...(folders.get(name) ?? []), { path: rest.join('/'), gitBlobOid: oid }]);
  }
  // git orders a folder as if its name ended with a slash
  for (const [name, inner] of folders)
    entries.push({ order: `${name}/`, head: `40000 ${name}\0`, oid: gitTreeOid(inner) });
  entries.sort((a, b) => byCodeUnits(a.order, b.order));
  const parts = entries.flatMap(({ head, oid }) => [Buffer.from(head), Buffer.from(oid, 'hex')]);
  return gitOid('tree', Buffer.concat(parts));
}

/** Path, size and both hashes of a file. */
export function describeFile(path: string, bytes: Uint8Array): FileDescriptor {
  return { path, bytes: bytes.length, sha256: sha256(bytes), gitBlobOid: gitOid('blob', bytes) };
}

/** A file with the addresses it has below the producer's base addresses; no mirror when there is none. */
export function publishedAt(
  file: FileDescriptor,
  canonicalBase: string,
  mirrorBase: string | null,
): SourceDescriptor {
  return {
    ...file,
    canonicalUrl: `${canonicalBase}/${file.path}`,
    ...(mirrorBase === null ? {} : { mirrorUrl: `${mirrorBase}/${file.path}` }),
  };
}

/** The id of a reference release, which its files give. */
export function referenceId(tree: string): string {
  return `reference-${tree.slice(0, 16)}`;
}

/** What the release receipt must say about these data files and this manifest. */
export function receiptFacts(
  files: readonly FileDescriptor[],
  manifest: Pick<FileDescriptor, 'bytes' | 'sha256'>,
  sourceCommit: string,
): ReceiptFacts {
  return {
    sourceRevision: gitOid('commit', sourceCommit),
    sourceTreeOid: gitTreeOid(files),
    artifactTreeSha256: treeHash(files.toSorted(byPath)),
    artifactManifest: {
      schemaVersion: 'producerp.static-release.v1',
      bytes: manifest.bytes,
      sha256: manifest.sha256,
      fileCount: files.length,
      totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  };
}

/** What the descriptor of the economic rows must say about its files. */
export function hashPointersOf(
  observations: Uint8Array,
  registryBytes: Uint8Array,
  { series }: Documents['registry'],
): HashPointers {
  return {
    observationsSha256: sha256(observations),
    registrySha256: sha256(registryBytes),
    rawResponseSha256s: [...new Set(series.map(({ rawSha256 }) => rawSha256))].sort(byCodeUnits),
  };
}

/** Names a collection of economic rows by its content: sha256 over the lines of all hash pointers. */
export function collectionId(pointers: HashPointers): string {
  const { observationsSha256, registrySha256, rawResponseSha256s } = pointers;
  return sha256(
    [observationsSha256, registrySha256, ...rawResponseSha256s].map((sum) => `${sum}\n`).join(''),
  );
}

/**
 * The bytes of pin.json: the hashes of the manifest and of both receipts, which in turn name everything else. The pin is a function of
 * the files, so it is verified by making it again. A missing document is left out, so that the result differs from a pin that has it.
 */
export function pinOf(files: ProducerFiles): Uint8Array {
  const pinned = [FILES.manifest, FILES.pages, FILES.receipt].flatMap((path) => {
    const bytes = files.get(path);
    return bytes ? [describeFile(path, bytes)] : [];
  });
  return prettyJson({ schemaVersion: 'svc.producerp.source-pin.v1', producer: 'ProducerP', pinned });
}
