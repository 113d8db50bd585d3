/**
 * `npm run compat:duckdb`: queries the Parquet partitions of a published tree in place with DuckDB, and compares every row with the
 * packs. The engine (70 MB) is installed from the registry into .build/duckdb on first use and is no dependency of the project.
 * Prints a line for each check; exits with 1 when one fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { newCommand } from '../../build/lib/command-line.ts';
import { PACK_MANIFEST } from '../../shim/core/paths.ts';
import type { PackManifest } from '../../shim/core/types.ts';
import { programOptions } from '../_support/program-options.ts';

const ENGINE = '@duckdb/node-api@1.5.6-r.1';
const HOME = '.build/duckdb';

type Row = Record<string, unknown>;

/** The part of the engine that is used. */
interface Engine {
  DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<{ runAndReadAll(sql: string): Promise<Result> }> }>;
  };
}
interface Result {
  getRowObjectsJson(): Row[];
}

const { tree } = programOptions<{ tree: string }>(
  newCommand(
    'npm run compat:duckdb',
    'Query the Parquet partitions with DuckDB and compare every row.',
  ).option('--tree <folder>', 'published tree', 'public'),
);
if (!existsSync(join(HOME, 'node_modules/.package-lock.json'))) install();
const { DuckDBInstance } = (await import(
  pathToFileURL(resolve(HOME, 'node_modules/@duckdb/node-api/lib/index.js')).href
)) as Engine;
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const query = async (sql: string): Promise<Row[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson();

/** All partitions as one table, as docs/data-formats.md reads them. */
const [, printed = ''] =
  /```sql\n(-- DuckDB, over[^]*?)```/.exec(readFileSync('docs/data-formats.md', 'utf8')) ?? [];
const inPlace = (sql: string): string =>
  sql.replaceAll("'data/", `'${resolve(tree)}/data/`).replace(/;\s*$/, '');
const PARTITIONS = inPlace("read_parquet('data/parquet/*/*/*.parquet', hive_partitioning = true)");

const { packs } = JSON.parse(readFileSync(join(tree, PACK_MANIFEST), 'utf8')) as PackManifest;
const records = packs
  .filter(({ kind }) => kind === 'observations' || kind === 'context')
  .flatMap(({ path }) =>
    readFileSync(join(tree, path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row),
  );

const rows = await query(`SELECT * FROM ${PARTITIONS}`);
const byId = new Map(rows.map((row) => [`${String(row['datasetId'])} ${String(row['id'])}`, row]));
const different = records.filter((record) => {
  const row = byId.get(`${String(record['datasetId'])} ${String(record['id'])}`);
  return !isDeepStrictEqual(ordered(row), ordered(record));
});
said(
  `${rows.length} rows of the partitions are the ${records.length} records of the packs, value by value`,
  rows.length === records.length && byId.size === rows.length && different.length === 0,
  different.slice(0, 3),
);

const [, indicator = '', geo = ''] = /indicatorId = '([^']+)' AND geoCode = '([^']+)'/.exec(printed) ?? [];
const wanted = records.filter((record) => record['indicatorId'] === indicator && record['geoCode'] === geo);
const found = await query(inPlace(printed));
const columns = Object.keys(found[0] ?? {});
const texts = (list: Row[]): string[] =>
  list.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted();
said(
  `the query of docs/data-formats.md gives the ${wanted.length} records of ${indicator} in ${geo}`,
  wanted.length > 0 && isDeepStrictEqual(texts(found), texts(wanted)),
  found.slice(0, 3),
);

const plan = JSON.stringify(
  await query(`EXPLAIN ANALYZE SELECT count(*) FROM ${PARTITIONS} WHERE indicatorId = '${indicator}'`),
);
const files = /Scanning Files: (\d+)\/(\d+)/.exec(plan);
said(
  `a query of one indicator reads its partitions only (${files?.[1]} of ${files?.[2]} files)`,
  files?.[1] === '1' && Number(files[2]) > 1,
  plan.slice(0, 300),
);

function ordered(row: Row | undefined): unknown {
  return row && Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function said(check: string, isRight: boolean, instead: unknown): void {
  console.log(isRight ? `ok   ${check}` : `FAIL ${check}: ${JSON.stringify(instead)}`);
  if (!isRight) process.exitCode = 1;
}

function install(): void {
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
  const words = [
    'install',
    '--prefix',
    HOME,
    '--save-exact',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ENGINE,
  ];
  if (spawnSync('npm', words, { stdio: 'inherit' }).status !== 0)
    throw new Error(`${ENGINE} could not be installed into ${HOME}`);
}
