/** Bulk forms that are rendered in process. */
import { currentDocuments, datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { bulkMetadata, ndjsonOf } from '../../build/render/bulk/bulk.ts';
import { bulkRelease, type BulkFile } from '../../build/render/bulk/release.ts';
import type { PackedOf } from '../../build/pack/pack.ts';
import type { Field } from '../../shim/core/fields.ts';
import type { PackEntry } from '../../shim/core/types.ts';
import { ownWork } from '../../build/render/work.ts';
import { realEffects } from '../../build/write/effects.ts';
import { csvFile, parquetFile, rowParts, type Row } from '../../build/render/bulk/table.ts';
import { inMemory, type Artifact } from '../../build/lib/tree.ts';
import type { PackedTree } from '../_support/packed.ts';
import { TEST_SITE } from '../_support/tree.ts';

/** The bulk files and metadata of packed datasets. */
export async function bulkArtifacts(packed: PackedTree): Promise<Artifact[]> {
  const { tree, manifest, editions } = packed;
  const files = new Map<string, BulkFile[]>();
  const work = ownWork({ effects: realEffects(), folder: tree.folder });
  const formsOf = async (of: PackedOf, entry: PackEntry): Promise<BulkFile[]> => {
    return [ndjsonOf(of, entry), ...(await work.do('forms', { of, entry }))];
  };
  for (const { descriptor, entry } of editions) files.set(entry.id, await formsOf(descriptor, entry));
  const { generatedAt, revisions } = manifest;
  const differences = revisions ? await formsOf({ kind: 'revisions', name: 'revisions' }, revisions) : [];
  const documents = currentDocuments(datasetDocuments(packed, files));
  return [
    ...[...files.values(), differences].flat().map(({ path }) => ({ path, bytes: tree.folder.read(path) })),
    ...bulkMetadata(bulkRelease({ siteUrl: TEST_SITE, generatedAt }, documents, files)),
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
