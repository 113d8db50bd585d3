/** All datasets -> packs and their manifest. */
import { dataClock, freshnessOf, staleNote } from '../lib/clock.ts';
import { MARKET_DATASETS, type Dataset, type Source } from '../lib/dataset.ts';
import type { DatasetSource, Observation } from '../lib/records.ts';
import { PACK_MANIFEST } from '../../shim/core/paths.ts';
import { jsonArtifact, type Artifact } from '../lib/tree.ts';
import type { JsonObject, PackManifest } from '../../shim/core/types.ts';
import { atlasRecords, packAtlas } from './atlas.ts';
import { packEntities } from './entities.ts';
import { observationsOf, packObservations } from './observations.ts';
import type { Packed } from './pack-file.ts';

/** Everything packed, with the observations as objects for renderers that need them. */
export interface PackedData {
  manifest: PackManifest;
  packs: Packed[];
  /** Observations by dataset id, in the fixed order. */
  observations: Map<string, Observation[]>;
}

/** The manifest, and the records and index of each pack, as files. */
export function packArtifacts({ manifest, packs }: PackedData): Artifact[] {
  return [
    jsonArtifact(PACK_MANIFEST, manifest),
    ...packs.flatMap(({ entry, records, index }) => [
      { path: entry.path, bytes: records, sha256: entry.sha256 },
      { path: entry.index.path, bytes: index, sha256: entry.index.sha256 },
    ]),
  ];
}

/** Packs checked datasets, in the order of their ids. */
export function packDatasets(datasets: Dataset[]): PackedData {
  const generatedAt = dataClock(datasets);
  const observations = new Map<string, Observation[]>();
  const packs = datasets.map((dataset) => packOne(dataset, generatedAt, observations));
  return {
    manifest: {
      schema: 'svc.packs.v1',
      generatedAt,
      packs: packs.map(({ entry }) => entry),
      unavailable: MARKET_DATASETS.filter(
        (id) => !datasets.some(({ descriptor }) => descriptor.name === id),
      ).map((id) => ({ id, reason: 'It is not packaged in this release.' })),
    },
    packs,
    observations,
  };
}

function packOne(dataset: Dataset, clock: string, observations: Map<string, Observation[]>): Packed {
  const { descriptor } = dataset;
  const staleNotes = descriptor.sources.flatMap((source) => staleNote(source, clock));
  if (dataset.kind === 'observations') {
    const records = observationsOf(dataset.descriptor, dataset.rows);
    observations.set(descriptor.name, records);
    return packObservations(dataset.descriptor, records, { staleNotes });
  }
  if (dataset.kind === 'atlas') {
    const { unit, rights } = dataset.descriptor;
    return packAtlas(dataset.descriptor, atlasRecords(dataset.descriptor, dataset.rows), {
      metadata: { ...titled(dataset, clock), unit, rights },
      staleNotes,
    });
  }
  const source = {
    ...titled(dataset, clock),
    sanctions_list_date: dataset.descriptor.listDate,
    withheld_after_withdrawal: dataset.descriptor.withheldAfterWithdrawal,
  };
  return packEntities(dataset.descriptor, dataset.rows, { source, staleNotes });
}

function titled({ descriptor }: Dataset, clock: string): JsonObject {
  return {
    id: descriptor.name,
    title: descriptor.title,
    sources: descriptor.sources.map((source) => ({ ...sourceFacts(source, clock) })),
    limitations: descriptor.limitations,
  };
}

/** A source as every document shows it. */
export function sourceFacts(source: Source, clock: string): DatasetSource {
  const { id, title, publisher, url, path, license, licenseUrl, sha256, bytes, notes } = source;
  const { dated, retrievedAt, cadence } = source;
  return {
    id,
    name: title,
    publisher,
    url,
    downloadUrl: path,
    license,
    licenseUrl,
    dated,
    retrievedAt,
    cadence,
    ...freshnessOf(source, clock),
    sha256,
    bytes,
    notes,
  };
}
