/** Deltas that stand in a folder beside the files of a release: named as they say, and leading to it or to one before it. */
import { deltaPath, parseDelta } from './delta.ts';
import type { ReleaseFinding } from './finding.ts';
import { look, sidecarFinding } from './check-files.ts';
import { isDeltaPath, type Release } from './manifest.ts';
import type { ReleaseSource } from './source.ts';

/** Checks every delta there is. What a delta gives is checked where it is applied. */
export async function checkDeltas(
  source: ReleaseSource,
  { serial, treeSha256 }: Release,
): Promise<ReleaseFinding[]> {
  const findings: ReleaseFinding[] = [];
  for (const path of (source.list() ?? []).filter(isDeltaPath)) {
    const { seen, findings: found } = await look(source, path, Number.MAX_SAFE_INTEGER, true);
    findings.push(...found);
    if (!seen?.digest.body) continue;
    findings.push(...sidecarFinding(seen));
    const fault = faultOf(path, seen.digest.body, serial, treeSha256);
    if (fault !== null) findings.push({ file: path, rule: 'delta', message: fault });
  }
  return findings;
}

function faultOf(path: string, bytes: Uint8Array, serial: number, treeSha256: string): string | null {
  try {
    const { from, to } = parseDelta(bytes);
    if (deltaPath(from.serial, to.serial) !== path)
      return `says it leads from ${from.serial} to ${to.serial}`;
    if (to.serial > serial) return `leads to release ${to.serial}; this is ${serial}`;
    return to.serial === serial && to.treeSha256 !== treeSha256
      ? `leads to another tree ${to.treeSha256}`
      : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
