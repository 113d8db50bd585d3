/** A table as Parquet, and the only importer of hyparquet-writer. No clock goes into the file: same table, same bytes. */
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import type { Field, FieldType } from '../../lib/fields.ts';
import type { Table } from './table.ts';

/** Rows of a row group: what query engines take in one piece. */
const ROW_GROUP = 100_000;

const PHYSICAL: Record<
  Exclude<FieldType, 'list'>,
  Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>
> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  boolean: { type: 'BOOLEAN' },
};

/** The bytes of the Parquet file: Snappy, null only in nullable columns, lists as three-level LIST. */
export function parquetBytes({ columns, cells }: Table): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
      columnData: columns.map(({ name }, position) => ({ name, data: [...(cells[position] ?? [])] })),
      codec: 'SNAPPY',
      rowGroupSize: ROW_GROUP,
    }),
  );
}

function elementsOf({ name, type, nullable }: Field): SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type !== 'list') return [{ name, repetition_type, ...PHYSICAL[type] }];
  return [
    { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...PHYSICAL.string },
  ];
}
