/**
 * `npm run verify`: a published tree, in a folder or behind an address, against its own manifest and what the reader knows
 * beforehand. Every finding is collected; nothing is written.
 */
import { API_ROOT } from '../../shim/core/paths.ts';
import { checkDeltas } from './check-deltas.ts';
import { checkFiles, WIDTH } from './check-files.ts';
import { checkHeaders } from './check-headers.ts';
import { checkPages, isPage, pageFacts, resourceOf, type PageFacts } from './check-pages.ts';
import { checkSums, MANIFEST_LIMIT } from './check-sums.ts';
import type { ReleaseFinding } from './finding.ts';
import { MANIFEST } from '../lib/tree.ts';
import { isDeltaPath, isDescribing, parseRelease, type Release } from './manifest.ts';
import { digestOf, inParallel, readSmall, Unserved, type ReleaseSource } from './source.ts';
import { checkFreshness, checkSignature, type Expectations } from './trust.ts';

/** What a verification came to. `release` is null where there is no manifest to go by. */
export interface Verified {
  release: Release | null;
  findings: ReleaseFinding[];
}

/** A manifest with its bytes, checked for form, signature and freshness before anything it lists is read. */
export async function verifyManifest(
  source: ReleaseSource,
  expectations: Expectations,
): Promise<Verified & { bytes: Buffer }> {
  const none = { release: null, bytes: Buffer.alloc(0) };
  let bytes: Buffer;
  try {
    bytes = await readSmall(source, MANIFEST, MANIFEST_LIMIT);
  } catch (error) {
    if (!(error instanceof Unserved)) throw error;
    return { ...none, findings: [{ file: MANIFEST, rule: error.problem, message: error.message }] };
  }
  try {
    const release = parseRelease(bytes);
    const findings = [
      ...(await checkSignature(source, bytes, release, expectations)),
      ...checkFreshness(release, expectations),
    ];
    return { release, bytes, findings };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...none, findings: [{ file: MANIFEST, rule: 'manifest', message }] };
  }
}

/** Verifies a whole tree. */
export async function verifyTree(
  source: ReleaseSource,
  expectations: Expectations,
  progress: (message: string) => void,
): Promise<Verified> {
  const { release, findings } = await verifyManifest(source, expectations);
  if (!release) return { release, findings };
  progress(`release ${release.serial} with ${release.files.length} files`);
  findings.push(...(await checkSums(source, release)));
  const facts = new Map<string, PageFacts | null>();
  const remember = (path: string, body: Buffer): unknown => facts.set(path, pageFacts(body));
  findings.push(...(await checkFiles(source, release.files, isPage, remember, progress)));
  const listed = release.files.map(({ path }) => path);
  findings.push(...checkPages(listed, facts));
  if (source.remote) findings.push(...(await checkBareAddresses(source, release)));
  else findings.push(...unlisted(source, release), ...(await checkDeltas(source, release)));
  return { release, findings };
}

/** Files that are there and nobody released. */
function unlisted(source: ReleaseSource, { files, signature }: Release): ReleaseFinding[] {
  const released = new Set(files.map(({ path }) => path));
  const describing = (path: string): boolean =>
    isDescribing(path) && (signature !== null || !/^release\.(json\.minisig|pub)$/.test(path));
  const known = (path: string): boolean =>
    released.has(path) || (describing(path) && !path.endsWith('.sha256')) || isDeltaPath(path);
  return (source.list() ?? [])
    .filter((path) => !known(path.replace(/\.sha256$/, '')) && !known(path))
    .map((file) => ({ file, rule: 'unlisted', message: 'was added: the release lists no such file' }));
}

/** `/api/v1/<resource>` without ending answers the same bytes as its file. */
async function checkBareAddresses(source: ReleaseSource, { files }: Release): Promise<ReleaseFinding[]> {
  const firsts = files.filter(({ path }) => resourceOf(path) !== null);
  const findings = await inParallel(firsts, WIDTH, async ({ path, bytes, sha256, mediaType }) => {
    const bare = `${API_ROOT}/${resourceOf(path) ?? ''}`;
    const finding = (message: string): ReleaseFinding => ({ file: bare, rule: 'bare-address', message });
    try {
      const digest = await digestOf(source, bare, bytes);
      const same = digest.sha256 === sha256 ? [] : [finding(`does not answer the bytes of ${path}`)];
      return [...same, ...checkHeaders(bare, mediaType, digest)];
    } catch (error) {
      if (error instanceof Unserved)
        return [finding(`${error.message}; it must answer the bytes of ${path}`)];
      throw error;
    }
  });
  return findings.flat();
}
