/** The name of a sheet is in every locator: a plain one enters by itself, printed, and any other is a label to accept. Lists that cannot be read are named. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { run, type Ran } from '../_support/command-line.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { workbookFile } from '../_support/workbook.ts';
import { words } from '../_support/words.ts';

let folder: string;
let list: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'datasets'));
  list = join(folder, 'datasets/drug-seizures/vocabulary.csv');
});

const HEAD = words('Region SubRegion Country DrugGroup DrugSubGroup DrugName ReferenceYear Kilograms msCode');
const ROW = ['Africa', 'East Africa', 'Kenya', 'Cocaine-type', 'Cocaine', 'Cocaine salts', 2022, 1.5, 'KEN'];

/** The path of a table of seizures on a sheet of this name. */
function table(sheet: string): string {
  const path = join(folder, '7.1.xlsx');
  writeFileSync(path, workbookFile('7.1.xlsx', { [sheet]: [HEAD, ROW] }).bytes);
  return path;
}

const imported = (sheet: string, edition: string, ...more: string[]): Promise<Ran> => {
  const to = ['--datasets', join(folder, 'datasets'), '--edition', edition];
  return run(['import', 'seizures', table(sheet), ...to, ...more]);
};

const refreshed = (sheet: string, edition: string, ...more: string[]): Promise<Ran> => {
  const to = ['--datasets', join(folder, 'datasets'), '--cache', join(folder, 'cache'), '--edition', edition];
  return run(['refresh', 'seizures', '--file', table(sheet), '--apply', ...to, ...more]);
};

const sheets = (): string[] =>
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('sheet,'));

test('[IMPORT-REFUSES] a new sheet is refused by name, and entered and printed when it is accepted', async () => {
  expect((await imported('Export 2023', '2024-06')).status).toBe(0);
  const planted = "Chapo's list";
  const refused = `1 new; review them, then import again with --accept-labels:`;
  const { status, stderr } = await imported(planted, '2025-06');
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${refused}\n  sheet "${planted}"`)]);
  const again = await refreshed(planted, '2025-06');
  expect([again.status, again.stdout]).toEqual([
    50,
    expect.stringContaining(
      `seizures: refused: ${list}: the labels: expected labels of this list; found ${refused}`,
    ),
  ]);
  expect(sheets()).toEqual(['sheet,Export 2023,,,']);

  const accepted = await refreshed(planted, '2025-06', '--accept-labels');
  expect([accepted.status, accepted.stdout]).toEqual([
    10,
    expect.stringContaining(`; written; ${list}: new, for review: sheet "${planted}"`),
  ]);
  expect(sheets()).toEqual([`sheet,${planted},,,`, 'sheet,Export 2023,,,']);
});

test('[IMPORT-REFUSES] a sheet with a plain name enters by itself, printed, as publishers rename theirs; one with a long number, a sign or a number before a letter does not', async () => {
  expect((await imported('Export 2023', '2024-06')).status).toBe(0);
  for (const [at, plain] of [
    'EXPORT2024',
    'Export (2)',
    'WDR2026_7.1',
    '7.1 Cocaine, 2019-2023',
    'IAFQ_firearms_trafficking 2025',
    'Seizures',
    'Table 7.1 (kg)',
    '2025_dataset',
    'Sheet1',
  ].entries()) {
    const { status, stdout } = await refreshed(plain, `2025-0${at + 1}`);
    expect([status, stdout]).toEqual([
      10,
      expect.stringContaining(`${list}: new, for review: sheet "${plain}"`),
    ]);
  }
  for (const other of [
    'Export 34051182',
    "Guzman's",
    'Juan Perez (1970-01-02)',
    'Calle 12 No 34, Lima',
    'Calle 12',
    'Tel 555-1234',
    'aka El Chapo',
    'Trafficking score 7.5',
    '19.43, 99.13',
    'Lat 19 Lon 99',
    '12 34 56',
  ])
    expect((await imported(other, '2026-06')).stderr).toContain(`  sheet "${other}"`);
});

test('[IMPORT-REFUSES] a sheet whose name gives a purity or a position is refused even if it is accepted', async () => {
  expect((await imported('Export 2023', '2024-06')).status).toBe(0);
  for (const [never, why] of [
    ['Chapo purity 80% 34.05N', 'it speaks of purity'],
    ['Purity 60-70 pct', 'it speaks of purity'],
    ['Export 80%', 'it speaks of purity'],
    ['19.4326, -99.1332 Purity 85', 'it speaks of purity'],
    ['19.4326, -99.1332', 'it gives a position on a map'],
    ['34.05N 118.24W', 'it gives a position on a map'],
    ['19.43 N, 99.13 W', 'it gives a position on a map'],
  ]) {
    const { status, stderr } = await imported(never ?? '', '2026-06', '--accept-labels');
    expect([status, stderr]).toEqual([1, expect.stringContaining(`sheet "${never}": ${why}`)]);
  }
  expect(sheets()).toEqual(['sheet,Export 2023,,,']);
});

test('[IMPORT-REFUSES] a label that is too long to be one is cut in the message', async () => {
  const path = join(folder, 'long.xlsx');
  const long = ROW.with(5, 'x'.repeat(1500));
  writeFileSync(path, workbookFile('long.xlsx', { Export: [HEAD, long] }).bytes);
  const to = ['--datasets', join(folder, 'datasets'), '--edition', '2024-06'];
  const { status, stderr } = await run(['import', 'seizures', path, ...to]);
  const cut = `subgroup "${'x'.repeat(200)}...": it is longer than 200 characters`;
  expect([status, stderr]).toEqual([1, expect.stringContaining(cut)]);
});

test('[IMPORT-REFUSES] a list that cannot be read is named, with what to do', async () => {
  expect((await imported('Export', '2024-06')).status).toBe(0);
  writeFileSync(list, 'field,value\ncategory,x\n');
  const { status, stderr } = await imported('Export', '2024-06');
  expect([status, stderr.trim()]).toEqual([
    1,
    expect.stringMatching(
      `${list}: its columns must be field,value,name,level,indicator; restore its first line$`,
    ),
  ]);
  const accepted = join(folder, 'datasets/drug-seizures/accepted.csv');
  writeFileSync(accepted, 'number,name\n1,x\n');
  expect((await imported('Export', '2024-06')).stderr.trim()).toMatch(
    `${accepted}: its columns must be sanctions_entity_number,name,reason; restore its first line`,
  );
});
