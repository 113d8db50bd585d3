/** What is packed and under which name, the manifest of all packs, and the release the build renders pages from. */
import { unavailable } from '../../shim/core/faults.ts';
import { decodeIndex } from '../../shim/core/index-file.ts';
import { REVISIONS } from '../../shim/core/paths.ts';
import type { MissingDataset, Pack, PackEntry, PackManifest, Release } from '../../shim/core/types.ts';
import {
  blockCache,
  blockRows,
  deriving,
  entryOf,
  rowsInMemory,
  type BlockLayout,
  type BlockSpan,
  type CopyRows,
} from '../../shim/store/blocks.ts';
import { NO_CACHE, type BuildCache } from '../lib/cache.ts';
import { dataClock, staleNote } from '../lib/clock.ts';
import { byCodeUnits, editionOf, MARKET_DATASETS } from '../lib/dataset.ts';
import type { Descriptor, Source, Verdict } from '../lib/dataset.ts';
import { sha256, type Tree, type Artifact } from '../lib/tree.ts';
import { packKind, type NamedPack, type PackedEdition } from './edition.ts';
import type { PackedRevisions } from './revision-pack.ts';
import { seriesIndexFile, type ListedDataset } from './series-index.ts';

/** Packs are kept in memory as a whole up to this many bytes; */
const KEPT_BYTES = 64 * 1024 * 1024;
/** of the other packs, the blocks that were read last are kept up to this many bytes. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** A packed edition with its descriptor. */
export interface Edition<D extends Descriptor = Descriptor> extends PackedEdition {
  descriptor: D;
}

/** Everything packed. */
export interface PackedData {
  manifest: PackManifest;
  /** Every edition, in the order of ids and editions. */
  editions: Edition[];
  series: Artifact;
}

/** What a pack holds: a dataset, or the revisions of all datasets. */
export type PackedOf = Descriptor | { kind: 'revisions'; name: typeof REVISIONS };

/** The current edition of each dataset, in the order given; `editions` is in the order of ids, then editions. */
export function currentOf<D extends { descriptor: Pick<Descriptor, 'name'> }>(editions: readonly D[]): D[] {
  return [...new Map(editions.map((edition) => [edition.descriptor.name, edition])).values()];
}

/** The name and notes of the pack of each edition; editions are in the order of ids, then editions. */
export function packNames(editions: readonly { descriptor: Descriptor }[]): NamedPack[] {
  const clock = dataClock(editions);
  const current = new Map(
    currentOf(editions).map(({ descriptor }) => [descriptor.name, editionOf(descriptor)]),
  );
  return editions.map(({ descriptor }) => {
    const { name, sources } = descriptor;
    const edition = editionOf(descriptor);
    const newest = current.get(name) ?? edition;
    if (newest === edition)
      return { id: name, edition, clock, notes: sources.flatMap((source) => staleNote(source, clock)) };
    const note = `Dataset ${name} is shown in its edition ${edition}; the current one is ${newest}.`;
    return { id: `${name}@${edition}`, edition, clock, notes: [note] };
  });
}

/** The manifest of these packs, which names the datasets that were left out, and the directory of their series. */
export function packedData(
  editions: Edition[],
  revisions: PackedRevisions,
  leftOut: readonly MissingDataset[],
  cache: BuildCache = NO_CACHE,
): PackedData {
  const entries = editions.map(({ entry }) => entry);
  const known = [...editions.map(({ descriptor }) => descriptor.name), ...leftOut.map(({ id }) => id)];
  const notPackaged = MARKET_DATASETS.filter((id) => !known.includes(id)).map((id): MissingDataset => {
    return { id, kind: 'observations', reason: 'It is not packaged.' };
  });
  const listed = editions.flatMap(({ descriptor, series }): ListedDataset[] =>
    series && descriptor.kind === 'observations' ? [{ descriptor, series }] : [],
  );
  return {
    manifest: {
      schema: 'svc.packs.v1',
      generatedAt: dataClock(editions),
      packs: entries.filter(({ id }) => !id.includes('@')),
      editions: entries.filter(({ id }) => id.includes('@')),
      revisions: revisions.entry,
      unavailable: [...notPackaged, ...leftOut].sort((a, b) => byCodeUnits(a.id, b.id)),
    },
    editions,
    series: seriesIndexFile(listed, new Map(revisions.revised), cache),
  };
}

/** Splits editions by the rights of their sources. A source that is not allowed leaves out its edition, and where that is the current one its dataset, with the reason. */
export function withinRights<T extends { descriptor: Descriptor }>(
  datasets: readonly T[],
  allowed: readonly Verdict[],
): { kept: T[]; leftOut: MissingDataset[] } {
  const refusedBy = ({ descriptor }: T): Source | undefined =>
    descriptor.sources.find(({ rights }) => !allowed.includes(rights.verdict));
  const leftOut = currentOf(datasets).flatMap((dataset): MissingDataset[] => {
    const refused = refusedBy(dataset);
    const { descriptor } = dataset;
    if (!refused) return [];
    return [
      {
        id: descriptor.name,
        kind: packKind(descriptor),
        ...(descriptor.kind === 'atlas' ? { domain: descriptor.domain } : {}),
        ...(descriptor.kind === 'observations'
          ? { indicators: descriptor.indicators.map(({ id }) => id) }
          : {}),
        reason: `This release holds only data with the rights ${allowed.join(' or ')}; those of source ${refused.id} are ${refused.rights.verdict}. ${refused.rights.evidence}`,
      },
    ];
  });
  const without = new Set(leftOut.map(({ id }) => id));
  const kept = datasets.filter((dataset) => !without.has(dataset.descriptor.name) && !refusedBy(dataset));
  return { kept, leftOut };
}

/** Every pack with its records, which are read on access. */
export function packsIn(
  tree: Tree,
  { editions, manifest: { revisions } }: PackedData,
): { entry: PackEntry; readonly records: Buffer }[] {
  const entries = [...editions.map(({ entry }) => entry), ...(revisions ? [revisions] : [])];
  return entries.map((entry) => ({
    entry,
    get records() {
      return tree.read(entry.path);
    },
  }));
}

/** The release that a tree holds, while the tree may still grow. What the build wrote itself is not checked again. */
export function treeStore(manifest: PackManifest, tree: Tree): Release {
  const cache = blockCache(CACHE_BYTES);
  const packs = new Map<string, Pack>();
  let left = KEPT_BYTES;
  const rowsOf = (layout: BlockLayout, { path }: PackEntry): CopyRows => {
    const read = ({ start, length }: BlockSpan): Uint8Array => tree.read(path, start, length);
    if (layout.bytes > left) return blockRows(layout, read, { digest: null, cache });
    left -= layout.bytes;
    return rowsInMemory(layout, tree.read(path));
  };
  const open = (entry: PackEntry): Pack => {
    const index = decodeIndex(tree.read(entry.index.path));
    let rows: CopyRows | null = null;
    const copy: CopyRows = (...range) => {
      rows ??= rowsOf({ rows: entry.rows, bytes: entry.bytes, index }, entry);
      return rows(...range);
    };
    return { entry, derive: deriving(), index, copy };
  };
  const release: Release = {
    derive: deriving(),
    manifest: () => manifest,
    pack(id) {
      const pack = packs.get(id) ?? open(entryOf(id, release));
      packs.set(id, pack);
      return pack;
    },
    document(path) {
      if (!tree.has(path)) throw unavailable(`The document ${path}`);
      return tree.read(path);
    },
    sha256,
  };
  return release;
}

/** Most current records whose rows are on pages. */
const MOST_ROWS = 250_000;

/**
 * Marks the current packs of a manifest whose rows are on no page. A row takes about a kilobyte of a page, so their number is
 * bounded: the smallest datasets come first, as long as their current records together stay within the bound.
 */
export function boundRowPages({ packs }: PackManifest, most = MOST_ROWS): void {
  let rows = 0;
  // An atlas has only one record per country and year, so it needs no bound.
  const shown = packs.filter(({ kind }) => kind === 'observations' || kind === 'context');
  for (const pack of shown.toSorted((a, b) => a.rows - b.rows || byCodeUnits(a.id, b.id))) {
    rows += pack.rows;
    if (rows > most) pack.rowPages = false;
  }
}
