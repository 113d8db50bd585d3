/** Bulk forms that are rendered in process. */
import type { Field } from '../../shim/core/fields.ts';
import { csvFile, parquetFile, rowParts, type Row } from '../../build/render/bulk/table.ts';
import { inMemory } from '../../build/lib/tree.ts';

/** The bytes of rows as a CSV file. */
export function csvBytes(columns: readonly Field[], rows: readonly Row[]): Buffer {
  return written(csvFile, columns, rows);
}

/** The bytes of rows as a Parquet file. */
export function parquetBytes(columns: readonly Field[], rows: readonly Row[]): Uint8Array {
  return written(parquetFile, columns, rows);
}

function written(make: typeof csvFile, columns: readonly Field[], rows: readonly Row[]): Buffer {
  const folder = inMemory();
  const file = make(folder, 'table', columns);
  file.add(rows);
  return folder.read(file.finish().path);
}

/** A few records as rows. */
export function rowsOf(of: Parameters<typeof rowParts>[0], records: readonly object[]): Row[] {
  const lines = records.map((record) => JSON.stringify(record));
  return [...rowParts(of, lines)].flat();
}
