/**
 * A dataset as a table of typed cells, and the table as CSV and Parquet. It is read from the published NDJSON bytes, so every
 * bulk form restates exactly those.
 *
 * CSV is RFC 4180 (comma, CRLF, quotes doubled), UTF-8 without a byte order mark, one header line; a spreadsheet must never
 * run a cell as a formula, and every text must come back as it was (shim/core/csv.ts). No clock goes into Parquet: same table,
 * same bytes.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import type { JsonObject, JsonValue } from '../../../shim/core/types.ts';
import { csvCell, csvText, guarded, type Cell } from '../../../shim/core/csv.ts';
import { growingFile, type TreeFile, type TreeFolder } from '../../lib/tree.ts';
import { fieldsOf, isObject, type Field, type Fielded, type FieldType } from '../../../shim/core/fields.ts';

/** A dataset as columns: `cells[c][r]` is row r of `columns[c]`. */
export interface Table {
  columns: readonly Field[];
  cells: readonly Cell[][];
  rows: number;
}

/** Rows of a part of a table, and of a row group: what query engines take in one piece. */
export const PART_ROWS = 50_000;

/** The table of a pack in parts, from its lines. Throws where a record does not have exactly these columns, naming its line. */
export function* tableParts(
  descriptor: Fielded & { name: string },
  lines: Iterable<string>,
): Generator<Table> {
  const columns = fieldsOf(descriptor);
  const known = columns.map(() => new Map<string, string>());
  let cells: Cell[][] = columns.map(() => []);
  let place = placer(columns, cells, known);
  let rows = 0;
  let before = 0;
  for (const line of lines) {
    try {
      place(JSON.parse(line) as JsonObject);
      // A group that is null as a whole leaves its columns out: they are null.
      for (let position = 0; position < cells.length; position += 1) {
        const [own, column] = [cells[position], columns[position]];
        if (own?.length === rows && column) own.push(cellOf(null, column));
      }
    } catch (cause) {
      const message = `${descriptor.name}: record ${before + rows + 1} does not fit the columns of its dataset`;
      throw new Error(message, { cause });
    }
    rows += 1;
    if (rows < PART_ROWS) continue;
    yield { columns, cells, rows };
    before += rows;
    rows = 0;
    cells = columns.map(() => []);
    place = placer(columns, cells, known);
  }
  if (rows > 0 || before === 0) yield { columns, cells, rows };
}

/** Texts of a column that are kept, so that a text of many rows is one text in memory. */
const MOST_KNOWN = 5000;

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
function placer(
  columns: readonly Field[],
  cells: Cell[][],
  known: readonly Map<string, string>[],
): (group: JsonObject, prefix?: string) => void {
  const positions = new Map(columns.map(({ name }, position) => [name, position]));
  const shared = (value: Cell, texts: Map<string, string> | undefined): Cell => {
    if (typeof value !== 'string' || !texts) return value;
    const text = texts.get(value);
    if (text === undefined && texts.size < MOST_KNOWN) texts.set(value, value);
    return text ?? value;
  };
  return function place(group, prefix = '') {
    for (const name of Object.keys(group)) {
      const value = group[name] ?? null;
      const path = prefix === '' ? name : `${prefix}${name}`;
      const position = positions.get(path) ?? -1;
      const column = columns[position];
      if (column) cells[position]?.push(shared(cellOf(value, column), known[position]));
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

/** A bulk file that takes a table part by part. */
export interface TableFile {
  add(part: Table): void;
  finish(): TreeFile;
}

/** Rows that are made into text at once. */
const CHUNK = 2000;

/** Starts a CSV file. Adding throws when a list item holds the separator. */
export function csvFile(folder: TreeFolder, path: string, columns: readonly Field[]): TableFile {
  const file = growingFile(folder, path);
  const add = (records: string[][]): void => file.add(Buffer.from(csvText(records, '\r\n'), 'utf8'));
  add([columns.map(({ name }) => name)]);
  return {
    add({ cells, rows }) {
      for (let from = 0; from < rows; from += CHUNK) {
        const records: string[][] = [];
        for (let row = from; row < Math.min(rows, from + CHUNK); row += 1)
          records.push(cells.map((column) => csvCell(column[row] ?? null, guarded)));
        add(records);
      }
    },
    finish: () => file.finish(),
  };
}

const PHYSICAL: Record<
  Exclude<FieldType, 'list'>,
  Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>
> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  boolean: { type: 'BOOLEAN' },
};

/** Starts a Parquet file: Snappy, null only in nullable columns, lists as three-level LIST. Its row groups are of PART_ROWS each. */
export function parquetFile(folder: TreeFolder, path: string, columns: readonly Field[]): TableFile {
  const file = growingFile(folder, path);
  const bytes = new ByteWriter();
  const flush = (): void => {
    file.add(bytes.getBytes().slice());
    bytes.index = 0;
  };
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const writer = new ParquetWriter({ writer: bytes, schema, codec: 'SNAPPY' });
  const waiting: Cell[][] = columns.map(() => []);
  const write = (rows: number): void => {
    const columnData = columns.map(({ name }, at) => ({ name, data: waiting[at]?.splice(0, rows) ?? [] }));
    void writer.write({ columnData, rowGroupSize: PART_ROWS });
    flush();
  };
  const held = (): number => waiting[0]?.length ?? 0;
  return {
    add({ cells }) {
      for (const [at, own] of waiting.entries()) {
        const more = cells[at] ?? [];
        if (own.length === 0) waiting[at] = more.slice();
        else for (const cell of more) own.push(cell);
      }
      while (held() >= PART_ROWS) write(PART_ROWS);
    },
    finish() {
      if (held() > 0) write(held());
      void writer.finish();
      flush();
      return file.finish();
    },
  };
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
