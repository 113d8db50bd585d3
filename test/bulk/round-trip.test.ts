/** All records of all datasets: JSON -> CSV -> Parquet -> JSON gives the NDJSON lines back, and nothing missing becomes a zero. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Descriptor } from '../../build/lib/dataset.ts';
import { currentOf } from '../../build/pack/pack.ts';
import { fieldsOf } from '../../shim/core/fields.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { packagedDatasets } from '../_support/packed.ts';
import { testContext } from '../_support/doors.ts';
import { filesOfTree, treeFile, treeText } from '../_support/tree.ts';
import { parquetBytes } from './packed.ts';
import { cellValue, csvCells, parquetRows, recordOf, type Field } from './read.ts';

let descriptors: Descriptor[];
/** What is parsed once of each dataset. */
const csv = new Map<string, { header: string[]; fields: Field[]; rows: string[][] }>();
const parquet = new Map<string, JsonObject[]>();

beforeAll(async () => {
  descriptors = currentOf(packagedDatasets()).map(({ descriptor }) => descriptor);
  const { resources } = JSON.parse(treeFile('data/datapackage.json').toString('utf8')) as {
    resources: { path: string; schema?: { fields: Field[] } }[];
  };
  for (const { name } of descriptors) {
    const { header, rows } = csvCells(treeFile(`data/${name}.csv`));
    const fields = resources.find(({ path }) => path === `${name}.csv`)?.schema?.fields ?? [];
    csv.set(name, { header, fields, rows });
    parquet.set(name, await parquetRows(treeFile(`data/${name}.parquet`)));
  }
});

describe('[BULK-ROUND-TRIP] round trip', () => {
  it('JSON -> CSV -> Parquet -> JSON is the same NDJSON, byte for byte, in every dataset', async () => {
    let records = 0;
    for (const descriptor of descriptors) {
      const { header, fields, rows } = parsed(descriptor.name);
      expect(fields.map((field) => field.name)).toEqual(header);
      const typed = rows.map((cells) => fields.map((field, at) => cellValue(cells[at] ?? '', field)));
      const bytes = parquetBytes(fieldsOf(descriptor), typed);
      expect(Buffer.compare(bytes, treeFile(`data/${descriptor.name}.parquet`))).toBe(0);
      const lines = (parquet.get(descriptor.name) ?? []).map((row) => JSON.stringify(recordOf(row)));
      expectSame(descriptor.name, lines, linesOf(descriptor.name));
      records += lines.length;
    }
    expect(records).toBe(
      testContext()
        .release.manifest()
        .packs.reduce((sum, { rows }) => sum + rows, 0),
    );
    expect(records).toBeGreaterThan(50_000);
  });

  it('the Parquet partitions of a dataset hold each of its records once', async () => {
    for (const { name, kind } of descriptors) {
      const paths = filesOfTree().filter(
        (path) => path.startsWith(`data/parquet/${name}/`) && path.endsWith('.parquet'),
      );
      expect(paths.length > 0).toBe(kind === 'observations');
      const lines: string[] = [];
      for (const path of paths) {
        const indicatorId = /\/indicatorId=([^/]+)\/part-0\.parquet$/.exec(path)?.[1] ?? '';
        for (const { id = null, datasetId = null, edition = null, ...rest } of await parquetRows(
          treeFile(path),
        ))
          lines.push(JSON.stringify({ id, datasetId, edition, indicatorId, ...rest }));
      }
      if (kind === 'observations') expectSame(name, lines.toSorted(), linesOf(name).toSorted());
    }
  });
});

describe('[BULK-NULL] a missing value and a zero', () => {
  it('are distinct in JSON, CSV and Parquet, with status and reason, for every observation', () => {
    const seen = { missing: 0, zero: 0, other: 0 };
    for (const { name, kind } of descriptors) {
      if (kind !== 'observations') continue;
      const { fields, rows } = parsed(name);
      const at = (field: string): number => fields.findIndex((other) => other.name === field);
      const [value, status, reason] = [at('value'), at('status'), at('unavailableReason')];
      const wrong: string[] = [];
      for (const [row, line] of linesOf(name).entries()) {
        const json = JSON.parse(line) as JsonObject;
        const columnar = parquet.get(name)?.[row] ?? {};
        const cells = rows[row] ?? [];
        const cell = cells[value] === '' ? null : Number(cells[value]);
        const kinds = [json['value'], cell, columnar['value']].map(kindOf);
        const wanted = kindOf(json['value']);
        const missing = wanted === 'missing';
        const same =
          kinds.every((found) => found === wanted) &&
          (cells[status] === 'unavailable') === missing &&
          (cells[reason] !== '') === missing &&
          (columnar['status'] === 'unavailable') === missing &&
          (columnar['unavailableReason'] !== null) === missing &&
          columnar['unavailableReason'] === json['unavailableReason'];
        if (!same) wrong.push(line);
        seen[wanted] += 1;
      }
      expect(wrong).toEqual([]);
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(1_000);
  });

  it('are distinct in every number of the atlas', () => {
    const seen = { missing: 0, zero: 0 };
    const wrong: string[] = [];
    for (const { name, kind } of descriptors) {
      if (kind !== 'atlas') continue;
      const { fields, rows } = parsed(name);
      for (const [row, line] of linesOf(name).entries()) {
        const record = JSON.parse(line) as JsonObject;
        for (const [position, field] of fields.entries()) {
          if (field.type !== 'number') continue;
          const value = leafOf(record, field.name);
          const cell = rows[row]?.[position] ?? 'no cell';
          const read = [cell === '' ? null : Number(cell), parquet.get(name)?.[row]?.[field.name]];
          if (read.some((found) => found !== value)) wrong.push(`${field.name} of ${line}`);
          if (value === null) seen.missing += 1;
          if (value === 0) seen.zero += 1;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.missing).toBeGreaterThan(100);
    expect(seen.zero).toBeGreaterThan(10);
  });
});

/** The lines of a dataset's NDJSON pack. */
function linesOf(dataset: string): string[] {
  return treeText(`data/${dataset}.ndjson`).split('\n').slice(0, -1);
}

function kindOf(value: unknown): 'missing' | 'zero' | 'other' {
  return value === null ? 'missing' : value === 0 ? 'zero' : 'other';
}

function leafOf(record: JsonObject, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (value === null) return null;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Compares without printing ten thousand lines when one differs. */
function expectSame(name: string, found: string[], wanted: string[]): void {
  expect(`${name}: ${found.length} records`).toBe(`${name}: ${wanted.length} records`);
  const first = Math.max(
    0,
    wanted.findIndex((line, row) => line !== found[row]),
  );
  expect(found[first]).toBe(wanted[first]);
}

function parsed(dataset: string): { header: string[]; fields: Field[]; rows: string[][] } {
  const file = csv.get(dataset);
  if (!file) throw new Error(`${dataset} has no CSV`);
  return file;
}
