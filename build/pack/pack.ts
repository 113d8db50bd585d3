/** All datasets -> packs and their manifest, and the store the build renders pages with. */
import { unavailable } from '../../shim/core/faults.ts';
import { decodeIndex } from '../../shim/core/index-file.ts';
import { PACK_MANIFEST, REVISIONS } from '../../shim/core/paths.ts';
import type {
  JsonObject,
  MissingDataset,
  Pack,
  PackEntry,
  PackManifest,
  Release,
} from '../../shim/core/types.ts';
import { blockCache, blockRows, type BlockSpan, deriving, entryOf } from '../../shim/store/blocks.ts';
import { dataClock, freshnessOf, staleNote } from '../lib/clock.ts';
import {
  byCodeUnits,
  editionOf,
  MARKET_DATASETS,
  type Dataset,
  type Descriptor,
  type Source,
  type Verdict,
} from '../lib/dataset.ts';
import type { DatasetSource, Observation } from '../../shim/core/records.ts';
import { jsonArtifact, sha256, type Artifact, type Tree } from '../lib/tree.ts';
import { nameIndex, packOf, seriesIndex, type Packed } from './pack-file.ts';
import { atlasRecords, entitiesOf, observationsOf } from './records.ts';
import { packRevisions } from './revision-pack.ts';
import { seriesIndexFile } from './series-index.ts';

/** What distinguishes series of observations, in the fixed order; an index has a column for each. */
export const OBSERVATION_DIMENSIONS = ['indicator', 'geo', 'category', 'subgroup'];

/** Blocks of packs that renderers have read last. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Everything packed, with the observations as objects for renderers that need them. */
export interface PackedData {
  manifest: PackManifest;
  /** Those of the editions in their order, then the revisions. */
  packs: Packed[];
  /** The directory of series. */
  series: Artifact;
  /** Observations by the id of their pack, in the fixed order. */
  observations: Map<string, Observation[]>;
}

/** The manifest, the records and index of each pack, and the directory of series, as files. */
export function packArtifacts({ manifest, packs, series }: PackedData): Artifact[] {
  return [
    jsonArtifact(PACK_MANIFEST, manifest),
    series,
    ...packs.flatMap(({ entry, records, index }) => [
      { path: entry.path, bytes: records, sha256: entry.sha256 },
      { path: entry.index.path, bytes: index, sha256: entry.index.sha256 },
    ]),
  ];
}

/** The current edition of each dataset, in the order given; `datasets` is in the order of ids, then editions. */
export function currentOf<D extends Pick<Dataset, 'descriptor'>>(datasets: readonly D[]): D[] {
  return [...new Map(datasets.map((dataset) => [dataset.descriptor.name, dataset])).values()];
}

/** What a pack is of: a dataset, or the revisions of all. */
export type PackedOf = Descriptor | { kind: 'revisions'; name: string };

/**
 * Packs every edition of checked datasets, in the order of their ids and editions; the manifest names those that were left out.
 * `each` gets every pack as soon as it is made, the revisions last.
 */
export function packDatasets(
  datasets: Dataset[],
  leftOut: readonly MissingDataset[] = [],
  each: (of: PackedOf, pack: Packed) => void = () => undefined,
): PackedData {
  const generatedAt = dataClock(datasets);
  const observations = new Map<string, Observation[]>();
  const current = new Map(
    currentOf(datasets).map(({ descriptor }) => [descriptor.name, editionOf(descriptor)]),
  );
  const packs = datasets.map((dataset) => {
    const { name, sources } = dataset.descriptor;
    const edition = editionOf(dataset.descriptor);
    const newest = current.get(name) ?? edition;
    const [id, notes] =
      newest === edition
        ? [name, sources.flatMap((source) => staleNote(source, generatedAt))]
        : [
            `${name}@${edition}`,
            [`Dataset ${name} is shown in its edition ${edition}; the current one is ${newest}.`],
          ];
    const pack = packOne({ id, edition, notes }, dataset, generatedAt, observations);
    each(dataset.descriptor, pack);
    return pack;
  });
  const entries = packs.map(({ entry }) => entry);
  const { pack, revisions } = packRevisions(datasets, packs, observations);
  each({ kind: 'revisions', name: REVISIONS }, pack);
  const series = currentOf(datasets).flatMap((dataset) => {
    const { kind, descriptor } = dataset;
    if (kind !== 'observations' || kindOf(dataset) !== 'observations') return [];
    return [{ descriptor, records: observations.get(descriptor.name) ?? [] }];
  });
  const known = [...datasets.map(({ descriptor }) => descriptor.name), ...leftOut.map(({ id }) => id)];
  const notPackaged = MARKET_DATASETS.filter((id) => !known.includes(id)).map((id): MissingDataset => {
    return { id, kind: 'observations', reason: 'It is not packaged.' };
  });
  return {
    manifest: {
      schema: 'svc.packs.v1',
      generatedAt,
      packs: entries.filter(({ id }) => !id.includes('@')),
      editions: entries.filter(({ id }) => id.includes('@')),
      revisions: pack.entry,
      unavailable: [...notPackaged, ...leftOut].sort((a, b) => byCodeUnits(a.id, b.id)),
    },
    packs: [...packs, pack],
    series: seriesIndexFile(series, revisions),
    observations,
  };
}

/** Splits editions of datasets by the rights of their sources: one that is not allowed leaves its edition out, or the dataset, with the reason, where it is of the current edition. */
export function withinRights<T extends Dataset>(
  datasets: readonly T[],
  allowed: readonly Verdict[],
): { kept: T[]; leftOut: MissingDataset[] } {
  const refusedBy = ({ descriptor }: Dataset): Source | undefined =>
    descriptor.sources.find(({ rights }) => !allowed.includes(rights.verdict));
  const leftOut = currentOf(datasets).flatMap((dataset): MissingDataset[] => {
    const refused = refusedBy(dataset);
    if (!refused) return [];
    return [
      {
        id: dataset.descriptor.name,
        kind: kindOf(dataset),
        ...(dataset.kind === 'atlas' ? { domain: dataset.descriptor.domain } : {}),
        reason: `This release holds only data with the rights ${allowed.join(' or ')}; those of source ${refused.id} are ${refused.rights.verdict}. ${refused.rights.evidence}`,
      },
    ];
  });
  const without = new Set(leftOut.map(({ id }) => id));
  const kept = datasets.filter((dataset) => !without.has(dataset.descriptor.name) && !refusedBy(dataset));
  return { kept, leftOut };
}

/** What a dataset is packed as: national context is no market. */
function kindOf(dataset: Dataset): PackEntry['kind'] {
  if (dataset.kind !== 'observations') return dataset.kind;
  const { indicators } = dataset.descriptor;
  return indicators.every(({ market }) => market === 'context') ? 'context' : 'observations';
}

/** One pack. Its `meta` carries what responses need before a pack is opened. */
function packOne(
  { notes: staleNotes, ...named }: Pick<PackEntry, 'id' | 'edition'> & { notes: string[] },
  dataset: Dataset,
  clock: string,
  observations: Map<string, Observation[]>,
): Packed {
  if (dataset.kind === 'observations') {
    const { indicators } = dataset.descriptor;
    const records = observationsOf(dataset.descriptor, dataset.rows);
    observations.set(named.id, records);
    const rows = records.map(({ indicatorId, geoCode, category, subgroup, period }) => ({
      dims: [indicatorId, geoCode, category, subgroup],
      period,
    }));
    return packOf(
      { ...named, kind: kindOf(dataset) },
      records,
      (lines) => seriesIndex(OBSERVATION_DIMENSIONS, rows, lines),
      {
        indicators: indicators.map((indicator) => indicator.id),
        indicatorLimitations: Object.fromEntries(
          indicators.map((indicator) => [indicator.id, indicator.limitations]),
        ),
        indicatorSources: sourceIdsOf(records),
        limitations: dataset.descriptor.limitations,
        sources: dataset.descriptor.sources.map((source) => citedSource(source, dataset.descriptor.name)),
        staleNotes,
      },
    );
  }
  const titled = titledOf(dataset, clock);
  if (dataset.kind === 'atlas') {
    const { domain, unit, rights } = dataset.descriptor;
    const records = atlasRecords(dataset.descriptor, dataset.rows);
    const rows = records.map(({ data }) => ({ dims: [data.iso3], period: String(data.year) }));
    return packOf({ ...named, kind: 'atlas' }, records, (lines) => seriesIndex(['iso3'], rows, lines), {
      domain,
      metadata: { ...titled, unit, rights },
      staleNotes,
    });
  }
  const { listDate, withheldAfterWithdrawal, withheldInDoubt, programs } = dataset.descriptor;
  const records = entitiesOf(dataset.descriptor, dataset.rows);
  const list = {
    sanctions_list_date: listDate,
    withheld_after_withdrawal: withheldAfterWithdrawal,
    withheld_in_doubt: withheldInDoubt,
  };
  const meta = { source: { ...titled, ...list }, staleNotes };
  return packOf(
    { ...named, kind: 'entities' },
    records,
    (lines) => nameIndex(programs, records, lines),
    meta,
  );
}

function titledOf({ descriptor }: Dataset, clock: string): JsonObject {
  return {
    id: descriptor.name,
    title: descriptor.title,
    sources: descriptor.sources.map((source) => ({ ...sourceFacts(source, clock) })),
    limitations: descriptor.limitations,
  };
}

/** The ids of the sources each indicator has records of. */
function sourceIdsOf(records: Observation[]): JsonObject {
  const known = new Map<string, Set<string>>();
  for (const { indicatorId, sourceId } of records)
    known.set(indicatorId, (known.get(indicatorId) ?? new Set()).add(sourceId));
  return Object.fromEntries([...known].map(([indicator, ids]) => [indicator, [...ids]]));
}

/** A source as responses name it with the records they show. */
function citedSource(source: Source, datasetId: string): JsonObject {
  const { id, title: name, publisher, dated: edition, sha256: hash, url } = source;
  const { license, licenseUrl, rights } = source;
  return { id, datasetId, name, publisher, edition, sha256: hash, url, license, licenseUrl, rights };
}

/** A source as every document shows it. */
export function sourceFacts(source: Source, clock: string): DatasetSource {
  const { id, title: name, publisher, url, path: downloadUrl, license, licenseUrl, rights } = source;
  const { dated, retrievedAt, cadence, sha256: hash, bytes, notes } = source;
  const published = { id, name, publisher, url, downloadUrl, license, licenseUrl, rights };
  const read = { dated, retrievedAt, cadence, ...freshnessOf(source, clock), sha256: hash, bytes, notes };
  return { ...published, ...read };
}

/** The release that a tree holds, while the tree may still grow. What the build wrote itself is not checked again. */
export function treeStore(manifest: PackManifest, tree: Tree): Release {
  const cache = blockCache(CACHE_BYTES);
  const packs = new Map<string, Pack>();
  const open = (entry: PackEntry): Pack => {
    const index = decodeIndex(tree.read(entry.index.path));
    const read = ({ start, length }: BlockSpan): Uint8Array => tree.read(entry.path, start, length);
    const copy = blockRows({ rows: entry.rows, bytes: entry.bytes, index }, read, { digest: null, cache });
    return { entry, derive: deriving(), index, copy };
  };
  return {
    derive: deriving(),
    manifest: () => manifest,
    pack(id) {
      const pack = packs.get(id) ?? open(entryOf(id, manifest));
      packs.set(id, pack);
      return pack;
    },
    document(path) {
      if (!tree.has(path)) throw unavailable(`The document ${path}`);
      return tree.read(path);
    },
    sha256,
  };
}
