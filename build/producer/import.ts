/**
 * The two ways a release of the context producer comes into datasets/producerp: a real producer's release folder, verified
 * and pinned (`import -- producerp <folder>`), or the reference release made here (`import -- producerp-reference
 * <source-register.md>`). Either replaces the whole folder at once, or nothing changes.
 */
import { basename } from 'node:path';
import { FILES, type ReleaseFiles } from './contract.ts';
import { pinOf } from './pin.ts';
import { verifyRelease } from './verify.ts';
import { BuildStopped } from '../lib/findings.ts';
import { loadDatasets } from '../load/datasets.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { makeReferenceRelease } from './reference.ts';
import { Refusal } from '../import/refusal.ts';

/** What the command line asked for; `family` is `producerp` or `producerp-reference`. */
export interface ReleaseRequest {
  family: string;
  files: string[];
  /** Folder of the datasets. */
  datasets: string;
}

type Effects = Pick<BuildEffects, 'read' | 'folders' | 'files' | 'replaceTree'>;

/** The dataset the reference release takes its economic series from. */
const NATIONAL = 'national-indicators';

/** The words after `import --` that are handled here and not by a family. */
export const RELEASE_FAMILIES = ['producerp', 'producerp-reference'];

/** Runs one of the two; returns the lines to print. Throws BuildStopped with every finding, or a Refusal. */
export function importRelease({ family, files, datasets }: ReleaseRequest, effects: Effects): string[] {
  const [path, ...more] = files;
  const expected = family === 'producerp' ? 'one release folder' : 'one source register (Markdown)';
  if (path === undefined || more.length > 0)
    throw new Refusal(family, 'the files', expected, `${files.length}`);
  const release =
    family === 'producerp' ? releaseFolder(path, effects) : referenceRelease(path, datasets, effects);
  const { findings, release: verified } = verifyRelease(release);
  if (!verified) throw new BuildStopped(findings);
  effects.replaceTree(`${datasets}/producerp`, release);
  const { receipt } = verified;
  return [
    `producerp: ${receipt.releaseKind} release ${receipt.deploymentId} pinned`,
    `  ${receipt.artifactManifest.fileCount} files, ${receipt.artifactManifest.totalBytes} bytes, tree ${receipt.artifactTreeSha256}`,
  ];
}

/** A producer's release folder as the files of datasets/producerp, with the pin it would get. */
function releaseFolder(folder: string, { files, read }: Effects): ReleaseFiles {
  const release = new Map<string, Uint8Array>();
  for (const path of files(folder))
    release.set(`release/${path}`, read(`${folder}/${path}`) ?? new Uint8Array());
  if (release.size === 0) throw new Refusal('producerp', folder, 'a release folder', 'no files');
  return new Map([[FILES.pin, pinOf(release)], ...release]);
}

function referenceRelease(path: string, datasets: string, { read }: Effects): ReleaseFiles {
  const bytes = read(path);
  if (!bytes) throw new Refusal('producerp-reference', path, 'the source register', 'no such file');
  const { datasets: loaded, findings } = loadDatasets(datasets, { read, folders: () => [NATIONAL] });
  const national = loaded[0];
  if (findings.length > 0 || !national) throw new BuildStopped(findings);
  if (national.kind !== 'observations') throw new Refusal(NATIONAL, 'kind', 'observations', national.kind);
  return makeReferenceRelease({
    register: { name: basename(path), bytes },
    national,
  });
}

/** The files of datasets/producerp as the build verifies them. */
export function loadRelease(
  datasets: string,
  { files, read }: Pick<Effects, 'files' | 'read'>,
): ReleaseFiles {
  const folder = `${datasets}/producerp`;
  return new Map(files(folder).map((path) => [path, read(`${folder}/${path}`) ?? new Uint8Array()]));
}
