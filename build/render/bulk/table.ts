/**
 * A dataset as a table of typed cells, and the table as CSV and Parquet. It is read from the published NDJSON bytes, so every
 * bulk form restates exactly those.
 *
 * CSV is RFC 4180 (comma, CRLF, quotes doubled), UTF-8 without a byte order mark, one header line; a spreadsheet must never
 * run a cell as a formula, and every text must come back as it was (shim/core/csv.ts). No clock goes into Parquet: same table,
 * same bytes.
 */
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import type { JsonObject, JsonValue } from '../../../shim/core/types.ts';
import { csvCell, csvText, guarded, type Cell } from '../../../shim/core/csv.ts';
import type { Packed } from '../../pack/pack-file.ts';
import { fieldsOf, isObject, type Field, type Fielded, type FieldType } from '../../../shim/core/fields.ts';

/** A dataset as columns: `cells[c][r]` is row r of `columns[c]`. */
export interface Table {
  columns: readonly Field[];
  cells: readonly Cell[][];
  rows: number;
}

/** The table of a pack. Throws where a record does not have exactly these columns, naming the record's line. */
export function tableOf(descriptor: Fielded & { name: string }, { records }: Pick<Packed, 'records'>): Table {
  const columns = fieldsOf(descriptor);
  const cells: Cell[][] = columns.map(() => []);
  const place = placer(columns, cells);
  const lines = records.toString('utf8').split('\n').slice(0, -1);
  for (const [row, line] of lines.entries()) {
    try {
      place(JSON.parse(line) as JsonObject);
      // A group that is null as a whole leaves its columns out: they are null.
      for (const [position, own] of cells.entries()) {
        const column = columns[position];
        if (own.length === row && column) own.push(cellOf(null, column));
      }
    } catch (cause) {
      throw new Error(`${descriptor.name}: record ${row + 1} does not fit the columns of its dataset`, {
        cause,
      });
    }
  }
  return { columns, cells, rows: lines.length };
}

/** Rows [from, to) of a table, without the column `left`. */
export function slice(table: Table, from: number, to: number, left: string): Table {
  const kept = table.columns.flatMap(({ name }, position) => (name === left ? [] : [position]));
  return {
    ...table,
    columns: table.columns.filter(({ name }) => name !== left),
    cells: kept.map((position) => (table.cells[position] ?? []).slice(from, to)),
    rows: to - from,
  };
}

/** Runs of equal values of a column, in row order: [value, from, to). */
export function runsOf(
  { columns, cells }: Table,
  column: string,
): [value: string, from: number, to: number][] {
  const values = cells[columns.findIndex(({ name }) => name === column)] ?? [];
  const runs: [string, number, number][] = [];
  for (const [row, value] of values.entries()) {
    const last = runs.at(-1);
    if (last && last[0] === value) last[2] = row + 1;
    else runs.push([String(value), row, row + 1]);
  }
  return runs;
}

/** Puts each leaf of a record at the end of its column; refuses a leaf that has none. */
function placer(columns: readonly Field[], cells: Cell[][]): (group: JsonObject, prefix?: string) => void {
  const positions = new Map(columns.map(({ name }, position) => [name, position]));
  return function place(group, prefix = '') {
    for (const name of Object.keys(group)) {
      const value = group[name] ?? null;
      const path = prefix === '' ? name : `${prefix}${name}`;
      const position = positions.get(path) ?? -1;
      const column = columns[position];
      if (column) cells[position]?.push(cellOf(value, column));
      else if (isObject(value)) place(value, `${path}.`);
      else if (value !== null || !columns.some((other) => other.name.startsWith(`${path}.`)))
        throw new Error(`no column is called ${path}`);
    }
  };
}

const FITS: Record<FieldType, (value: JsonValue) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number' && (value | 0) === value,
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

function cellOf(value: JsonValue, { name, type, nullable }: Field): Cell {
  if (value === null && nullable) return null;
  if (!FITS[type](value)) throw new Error(`${name} must be ${type}, not ${JSON.stringify(value)}`);
  return value as Cell;
}

/** The bytes of the CSV file. Throws when a list item holds the separator. */
export function csvBytes({ columns, cells, rows }: Table): Buffer {
  const records = [columns.map(({ name }) => name)];
  for (let row = 0; row < rows; row += 1)
    records.push(cells.map((column) => csvCell(column[row] ?? null, guarded)));
  return Buffer.from(csvText(records, '\r\n'), 'utf8');
}

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
      columnData: columns.map(({ name }, position) => ({ name, data: cells[position] ?? [] })),
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
