/** A release and a delta give the next release, byte for byte, sums and sidecars included. */
import { sha256 } from '../lib/hash.ts';
import { Tree } from '../lib/tree.ts';
import { renderSidecars, renderSums } from './describe.ts';
import type { Delta } from './delta.ts';
import { MANIFEST } from '../lib/tree.ts';
import { isPublishable, parseRelease, PUBLIC_KEY, SIGNATURE } from './manifest.ts';
import { decodeParts } from './parts.ts';
import { applyPackDelta } from './record-delta.ts';
import type { WholeRelease } from './whole-release.ts';

/** The tree of the release a delta leads to. Throws an Error when it does not fit, or its result is not that release. */
export function applyDelta(delta: Delta, from: WholeRelease): Tree {
  if (from.release.treeSha256 !== delta.from.treeSha256)
    throw new Error(
      `the delta leads from release ${delta.from.serial} with the tree ${delta.from.treeSha256}; this is release ${from.release.serial} with ${from.release.treeSha256}`,
    );
  const files = new Map(from.files);
  for (const { path } of delta.files.removed) files.delete(path);
  for (const pack of delta.records) {
    const bytes = applyPackDelta(pack, from.files.get(pack.path));
    if (!delta.files.removed.some(({ path }) => path === pack.path)) files.set(pack.path, bytes);
  }
  const sourceBytes = (number: number): Uint8Array => {
    const source = delta.sources[number];
    const bytes =
      source?.release === 'from'
        ? (from.files.get(source.path) ?? from.describing.get(source.path))
        : files.get(source?.path ?? '');
    if (!bytes) throw new Error(`the delta copies from source ${number}, which is not there`);
    return bytes;
  };
  for (const { path, parts } of delta.content) {
    if (!isPublishable(path)) throw new Error(`the delta names ${JSON.stringify(path)}`);
    files.set(path, decodeParts(parts, sourceBytes));
  }
  return treeOf(delta, files);
}

/** The result, checked file by file against its own manifest. */
function treeOf(delta: Delta, files: Map<string, Uint8Array>): Tree {
  const manifest = files.get(MANIFEST);
  if (!manifest || sha256(manifest) !== delta.to.manifestSha256)
    throw new Error(`the delta does not give the ${MANIFEST} it promises`);
  const release = parseRelease(manifest);
  const tree = new Tree();
  for (const { path, sha256: hash } of release.files) {
    const bytes = files.get(path);
    if (!bytes || sha256(bytes) !== hash) throw new Error(`the delta does not give ${path} as released`);
    tree.add([{ path, bytes, sha256: hash }]);
  }
  for (const path of release.signature ? [MANIFEST, SIGNATURE, PUBLIC_KEY] : [MANIFEST])
    tree.add([{ path, bytes: files.get(path) ?? new Uint8Array() }]);
  if (tree.files.size !== files.size) throw new Error('the delta gives files that the release does not list');
  tree.add([renderSums(tree)]);
  tree.add(renderSidecars(tree));
  return tree;
}
