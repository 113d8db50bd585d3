/** Readers of the bulk forms as their documentation tells a consumer to write them; nothing of the writers is used. */
import { parquetMetadata, parquetReadObjects, type FileMetaData } from 'hyparquet';
import { readCsv } from '../../build/lib/csv.ts';
import type { Cell } from '../../shim/core/csv.ts';
import { isObject } from '../../shim/core/json.ts';
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import { treeText, treeRecords } from '../_support/tree.ts';

/** What a reader must know of a column: the table schema of datapackage.json says it. */
export interface Field {
  name: string;
  type: string;
  delimiter?: string;
  missingValues?: string[];
}

/** Header and cells of a CSV file as they stand in it. */
export function csvCells(bytes: Uint8Array): { header: string[]; rows: string[][] } {
  const [header, ...rows] = readCsv(bytes).map(({ cells }) => cells);
  return { header: header ?? [], rows };
}

/** A cell's text without the guard against formulas. */
export function unguarded(text: string): string {
  return /^'+[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text;
}

/** A CSV cell as a value, by its field's type and missing values. */
export function cellValue(cell: string, { type, delimiter = ',', missingValues = [''] }: Field): Cell {
  if (type === 'list') return cell === '' ? [] : unguarded(cell).split(delimiter);
  if (missingValues.includes(cell)) return null;
  if (type === 'string') return unguarded(cell);
  if (type === 'boolean') return cell === 'true';
  return Number(cell);
}

/** The rows of a Parquet file as flat objects, in order. */
export async function parquetRows(bytes: Uint8Array): Promise<JsonObject[]> {
  return (await parquetReadObjects({ file: fileOf(bytes) })) as JsonObject[];
}

/** The footer of a Parquet file. */
export function parquetFooter(bytes: Uint8Array): FileMetaData {
  return parquetMetadata(fileOf(bytes));
}

/** A flat row by dotted path as the JSON record it came from: a group whose every leaf is null is null. */
export function recordOf(flat: JsonObject): JsonObject {
  const record: JsonObject = {};
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split('.');
    const leaf = names.pop() ?? '';
    let group = record;
    for (const name of names) {
      const inner = group[name];
      group = isObject(inner) ? inner : ((group[name] = {}) as JsonObject);
    }
    group[leaf] = value;
  }
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, collapsed(value, 0)]));
}

function collapsed(value: JsonValue, depth: number): JsonValue {
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, part]) => [name, collapsed(part, depth + 1)] as const);
  return depth > 0 && inner.every(([, part]) => part === null) ? null : Object.fromEntries(inner);
}

function fileOf(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** The header and cells that a table of a published dataset should have: texts, numbers, null where a cell is empty. */
export function wantedCells(dataset: string): { header: string[]; rows: (string | number | null)[][] } {
  const [header = ''] = treeText(`data/${dataset}.csv`).split('\r\n');
  const columns = header.split(',');
  const leaf = (record: unknown, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (group, name) => (group as Record<string, unknown> | null | undefined)?.[name],
        record,
      );
  const rows = treeRecords(`data/${dataset}.ndjson`).map((record) =>
    columns.map((path) => {
      const value = leaf(record, path) ?? null;
      const text = Array.isArray(value)
        ? value.join('|')
        : typeof value === 'boolean'
          ? String(value)
          : value;
      return text === '' ? null : (text as string | number | null);
    }),
  );
  return { header: columns, rows };
}
