/**
 * The cache of builds as a folder; each entry is a folder named by its key: `entry` (hash of the key and the rest, then names, sizes, hashes
 * and facts as JSON), `small` (the bytes of small files, one after another), and `0`, `1` ... (large files, by their position).
 * An entry is written under another name and renamed, so it is whole after a kill at any moment; two processes may use one folder.
 */
import { errorMessage } from '../lib/findings.ts';
import { createHash, randomBytes } from 'node:crypto';
import { constants, copyFileSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { NO_CACHE, type BuildCache, type KeptFile, type Taken } from '../lib/cache.ts';
import { byCodeUnits, pick } from '../lib/dataset.ts';
import { sha256, sha256OfPieces, type TakenFile, type TreeFile } from '../lib/tree.ts';
import type { Progress } from '../lib/effects.ts';
import type { JsonValue } from '../../shim/core/types.ts';
import { readWhole } from '../../shim/store/disk.ts';
import { filesIn, piecesOfFile } from './folder-files.ts';
import { makeFolder } from '../lib/replace-file.ts';

/** What every key covers: whatever runs in a build, how it is compiled, and the versions of the libraries, as locked and as npm installed them. */
const CODE = [
  'build/**',
  'shim/**',
  'schemas/**',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];

/** The project that this file is part of. */
export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** An entry of more would push out all others. */
const MOST_ENTRY = 1024 ** 3;

/** Files from this size on have a place of their own on disk. */
const LARGE = 256 * 1024;

const MOST_BYTES = 3 * 1024 ** 3;
const MOST_DAYS = 14;
/** Another build may be reading an entry that was used so recently. */
const IN_USE_MS = 3_600_000;
/** The file that was last written when the cache was last trimmed. */
const LAST_TRIM = 'trimmed';

/** What `entry` says of a file; `at` is its offset in `small`, null for a large one. */
interface Listed {
  path: string;
  size: number;
  sha256: string;
  at: number | null;
}

/** Where the project keeps results of its builds. */
export const CACHE_FOLDER = join(PROJECT, '.build', 'cache');

/** Opens the cache in a folder, which is made when something is kept; `code` is the project whose code makes the entries. */
export function openCache(
  folder: string,
  progress: Progress,
  { code: root = PROJECT, mostBytes = MOST_BYTES, startedAt = Date.now() - process.uptime() * 1000 } = {},
): BuildCache {
  const code = codeOf(root);
  // The code that runs is that of the files only while none of them is newer than the process.
  const isCurrent = (): boolean =>
    code.files.every(
      (file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < startedAt - 20,
    );
  if (!isCurrent()) return NO_CACHE;
  let isUsable = true;
  const attempt = (step: () => void): void => {
    if (!isUsable) return;
    try {
      step();
    } catch (error) {
      isUsable = false;
      progress(`nothing more is kept for later builds: ${errorMessage(error)}`);
    }
  };
  return {
    key(what, ...parts) {
      const sum = createHash('sha256').update(code.hash);
      for (const part of [what, ...parts]) {
        const bytes = part instanceof Uint8Array ? part : Buffer.from(JSON.stringify(part));
        sum.update(`${part instanceof Uint8Array ? 'bytes' : 'json'} ${bytes.length}\n`).update(bytes);
      }
      return `${what}-${sum.digest('hex')}`;
    },
    has: (key) => existsSync(join(folder, key)),
    take: (key, isThere = () => false) => taken(join(folder, key), isThere),
    keep: (key, files, facts = null) =>
      attempt(() => {
        const all = [...files];
        if (isCurrent() && sizeOf(all) <= MOST_ENTRY) kept(folder, key, all, facts);
      }),
    trim: () => attempt(() => trimmed(folder, mostBytes)),
  };
}

/** The code that makes entries: its files, and one hash over their names and bytes. */
function codeOf(root: string): { files: string[]; hash: string } {
  const names = fastGlob.globSync(CODE, { cwd: root, dot: true }).sort(byCodeUnits);
  // Spellings are folded by the tables of Unicode that node has.
  const sum = createHash('sha256').update(process.versions.unicode ?? '');
  for (const name of names) sum.update(`${name}\n`).update(sha256(readFileSync(join(root, name))));
  return { files: names.map((name) => join(root, name)), hash: sum.digest('hex') };
}

function taken(place: string, isThere: (file: TreeFile) => boolean): Taken | null {
  if (!existsSync(place)) return null;
  try {
    const text = readWhole(join(place, 'entry')).toString();
    const [hash, json] = [text.slice(0, 64), text.slice(65)];
    if (sha256(`${basename(place)}\n${json}`) !== hash) throw new Error('the entry is damaged');
    const { files, facts } = JSON.parse(json) as { files: Listed[]; facts: JsonValue };
    const now = new Date();
    ifAllowed(() => utimesSync(join(place, 'entry'), now, now));
    let small: Buffer | null = null;
    const read = ({ at, size }: Listed, file: string | null): Uint8Array =>
      at === null
        ? readWhole(file ?? '')
        : (small ??= readWhole(join(place, 'small'))).subarray(at, at + size);
    const takenFiles = files.map((listed, position): TakenFile => {
      const file = listed.at === null ? join(place, String(position)) : null;
      return { ...pick(listed, 'path', 'sha256'), bytes: listed.size, file, read: () => read(listed, file) };
    });
    for (const one of takenFiles) if (!isThere(one)) check(one);
    return { facts, files: takenFiles };
  } catch {
    // Damaged, or being removed by another process.
    ifAllowed(() => rmSync(place, { recursive: true, force: true }));
    return null;
  }
}

/** Changes a file of the cache; one that may not be changed, since it is another user's or its disk is read-only, stays as it is. */
function ifAllowed(change: () => void): void {
  try {
    change();
  } catch {
    // What is read of the cache is good all the same.
  }
}

/** Throws for a file that is not what was kept. */
function check({ path, sha256: hash, file, read }: TakenFile): void {
  const is = file === null ? sha256(read()) : sha256OfPieces(piecesOfFile(file));
  if (is !== hash) throw new Error(`${path} is damaged`);
}

function kept(folder: string, key: string, files: Iterable<KeptFile>, facts: JsonValue): void {
  const place = join(folder, key);
  if (existsSync(place)) return;
  const fresh = join(folder, `${key}.${randomBytes(6).toString('hex')}.new`);
  makeFolder(fresh);
  try {
    const small = filesIn(fresh).create('small');
    const listed: Listed[] = [];
    let end = 0;
    try {
      for (const given of files) {
        const size = 'bytes' in given ? given.bytes.length : statSync(given.file).size;
        const isLarge = size >= LARGE;
        const own = join(fresh, String(listed.length));
        if (!isLarge) small.write('bytes' in given ? given.bytes : readFileSync(given.file));
        else if ('bytes' in given) writeFileSync(own, given.bytes);
        else copyFileSync(given.file, own, constants.COPYFILE_FICLONE);
        const hash =
          given.sha256 ?? ('bytes' in given ? sha256(given.bytes) : sha256OfPieces(piecesOfFile(given.file)));
        listed.push({ path: given.path, size, sha256: hash, at: isLarge ? null : end });
        if (!isLarge) end += size;
      }
    } finally {
      small.close();
    }
    const json = JSON.stringify({ files: listed, facts });
    writeFileSync(join(fresh, 'entry'), `${sha256(`${key}\n${json}`)}\n${json}`);
    renameSync(fresh, place);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process may have kept the same meanwhile.
    if (!existsSync(place)) throw error;
  }
}

function sizeOf(files: readonly KeptFile[]): number {
  return files.reduce(
    (sum, file) => sum + ('bytes' in file ? file.bytes.length : statSync(file.file).size),
    0,
  );
}

function trimmed(folder: string, mostBytes: number): void {
  if (!existsSync(folder)) return;
  const now = Date.now();
  // To look through a large cache and to delete from it is slow; what was used since the last time stays in any case.
  const last = join(folder, LAST_TRIM);
  if (now - (statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0) < IN_USE_MS) return;
  ifAllowed(() => writeFileSync(last, ''));
  // Systems leave files of their own in folders.
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => {
      const place = join(folder, name);
      const used = statSync(join(place, 'entry'), { throwIfNoEntry: false }) ?? statSync(place);
      const size = readdirSync(place).reduce((sum, file) => sum + statSync(join(place, file)).size, 0);
      return { place, size, unusedMs: now - used.mtimeMs, isWhole: !name.endsWith('.new') };
    })
    .sort((a, b) => a.unusedMs - b.unusedMs);
  let bytes = 0;
  for (const { place, size, unusedMs, isWhole } of entries) {
    bytes += size;
    const isNeeded = isWhole && bytes <= mostBytes && unusedMs < MOST_DAYS * 86_400_000;
    if (!isNeeded && unusedMs > IN_USE_MS) rmSync(place, { recursive: true, force: true });
  }
}
