/** The bulk forms of each pack: CSV, Parquet, workbook, Parquet by indicator, and the three documents that describe them. */
import {
  csvPath,
  packPath,
  parquetPartitionPath,
  parquetPath,
  REVISIONS,
  xlsxPath,
} from '../../../shim/core/paths.ts';
import { sha256, type Artifact } from '../../lib/tree.ts';
import type { Packed } from '../../pack/pack-file.ts';
import type { PackedOf } from '../../pack/pack.ts';
import { renderCroissant } from './croissant.ts';
import { renderDatapackage } from './datapackage.ts';
import { renderDcat } from './dcat.ts';
import { notesOf } from './notes.ts';
import type { BulkFile, BulkRelease } from './release.ts';
import { csvBytes, parquetBytes, runsOf, slice, tableOf } from './table.ts';
import { xlsxBytes } from './xlsx.ts';

/** The bulk forms of one pack: their bytes, and what they are, the NDJSON first. */
export interface Forms {
  id: string;
  artifacts: Artifact[];
  files: BulkFile[];
}

/** The bulk forms of all packs together; the revisions are no dataset and have no list of files. */
export function bulkFiles(forms: readonly Forms[]): {
  artifacts: Artifact[];
  files: Map<string, BulkFile[]>;
} {
  const ofDatasets = forms.filter(({ id }) => id !== REVISIONS);
  return {
    artifacts: forms.flatMap(({ artifacts }) => artifacts),
    files: new Map(ofDatasets.map(({ id, files }) => [id, files])),
  };
}

/** The release described for machines: data/datapackage.json, croissant.json and dcat.jsonld. */
export function bulkMetadata(release: BulkRelease): Artifact[] {
  return [renderDatapackage(release), renderCroissant(release), renderDcat(release)];
}

/** Makes the bulk forms of a pack of this dataset. */
export function formsOf(of: PackedOf, pack: Pick<Packed, 'entry' | 'records'>): Forms {
  const { id, bytes, sha256: packSha256 } = pack.entry;
  const table = tableOf(of, pack);
  const whole = { indicator: null, columns: table.columns, rows: table.rows };
  const files: BulkFile[] = [
    { path: packPath(id), name: `${id}.ndjson`, form: 'ndjson', ...whole, bytes, sha256: packSha256 },
  ];
  const artifacts: Artifact[] = [];
  const add = (file: Omit<BulkFile, 'bytes' | 'sha256'>, content: Uint8Array): void => {
    const artifact = { path: file.path, bytes: content, sha256: sha256(content) };
    artifacts.push(artifact);
    files.push({ ...file, bytes: content.length, sha256: artifact.sha256 });
  };
  add({ path: csvPath(id), name: `${id}.csv`, form: 'csv', ...whole }, csvBytes(table));
  add({ path: parquetPath(id), name: `${id}.parquet`, form: 'parquet', ...whole }, parquetBytes(table));
  if (of.kind !== 'revisions' && !id.includes('@'))
    add({ path: xlsxPath(id), name: `${id}.xlsx`, form: 'xlsx', ...whole }, xlsxBytes(table, notesOf(of)));
  if (of.kind !== 'observations' || id.includes('@')) return { id, files, artifacts };
  for (const [indicator, from, to] of runsOf(table, 'indicatorId')) {
    // Query engines take the column from the folder's name and refuse it twice.
    const { cells, ...part } = slice(table, from, to, 'indicatorId');
    const path = parquetPartitionPath(id, indicator);
    const name = `${id}.${indicator}.parquet`;
    add({ path, name, form: 'parquet', indicator, ...part }, parquetBytes({ cells, ...part }));
  }
  return { id, files, artifacts };
}
