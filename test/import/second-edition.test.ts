/** A file of a publisher is one edition of a dataset: the same bytes under another date are refused, and under the same one are no change. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { run, type Ran } from '../_support/command-line.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { words } from '../_support/words.ts';
import { table } from '../refresh/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'datasets'));
});

/** Writes a file and gives its path. */
function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const imported = (family: string, files: string[], ...more: string[]): Promise<Ran> =>
  run(['import', family, ...files, '--datasets', join(folder, 'datasets'), ...more]);

/** Every file of the datasets with its content. */
function contents(): Record<string, string> {
  const root = join(folder, 'datasets');
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = found.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

test('[IMPORT-SAME] the file of an edition is refused as another one, and is no change as the same one', async () => {
  const file = written('table.csv', table());
  expect((await imported('informal-employment', [file], '--edition', '2024-01-10')).status).toBe(0);
  const before = contents();
  for (const edition of ['2024-02-10', '2023-12', '2024-01']) {
    const { status, stderr } = await imported('informal-employment', [file], '--edition', edition);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          String.raw`informal-employment: the edition: expected 2024-01-10, the edition that was made of the file with the sha256 [0-9a-f]{64}; found ${edition}; if 2024-01-10 is the wrong date, remove \S+/informal-employment/2024-01-10 first`,
        ),
      ),
    ]);
  }
  expect((await imported('informal-employment', [file], '--edition', '2024-01-10')).status).toBe(0);
  expect(contents()).toEqual(before);
});

const HEAD =
  'FY,Month (abbv),Component,Region,Land Filter,Area of Responsibility,Drug Type,Count of Event,Sum Qty (lbs)';
const fiscalYear = (year: string): string => {
  const months = words('OCT NOV DEC JAN FEB MAR APR MAY JUN JUL AUG SEP');
  const place = 'Office of Field Operations,Southwest Border,Land Only,EL PASO FIELD OFFICE';
  return [HEAD, ...months.map((month) => `${year},${month},${place},Heroin,1,2.5`), ''].join('\r\n');
};

test('[IMPORT-SAME] a table in several files has a file in several editions, each with its own date', async () => {
  const [first, second] = [written('a.csv', fiscalYear('2023')), written('b.csv', fiscalYear('2024'))];
  const editions = async (...files: string[]) => {
    const { status, stderr } = await imported('cbp', files, '--accept-labels');
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return readdirSync(join(folder, 'datasets', 'border-drug-seizures')).filter((name) => /^\d/.test(name));
  };
  expect(await editions(first, second)).toEqual(['2024-10']);
  expect(await editions(first)).toEqual(['2023-10', '2024-10']);
  expect(await editions(first, second)).toEqual(['2023-10', '2024-10']);
});

test('[IMPORT-REFUSES] datasets that are no folder are refused before anything is read', async () => {
  const file = written('table.csv', 'not a table');
  for (const [datasets, problem] of [
    [file, 'This is not a folder.'],
    ['', 'Expected the name of a folder.'],
  ] as const) {
    const { status, stderr } = await run(['import', 'informal-employment', file, '--datasets', datasets]);
    const line = `error: option '--datasets <folder>' argument '${datasets}' is invalid. ${problem}`;
    expect([status, stderr]).toEqual([2, expect.stringContaining(line)]);
  }
});

test('[IMPORT-SAME] an import that cannot be written names the file and leaves nothing', () => {
  const root = join(folder, 'datasets');
  const given = [written('table.csv', table()), '--edition', '2024-01-10', '--datasets', root];
  // Files of more than 1 kB cannot be written, as on a full disk.
  const command = 'ulimit -f 1; exec "$0" --import tsx build/main.ts import informal-employment "$@"';
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', command, process.execPath, ...given, '--accept-labels'],
    {
      encoding: 'utf8',
    },
  );
  const file = join(root, 'informal-employment/2024-01-10.new/datapackage.json');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`${file} cannot be used: file too large (EFBIG).`),
  ]);
  expect(readdirSync(root)).toEqual([]);
});
