/**
 * Verifies a release of the context producer: every byte count, sha256, git blob id, tree hash, revision, cross-link,
 * schema and count is made again from the files. Pure; it collects every finding, and a release exists only when there
 * is none. It fetches nothing and reads no clock: whether an address answers is not its question.
 */
import { CANONICAL_BASE_URL, DATA, FILES, NEWSWIRE_MAX_BYTES } from './contract.ts';
import type { FileDescriptor, ReleaseFiles, SourceDescriptor, VerifiedRelease } from './contract.ts';
import { economicFindings, observatoryFindings } from './content.ts';
import { artifactTreeSha256, describeFile, gitCommitOid, gitTreeOid } from './hash.ts';
import { readDocument, type ReleaseDocuments, releaseFinding } from './json.ts';
import { pinOf } from './pin.ts';
import type { Finding } from '../lib/findings.ts';

/** `release` is null exactly when there are findings. */
export interface ReleaseCheck {
  findings: Finding[];
  release: VerifiedRelease | null;
}

/** Checks the files of datasets/producerp, by path below that folder. */
export function verifyRelease(files: ReleaseFiles): ReleaseCheck {
  const findings: Finding[] = [];
  const pin = pinFindings(files, findings);
  const manifest = readDocument('manifest', files, FILES.manifest, findings);
  const receipt = readDocument('receipt', files, FILES.receipt, findings);
  const pages = readDocument('pages', files, FILES.pages, findings);
  const observatory = readDocument('observatory', files, `release/${DATA.observatory}`, findings);
  const economics = readDocument('economics', files, `release/${DATA.economics}`, findings);
  const registry = readDocument('registry', files, `release/${DATA.registry}`, findings);
  const newswire = readDocument('newswire', files, `release/${DATA.newswire}`, findings);

  if (manifest) manifestFindings(files, manifest, findings);
  if (manifest && receipt) receiptFindings(files, manifest, receipt, findings);
  if (manifest && receipt && pages) pagesFindings(files, manifest, receipt, pages, findings);
  if (observatory) findings.push(...observatoryFindings(observatory));
  if (economics && registry) findings.push(...economicFindings(economics, registry, files));
  const newswireBytes = files.get(`release/${DATA.newswire}`)?.length ?? 0;
  if (newswireBytes > NEWSWIRE_MAX_BYTES)
    findings.push(
      releaseFinding(
        `release/${DATA.newswire}`,
        'content',
        `${newswireBytes} bytes; the bound is ${NEWSWIRE_MAX_BYTES}`,
      ),
    );

  const receiptFile = described(files, FILES.receipt);
  const pagesFile = described(files, FILES.pages);
  const complete =
    pin && manifest && receipt && pages && observatory && economics && newswire && receiptFile && pagesFile;
  if (findings.length > 0 || !complete) return { findings, release: null };
  return {
    findings,
    release: {
      pin,
      receiptFile,
      pagesFile,
      receipt,
      pages,
      files: manifest.files,
      observatory,
      economics,
      newswire,
    },
  };
}

function pinFindings(files: ReleaseFiles, findings: Finding[]): FileDescriptor | null {
  const pin = files.get(FILES.pin);
  if (!pin) findings.push(releaseFinding(FILES.pin, 'missing', 'the release is not pinned'));
  else if (Buffer.compare(pin, pinOf(files)) !== 0)
    findings.push(
      releaseFinding(FILES.pin, 'hash', 'the pin is not that of this manifest and these receipts'),
    );
  return described(files, FILES.pin);
}

function manifestFindings(
  files: ReleaseFiles,
  { files: listed }: ReleaseDocuments['manifest'],
  findings: Finding[],
): void {
  const paths = new Set(listed.map(({ path }) => `release/${path}`));
  if (paths.size !== listed.length)
    findings.push(releaseFinding(FILES.manifest, 'content', 'lists a path twice'));
  for (const path of Object.values(DATA))
    if (!paths.has(`release/${path}`))
      findings.push(releaseFinding(FILES.manifest, 'missing', `does not list ${path}`));
  const known = new Set<string>([...paths, ...Object.values(FILES)]);
  for (const path of files.keys())
    if (!known.has(path))
      findings.push(releaseFinding(path, 'unlisted', 'stands in the folder but not in the manifest'));
  for (const stated of listed) {
    const file = `release/${stated.path}`;
    const actual = described(files, file);
    if (!actual) findings.push(releaseFinding(file, 'missing', 'the manifest lists it'));
    else compare(file, 'the manifest', stated, { ...actual, path: stated.path }, findings);
  }
}

function receiptFindings(
  files: ReleaseFiles,
  { schemaVersion, files: listed }: ReleaseDocuments['manifest'],
  receipt: ReleaseDocuments['receipt'],
  findings: Finding[],
): void {
  const actual = listed.flatMap(({ path }) => {
    const file = described(files, `release/${path}`);
    return file ? [{ ...file, path }] : [];
  });
  const manifest = described(files, FILES.manifest);
  const tree = gitTreeOid(actual);
  const expected = {
    canonicalBaseUrl: CANONICAL_BASE_URL,
    sourceTreeOid: tree,
    sourceRevision: gitCommitOid(receipt.sourceCommit),
    artifactTreeSha256: artifactTreeSha256(actual),
  };
  compare(FILES.receipt, 'the release receipt', pick(receipt, expected), expected, findings);
  if (receipt.sourceCommit.split('\n')[0] !== `tree ${tree}`)
    findings.push(releaseFinding(FILES.receipt, 'link', 'sourceCommit does not name the tree of the files'));
  const totals = {
    schemaVersion,
    bytes: manifest?.bytes ?? 0,
    sha256: manifest?.sha256 ?? '',
    fileCount: actual.length,
    totalBytes: actual.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  compare(
    FILES.receipt,
    'artifactManifest of the release receipt',
    receipt.artifactManifest,
    totals,
    findings,
  );
}

function pagesFindings(
  files: ReleaseFiles,
  manifest: ReleaseDocuments['manifest'],
  receipt: ReleaseDocuments['receipt'],
  pages: ReleaseDocuments['pages'],
  findings: Finding[],
): void {
  const expected = {
    sourceRevision: receipt.sourceRevision,
    sourceTreeOid: receipt.sourceTreeOid,
    releaseReceiptSha256: described(files, FILES.receipt)?.sha256 ?? '',
  };
  compare(FILES.pages, 'the pages receipt', pick(pages, expected), expected, findings);
  if (Date.parse(pages.freshUntil) < Date.parse(pages.verifiedAt))
    findings.push(releaseFinding(FILES.pages, 'content', 'freshUntil lies before verifiedAt'));
  const served: string[] = [DATA.observatory, DATA.economics, DATA.newswire];
  if (
    pages.servedResources.some(({ path }) => !served.includes(path)) ||
    new Set(pages.servedResources.map(({ path }) => path)).size !== 3
  )
    findings.push(releaseFinding(FILES.pages, 'content', `served resources must be ${served.join(', ')}`));
  for (const resource of pages.servedResources) {
    const file = manifest.files.find(({ path }) => path === resource.path);
    if (!file) continue;
    const mirrored = resource.mirrorUrl === undefined ? null : receipt.mirrorBaseUrl;
    compare(
      FILES.pages,
      `served resource ${file.path}`,
      { ...resource },
      { ...publishedAt(file, receipt.canonicalBaseUrl, mirrored) },
      findings,
    );
  }
}

/** A file with the addresses it has below the producer's base addresses; no mirror when there is none. */
export function publishedAt(
  file: FileDescriptor,
  canonicalBase: string,
  mirrorBase: string | null,
): SourceDescriptor {
  return {
    ...file,
    canonicalUrl: `${canonicalBase}/${file.path}`,
    ...(mirrorBase === null ? {} : { mirrorUrl: `${mirrorBase}/${file.path}` }),
  };
}

function described(files: ReleaseFiles, path: string): FileDescriptor | null {
  const bytes = files.get(path);
  return bytes ? describeFile(path, bytes) : null;
}

/** The members of `from` that `like` has. */
function pick(from: object, like: object): object {
  return Object.fromEntries(Object.entries(from).filter(([member]) => member in like));
}

function compare(file: string, where: string, stated: object, actual: object, findings: Finding[]): void {
  const found = new Map<string, unknown>(Object.entries(actual));
  for (const [member, value] of Object.entries(stated)) {
    const made = found.get(member);
    if (made === value) continue;
    const message = `${where} says ${member} ${String(value)}; made again it is ${String(made)}`;
    findings.push(releaseFinding(file, 'hash', message));
  }
}
