/** Packed records -> columns of typed cells. It reads the published NDJSON bytes, so every bulk form restates exactly those. */
import type { JsonObject, JsonValue } from '../../../shim/core/types.ts';
import type { Descriptor } from '../../lib/dataset.ts';
import type { Packed } from '../../pack/pack-file.ts';
import { fieldsOf, type Field, type FieldType } from '../../lib/fields.ts';

/** A cell: null only in nullable columns, a list of texts only in list columns. */
export type Cell = string | number | boolean | null | readonly string[];

/** A dataset as columns: `cells[c][r]` is row r of `columns[c]`. */
export interface Table {
  dataset: string;
  columns: readonly Field[];
  cells: readonly (readonly Cell[])[];
  rows: number;
}

/** The table of a dataset. Throws where a record does not have exactly these columns, naming the record's line. */
export function tableOf(descriptor: Descriptor, { records }: Pick<Packed, 'records'>): Table {
  const columns = fieldsOf(descriptor);
  const cells: Cell[][] = columns.map(() => []);
  const place = placer(columns, cells);
  const lines = records.toString('utf8').split('\n').slice(0, -1);
  for (const [row, line] of lines.entries()) {
    try {
      place(JSON.parse(line) as JsonObject);
      // A group that is null as a whole leaves its columns out: they are null.
      for (const [position, column] of columns.entries())
        if (cells[position]?.length === row) cells[position].push(cellOf(null, column));
    } catch (cause) {
      throw new Error(`${descriptor.name}: record ${row + 1} does not fit the columns of its dataset`, {
        cause,
      });
    }
  }
  return { dataset: descriptor.name, columns, cells, rows: lines.length };
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
    for (const [name, value] of Object.entries(group)) {
      const path = `${prefix}${name}`;
      const position = positions.get(path) ?? -1;
      const column = columns[position];
      if (column) cells[position]?.push(cellOf(value, column));
      else if (isGroup(value)) place(value, `${path}.`);
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

function isGroup(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
