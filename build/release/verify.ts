/**
 * `npm run verify`: checks a published tree, in a folder or at an address, against its own manifest and what the reader knows
 * beforehand. Every finding is collected; nothing is written.
 */
import pMap from 'p-map';
import { errorMessage } from '../lib/findings.ts';
import type { Progress } from '../lib/effects.ts';
import { checkDeltas, checkFiles, checkProvenance, checkSums, headerFindings } from './check-files.ts';
import type { ReleaseFinding } from './findings.ts';
import { MANIFEST_LIMIT, type Release, type ReleaseFile, describingPaths, parseRelease } from './manifest.ts';
import { CONCURRENCY, type ReleaseSource, Unserved, digestOf, orUnserved, readSmall } from './source.ts';
import { type Expectations, checkFreshness, checkSignature } from './trust.ts';
import {
  API_ROOT,
  PROVENANCE,
  PROVENANCE_SIGNATURE,
  RELEASE,
  SUMS,
  isDeltaPath,
  pagePath,
  sidecarPath,
} from '../../shim/core/paths.ts';

/** The result of a verification. `release` is null without a valid manifest. */
export interface Verified {
  release: Release | null;
  findings: ReleaseFinding[];
  /** What the release says it was made from; absent where it does not say. */
  provenance?: string;
}

/** A manifest with its bytes, checked for form, signature and freshness before anything it lists is read. */
export async function verifyManifest(
  source: ReleaseSource,
  expectations: Expectations,
): Promise<Verified & { bytes: Buffer }> {
  const none = { release: null, bytes: Buffer.alloc(0) };
  const bytes = await orUnserved(readSmall(source, RELEASE, MANIFEST_LIMIT));
  if (bytes instanceof Unserved) return { ...none, findings: [bytes.findingFor(RELEASE)] };
  let release: Release;
  try {
    release = parseRelease(bytes);
  } catch (error) {
    return { ...none, findings: [{ file: RELEASE, rule: 'manifest', message: errorMessage(error) }] };
  }
  const findings = [
    ...(await checkSignature(source, bytes, release, expectations)),
    ...checkFreshness(release, expectations),
    ...checkSize(release, expectations),
  ];
  return { release, bytes, findings };
}

/** The most bytes of all files that are taken from an address, unless the reader sets another bound: several times what there is. */
export const MAX_BYTES = 4 * 1024 ** 3;

function checkSize(
  { files }: Release,
  { maxBytes = Number.POSITIVE_INFINITY }: Expectations,
): ReleaseFinding[] {
  const listed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (listed <= maxBytes) return [];
  const message = `lists ${listed} bytes in all; at most ${maxBytes} are taken. Set --max-bytes to take more`;
  return [{ file: RELEASE, rule: 'oversized', message }];
}

/** Verifies a whole tree. */
export async function verifyTree(
  source: ReleaseSource,
  expectations: Expectations,
  progress: Progress,
): Promise<Verified> {
  return unlessReplaced(source, expectations, await verifiedTree(source, expectations, progress));
}

/**
 * What was found about a release that was read over a time; where a later one by the same key has taken its place by then, only that:
 * its files are no sign of tampering.
 */
export async function unlessReplaced<Found extends Verified>(
  source: ReleaseSource,
  expectations: Expectations,
  found: Found,
): Promise<Found> {
  const { release: read, findings } = found;
  if (!read || findings.length === 0) return found;
  const { release: now, findings: faults } = await verifyManifest(source, expectations);
  const isLater = now && now.serial > read.serial && now.signature?.publicKey === read.signature?.publicKey;
  if (!isLater || faults.length > 0) return found;
  const message = `release ${now.serial} took the place of release ${read.serial} while this was read; run it again`;
  return { ...found, findings: [{ file: RELEASE, rule: 'replaced', message }] };
}

async function verifiedTree(
  source: ReleaseSource,
  expectations: Expectations,
  progress: Progress,
): Promise<Verified> {
  const { release, findings, bytes } = await verifyManifest(source, expectations);
  const isTooLarge = findings.some(({ file, rule }) => file === RELEASE && rule === 'oversized');
  if (!release || isTooLarge) return { release, findings };
  progress(`release ${release.serial} with ${release.files.length} files`);
  findings.push(...(await checkSums(source, release)));
  const facts = new Map<string, PageFacts>();
  const remember = (path: string, body: Buffer): unknown => facts.set(path, pageFacts(body));
  findings.push(...(await checkFiles(source, release.files, isPage, remember, progress)));
  const listed = release.files.map(({ path }) => path);
  findings.push(...checkPages(listed, facts));
  const provenance = await orUnserved(checkRest(source, release, bytes, findings));
  if (provenance instanceof Unserved) findings.push(provenance.findingFor(source.where));
  const isStated = typeof provenance === 'string';
  return { release, findings, ...(isStated && { provenance }) };
}

/** What a release does not list: bare addresses or files of the folder; resolves to what the statement of provenance says. Throws Unserved. */
async function checkRest(
  source: ReleaseSource,
  release: Release,
  manifest: Buffer,
  findings: ReleaseFinding[],
): Promise<string | null> {
  if (source.remote) findings.push(...(await checkBareAddresses(source, release)));
  else findings.push(...unlisted(source, release), ...(await checkDeltas(source, release)));
  return checkProvenance(source, manifest, release, findings);
}

/** Files in the folder that the release does not have. A delta or a statement that is not there has no sidecar either. */
function unlisted(source: ReleaseSource, release: Release): ReleaseFinding[] {
  const there = source.list() ?? [];
  const statement = release.signature ? [PROVENANCE, PROVENANCE_SIGNATURE] : [PROVENANCE];
  const own = [
    ...release.files.map(({ path }) => path),
    ...describingPaths(release),
    SUMS,
    ...there.filter(isDeltaPath),
    ...(there.includes(PROVENANCE) ? statement : []),
  ];
  const expected = new Set(own.flatMap((path) => [path, sidecarPath(path)]));
  return there
    .filter((path) => !expected.has(path))
    .map((file) => ({ file, rule: 'unlisted', message: 'was added: the release does not list it' }));
}

/** `/api/v1/<resource>` without an ending must have the same bytes as its file. */
async function checkBareAddresses(source: ReleaseSource, { files }: Release): Promise<ReleaseFinding[]> {
  const firsts = files.filter(({ path }) => resourceOf(path) !== null);
  const check = async ({ path, bytes, sha256, mediaType }: ReleaseFile): Promise<ReleaseFinding[]> => {
    const file = `${API_ROOT}/${resourceOf(path) ?? ''}`;
    const finding = (message: string): ReleaseFinding => ({ file, rule: 'bare-address', message });
    const digest = await orUnserved(digestOf(source, file, bytes));
    if (digest instanceof Unserved) return [finding(`${digest.message}; it must have the bytes of ${path}`)];
    const same = digest.sha256 === sha256 ? [] : [finding(`does not have the bytes of ${path}`)];
    return [...same, ...headerFindings(file, mediaType, digest)];
  };
  return (await pMap(firsts, check, { concurrency: CONCURRENCY })).flat();
}

/** What a page says about itself; null for a response without pages. */
type PageFacts = { matched: number; returned: number; next_cursor: string | null } | null;

const PAGE = new RegExp(`^${API_ROOT}/([a-z-]+)(/[A-Za-z0-9_-]+)?\\.json$`);

function isPage(path: string): boolean {
  return PAGE.test(path);
}

/** The resource that a path is the first page of; null for any other path. */
function resourceOf(path: string): string | null {
  const [, resource, cursor] = PAGE.exec(path) ?? [];
  return cursor === undefined ? (resource ?? null) : null;
}

function pageFacts(body: Buffer): PageFacts {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data: { page: NonNullable<PageFacts> } };
    const { matched, returned, next_cursor: next } = data.page;
    const isPaged = typeof matched === 'number' && typeof returned === 'number';
    return isPaged ? { matched, returned, next_cursor: typeof next === 'string' ? next : null } : null;
  } catch {
    return null;
  }
}

/** Walks every chain over the listed pages. Altered pages have no facts: another rule reports them. */
function checkPages(listed: string[], facts: ReadonlyMap<string, PageFacts>): ReleaseFinding[] {
  const findings: ReleaseFinding[] = [];
  const unreached = new Set(listed.filter(isPage));
  for (const first of listed) {
    const resource = resourceOf(first);
    if (resource === null) continue;
    const { isWhole, fault } = walk(resource, first, unreached, facts);
    if (fault) findings.push(fault);
    // One cut is one finding, not one for each page behind it.
    if (!isWhole)
      for (const path of unreached) if (path.startsWith(`${API_ROOT}/${resource}/`)) unreached.delete(path);
  }
  for (const file of unreached)
    findings.push({ file, rule: 'page-chain', message: 'is not reached from a first page by next_cursor' });
  return findings;
}

/** Follows one chain and takes its pages out of `unreached`. */
function walk(
  resource: string,
  first: string,
  unreached: Set<string>,
  facts: ReadonlyMap<string, PageFacts>,
): { isWhole: boolean; fault: ReleaseFinding | null } {
  const cut = (file: string, message: string): ReturnType<typeof walk> => ({
    isWhole: false,
    fault: { file, rule: 'page-chain', message },
  });
  let records = 0;
  for (let path = first; ;) {
    unreached.delete(path);
    const page = facts.get(path);
    if (!page) return { isWhole: page === null, fault: null };
    records += page.returned;
    if (page.next_cursor === null) {
      if (records === page.matched) return { isWhole: true, fault: null };
      return cut(path, `ends the walk after ${records} records of ${page.matched}`);
    }
    const next = pagePath(resource, page.next_cursor);
    if (!unreached.has(next)) return cut(path, `leads to ${next}, which is not a further page`);
    path = next;
  }
}
