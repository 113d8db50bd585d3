/** All datasets -> packs and their manifest. */
import { dataClock, freshnessOf, staleNote } from '../lib/clock.ts';
import { MARKET_DATASETS, type Dataset, type Source } from '../lib/dataset.ts';
import type { JsonObject, PackManifest } from '../../shim/core/types.ts';
import { atlasRecords, packAtlas } from './atlas.ts';
import { packEntities } from './entities.ts';
import { observationsOf, packObservations, type Observation } from './observations.ts';
import type { Packed } from './packed.ts';

/** Everything packed, with the observations as objects for renderers that need them. */
export interface PackedData {
  manifest: PackManifest;
  packs: Packed[];
  /** Observations by dataset id, in the fixed order. */
  observations: Map<string, Observation[]>;
}

/** Packs checked datasets, in the order of their ids. */
export function packDatasets(datasets: Dataset[]): PackedData {
  const generatedAt = dataClock(datasets);
  const observations = new Map<string, Observation[]>();
  const packs = datasets.map((dataset) => {
    const packed = packOne(dataset, generatedAt, observations);
    return packed;
  });
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
  if (descriptor.kind === 'observations') {
    const records = observationsOf(descriptor, dataset.rows as Parameters<typeof observationsOf>[1]);
    observations.set(descriptor.name, records);
    return packObservations(descriptor, records, { title: descriptor.title, staleNotes });
  }
  if (descriptor.kind === 'atlas') {
    const rows = dataset.rows as Parameters<typeof atlasRecords>[1];
    return packAtlas(descriptor, atlasRecords(descriptor, rows), {
      metadata: { ...titled(dataset, clock), unit: descriptor.unit, rights: descriptor.rights },
      staleNotes,
    });
  }
  const rows = dataset.rows as Parameters<typeof packEntities>[1];
  const source = {
    ...titled(dataset, clock),
    sanctions_list_date: descriptor.listDate,
    withheld_after_withdrawal: descriptor.withheldAfterWithdrawal,
  };
  return packEntities(descriptor, rows, { source, staleNotes });
}

function titled({ descriptor }: Dataset, clock: string): JsonObject {
  return {
    id: descriptor.name,
    title: descriptor.title,
    sources: descriptor.sources.map((source) => sourceFacts(source, clock)),
    limitations: descriptor.limitations,
  };
}

/** A source as the catalog and the payloads show it. */
export function sourceFacts(source: Source, clock: string): JsonObject {
  const {
    id,
    title,
    publisher,
    url,
    path,
    license,
    licenseUrl,
    dated,
    retrievedAt,
    cadence,
    sha256,
    bytes,
    notes,
  } = source;
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
