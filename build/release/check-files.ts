/** Every file of a release against its manifest, its sidecar and SHA256SUMS, and the headers a server sends with it. */
import { MIMEType } from 'node:util';
import pMap from 'p-map';
import { errorMessage } from '../lib/findings.ts';
import { byPath, sumsText } from '../lib/tree.ts';
import type { Progress } from '../lib/effects.ts';
import { deltaPath, parseDelta } from './delta.ts';
import type { ReleaseFinding } from './findings.ts';
import { MANIFEST_LIMIT, describingPaths } from './manifest.ts';
import type { Release, ReleaseFile } from './manifest.ts';
import {
  PROVENANCE,
  PROVENANCE_SIGNATURE,
  RELEASE,
  SUMS,
  filesInSums,
  isDeltaPath,
  sidecarPath,
  sidecarText,
} from '../../shim/core/paths.ts';
import { signatureFault } from '../../shim/remote/signature.ts';
import { provenanceLine, PROVENANCE_LIMIT } from './provenance.ts';
import { SIGNATURE_LIMIT } from './trust.ts';
import { CONCURRENCY, Unserved, digestOf, orUnserved, readSmall } from './source.ts';
import type { Digest, ReleaseSource } from './source.ts';
import { mediaTypeOf } from '../../shim/core/headers.ts';

/** A file as it was found, and the text of its sidecar (null where that could not be read). */
interface Seen {
  path: string;
  digest: Digest;
  sidecar: string | null;
}

/** Checks all listed files; `onFile` gets the bytes of those that `wants` them and are as released. */
export async function checkFiles(
  source: ReleaseSource,
  files: ReleaseFile[],
  wants: (path: string) => boolean,
  onFile: (path: string, body: Buffer) => void,
  progress: Progress,
): Promise<ReleaseFinding[]> {
  const owners = new Map(files.map(({ path, sha256 }) => [sha256, path]));
  let done = 0;
  const check = async (file: ReleaseFile): Promise<ReleaseFinding[]> => {
    // A file in a folder is read to its end, so that a swapped one is recognized; a response is not.
    const limit = source.remote ? file.bytes : Number.POSITIVE_INFINITY;
    const findings: ReleaseFinding[] = [];
    // A manifest may lie about sizes, and a file in a folder may be longer: neither fills the memory.
    const keep = wants(file.path) ? Math.min(file.bytes, MANIFEST_LIMIT) : 0;
    const seen = await look(source, file.path, findings, limit, keep);
    done += 1;
    progress('checking files', done, files.length);
    if (!seen) return findings;
    findings.push(...contentFindings(file, seen, owners));
    if (source.remote) findings.push(...headerFindings(file.path, file.mediaType, seen.digest));
    if (seen.digest.body && seen.digest.sha256 === file.sha256) onFile(file.path, seen.digest.body);
    return findings;
  };
  return (await pMap(files, check, { concurrency: CONCURRENCY })).flat();
}

/** Checks SHA256SUMS against the manifest, and every describing file against SHA256SUMS and its sidecar. */
export async function checkSums(source: ReleaseSource, release: Release): Promise<ReleaseFinding[]> {
  const findings: ReleaseFinding[] = [];
  const sums = await look(source, SUMS, findings, MANIFEST_LIMIT, MANIFEST_LIMIT);
  const described = new Map(release.files.map(({ path, sha256 }) => [path, sha256]));
  const listing = filesInSums(sums?.digest.body?.toString('utf8') ?? '');
  const lines = sums && new Map(listing.map(({ path, sha256 }) => [path, sha256]));
  for (const path of describingPaths(release)) {
    const seen = await look(source, path, findings, MANIFEST_LIMIT);
    const listed = lines?.get(path);
    const sha256 = seen?.digest.sha256 ?? listed ?? '';
    const isListed = listed === undefined || listed === sha256;
    const edited = seen && !isListed && seen.sidecar !== null && seen.sidecar !== sidecarText(path, sha256);
    if (edited)
      findings.push({
        file: path,
        rule: path === RELEASE ? 'manifest' : 'content',
        message: `was edited: its sha256 is ${sha256}, SHA256SUMS and the sidecar have another`,
      });
    else if (seen && isListed) findings.push(...sidecarFindings(seen));
    // An edited or missing file is reported above; the listing is not at fault.
    described.set(path, edited ? (listed ?? '') : sha256);
  }
  if (sums && lines) findings.push(...listingFindings(sums, lines, described));
  return findings;
}

/** Checks every delta in a folder: named as it says, and leading to this release or one before. Applying it checks its content. */
export async function checkDeltas(source: ReleaseSource, release: Release): Promise<ReleaseFinding[]> {
  const findings: ReleaseFinding[] = [];
  for (const path of (source.list() ?? []).filter(isDeltaPath)) {
    const seen = await look(source, path, findings, Number.MAX_SAFE_INTEGER, Infinity);
    if (!seen?.digest.body) continue;
    findings.push(...sidecarFindings(seen, false));
    const message = deltaFault(path, seen.digest.body, release);
    if (message !== null) findings.push({ file: path, rule: 'delta', message });
  }
  return findings;
}

/**
 * Checks the statement of provenance against its sidecar, the manifest it is about and, where the release is signed, its
 * signature; resolves to what it says in one line. A release without one, as all were once, is fine.
 */
export async function checkProvenance(
  source: ReleaseSource,
  manifest: Uint8Array,
  { signature }: Release,
  findings: ReleaseFinding[],
): Promise<string | null> {
  const isThere = source.list()?.includes(PROVENANCE);
  if (isThere === false) return null;
  if (isThere === undefined) {
    const found = await orUnserved(readSmall(source, PROVENANCE, PROVENANCE_LIMIT));
    if (found instanceof Unserved && found.problem === 'missing') return null;
  }
  const seen = await look(source, PROVENANCE, findings, PROVENANCE_LIMIT, PROVENANCE_LIMIT);
  if (!seen?.digest.body) return null;
  findings.push(...sidecarFindings(seen, false));
  const refused = (file: string, message: string): null => {
    findings.push({ file, rule: 'provenance', message });
    return null;
  };
  if (signature) {
    const found: ReleaseFinding[] = [];
    const signed = await look(source, PROVENANCE_SIGNATURE, found, SIGNATURE_LIMIT, SIGNATURE_LIMIT);
    if (!signed?.digest.body) return refused(PROVENANCE_SIGNATURE, found[0]?.message ?? 'is missing');
    findings.push(...found, ...sidecarFindings(signed, false));
    const text = signed.digest.body.toString('utf8');
    const fault = await signatureFault(seen.digest.body, text, signature.publicKey);
    if (fault !== null) return refused(PROVENANCE_SIGNATURE, fault);
  }
  try {
    return provenanceLine(seen.digest.body, manifest);
  } catch (error) {
    return refused(PROVENANCE, errorMessage(error));
  }
}

/** Checks the headers of one response: media type, and that any origin may read it. */
export function headerFindings(
  file: string,
  expected: string,
  headers: Pick<Digest, 'mediaType' | 'allowOrigin'>,
): ReleaseFinding[] {
  const mediaType = headers.mediaType ?? 'missing';
  const allowOrigin = headers.allowOrigin ?? 'missing';
  const checks: [isRight: boolean, rule: ReleaseFinding['rule'], message: string][] = [
    [isSameType(expected, mediaType), 'media-type', `has the media type ${mediaType}; expected ${expected}`],
    [allowOrigin === '*', 'cors', `has Access-Control-Allow-Origin ${allowOrigin}; expected *`],
  ];
  return checks.flatMap(([isRight, rule, message]) => (isRight ? [] : [{ file, rule, message }]));
}

/** Reads a file and its sidecar. What cannot be read is added to the findings. */
async function look(
  source: ReleaseSource,
  path: string,
  findings: ReleaseFinding[],
  limit: number,
  keep = 0,
): Promise<Seen | null> {
  const read = async (file: string, most: number, whole: number): Promise<Digest | null> => {
    const digest = await orUnserved(digestOf(source, file, most, whole));
    if (!(digest instanceof Unserved)) return digest;
    findings.push(digest.findingFor(file));
    return null;
  };
  const digest = await read(path, limit, keep);
  const own = sidecarPath(path);
  // 64 digits, two blanks, a name, LF; anything longer is not a sidecar.
  const sidecar = await read(own, 66 + path.length + 1, Infinity);
  if (source.remote && sidecar) findings.push(...headerFindings(own, mediaTypeOf(own), sidecar));
  return digest && { path, digest, sidecar: sidecar?.body?.toString('utf8') ?? null };
}

function contentFindings(file: ReleaseFile, seen: Seen, owners: Map<string, string>): ReleaseFinding[] {
  const { digest, sidecar } = seen;
  const { path, bytes, sha256 } = file;
  if (digest.sha256 === sha256) {
    const message = `was edited: it lists ${path} with ${bytes} bytes, the file of this sha256 has ${digest.bytes}`;
    const size: ReleaseFinding[] =
      digest.bytes === bytes ? [] : [{ file: RELEASE, rule: 'manifest', message }];
    return [...size, ...sidecarFindings(seen)];
  }
  const owner = owners.get(digest.sha256);
  if (owner !== undefined) return [{ file: path, rule: 'swapped', message: `has the bytes of ${owner}` }];
  const found = `${digest.bytes} bytes with the sha256 ${digest.sha256}`;
  const isMixed = sidecar === sidecarText(path, digest.sha256);
  const message = isMixed
    ? `belongs to another release: its sidecar agrees with it (${digest.sha256}), release.json lists ${sha256}`
    : `was altered: ${found}; released were ${bytes} bytes with ${sha256}`;
  return [{ file: path, rule: isMixed ? 'mixed' : 'content', message }];
}

/** A sidecar that does not agree with its file; where the release does not list the file, either may have been altered. */
function sidecarFindings({ path, digest, sidecar }: Seen, isReleased = true): ReleaseFinding[] {
  if (sidecar === null || sidecar === sidecarText(path, digest.sha256)) return [];
  const [fault, file] = isReleased
    ? ['was edited', 'the file is as released']
    : ['it or its file was altered', 'the file gives'];
  const says = JSON.stringify(sidecar.trimEnd().slice(0, 300));
  const message = `${fault}: it says ${says}, ${file}: ${sidecarText(path, digest.sha256).trimEnd()}`;
  return [{ file: sidecarPath(path), rule: 'sidecar', message }];
}

type Sums = Map<string, string>;

function listingFindings(sums: Seen, lines: Sums, described: Sums): ReleaseFinding[] {
  const expected = [...described].map(([path, sha256]) => ({ path, sha256 })).sort(byPath);
  if (sums.digest.body?.toString('utf8') === sumsText(expected)) return sidecarFindings(sums);
  const wrong = [...new Set([...described.keys(), ...lines.keys()])]
    .filter((path) => lines.get(path) !== described.get(path))
    .sort();
  const where = wrong.length > 0 ? `${wrong.length} lines, the first is ${wrong[0]}` : 'its order or form';
  if (sums.sidecar !== sidecarText(SUMS, sums.digest.sha256))
    return [{ file: SUMS, rule: 'sums', message: `was edited: it differs from release.json in ${where}` }];
  const message = `belongs to another release: its sidecar agrees with it, release.json does not (${where})`;
  return [{ file: SUMS, rule: 'mixed', message }];
}

function deltaFault(path: string, bytes: Uint8Array, { serial, treeSha256 }: Release): string | null {
  try {
    const { from, to } = parseDelta(bytes);
    if (deltaPath(from.serial, to.serial) !== path)
      return `says it leads from ${from.serial} to ${to.serial}`;
    if (to.serial > serial) return `leads to release ${to.serial}; this is ${serial}`;
    const isOther = to.serial === serial && to.treeSha256 !== treeSha256;
    return isOther ? `leads to another tree ${to.treeSha256}` : null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Types are equal without regard to case; a charset may be left out or added as long as it is UTF-8. */
function isSameType(expected: string, actual: string): boolean {
  try {
    const [wanted, given] = [new MIMEType(expected), new MIMEType(actual)];
    const charset = given.params.get('charset') ?? 'utf-8';
    if (wanted.essence !== given.essence || charset.toLowerCase() !== 'utf-8') return false;
    return [...wanted.params].every(
      ([name, value]) => name === 'charset' || given.params.get(name) === value,
    );
  } catch {
    return false;
  }
}
