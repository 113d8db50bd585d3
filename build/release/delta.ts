/**
 * deltas/<from>..<to>.json: what changed between two releases, for readers who follow records and for mirrors that fetch little. Files
 * that came or changed are carried whole, compressed together. A delta is transport and proves nothing: its result must verify as the
 * release it names.
 */
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import schema from '../../schemas/delta.schema.json' with { type: 'json' };
import { errorMessage } from '../lib/findings.ts';
import { sha256, MANIFEST, Tree } from '../lib/tree.ts';
import { renderSidecars, renderSums } from './describe.ts';
import { MANIFEST_LIMIT, describingPaths, isPublishable, parseDocument, parseRelease } from './manifest.ts';
import type { Release, ReleaseFile, ReleaseName } from './manifest.ts';
import { type PackDelta, changedPacks } from './record-delta.ts';
import { type ReleaseSource, Unserved, orUnserved, readSmall } from './source.ts';

/** A delta document. Sums and sidecars are not in it: they follow from the files. */
export interface Delta {
  schema: 'svc.delta.v1';
  from: ReleaseName;
  to: ReleaseName & { manifestSha256: string };
  files: {
    added: Omit<ReleaseFile, 'mediaType'>[];
    changed: (Omit<ReleaseFile, 'mediaType'> & { was: string })[];
    removed: { path: string; was: string }[];
    unchanged: number;
  };
  records: PackDelta[];
  /** The files that came or changed, and those that describe the release: their bytes one after the other, in brotli and base64. */
  content: { files: { path: string; bytes: number }[]; brotli: string };
}

/** A release in memory, every byte checked: manifest, listed files, and the files that describe it (manifest, signature, key). */
export interface WholeRelease {
  release: Release;
  files: Map<string, Uint8Array>;
  describing: Map<string, Uint8Array>;
}

/** Where the delta between two releases is published. */
export function deltaPath(from: number, to: number): string {
  return `deltas/${from}..${to}.json`;
}

/** Reads a delta; throws an Error with one sentence when it is not one. */
export function parseDelta(bytes: Uint8Array): Delta {
  return parseDocument(bytes, schema, 'delta') as Delta;
}

/** Reads a file; a failure names the file. */
export function parsedAs<Read>(file: string, parse: () => Read): Read {
  try {
    return parse();
  } catch (cause) {
    throw new Error(`${file} ${errorMessage(cause)}`, { cause });
  }
}

/** Reads a release whole. Throws an Error that names the first file that is not as released. */
export async function readRelease(source: ReleaseSource): Promise<WholeRelease> {
  const read = async (path: string, limit: number): Promise<Buffer> => {
    const body = await orUnserved(readSmall(source, path, limit));
    if (body instanceof Unserved) throw new Error(`${source.where}/${path} ${body.message}`, { cause: body });
    return body;
  };
  const manifest = await read(MANIFEST, MANIFEST_LIMIT);
  const release = parsedAs(`${source.where}/${MANIFEST}`, () => parseRelease(manifest));
  const files = new Map<string, Uint8Array>();
  for (const { path, bytes, sha256: hash } of release.files) {
    const body = await read(path, bytes);
    if (sha256(body) !== hash)
      throw new Error(`${source.where}/${path} is not as released; run verify on it`);
    files.set(path, body);
  }
  const describing = new Map<string, Uint8Array>();
  for (const path of describingPaths(release))
    describing.set(path, path === MANIFEST ? manifest : await read(path, MANIFEST_LIMIT));
  return { release, files, describing };
}

/** Makes the delta from one release to a later one. Throws an Error when their serials are not in this order. */
export function makeDelta(from: WholeRelease, to: WholeRelease): Delta {
  const [older, newer] = [from.release, to.release];
  if (older.serial >= newer.serial)
    throw new Error(
      `a delta leads from an older to a newer release, not from ${older.serial} to ${newer.serial}; npm run release assigns serials`,
    );
  const files = changedFiles(older, newer);
  const came = [...files.added, ...files.changed].map(({ path }) => path).sort();
  const content = [...came, ...to.describing.keys()].map((path) => ({
    path,
    body: to.files.get(path) ?? to.describing.get(path) ?? new Uint8Array(),
  }));
  const manifestSha256 = sha256(to.describing.get(MANIFEST) ?? '');
  return {
    schema: 'svc.delta.v1',
    from: { serial: older.serial, treeSha256: older.treeSha256 },
    to: { serial: newer.serial, treeSha256: newer.treeSha256, manifestSha256 },
    files,
    records: changedPacks(from.files, to.files),
    content: {
      files: content.map(({ path, body }) => ({ path, bytes: body.length })),
      brotli: compressed(Buffer.concat(content.map(({ body }) => body))).toString('base64'),
    },
  };
}

/** The tree of the release a delta leads to. Throws an Error when it does not fit, its result is not that release, or it says what is not so. */
export function applyDelta({ from: start, to, files, records, content }: Delta, from: WholeRelease): Tree {
  const { serial, treeSha256 } = from.release;
  if (serial !== start.serial || treeSha256 !== start.treeSha256)
    throw new Error(
      `the delta leads from release ${start.serial} with the tree ${start.treeSha256}; this is release ${serial} with ${treeSha256}`,
    );
  const result = new Map(from.files);
  for (const { path } of files.removed) result.delete(path);
  const total = content.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const body = decompressed(content.brotli, total);
  let offset = 0;
  for (const { path, bytes } of content.files) {
    if (!isPublishable(path)) throw new Error(`the delta names ${JSON.stringify(path)}`);
    result.set(path, body.subarray(offset, offset + bytes));
    offset += bytes;
  }
  const { tree, release } = checkedTree(to.manifestSha256, result);
  const says = { serial: to.serial, treeSha256: to.treeSha256, files, records };
  const is = {
    serial: release.serial,
    treeSha256: release.treeSha256,
    files: changedFiles(from.release, release),
    records: changedPacks(from.files, result),
  };
  if (!isDeepStrictEqual(says, is))
    throw new Error('what the delta says of the two releases, their files or their records is not so');
  return tree;
}

function changedFiles(older: Release, newer: Release): Delta['files'] {
  const was = new Map(older.files.map(({ path, sha256: hash }) => [path, hash]));
  const files: Delta['files'] = { added: [], changed: [], removed: [], unchanged: 0 };
  for (const { path, bytes, sha256: hash } of newer.files) {
    const old = was.get(path);
    was.delete(path);
    if (old === undefined) files.added.push({ path, bytes, sha256: hash });
    else if (old === hash) files.unchanged += 1;
    else files.changed.push({ path, bytes, sha256: hash, was: old });
  }
  files.removed = [...was].map(([path, hash]) => ({ path, was: hash }));
  return files;
}

/** The result, checked file by file against its own manifest. */
function checkedTree(
  manifestSha256: string,
  files: Map<string, Uint8Array>,
): { tree: Tree; release: Release } {
  const manifest = files.get(MANIFEST);
  if (!manifest || sha256(manifest) !== manifestSha256)
    throw new Error(`the delta does not give the ${MANIFEST} it promises`);
  const release = parseRelease(manifest);
  const tree = new Tree();
  for (const { path, sha256: hash } of release.files) {
    const bytes = files.get(path);
    if (!bytes || sha256(bytes) !== hash) throw new Error(`the delta does not give ${path} as released`);
    tree.add([{ path, bytes, sha256: hash }]);
  }
  for (const path of describingPaths(release))
    tree.add([{ path, bytes: files.get(path) ?? new Uint8Array() }]);
  if (tree.size !== files.size) throw new Error('the delta gives files that the release does not list');
  tree.add([renderSums(tree)]);
  tree.add(renderSidecars(tree));
  return { tree, release };
}

/** One window over all files: what pages, packs and tables have in common is stored once. */
function compressed(bytes: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

function decompressed(base64: string, bytes: number): Buffer {
  try {
    // Never more than announced, whatever the content expands to.
    const limit = { maxOutputLength: Math.max(bytes, 1) };
    const body = brotliDecompressSync(Buffer.from(base64, 'base64'), limit);
    if (body.length === bytes) return body;
    throw new Error(`it has ${body.length} bytes, not ${bytes}`);
  } catch (cause) {
    throw new Error('the content of the delta is damaged', { cause });
  }
}
