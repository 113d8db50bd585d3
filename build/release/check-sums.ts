/** The files that describe a release, against each other: manifest, signature, key, SHA256SUMS and their sidecars. */
import { look, sidecarFinding, type Seen } from './check-files.ts';
import type { ReleaseFinding } from './finding.ts';
import { MANIFEST } from '../lib/tree.ts';
import { PUBLIC_KEY, SIGNATURE, SUMS, sidecarText, type Release } from './manifest.ts';
import type { ReleaseSource } from './source.ts';

/** Size of the manifest itself, and of a listing of as many files, at most. */
export const MANIFEST_LIMIT = 64 * 1024 * 1024;

/** Checks SHA256SUMS against the manifest, and every describing file against SHA256SUMS and its sidecar. */
export async function checkSums(source: ReleaseSource, release: Release): Promise<ReleaseFinding[]> {
  const sums = await look(source, SUMS, MANIFEST_LIMIT, true);
  const findings = [...sums.findings];
  const described = new Map(release.files.map(({ path, sha256 }) => [path, sha256]));
  const lines = sums.seen ? linesOf(sums.seen) : null;
  for (const path of release.signature ? [MANIFEST, SIGNATURE, PUBLIC_KEY] : [MANIFEST]) {
    const { seen, findings: found } = await look(source, path, MANIFEST_LIMIT);
    findings.push(...found);
    if (!seen) {
      // Named as missing; the listing is not at fault for it.
      described.set(path, lines?.get(path) ?? '');
      continue;
    }
    const { sha256 } = seen.digest;
    const inSums = lines?.get(path) ?? sha256;
    const inSidecar = seen.sidecar === null || seen.sidecar === sidecarText(path, sha256);
    if (inSums !== sha256 && !inSidecar)
      findings.push({
        file: path,
        rule: path === MANIFEST ? 'manifest' : 'content',
        message: `was edited: its sha256 is ${sha256}, SHA256SUMS and sidecar say otherwise`,
      });
    else if (inSums === sha256) findings.push(...sidecarFinding(seen));
    // Judged above where it is the file's fault; left in the listing where it is the listing's.
    described.set(path, inSums !== sha256 && !inSidecar ? inSums : sha256);
  }
  if (sums.seen && lines) findings.push(...checkListing(sums.seen, lines, described));
  return findings;
}

function checkListing(
  sums: Seen,
  lines: Map<string, string>,
  described: Map<string, string>,
): ReleaseFinding[] {
  const paths = [...described.keys()].sort((a, b) => (a < b ? -1 : 1));
  const expected = paths.map((path) => `${described.get(path) ?? ''}  ${path}\n`).join('');
  if (sums.digest.body?.toString('utf8') === expected) return sidecarFinding(sums);
  const wrong = [...new Set([...paths, ...lines.keys()])].filter(
    (path) => lines.get(path) !== described.get(path),
  );
  const where = wrong.length > 0 ? `${wrong.length} lines, the first is ${wrong[0]}` : 'its order or form';
  const whole = sums.sidecar === sidecarText(SUMS, sums.digest.sha256);
  return [
    {
      file: SUMS,
      rule: whole ? 'mixed' : 'sums',
      message: whole
        ? `belongs to another release: its sidecar agrees with it, release.json does not (${where})`
        : `was edited: it differs from release.json in ${where}`,
    },
  ];
}

function linesOf({ digest }: Seen): Map<string, string> {
  const text = digest.body?.toString('utf8') ?? '';
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
}
