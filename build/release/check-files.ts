/** Every file of a release against its manifest, its sidecar and SHA256SUMS, and how a server sends it. */
import { mediaTypeOf } from '../../shim/core/media-types.ts';
import type { ReleaseFinding, ReleaseRule } from './finding.ts';
import { sidecarText, type ReleaseFile } from './manifest.ts';
import { checkHeaders } from './check-headers.ts';
import { digestOf, inParallel, Unserved, type Digest, type ReleaseSource } from './source.ts';

/** A bounded number of files is read at once. */
export const WIDTH = 8;
const EVERY = 200;

/** A file as it was found, and the hash its sidecar gives (null where the sidecar could not be read). */
export interface Seen {
  path: string;
  digest: Digest;
  sidecar: string | null;
}

/** Checks all listed files; `onFile` is given the bytes of those that `wants` them. */
export async function checkFiles(
  source: ReleaseSource,
  files: ReleaseFile[],
  wants: (path: string) => boolean,
  onFile: (path: string, body: Buffer) => void,
  progress: (message: string) => void,
): Promise<ReleaseFinding[]> {
  const owners = new Map(files.map(({ path, sha256 }) => [sha256, path]));
  let done = 0;
  const findings = await inParallel(files, WIDTH, async (file) => {
    const { seen, findings: found } = await look(
      source,
      file.path,
      // A folder is read through, so that a swapped file is recognized; a server is not.
      source.remote ? file.bytes : Number.POSITIVE_INFINITY,
      wants(file.path),
    );
    done += 1;
    if (done % EVERY === 0) progress(`checking ${done} of ${files.length} files`);
    if (!seen) return found;
    const { digest } = seen;
    found.push(...judged(file, seen, owners));
    if (source.remote) found.push(...checkHeaders(file.path, file.mediaType, digest));
    if (digest.body && digest.sha256 === file.sha256) onFile(file.path, digest.body);
    return found;
  });
  return findings.flat();
}

/** Reads a file and its sidecar. What cannot be read is a finding. */
export async function look(
  source: ReleaseSource,
  path: string,
  limit: number,
  keep = false,
): Promise<{ seen: Seen | null; findings: ReleaseFinding[] }> {
  const findings: ReleaseFinding[] = [];
  const attempt = async <T>(file: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unserved)) throw error;
      findings.push({ file, rule: error.problem, message: error.message });
      return null;
    }
  };
  const digest = await attempt(path, () => digestOf(source, path, limit, keep));
  const beside = `${path}.sha256`;
  // 64 digits, two blanks, a name, LF; anything longer is not a sidecar.
  const sidecar = await attempt(beside, () => digestOf(source, beside, 66 + path.length + 1, true));
  if (source.remote && sidecar) findings.push(...checkHeaders(beside, mediaTypeOf(beside), sidecar));
  const text = sidecar?.body?.toString('utf8') ?? null;
  return { seen: digest && { path, digest, sidecar: text }, findings };
}

/** A sidecar that does not agree with the file it stands beside. */
export function sidecarFinding({ path, digest, sidecar }: Seen): ReleaseFinding[] {
  if (sidecar === null || sidecar === sidecarText(path, digest.sha256)) return [];
  return [
    {
      file: `${path}.sha256`,
      rule: 'sidecar',
      message: `was edited: it says ${JSON.stringify(sidecar.slice(0, 64))}, the file is as released: ${digest.sha256}`,
    },
  ];
}

function judged(file: ReleaseFile, seen: Seen, owners: Map<string, string>): ReleaseFinding[] {
  const { digest, sidecar } = seen;
  if (digest.sha256 === file.sha256) return sidecarFinding(seen);
  const finding = (rule: ReleaseRule, message: string): ReleaseFinding[] => [
    { file: file.path, rule, message },
  ];
  const owner = owners.get(digest.sha256);
  if (owner !== undefined) return finding('swapped', `holds the bytes of ${owner}`);
  if (sidecar === sidecarText(file.path, digest.sha256))
    return finding(
      'mixed',
      `belongs to another release: its sidecar agrees with it (${digest.sha256}), release.json lists ${file.sha256}`,
    );
  return finding(
    'content',
    `was altered: ${digest.bytes} bytes with the sha256 ${digest.sha256}, released were ${file.bytes} bytes with ${file.sha256}`,
  );
}
