/**
 * `npm run mirror`: copies a release into a folder. Files arrive in a folder next to it, which survives a kill and is resumed; files
 * the folder has already are not requested; nothing is switched into place before all of it verifies.
 */
import { copyFileSync, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pMap from 'p-map';
import { byPath, sha256, sumsText } from '../lib/tree.ts';
import type { Progress } from '../lib/effects.ts';
import type { ReleaseFinding } from './findings.ts';
import { type Release, type ReleaseFile, describingPaths } from './manifest.ts';
import {
  PROVENANCE,
  PROVENANCE_SIGNATURE,
  RELEASE,
  SUMS,
  sidecarPath,
  sidecarText,
} from '../../shim/core/paths.ts';
import { PROVENANCE_LIMIT } from './provenance.ts';
import { CONCURRENCY, Unserved, digestOf, folderSource, orUnserved, readSmall } from './source.ts';
import type { ReleaseSource } from './source.ts';
import { type Expectations, SIGNATURE_LIMIT, readState, statePath, writeState } from './trust.ts';
import { MAX_BYTES, type Verified, unlessReplaced, verifyManifest, verifyTree } from './verify.ts';
import { removeRest } from '../write/kept-tree.ts';
import { claimTree, inWork, placeOfTree, switchTree } from '../write/tree-folder.ts';
import { makeFolder } from '../lib/replace-file.ts';

/** How many files a run copied; where there are findings, nothing was put into place. */
export interface Mirrored extends Verified {
  fetched: number;
  kept: number;
}

/** Copies a release. The folder's last key and serial are checked against the new release. Throws Busy, NotATree. */
export async function mirror(
  source: ReleaseSource,
  folder: string,
  given: Omit<Expectations, 'known'>,
  progress: Progress,
): Promise<Mirrored> {
  const unclaim = claimTree(folder);
  try {
    const target = placeOfTree(folder);
    const state = readState(statePath(target));
    const [key, maxBytes] = [given.key ?? state?.publicKey ?? null, given.maxBytes ?? MAX_BYTES];
    const expectations = { ...given, key, maxBytes, known: state };
    return await mirrorClaimed(source, target, expectations, progress);
  } finally {
    unclaim();
  }
}

async function mirrorClaimed(
  source: ReleaseSource,
  target: string,
  expectations: Expectations,
  progress: Progress,
): Promise<Mirrored> {
  const { release, bytes, findings } = await verifyManifest(source, expectations);
  if (!release || findings.length > 0) return { release, findings, fetched: 0, kept: 0 };
  if (expectations.known?.treeSha256 === release.treeSha256 && (await isCurrent(target, bytes, expectations)))
    return { release, findings, fetched: 0, kept: release.files.length };
  const incoming = inWork(target, 'incoming');
  makeFolder(incoming);
  // What an unfinished run of another release left behind.
  const wanted = new Set(release.files.map(({ path }) => path));
  removeRest(incoming, (path) => wanted.has(path));
  const parts = inWork(target, PARTS);
  const removeParts = (): void => rmSync(parts, { recursive: true, force: true, maxRetries: 3 });
  removeParts();
  mkdirSync(parts);
  const counts = { fetched: 0, kept: 0 };
  const refused = async (found: ReleaseFinding[]): Promise<Mirrored> =>
    unlessReplaced(source, expectations, { release, findings: found, ...counts });
  let done = 0;
  const placeOne = async (file: ReleaseFile): Promise<ReleaseFinding[]> => {
    const isKept = await keep(target, incoming, file);
    const found = isKept ? [] : await fetchFile(source, target, incoming, file);
    if (found.length === 0) counts[isKept ? 'kept' : 'fetched'] += 1;
    done += 1;
    progress(`copying release ${release.serial}`, done, release.files.length);
    return found;
  };
  const placed = pMap(release.files, placeOne, { concurrency: CONCURRENCY });
  const failed = (await placed.finally(removeParts)).flat();
  if (failed.length > 0) return refused(failed);
  const undescribed = await describe(source, incoming, release, bytes);
  if (undescribed) return refused([undescribed]);
  const verified = await verifyTree(folderSource(incoming), expectations, progress);
  if (verified.findings.length > 0) return refused(verified.findings);
  // Before the switch: a release that was served once stays known, however this run ends.
  writeState(statePath(target), release);
  await switchTree(target, incoming);
  return { release, findings: [], ...counts };
}

/** Whether the folder has exactly this manifest and all that it lists. */
async function isCurrent(target: string, manifest: Buffer, expectations: Expectations): Promise<boolean> {
  const path = join(target, RELEASE);
  if (!existsSync(path) || !readFileSync(path).equals(manifest)) return false;
  const { findings } = await verifyTree(folderSource(target), expectations, () => undefined);
  return findings.length === 0;
}

/** Whether a file is in place without a request: it has arrived already, or the present mirror has it. */
async function keep(target: string, incoming: string, file: ReleaseFile): Promise<boolean> {
  const to = join(incoming, file.path);
  makeFolder(dirname(to));
  if (await holds(incoming, file)) return true;
  if (!(await holds(target, file))) return false;
  const part = partOf(target, file);
  copyFileSync(join(target, file.path), part);
  renameSync(part, to);
  return true;
}

/** Next to the folder of files that arrived, so that no file of a release can have the name of one that is not whole. */
const PARTS = 'parts';

/** Where a file is until it is whole. */
function partOf(target: string, { path }: ReleaseFile): string {
  return join(inWork(target, PARTS), sha256(path));
}

async function fetchFile(
  source: ReleaseSource,
  target: string,
  incoming: string,
  file: ReleaseFile,
): Promise<ReleaseFinding[]> {
  const part = partOf(target, file);
  const copied = source.open(file.path, file.bytes).then(({ chunks }) => writeChunks(part, chunks));
  const problem = await orUnserved(copied);
  if (problem) return [problem.findingFor(file.path)];
  const { sha256: hash } = await digestOf(folderSource(dirname(part)), basename(part), file.bytes);
  if (hash === file.sha256) {
    renameSync(part, join(incoming, file.path));
    return [];
  }
  const message = `arrived with the sha256 ${hash}; released was ${file.sha256}`;
  return [{ file: file.path, rule: 'content', message }];
}

/** Resolves, or rejects, when nothing more is written: a file whose source failed may still be opened meanwhile. */
async function writeChunks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = createWriteStream(path);
  const closed = new Promise<void>((resolve) => void file.once('close', () => resolve()));
  try {
    await pipeline(Readable.from(chunks), file);
  } finally {
    await closed;
  }
}

async function holds(folder: string, file: ReleaseFile): Promise<boolean> {
  const digest = await orUnserved(digestOf(folderSource(folder), file.path, file.bytes));
  return !(digest instanceof Unserved) && digest.sha256 === file.sha256;
}

/**
 * Writes what describes the release: the manifest and statement of provenance as they came; sums and sidecars follow. Gives what
 * could not be had, null where all was.
 */
async function describe(
  source: ReleaseSource,
  incoming: string,
  release: Release,
  manifest: Buffer,
): Promise<ReleaseFinding | null> {
  const described: Pick<ReleaseFile, 'path' | 'sha256'>[] = [...release.files];
  const add = (path: string, bytes: Uint8Array): void => {
    writeFileSync(join(incoming, path), bytes);
    described.push({ path, sha256: sha256(bytes) });
  };
  for (const path of describingPaths(release)) {
    const bytes = path === RELEASE ? manifest : await orUnserved(readSmall(source, path, SIGNATURE_LIMIT));
    if (bytes instanceof Unserved) return bytes.findingFor(path);
    add(path, bytes);
  }
  add(SUMS, Buffer.from(sumsText(described.toSorted(byPath))));
  for (const path of [PROVENANCE, PROVENANCE_SIGNATURE]) {
    const bytes = await orUnserved(readSmall(source, path, PROVENANCE_LIMIT));
    // Releases need not have a statement, and the signature of none is not asked for.
    if (bytes instanceof Unserved && bytes.problem === 'missing') break;
    if (bytes instanceof Unserved) return bytes.findingFor(path);
    add(path, bytes);
  }
  for (const { path, sha256: hash } of described)
    writeFileSync(join(incoming, sidecarPath(path)), sidecarText(path, hash));
  return null;
}
