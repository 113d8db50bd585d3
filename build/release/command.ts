/** `verify`, `mirror`, `release` and `delta`: options in, findings and one last line out, exit code back. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isCalendarDate } from '../lib/clock.ts';
import { requireBuild, UsageError } from '../lib/command-line.ts';
import { makeFolder, replaceFile } from '../lib/replace-file.ts';
import { prettyJson, sha256 } from '../lib/tree.ts';
import { realEffects } from '../write/effects.ts';
import { claimTree } from '../write/tree-folder.ts';
import { applyDelta, deltaPath, describedBy, makeDelta, parsedAs, parseDelta, readRelease } from './delta.ts';
import { exitCodeOf, NO_SPACE, releaseFindingLine, type ReleaseFinding } from './findings.ts';
import { LEDGER, parseLedger, recorded } from './describe.ts';
import type { Release } from './manifest.ts';
import { sidecarText, sidecarPath } from '../../shim/core/paths.ts';
import type { Trust } from '../../shim/remote/release.ts';
import { counted } from '../../shim/view/words.ts';
import { keyIdText, type PublicKeyText } from '../../shim/remote/signature.ts';
import { publicKeyOf } from './minisign.ts';
import { mirror } from './mirror.ts';
import { folderSource, sourceAt, treeSource, type ReleaseSource } from './source.ts';
import { readState, statePath, writeState, type Expectations } from './trust.ts';
import { MAX_BYTES, verifyManifest, verifyTree } from './verify.ts';

/** What a reader may pin: a minisign public key or a file with one, the lowest serial to accept, and the most bytes of all files. */
export interface TrustOptions {
  key?: string | undefined;
  minSerial?: string | undefined;
  maxBytes?: number | undefined;
}

/** `verify <folder or url>`: `state` is a file that remembers the last release seen. */
export async function verifyCommand(
  where: string,
  options: TrustOptions & { state?: string | undefined } = {},
): Promise<number> {
  const source = sourceOf(where);
  const given = expectationsOf(options);
  const state = options.state ?? (source.remote ? null : statePath(source.where));
  const known = state === null ? null : readState(state);
  const maxBytes = given.maxBytes ?? (source.remote ? MAX_BYTES : undefined);
  const expectations = { ...given, key: given.key ?? known?.publicKey ?? null, known, maxBytes };
  const { release, findings, provenance } = await verifyTree(source, expectations, realEffects().progress);
  if (findings.length === 0 && release && options.state !== undefined) writeState(options.state, release);
  if (findings.length === 0 && provenance !== undefined) console.log(provenance);
  return report(findings, release && `${source.where}: ${describe(release, expectations.key)}`);
}

/** `mirror <url> <folder>`. */
export async function mirrorCommand(
  from: string,
  folder: string,
  options: TrustOptions = {},
): Promise<number> {
  const source = sourceOf(from);
  const given = expectationsOf(options);
  const pinned = given.key ?? readState(statePath(folder))?.publicKey ?? null;
  try {
    const { release, findings, fetched, kept } = await mirror(source, folder, given, realEffects().progress);
    const copied = `${folder}: ${fetched} files fetched, ${kept} kept`;
    return report(findings, release && `${copied}; ${describe(release, pinned)}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!FULL.has(code ?? '')) throw error;
    console.error(
      `${folder}: there is no space left for the release. What arrived is kept for the next run.`,
    );
    return NO_SPACE;
  }
}

/** Error codes of the system for it: the disk is full, the quota is used up, the file is larger than a process may write. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A day, which is its first moment, or a moment. */
const EXPIRY = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/;

/** `release`: records the built tree as published, with a later expiry (a date-time) on request. */
export async function releaseCommand(options: {
  tree: string;
  datasets: string;
  expires?: string | undefined;
}): Promise<number> {
  const { expires: given } = options;
  const expires = given === undefined ? null : new Date(given);
  // Date accepts much that is not a date: "5" is a day of 2001, the thirtieth of February one of March.
  if (given !== undefined && !(EXPIRY.test(given) && isCalendarDate(given.slice(0, 10)) && Date.parse(given)))
    throw new UsageError(
      `Invalid value "${given}" for --expires: expected a date, YYYY-MM-DD, or a date-time, YYYY-MM-DDThh:mm:ssZ.`,
    );
  const now = new Date();
  if (expires && expires <= now)
    throw new UsageError(`Invalid value "${given}" for --expires: expected a time to come.`);
  const effects = realEffects();
  const expectations = { now, key: null, minSerial: 0, known: null };
  const { release, findings } = await verifyTree(folderSource(options.tree), expectations, effects.progress);
  // A release with a later expiry is made from an expired tree.
  const fatal = findings.filter(({ rule }) => expires === null || rule !== 'expired');
  if (fatal.some(({ rule }) => rule === 'expired'))
    console.error('Set a later expiry with --expires <day>, then build again.');
  if (!release || fatal.length > 0) return report(fatal);
  const file = join(options.datasets, LEDGER);
  const until = expires ? `${expires.toISOString().slice(0, 19)}Z` : release.expires;
  replaceFile(file, prettyJson(recorded(parseLedger(effects.read(file)), release, until)));
  const advice = until === release.expires ? '' : '; build again to publish the new expiry';
  console.log(`${file}: release ${release.serial} of ${release.siteUrl}, expires ${until}${advice}`);
  return 0;
}

/** `delta <older> <newer>`: writes the delta between two release folders, into the newer one unless `out` is given. */
export async function deltaCommand(
  older: string,
  newer: string,
  options: { out?: string | undefined } = {},
): Promise<number> {
  requireBuild(older);
  requireBuild(newer);
  const [from, to] = [await readRelease(folderSource(older)), await readRelease(folderSource(newer))];
  const delta = makeDelta(from, to);
  const text = `${JSON.stringify(delta)}\n`;
  await applyDelta(parseDelta(Buffer.from(text)), from);
  const path = options.out ?? join(newer, deltaPath(delta.from.serial, delta.to.serial));
  makeFolder(dirname(path));
  replaceFile(path, text);
  replaceFile(sidecarPath(path), sidecarText(basename(path), sha256(text)));
  const { added, changed, removed } = delta.files;
  const counts = `${added.length} files added, ${changed.length} changed, ${removed.length} removed`;
  console.log(`${path}: ${counts}; ${Buffer.byteLength(text)} bytes`);
  return 0;
}

/**
 * `delta --apply <delta> <older> <folder>`: writes the release that a delta leads to. It must be signed as the older one is, by any key
 * where that is unsigned, and be later. An old release may be restored, so it may have expired.
 */
export async function applyDeltaCommand(delta: string, older: string, folder: string): Promise<number> {
  requireBuild(older);
  const parsed = parsedAs(delta, () => parseDelta(readFileSync(delta)));
  const from = await readRelease(folderSource(older));
  const described = await describedBy(parsed, from);
  const { serial, signature } = from.release;
  const expectations = {
    now: new Date(0),
    key: signature?.publicKey ?? null,
    minSerial: serial + 1,
    known: null,
  };
  const { findings } = await verifyManifest(treeSource(delta, described.tree), expectations);
  if (findings.length > 0) return report(findings);
  const tree = await applyDelta(parsed, from, described);
  const unclaim = claimTree(folder);
  try {
    realEffects().replaceTree(folder, tree.contents());
  } finally {
    unclaim();
  }
  console.log(`${folder}: ${tree.size} files`);
  return 0;
}

function sourceOf(where: string): ReleaseSource {
  const source = sourceAt(where);
  if (source) return source;
  throw new UsageError(`${JSON.stringify(where)} is neither a folder nor an http(s) address.`);
}

function expectationsOf({ key, minSerial = '0', maxBytes }: TrustOptions): Omit<Expectations, 'known'> {
  if (!/^[0-9]{1,15}$/.test(minSerial))
    throw new UsageError(`Invalid value "${minSerial}" for --min-serial: expected a whole number.`);
  const isFile = key !== undefined && statSync(key, { throwIfNoEntry: false })?.isFile();
  const pinned = key === undefined ? null : publicKeyOf(isFile ? readFileSync(key, 'utf8') : key);
  if (key !== undefined && pinned === null)
    throw new UsageError('--key is neither a minisign public key nor a file with one.');
  return { now: new Date(), key: pinned, minSerial: Number(minSerial), maxBytes };
}

/** What a reader pinned, for a release that is read in parts. */
export function trustOf(options: TrustOptions): Trust {
  const { key, minSerial } = expectationsOf(options);
  return { ...(key !== null && { key }), ...(minSerial > 0 && { serial: minSerial }), now: Date.now };
}

/** Prints the findings or, where there are none, what was verified; returns the exit code. */
function report(findings: ReleaseFinding[], verified: string | null = null): number {
  for (const finding of findings) console.log(releaseFindingLine(finding));
  if (findings.length > 0) console.error(counted(findings.length, 'finding'));
  else if (verified !== null) console.log(verified);
  return exitCodeOf(findings);
}

/** What was verified; `pinned` is the key that the reader had before. */
function describe(release: Release, pinned: PublicKeyText | null): string {
  const { serial, treeSha256, expires, files, signature } = release;
  const unpinned = pinned === null ? ' (by the key that came with it; pin it with --key)' : '';
  const signed = signature ? `signed by ${keyIdText(signature.publicKey)}${unpinned}` : 'unsigned';
  return `release ${serial} verified, ${files.length} files, tree ${treeSha256}, ${signed}, expires ${expires}`;
}
