/** The bulk forms of each pack: CSV, Parquet, Parquet by indicator, and the three documents that describe them. */
import { csvPath, packPath, parquetPartitionPath, parquetPath } from '../../../shim/core/paths.ts';
import type { Descriptor } from '../../lib/dataset.ts';
import { sha256 } from '../../lib/hash.ts';
import type { DatasetDocument } from '../../lib/records.ts';
import type { Packed } from '../../pack/pack-file.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { Field } from '../../lib/fields.ts';
import { renderCroissant } from './croissant.ts';
import { csvBytes } from './csv.ts';
import { renderDatapackage } from './datapackage.ts';
import { renderDcat } from './dcat.ts';
import { parquetBytes } from './parquet.ts';
import type { BulkDataset, BulkRelease } from './release.ts';
import { runsOf, slice, tableOf, type Table } from './table.ts';

/** One published file of a dataset, as the metadata documents describe it: more than its own document says. */
export interface BulkFile {
  path: string;
  form: 'ndjson' | 'csv' | 'parquet';
  /** The only indicator in the file; null for a whole dataset. */
  indicator: string | null;
  columns: readonly Field[];
  rows: number;
  bytes: number;
  sha256: string;
}

/** The bulk forms of every packed dataset: their bytes, and what they are by dataset, the NDJSON pack first. */
export function bulkFiles(
  descriptors: readonly Descriptor[],
  packs: readonly Packed[],
): { artifacts: Artifact[]; files: Map<string, BulkFile[]> } {
  const artifacts: Artifact[] = [];
  const files = new Map<string, BulkFile[]>();
  for (const pack of packs) {
    const descriptor = descriptors.find(({ name }) => name === pack.entry.id);
    if (!descriptor) continue;
    const forms = formsOf(descriptor, pack, tableOf(descriptor, pack));
    artifacts.push(...forms.artifacts);
    files.set(descriptor.name, forms.files);
  }
  return { artifacts, files };
}

/** Documents with the files of each, as the metadata documents need them. */
export function withFiles(
  documents: readonly DatasetDocument[],
  files: ReadonlyMap<string, readonly BulkFile[]>,
): BulkDataset[] {
  return documents.map((document) => ({ document, files: files.get(document.id) ?? [] }));
}

/** The release described for machines: data/datapackage.json, croissant.json and dcat.jsonld. */
export function bulkMetadata(release: BulkRelease): Artifact[] {
  return [renderDatapackage(release), renderCroissant(release), renderDcat(release)];
}

function formsOf(
  descriptor: Descriptor,
  { entry }: Packed,
  table: Table,
): { files: BulkFile[]; artifacts: Artifact[] } {
  const { columns, rows } = table;
  const files: BulkFile[] = [
    {
      path: packPath(entry.id),
      form: 'ndjson',
      indicator: null,
      columns,
      rows,
      bytes: entry.bytes,
      sha256: entry.sha256,
    },
  ];
  const artifacts: Artifact[] = [];
  const add = (file: Omit<BulkFile, 'bytes' | 'sha256'>, bytes: Uint8Array): void => {
    const artifact = { path: file.path, bytes, sha256: sha256(bytes) };
    artifacts.push(artifact);
    files.push({ ...file, bytes: bytes.length, sha256: artifact.sha256 });
  };
  add({ path: csvPath(entry.id), form: 'csv', indicator: null, columns, rows }, csvBytes(table));
  add({ path: parquetPath(entry.id), form: 'parquet', indicator: null, columns, rows }, parquetBytes(table));
  if (descriptor.kind !== 'observations') return { files, artifacts };
  for (const [indicator, from, to] of runsOf(table, 'indicatorId')) {
    // Query engines take the column from the folder's name and refuse it twice.
    const part = slice(table, from, to, 'indicatorId');
    add(
      {
        path: parquetPartitionPath(entry.id, indicator),
        form: 'parquet',
        indicator,
        columns: part.columns,
        rows: part.rows,
      },
      parquetBytes(part),
    );
  }
  return { files, artifacts };
}
