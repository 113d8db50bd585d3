/**
 * `npm run mirror`: copies a release into a folder. Files arrive in `<folder>.incoming`, which survives a kill and is taken up
 * again; files the folder has already are not asked for; nothing is switched into place before all of it verifies.
 */
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WIDTH } from './check-files.ts';
import type { ReleaseFinding } from './finding.ts';
import { folderSource } from './folder-source.ts';
import { MANIFEST } from '../lib/tree.ts';
import {
  PUBLIC_KEY,
  sidecarText,
  SIGNATURE,
  SUMS,
  sumsText,
  type Release,
  type ReleaseFile,
} from './manifest.ts';
import { sha256 } from '../lib/hash.ts';
import { digestOf, inParallel, readSmall, Unserved, type ReleaseSource } from './source.ts';
import { readState, statePath, writeState } from './state.ts';
import { claimTree, placeOfTree, switchTree } from '../write/tree-folder.ts';
import type { Expectations } from './trust.ts';
import { verifyManifest, verifyTree, type Verified } from './verify.ts';

/** What a run copied; with findings nothing was switched. */
export interface Mirrored extends Verified {
  fetched: number;
  kept: number;
}

const SMALL_LIMIT = 4096;

/** Copies a release. The key and serial of the folder's last release are held against the new one. Throws Busy, NotATree. */
export async function mirror(
  source: ReleaseSource,
  folder: string,
  asked: Omit<Expectations, 'known'>,
  progress: (message: string) => void,
): Promise<Mirrored> {
  const unclaim = claimTree(folder);
  try {
    return await mirrorClaimed(source, placeOfTree(folder), asked, progress);
  } finally {
    unclaim();
  }
}

async function mirrorClaimed(
  source: ReleaseSource,
  target: string,
  asked: Omit<Expectations, 'known'>,
  progress: (message: string) => void,
): Promise<Mirrored> {
  const state = readState(statePath(target));
  const expectations = { ...asked, key: asked.key ?? state?.publicKey ?? null, known: state };
  const { release, bytes, findings } = await verifyManifest(source, expectations);
  if (!release || findings.length > 0) return { release, findings, fetched: 0, kept: 0 };
  if (state?.treeSha256 === release.treeSha256 && (await isCurrent(target, bytes, expectations)))
    return { release, findings, fetched: 0, kept: release.files.length };
  const incoming = `${target}.incoming`;
  mkdirSync(incoming, { recursive: true });
  removeOthers(incoming, release);
  const counts = { fetched: 0, kept: 0 };
  progress(`release ${release.serial}: ${release.files.length} files`);
  const results = await inParallel(release.files, WIDTH, async (file) => {
    const finding = await place(source, target, incoming, file, counts);
    const done = counts.fetched + counts.kept;
    if (done > 0 && done % 200 === 0)
      progress(`${done} of ${release.files.length} files, ${counts.fetched} fetched`);
    return finding;
  });
  const failed = results.filter((finding) => finding !== null);
  if (failed.length > 0) return { release, findings: failed, ...counts };
  await describe(source, incoming, release, bytes);
  const verified = await verifyTree(folderSource(incoming), expectations, progress);
  if (verified.findings.length > 0) return { ...verified, ...counts };
  switchTree(target, incoming);
  writeState(statePath(target), release);
  return { release, findings: [], ...counts };
}

/** Whether the folder holds this very manifest and all it lists. */
async function isCurrent(target: string, manifest: Buffer, expectations: Expectations): Promise<boolean> {
  if (!existsSync(join(target, MANIFEST)) || !readFileSync(join(target, MANIFEST)).equals(manifest))
    return false;
  return (await verifyTree(folderSource(target), expectations, () => undefined)).findings.length === 0;
}

/** One file into its place, from where it is cheapest: there already, in the present mirror, at the source. */
async function place(
  source: ReleaseSource,
  target: string,
  incoming: string,
  file: ReleaseFile,
  counts: { fetched: number; kept: number },
): Promise<ReleaseFinding | null> {
  const to = join(incoming, file.path);
  mkdirSync(dirname(to), { recursive: true });
  const arrived = await holds(incoming, file);
  if (arrived || (await holds(target, file))) {
    if (!arrived) copyWhole(join(target, file.path), to);
    counts.kept += 1;
    return null;
  }
  try {
    const { chunks } = await source.open(file.path, file.bytes);
    await pipeline(Readable.from(chunks), createWriteStream(`${to}.part`));
  } catch (error) {
    if (!(error instanceof Unserved)) throw error;
    return { file: file.path, rule: error.problem, message: error.message };
  }
  const { sha256: hash } = await digestOf(folderSource(incoming), `${file.path}.part`, file.bytes);
  if (hash !== file.sha256) {
    rmSync(`${to}.part`);
    return {
      file: file.path,
      rule: 'content',
      message: `arrived with the sha256 ${hash}, released was ${file.sha256}`,
    };
  }
  renameSync(`${to}.part`, to);
  counts.fetched += 1;
  return null;
}

/** A copy under its own name only when it is whole. */
function copyWhole(from: string, to: string): void {
  copyFileSync(from, `${to}.part`);
  renameSync(`${to}.part`, to);
}

async function holds(folder: string, file: ReleaseFile): Promise<boolean> {
  try {
    return (await digestOf(folderSource(folder), file.path, file.bytes)).sha256 === file.sha256;
  } catch (error) {
    if (error instanceof Unserved) return false;
    throw error;
  }
}

/** What describes the release: the manifest as it came; sums and sidecars follow from it. */
async function describe(
  source: ReleaseSource,
  incoming: string,
  release: Release,
  manifest: Buffer,
): Promise<void> {
  const described = new Map(release.files.map(({ path, sha256: hash }) => [path, hash]));
  const add = (path: string, bytes: Uint8Array): void => {
    writeFileSync(join(incoming, path), bytes);
    described.set(path, sha256(bytes));
  };
  add(MANIFEST, manifest);
  if (release.signature)
    for (const path of [SIGNATURE, PUBLIC_KEY]) add(path, await readSmall(source, path, SMALL_LIMIT));
  const listed = [...described].map(([path, hash]) => ({ path, sha256: hash }));
  listed.sort((a, b) => (a.path < b.path ? -1 : 1));
  add(SUMS, Buffer.from(sumsText(listed)));
  for (const [path, hash] of described)
    writeFileSync(join(incoming, `${path}.sha256`), sidecarText(path, hash));
}

/** What an earlier, unfinished run of another release left behind. */
function removeOthers(incoming: string, { files }: Release): void {
  const wanted = new Set(files.map(({ path }) => path));
  for (const entry of folderSource(incoming).list() ?? [])
    if (!wanted.has(entry)) rmSync(join(incoming, entry), { force: true });
  removeEmptyFolders(incoming);
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) continue;
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
}
