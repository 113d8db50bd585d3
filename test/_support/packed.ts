/** Datasets of a test, packed in memory by the steps of the build. */
import type { Dataset } from '../../build/lib/dataset.ts';
import { identifier } from '../../build/lib/identity.ts';
import { jsonArtifact, Tree, type Artifact } from '../../build/lib/tree.ts';
import { loadDatasets } from '../../build/load/datasets.ts';
import {
  observationPacker,
  packInMemory,
  type NamedPack,
  type PackedEdition,
} from '../../build/pack/edition.ts';
import { packedData, packNames, packsIn, treeStore, type PackedData } from '../../build/pack/pack.ts';
import { recordMaker } from '../../build/pack/records.ts';
import {
  comparedEdition,
  comparePair,
  neighboursOf,
  packRevisions,
  tolerancesOf,
} from '../../build/pack/revision-pack.ts';
import { renderCatalog } from '../../build/render/api/catalog.ts';
import { datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { realEffects } from '../../build/write/effects.ts';
import { PACK_MANIFEST } from '../../shim/core/paths.ts';
import type { Observation } from '../../shim/core/records.ts';
import type { MissingDataset, PackEntry, Release } from '../../shim/core/types.ts';
import { TEST_SITE } from './tree.ts';

/** Packed datasets, their files, and the records of any pack. */
export interface PackedTree extends PackedData {
  tree: Tree;
  packs: { entry: PackEntry; readonly records: Buffer }[];
  observationsOf(pack: string): Observation[];
}

let packaged: Dataset[] | null = null;
let packedOnce: PackedTree | null = null;

/** The packaged datasets, read by the first test of a worker that needs them: no test changes them. */
export function packagedDatasets(): Dataset[] {
  return (packaged ??= loadDatasets('datasets', realEffects()).datasets);
}

/** These, packed, in the same way. */
export function packagedTree(): PackedTree {
  return (packedOnce ??= packDatasets(packagedDatasets()));
}

/** Packs editions that are in the order of ids and editions. */
export function packDatasets(datasets: readonly Dataset[], leftOut: MissingDataset[] = []): PackedTree {
  const tree = new Tree();
  const names = packNames(datasets);
  const editions = datasets.map((dataset, at) => {
    const named = names[at] ?? { id: '', edition: '', notes: [], clock: '' };
    return { descriptor: dataset.descriptor, ...packOne(tree, dataset, named) };
  });
  const ids = [...new Set(datasets.map(({ descriptor }) => descriptor.name))].sort();
  const neighbours = ids.flatMap((id) => {
    const own = editions.flatMap(({ descriptor, ...packed }) =>
      descriptor.name === id && descriptor.kind === 'observations'
        ? [comparedEdition(descriptor, packed)]
        : [],
    );
    return neighboursOf(id, own);
  });
  const compared = neighbours.map((pair) => comparePair(tree.folder, pair));
  const revisions = packRevisions(tree.folder, { compared, tolerances: tolerancesOf(neighbours) });
  const data = packedData(editions, revisions, leftOut);
  const packs = packsIn(tree, data);
  for (const { entry } of packs) tree.list([entry, entry.index]);
  tree.add([jsonArtifact(PACK_MANIFEST, data.manifest), data.series]);
  return {
    ...data,
    tree,
    packs,
    observationsOf: (id) =>
      String(packs.find(({ entry }) => entry.id === id)?.records ?? '')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Observation])),
  };
}

/** The release of packed datasets and further documents. */
export function packedStore(data: PackedTree, documents: readonly Artifact[] = []): Release {
  data.tree.add(documents.filter(({ path }) => !data.tree.has(path)));
  return treeStore(data.manifest, data.tree);
}

/** The catalog of packed datasets. */
export function catalogOf(data: PackedTree): Artifact {
  const current = [...datasetDocuments(data, new Map())].flatMap(([id, one]) =>
    id.includes('@') ? [] : one,
  );
  return renderCatalog(current, data.manifest, TEST_SITE);
}

function packOne({ folder }: Tree, dataset: Dataset, named: NamedPack): PackedEdition {
  if (dataset.kind !== 'observations') return packInMemory(folder, dataset, named);
  const { descriptor, rows } = dataset;
  const packer = observationPacker(folder, descriptor, named);
  packer.add(recordMaker(descriptor)(rows, identifier(descriptor.labelKeys)(rows)));
  return packer.finish();
}
