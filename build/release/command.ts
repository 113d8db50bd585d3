/** `verify`, `mirror`, `release` and `delta` on the command line: flags in, findings and one last line out, exit code back. */
import { readFileSync, writeFileSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { realEffects } from '../write/effects.ts';
import { sha256 } from '../lib/hash.ts';
import { applyDelta } from './apply-delta.ts';
import { deltaPath, parseDelta } from './delta.ts';
import { exitCodeOf, releaseFindingLine, type ReleaseFinding } from './finding.ts';
import { folderSource, isFolder } from './folder-source.ts';
import { httpSource, isAddress } from './http-source.ts';
import { LEDGER, ledgerText, parseLedger, recorded } from './ledger.ts';
import { Busy } from '../write/lock.ts';
import { makeDelta } from './make-delta.ts';
import { sidecarText, type Release } from './manifest.ts';
import { keyIdText, publicKeyOf, type PublicKeyText } from './minisign.ts';
import { mirror } from './mirror.ts';
import type { ReleaseSource } from './source.ts';
import { readState, statePath, writeState } from './state.ts';
import { claimTree, NotATree } from '../write/tree-folder.ts';
import { verifyTree } from './verify.ts';
import { readRelease } from './whole-release.ts';

/** Wrong usage: nothing was read or written. */
const USAGE = 2;

/** `verify <folder or url> [--key K] [--min-serial N] [--state F]`. */
export async function verifyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { key: { type: 'string' }, 'min-serial': { type: 'string' }, state: { type: 'string' } },
  });
  const source = sourceOf(positionals);
  const asked = expectationsOf(values.key, values['min-serial']);
  if (typeof source === 'string' || typeof asked === 'string')
    return misused(
      'verify <folder or url> [--key <public key>] [--min-serial <n>] [--state <file>]',
      source,
      asked,
    );
  const state = values.state ?? (source.remote ? null : statePath(source.where));
  const known = state === null ? null : readState(state);
  const expectations = { ...asked, key: asked.key ?? known?.publicKey ?? null, known };
  const { progress } = realEffects();
  const { release, findings } = await verifyTree(source, expectations, progress);
  if (findings.length === 0 && release && values.state !== undefined) writeState(values.state, release);
  return report(findings, release, () => `${source.where}: ${describe(release, expectations.key)}`);
}

/** `mirror <url> <folder> [--key K] [--min-serial N]`. */
export async function mirrorCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { key: { type: 'string' }, 'min-serial': { type: 'string' } },
  });
  const [from = '', folder = '', ...rest] = positionals;
  const source = sourceOf([from]);
  const asked = expectationsOf(values.key, values['min-serial']);
  if (typeof source === 'string' || typeof asked === 'string' || folder === '' || rest.length > 0)
    return misused('mirror <url> <folder> [--key <public key>] [--min-serial <n>]', source, asked);
  try {
    const { release, findings, fetched, kept } = await mirror(source, folder, asked, realEffects().progress);
    return report(
      findings,
      release,
      () => `${folder}: ${fetched} files fetched, ${kept} kept; ${describe(release, asked.key)}`,
    );
  } catch (error) {
    if (!(error instanceof Busy || error instanceof NotATree)) throw error;
    console.error(error.message);
    return USAGE;
  }
}

/** `release [--tree public] [--datasets datasets] [--expires date-time]`: records the built tree as published. */
export async function releaseCommand(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      tree: { type: 'string', default: 'public' },
      datasets: { type: 'string', default: 'datasets' },
      expires: { type: 'string' },
    },
  });
  const expires = values.expires === undefined ? null : new Date(values.expires);
  if (expires && Number.isNaN(expires.getTime())) return misused('release [--expires <date-time>]');
  const effects = realEffects();
  const expectations = { now: new Date(), key: null, minSerial: 0, known: null };
  const { release, findings } = await verifyTree(folderSource(values.tree), expectations, effects.progress);
  // An expired tree is what a release with a later expiry is made of.
  const fatal = findings.filter(({ rule }) => expires === null || rule !== 'expired');
  if (!release || fatal.length > 0) return report(fatal, release, () => '');
  const file = join(values.datasets, LEDGER);
  const until = expires ? `${expires.toISOString().slice(0, 19)}Z` : release.expires;
  writeWhole(file, ledgerText(recorded(parseLedger(effects.read(file)), release, until)));
  const again = until === release.expires ? '' : '; build again to publish the new expiry';
  console.log(`${file}: release ${release.serial} of ${release.siteUrl}, expires ${until}${again}`);
  return 0;
}

/** `delta <older> <newer> [--out F]` makes one, `delta --apply <delta> <older> <folder>` follows one. */
export async function deltaCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { out: { type: 'string' }, apply: { type: 'string' } },
  });
  const [older = '', newer = '', ...rest] = positionals;
  if (older === '' || newer === '' || rest.length > 0)
    return misused('delta <older> <newer> [--out <file>], delta --apply <delta> <older> <folder>');
  const from = await readRelease(folderSource(older));
  if (values.apply !== undefined) {
    const tree = applyDelta(parseDelta(readFileSync(values.apply)), from);
    const unclaim = claimTree(newer);
    try {
      realEffects().replaceTree(newer, tree.sorted());
    } finally {
      unclaim();
    }
    console.log(`${newer}: ${tree.files.size} files`);
    return 0;
  }
  const to = await readRelease(folderSource(newer));
  const delta = makeDelta(from, to);
  const text = `${JSON.stringify(delta)}\n`;
  applyDelta(parseDelta(Buffer.from(text)), from);
  const path = values.out ?? join(newer, deltaPath(delta.from.serial, delta.to.serial));
  writeWhole(path, text);
  writeWhole(`${path}.sha256`, sidecarText(basename(path), sha256(text)));
  const { added, changed, removed } = delta.files;
  console.log(
    `${path}: ${added.length} files added, ${changed.length} changed, ${removed.length} removed; ${text.length} bytes`,
  );
  return 0;
}

function sourceOf([where = '', ...rest]: string[]): ReleaseSource | string {
  if (rest.length > 0 || where === '') return 'one folder or address is needed';
  if (isAddress(where)) return httpSource(where);
  return isFolder(where) ? folderSource(where) : `${where} is neither a folder nor an http address`;
}

function expectationsOf(
  key: string | undefined,
  minSerial: string | undefined,
): { now: Date; key: PublicKeyText | null; minSerial: number } | string {
  const least = minSerial ?? '0';
  if (!/^[0-9]{1,15}$/.test(least)) return `--min-serial is ${JSON.stringify(least)}; it is a whole number`;
  const pinned = key === undefined ? null : (publicKeyOf(key) ?? publicKeyOf(fileText(key)));
  if (key !== undefined && pinned === null)
    return `--key is neither a minisign public key nor a file with one`;
  return { now: new Date(), key: pinned, minSerial: Number(least) };
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function misused(usage: string, ...faults: unknown[]): number {
  for (const fault of faults) if (typeof fault === 'string') console.error(fault);
  console.error(`usage: npm run ${usage.replace(' ', ' -- ')}`);
  return USAGE;
}

function report(findings: ReleaseFinding[], release: Release | null, good: () => string): number {
  for (const finding of findings) console.log(releaseFindingLine(finding));
  if (findings.length > 0) console.error(`${findings.length} findings`);
  else if (release) console.log(good());
  return exitCodeOf(findings);
}

function describe(release: Release | null, pinned: PublicKeyText | null): string {
  if (!release) return '';
  const { serial, treeSha256, expires, files, signature } = release;
  const signed =
    signature === null
      ? 'unsigned'
      : `signed by ${keyIdText(signature.publicKey)}${pinned === null ? ' (the key that came with it: pin it with --key)' : ''}`;
  return `release ${serial} verified, ${files.length} files, tree ${treeSha256}, ${signed}, expires ${expires}`;
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.next`, text);
  renameSync(`${path}.next`, path);
}
