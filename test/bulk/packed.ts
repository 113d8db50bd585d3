/** Every dataset of the repository, packed and rendered in process: what the bulk tests read. */
import { realEffects } from '../../build/write/effects.ts';
import { loadDatasets } from '../../build/load/datasets.ts';
import type { Dataset, Descriptor } from '../../build/lib/dataset.ts';
import { currentOf, packDatasets, type PackedData } from '../../build/pack/pack.ts';
import { currentDocuments, datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { bulkFiles, bulkMetadata, formsOf } from '../../build/render/bulk/bulk.ts';
import { bulkRelease } from '../../build/render/bulk/release.ts';
import type { Artifact } from '../../build/lib/tree.ts';

export const SITE = 'https://evidence.example';

export interface Rendered {
  datasets: Dataset[];
  descriptors: Descriptor[];
  packed: PackedData;
  /** Bytes by path below the site root, packs included. */
  files: Map<string, Uint8Array>;
}

/** Loads, packs and renders; fails on any finding. */
export function renderAll(): Rendered {
  const { datasets, findings } = loadDatasets('datasets', realEffects());
  if (findings.length > 0) throw new Error(JSON.stringify(findings.slice(0, 3)));
  const descriptors = currentOf(datasets).map(({ descriptor }) => descriptor);
  const packed = packDatasets(datasets);
  const files = new Map<string, Uint8Array>();
  for (const { entry, records } of packed.packs) files.set(entry.path, records);
  for (const { path, bytes } of bulkArtifacts(datasets, packed)) files.set(path, bytes);
  return { datasets, descriptors, packed, files };
}

/** The bulk files and metadata of these datasets. */
export function bulkArtifacts(datasets: Dataset[], packed: PackedData): Artifact[] {
  const { artifacts, files } = bulkFiles(
    packed.packs.map((pack, position) =>
      formsOf(datasets[position]?.descriptor ?? { kind: 'revisions', name: pack.entry.id }, pack),
    ),
  );
  const documents = currentDocuments(datasetDocuments(datasets, packed, files));
  const { generatedAt } = packed.manifest;
  return [...artifacts, ...bulkMetadata(bulkRelease({ siteUrl: SITE, generatedAt }, documents, files))];
}

/** A file's bytes; throws where it was not rendered. */
export function fileOf({ files }: Rendered, path: string): Uint8Array {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`${path} was not rendered`);
  return bytes;
}

/** The lines of a dataset's NDJSON pack. */
export function linesOf(rendered: Rendered, dataset: string): string[] {
  return Buffer.from(fileOf(rendered, `data/${dataset}.ndjson`))
    .toString('utf8')
    .split('\n')
    .slice(0, -1);
}
