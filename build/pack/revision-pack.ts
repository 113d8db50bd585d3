/** The revisions of all datasets as one pack; its `meta` has the pairs of editions with their counts. */
import { REVISIONS } from '../../shim/core/paths.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { editionOf, type Dataset } from '../lib/dataset.ts';
import type { Observation, Revision } from '../../shim/core/records.ts';
import { packOf, seriesIndex, type Packed } from './pack-file.ts';
import { byRevisionOrder, newerDay, revisionsBetween, type Edition, type EditionPair } from './revisions.ts';

/** What distinguishes runs of revisions, in the fixed order; the period of the index is the day of the newer edition. */
export const REVISION_DIMENSIONS = ['dataset', 'indicator', 'geo', 'kind'];

/**
 * Compares neighbouring editions of each dataset of observations. `datasets` is in the order of ids and editions, `packs` are
 * theirs, and `observations` are the records by the id of the pack.
 */
export function packRevisions(
  datasets: readonly Dataset[],
  packs: readonly Packed[],
  observations: ReadonlyMap<string, readonly Observation[]>,
): { pack: Packed; revisions: Revision[] } {
  const compared: ReturnType<typeof revisionsBetween>[] = [];
  const tolerances: JsonObject = {};
  const previous = new Map<string, Edition>();
  for (const [position, { kind, descriptor }] of datasets.entries()) {
    if (kind !== 'observations') continue;
    const { name } = descriptor;
    const records = observations.get(packs[position]?.entry.id ?? '') ?? [];
    const edition: Edition = { edition: editionOf(descriptor), records, descriptor };
    const older = previous.get(name);
    previous.set(name, edition);
    if (!older) continue;
    compared.push(revisionsBetween(name, older, edition));
    tolerances[name] = toleranceNotes(edition);
  }
  const pairs = compared.map(({ pair }): EditionPair & JsonObject => ({ ...pair }));
  const revisions = compared.flatMap((one) => one.revisions).sort(byRevisionOrder);
  const rows = revisions.map((revision) => ({
    dims: [revision.datasetId, revision.indicatorId, revision.geoCode, revision.kind],
    period: newerDay(revision),
  }));
  const pack = packOf(
    { id: REVISIONS, edition: '', kind: 'revisions' },
    revisions,
    (lines) => seriesIndex(REVISION_DIMENSIONS, rows, lines),
    { pairs, tolerances },
  );
  return { pack, revisions };
}

function toleranceNotes({ descriptor: { indicators } }: Edition): string[] {
  return indicators.flatMap(({ id, tolerance }) =>
    tolerance === undefined ? [] : `In ${id}, a difference below ${tolerance} is counted as rounding_only.`,
  );
}
