/**
 * The rows of a dataset as typed cells, and as CSV and Parquet. They are read from the published NDJSON bytes, so every
 * bulk form restates exactly those.
 *
 * CSV is RFC 4180 (comma, CRLF, quotes doubled), UTF-8 without a byte order mark, one header line; a spreadsheet must never
 * run a cell as a formula, and every text must come back as it was (shim/core/csv.ts). No clock goes into Parquet: same rows,
 * same bytes.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import type { JsonObject, JsonValue } from '../../../shim/core/types.ts';
import { csvCell, csvText, guarded, type Cell } from '../../../shim/core/csv.ts';
import { growingFile, type TreeFile, type TreeFolder } from '../../lib/tree.ts';
import { fieldsOf, type Field, type Fielded, type FieldType } from '../../../shim/core/fields.ts';
import { isObject } from '../../../shim/core/json.ts';

/** A row of a dataset: a cell for each of its columns. */
export type Row = readonly Cell[];

/** Rows that are read at once, and rows of a row group, which query engines read as a whole. */
const PART_ROWS = 50_000;

/** The rows of a pack in parts, from its lines. Throws where a record does not have exactly these columns, naming its line. */
export function* rowParts(descriptor: Fielded & { name: string }, lines: Iterable<string>): Generator<Row[]> {
  const rowOf = rowReader(fieldsOf(descriptor));
  let rows: Row[] = [];
  let before = 0;
  for (const line of lines) {
    try {
      rows.push(rowOf(JSON.parse(line) as JsonObject));
    } catch (cause) {
      const message = `${descriptor.name}: record ${before + rows.length + 1} does not fit the columns of its dataset`;
      throw new Error(message, { cause });
    }
    if (rows.length < PART_ROWS) continue;
    yield rows;
    before += rows.length;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Most texts of a column that are kept, so that rows with the same text share one string in memory. */
const MOST_KNOWN = 5000;

/** Puts each leaf of a record where its column is; refuses a leaf that has none. */
function rowReader(columns: readonly Field[]): (record: JsonObject) => Row {
  const positions = new Map(columns.map(({ name }, position) => [name, position]));
  const known = columns.map(() => new Map<string, string>());
  const shared = (value: Cell, texts: Map<string, string> | undefined): Cell => {
    if (typeof value !== 'string' || !texts) return value;
    const text = texts.get(value);
    if (text === undefined && texts.size < MOST_KNOWN) texts.set(value, value);
    return text ?? value;
  };
  const place = (row: Cell[], group: JsonObject, prefix: string): void => {
    for (const name of Object.keys(group)) {
      const value = group[name] ?? null;
      const path = `${prefix}${name}`;
      const position = positions.get(path) ?? -1;
      const column = columns[position];
      if (column) row[position] = shared(cellOf(value, column), known[position]);
      else if (isObject(value)) place(row, value, `${path}.`);
      else if (value !== null || !columns.some((other) => other.name.startsWith(`${path}.`)))
        throw new Error(`no column is called ${path}`);
    }
  };
  return (record) => {
    const row: Cell[] = [];
    place(row, record, '');
    // A group that is null as a whole leaves its columns out: they are null.
    for (const [position, column] of columns.entries()) row[position] ??= cellOf(null, column);
    return row;
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

/** A bulk file that takes its rows part by part. */
export interface TableFile {
  add(rows: readonly Row[]): void;
  finish(): TreeFile;
}

/** Rows that are turned into text at once. */
const CHUNK = 2000;

/** Starts a CSV file. Adding throws when a list item holds the separator. */
export function csvFile(folder: TreeFolder, path: string, columns: readonly Field[]): TableFile {
  const file = growingFile(folder, path);
  const add = (records: string[][]): void => file.add(Buffer.from(csvText(records, '\r\n'), 'utf8'));
  add([columns.map(({ name }) => name)]);
  return {
    add(rows) {
      for (let from = 0; from < rows.length; from += CHUNK)
        add(rows.slice(from, from + CHUNK).map((row) => row.map((cell) => csvCell(cell, guarded))));
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

/**
 * Starts a Parquet file, which may leave a column out: Snappy, null only in nullable columns, lists as three-level LIST. Its row
 * groups are of PART_ROWS each.
 */
export function parquetFile(
  folder: TreeFolder,
  path: string,
  all: readonly Field[],
  without: string | null = null,
): TableFile {
  const file = growingFile(folder, path);
  const bytes = new ByteWriter();
  const flush = (): void => {
    file.add(bytes.getBytes().slice());
    bytes.index = 0;
  };
  const columns = all.flatMap((field, at) => (field.name === without ? [] : [{ ...field, at }]));
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const writer = new ParquetWriter({ writer: bytes, schema, codec: 'SNAPPY' });
  let waiting: Row[] = [];
  const write = (rows: readonly Row[]): void => {
    const columnData = columns.map(({ name, at }) => ({ name, data: rows.map((row) => row[at]) }));
    void writer.write({ columnData, rowGroupSize: PART_ROWS });
    flush();
  };
  return {
    add(rows) {
      waiting = waiting.concat(rows);
      while (waiting.length >= PART_ROWS) write(waiting.splice(0, PART_ROWS));
    },
    finish() {
      if (waiting.length > 0) write(waiting);
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
