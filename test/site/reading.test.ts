/** [READING] The examples of the page about reading the files, each run where its tool is at hand. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { PYTHON } from '../_support/interpreters.ts';
import { unescaped } from '../_support/site-pages.ts';
import { builtTree, temporaryFolder, TEST_SITE, treeText, treeRecords } from '../_support/tree.ts';

const html = treeText('docs/reading/index.html');
const [, dataset = ''] = /data\/([a-z-]+)\.parquet/.exec(html) ?? [];

/** The examples in a language. */
function examples(language: string): string[] {
  const found = html.matchAll(new RegExp(`<code class="language-${language}">([^<]*)</code>`, 'g'));
  return [...found].map(([, text = '']) => unescaped(text));
}

/** A folder with the files that the page downloads. */
const folder = temporaryFolder();
for (const file of ['csv', 'xlsx', 'parquet'].map((form) => `${dataset}.${form}`).concat('evidence.sqlite'))
  copyFileSync(join(builtTree(), 'data', file), join(folder, file));

function run(
  command: string,
  words: readonly string[],
  input?: string,
): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(command, words, { cwd: folder, encoding: 'utf8', input });
  return { status, stdout };
}

const records = treeRecords<Observation>(`data/${dataset}.ndjson`);
const wanted = [records.length, records.filter(({ value }) => value === null).length];

function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function has(module: string): boolean {
  return run(PYTHON, ['-c', `import ${module}`]).status === 0;
}

const [csv = '', workbook = '', database = ''] = examples('python');

test.for([
  ['pandas, CSV', ['pandas'], csv],
  ['pandas, workbook', ['pandas', 'openpyxl'], workbook],
] as const)('%s', ([, modules, example], context) => {
  expect(example).toContain(dataset);
  if (!modules.every(has)) context.skip(`${PYTHON} has no ${modules.join(' with ')}`);
  const { status, stdout } = run(PYTHON, ['-c', example]);
  expect([status, numbersIn(stdout)]).toEqual([0, wanted]);
});

test('R', (context) => {
  const [example = ''] = examples('r');
  expect(example).toContain(dataset);
  if (spawnSync('Rscript', ['--version']).error) context.skip('Rscript is not installed');
  const { status, stdout } = run('Rscript', ['-e', example]);
  expect([status, numbersIn(stdout)]).toEqual([0, wanted]);
});

test('DuckDB', (context) => {
  const [example = ''] = examples('sql');
  expect(example).toContain(dataset);
  const python = has('duckdb');
  if (!python && spawnSync('duckdb', ['--version']).error) context.skip('DuckDB is not installed');
  const { status, stdout } = python
    ? run(PYTHON, ['-c', 'import duckdb, sys; print(*duckdb.sql(sys.stdin.read()).fetchone())'], example)
    : run('duckdb', ['-csv', '-noheader'], example);
  expect([status, numbersIn(stdout)]).toEqual([0, wanted]);
});

test('SQLite, in Python', (context) => {
  expect(database).toContain(dataset);
  if (!has('sqlite3')) context.skip(`${PYTHON} has no sqlite3`);
  const { status, stdout } = run(PYTHON, ['-c', database]);
  expect([status, numbersIn(stdout)]).toEqual([0, wanted]);
});

test('SQLite, in a terminal', (context) => {
  const [, counting = '', searching = ''] = examples('sql');
  const [terminal = ''] = examples('sh');
  expect(terminal).toContain('datasette evidence.sqlite');
  if (spawnSync('sqlite3', ['--version']).error) context.skip('sqlite3 is not installed');
  const { status, stdout } = run('sqlite3', ['evidence.sqlite'], counting);
  expect([status, numbersIn(stdout)]).toEqual([0, wanted]);
  expect(run('sqlite3', ['evidence.sqlite'], searching).stdout).toContain('Belgium');
  const [command = ''] = terminal.split('\n');
  expect(run('sh', ['-c', command]).stdout).toContain('sourceSha256');
});

test('the files that the page names are published', () => {
  const named = [...html.matchAll(/(?:data|download)\/[\w./-]+\.(?:csv|xlsx|parquet|sqlite)/g)].map(
    ([path]) => path,
  );
  const files = named.filter((path) => path.startsWith('data/') && !path.includes('<'));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => !existsSync(join(builtTree(), path)))).toEqual([]);
  expect(html).toContain(`${TEST_SITE}/data/${dataset}.csv`);
});
