/**
 * deltas/<from>..<to>.json: what changed between two releases, for readers who follow records and for mirrors that fetch little. Files
 * that came or changed are carried whole, compressed together. A delta is transport and proves nothing: its result must verify as the
 * release it names.
 */
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, constants, createBrotliDecompress } from 'node:zlib';
import schema from '../../schemas/delta.schema.json' with { type: 'json' };
import { errorMessage } from '../lib/findings.ts';
import { sha256, Tree, type Artifact } from '../lib/tree.ts';
import { renderSidecars, renderSums } from './describe.ts';
import { DESCRIBING, RELEASE } from '../../shim/core/paths.ts';
import { MANIFEST_LIMIT, describingPaths } from './manifest.ts';
import { isPublishable, parseDocument, parseRelease } from './manifest.ts';
import type { Release, ReleaseFile, ReleaseName } from './manifest.ts';
import { type PackDelta, changedPacks } from './record-delta.ts';
import { type ReleaseSource, Unserved, orUnserved, readSmall } from './source.ts';
import { counted } from '../../shim/view/words.ts';

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
  /** The files that describe the release, and those that came or changed: their bytes one after the other, in brotli and base64. */
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
  const manifest = await read(RELEASE, MANIFEST_LIMIT);
  const release = parsedAs(`${source.where}/${RELEASE}`, () => parseRelease(manifest));
  const files = new Map<string, Uint8Array>();
  for (const { path, bytes, sha256: hash } of release.files) {
    const body = await read(path, bytes);
    if (sha256(body) !== hash)
      throw new Error(`${source.where}/${path} is not as released; run verify on it`);
    files.set(path, body);
  }
  const describing = new Map<string, Uint8Array>();
  for (const path of describingPaths(release))
    describing.set(path, path === RELEASE ? manifest : await read(path, MANIFEST_LIMIT));
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
  // First what says how large the others are.
  const content = [...to.describing.keys(), ...came].map((path) => ({
    path,
    body: to.files.get(path) ?? to.describing.get(path) ?? new Uint8Array(),
  }));
  const manifestSha256 = sha256(to.describing.get(RELEASE) ?? '');
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

/** What a delta says of the release it leads to: its manifest, and the files that describe it. */
export interface Described {
  release: Release;
  tree: Tree;
}

/**
 * Unpacks what describes the release that a delta leads to, so that it can be checked before anything else is unpacked. Throws an Error
 * when the delta does not fit the older release, or carries other files or sizes than that manifest lists.
 */
export async function describedBy({ from, to, content }: Delta, older: WholeRelease): Promise<Described> {
  const { serial, treeSha256 } = older.release;
  if (serial !== from.serial || treeSha256 !== from.treeSha256)
    throw new Error(
      `the delta leads from release ${from.serial} with the tree ${from.treeSha256}; this is release ${serial} with ${treeSha256}`,
    );
  for (const { path } of content.files)
    if (!isPublishable(path)) throw new Error(`the delta names ${JSON.stringify(path)}`);
  const tree = new Tree();
  tree.add(await unpacked(content, (path) => DESCRIBING.includes(path), MANIFEST_LIMIT));
  if (!tree.has(RELEASE) || tree.sha256(RELEASE) !== to.manifestSha256)
    throw new Error(`the delta does not give the ${RELEASE} it promises`);
  const release = parseRelease(tree.read(RELEASE));
  const sizes = new Map(release.files.map(({ path, bytes }) => [path, bytes]));
  for (const path of describingPaths(release)) {
    if (!tree.has(path)) throw new Error(`the delta does not give ${path}`);
    sizes.set(path, tree.read(path).length);
  }
  for (const { path, bytes } of content.files) {
    const size = sizes.get(path);
    if (size === undefined)
      throw new Error(`the delta gives ${path}, which the release does not list or was given already`);
    if (size !== bytes) throw new Error(`the delta gives ${path} with ${bytes} bytes; released were ${size}`);
    sizes.delete(path);
  }
  return { release, tree };
}

/** The tree of the release a delta leads to. Throws an Error when it does not fit, its result is not that release, or it says what is not so. */
export async function applyDelta(delta: Delta, from: WholeRelease, described?: Described): Promise<Tree> {
  const { to, files, records, content } = delta;
  const { release, tree: describing } = described ?? (await describedBy(delta, from));
  const result = new Map(from.files);
  for (const { path } of files.removed) result.delete(path);
  const listed = release.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const others = await unpacked(content, (path) => !DESCRIBING.includes(path), listed);
  for (const { path, bytes } of others) result.set(path, bytes);
  const tree = checkedTree(release, result);
  const says = { serial: to.serial, treeSha256: to.treeSha256, files, records };
  const is = {
    serial: release.serial,
    treeSha256: release.treeSha256,
    files: changedFiles(from.release, release),
    records: changedPacks(from.files, result),
  };
  if (!isDeepStrictEqual(says, is))
    throw new Error('what the delta says of the two releases, their files or their records is not so');
  for (const [path, bytes] of describing.contents()) tree.add([{ path, bytes }]);
  tree.add([renderSums(tree)]);
  tree.add(renderSidecars(tree));
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

/** The listed files of the result, each checked against its manifest. */
function checkedTree(release: Release, files: Map<string, Uint8Array>): Tree {
  const tree = new Tree();
  for (const { path, sha256: hash } of release.files) {
    const bytes = files.get(path);
    if (!bytes || sha256(bytes) !== hash) throw new Error(`the delta does not give ${path} as released`);
    tree.add([{ path, bytes, sha256: hash }]);
  }
  if (tree.size !== files.size) throw new Error('the delta gives files that the release does not list');
  return tree;
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

/** Bytes that are unpacked at once. */
const PIECE = 256 * 1024;

/**
 * Those files of a content that are wanted, at most so many bytes of them. The others before them are passed over piece by piece, and what
 * follows them is not unpacked.
 */
async function unpacked(
  { files, brotli }: Delta['content'],
  wants: (path: string) => boolean,
  most: number,
): Promise<Artifact[]> {
  const wanted = files.filter(({ path }) => wants(path));
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > most)
    throw new Error(
      `the delta gives ${total} bytes of ${counted(wanted.length, 'file')}; at most ${most} are unpacked`,
    );
  const packed = Buffer.from(brotli, 'base64');
  const stream = createBrotliDecompress({ chunkSize: PIECE });
  try {
    if (packed.toString('base64') !== brotli) throw new Error('it is not base64 alone');
    stream.end(packed);
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    let rest: Uint8Array = new Uint8Array();
    const isAtEnd = async (): Promise<boolean> => {
      if (rest.length > 0) return false;
      const { done, value } = await pieces.next();
      if (done !== true) rest = value;
      return done === true;
    };
    const found: Artifact[] = [];
    for (const { path, bytes } of files.slice(0, files.findLastIndex(({ path: one }) => wants(one)) + 1)) {
      const parts: Uint8Array[] = [];
      for (let missing = bytes; missing > 0;) {
        if (await isAtEnd()) throw new Error(`it ends in ${path}`);
        const part = rest.subarray(0, missing);
        if (wants(path)) parts.push(part);
        rest = rest.subarray(part.length);
        missing -= part.length;
      }
      if (wants(path)) found.push({ path, bytes: Buffer.concat(parts) });
    }
    const isLast = wanted.at(-1) === files.at(-1);
    if (isLast && !((await isAtEnd()) && stream.bytesWritten === packed.length))
      throw new Error('it goes on after the last of its files');
    return found;
  } catch (cause) {
    throw new Error(`the content of the delta is damaged: ${errorMessage(cause)}`, { cause });
  } finally {
    stream.destroy();
  }
}
