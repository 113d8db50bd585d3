/** Every dataset of the repository, packed and rendered in process: what the bulk tests read. */
import { realEffects } from '../../build/write/effects.ts';
import { loadDatasets } from '../../build/load/datasets.ts';
import type { Dataset, Descriptor } from '../../build/lib/dataset.ts';
import { currentOf } from '../../build/pack/pack.ts';
import { currentDocuments, datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { bulkMetadata, writeForms } from '../../build/render/bulk/bulk.ts';
import { bulkRelease, type BulkFile } from '../../build/render/bulk/release.ts';
import type { Field } from '../../shim/core/fields.ts';
import { csvFile, parquetFile, rowParts, type Row } from '../../build/render/bulk/table.ts';
import { inMemory, type Artifact } from '../../build/lib/tree.ts';
import { packDatasets, type PackedTree } from '../_support/packed.ts';

export const SITE = 'https://evidence.example';

export interface Rendered {
  datasets: Dataset[];
  descriptors: Descriptor[];
  packed: PackedTree;
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
  for (const { path, bytes } of bulkArtifacts(packed)) files.set(path, bytes);
  return { datasets, descriptors, packed, files };
}

/** The bulk files and metadata of packed datasets. */
export function bulkArtifacts(packed: PackedTree): Artifact[] {
  const { tree, manifest, editions } = packed;
  const files = new Map<string, BulkFile[]>();
  for (const { descriptor, entry } of editions)
    files.set(entry.id, writeForms(tree.folder, descriptor, entry));
  const { generatedAt, revisions } = manifest;
  const differences = revisions
    ? writeForms(tree.folder, { kind: 'revisions', name: 'revisions' }, revisions)
    : [];
  const documents = currentDocuments(datasetDocuments(packed, files));
  return [
    ...[...files.values(), differences].flat().map(({ path }) => ({ path, bytes: tree.folder.read(path) })),
    ...bulkMetadata(bulkRelease({ siteUrl: SITE, generatedAt }, documents, files)),
  ];
}

/** The bytes of rows as a CSV file. */
export function csvBytes(columns: readonly Field[], rows: readonly Row[]): Buffer {
  const folder = inMemory();
  const file = csvFile(folder, 'table', columns);
  file.add(rows);
  return folder.read(file.finish().path);
}

/** The bytes of rows as a Parquet file. */
export function parquetBytes(columns: readonly Field[], rows: readonly Row[]): Uint8Array {
  const folder = inMemory();
  const file = parquetFile(folder, 'table', columns);
  file.add(rows);
  return folder.read(file.finish().path);
}

/** A few records as rows. */
export function rowsOf(of: Parameters<typeof rowParts>[0], records: readonly object[]): Row[] {
  const lines = records.map((record) => JSON.stringify(record));
  return [...rowParts(of, lines)].flat();
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
