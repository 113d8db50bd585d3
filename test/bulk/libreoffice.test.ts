/**
 * [BULK-XLSX] LibreOffice opens every workbook and every CSV for spreadsheets, in English and in German, and has every text, number
 * and empty cell as published. It takes minutes: `LIBREOFFICE=1 npx vitest run test/bulk/libreoffice.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { packManifest } from '../_support/records.ts';
import { builtTree, temporaryFolder, TEST_SITE } from '../_support/tree.ts';
import { wantedCells } from './read.ts';

const wanted = process.env['LIBREOFFICE'] !== undefined;
const found = wanted && spawnSync('soffice', ['--version']).error === undefined;
const reason = wanted
  ? 'LibreOffice is not installed (apt-get install libreoffice-calc-nogui)'
  : 'it takes minutes: set LIBREOFFICE=1 to run it';
if (!found) console.log(`Workbooks are not opened in LibreOffice here: ${reason}`);

/** Tab, quotation mark, UTF-8, from line 1; texts in quotes, numbers without, as they are and not as shown; every sheet. */
const EXPORT = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true,true,false,false,false,-1';
/** Comma, quotation mark, UTF-8, from line 1, English (USA): the language of the numbers in the file; quoted fields are texts. */
const IMPORT = '--infilter=CSV:44,34,76,1,,1033,true,false';
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>LOCALE</value></prop></item></oor:items>`;

/** Opens files in LibreOffice and writes what it has in their cells to a folder. */
function converted(files: readonly string[], locale: string, options: readonly string[] = []): string {
  const home = temporaryFolder();
  mkdirSync(join(home, 'user'));
  writeFileSync(join(home, 'user/registrymodifications.xcu'), PROFILE.replace('LOCALE', locale));
  const out = temporaryFolder();
  const words = [`-env:UserInstallation=file://${home}`, '--headless', ...options];
  const { status, stderr } = spawnSync(
    'soffice',
    [...words, '--convert-to', EXPORT, '--outdir', out, ...files],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return out;
}

const CELL = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/gy;

/** Texts, numbers and empty cells of an exported sheet. */
function cellsOf(path: string, decimal: '.' | ','): (string | number | null)[][] {
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  const rows: (string | number | null)[][] = [];
  let row: (string | number | null)[] = [];
  for (const [whole, quoted, bare = '', end] of text.matchAll(CELL)) {
    if (whole === '' && row.length === 0) continue;
    if (quoted !== undefined) row.push(quoted === '' ? null : quoted.replaceAll('""', '"'));
    else row.push(bare === '' ? null : Number(bare.replace(decimal, '.')));
    if (end === '\t') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** LibreOffice writes the first 15 digits of a number. */
function sameCell(is: string | number | null | undefined, should: string | number | null): boolean {
  if (typeof should !== 'number' || typeof is !== 'number') return is === should;
  return Math.abs(is - should) <= Math.abs(should) * 1e-14;
}

function differences(path: string, dataset: string, decimal: '.' | ',', leading = 0): unknown[] {
  const { header, rows } = wantedCells(dataset);
  const read = cellsOf(path, decimal).map((cells) => cells.slice(leading));
  const all = [header, ...rows];
  if (read.length !== all.length) return [`${read.length} rows, not ${all.length}`];
  return all.flatMap((cells, row) =>
    cells.flatMap((cell, at) =>
      sameCell(read[row]?.[at], cell) ? [] : [[row, header[at], read[row]?.[at], cell]],
    ),
  );
}

test.skipIf(!found).for([
  ['en-US', '.'],
  ['de-DE', ','],
] as const)('in %s every cell is as published', { timeout: 1_200_000 }, async ([locale, decimal]) => {
  const { packs } = packManifest();
  const workbooks = packs.map(({ id }) => join(builtTree(), `data/${id}.xlsx`));
  const out = converted(workbooks, locale);
  let compared = 0;
  for (const { id, rows } of packs) {
    expect([id, differences(join(out, `${id}-records.csv`), id, decimal).slice(0, 3)]).toEqual([id, []]);
    expect(readFileSync(join(out, `${id}-notes.csv`), 'utf8')).toMatch(/^"Dataset"\t"/);
    compared += rows;
  }
  const app = testApp();
  const folder = temporaryFolder();
  const downloads = packs.flatMap(({ id, kind, meta }): [id: string, query: string, leading: number][] => {
    if (kind === 'observations') return [[id, `market-observations.excel.csv?dataset=${id}`, 0]];
    if (kind === 'atlas') return [[id, `atlas.excel.csv?domain=${String(meta['domain'])}`, 0]];
    // Its first column is the notice.
    return kind === 'entities' ? [[id, 'entities.excel.csv', 1]] : [];
  });
  for (const [id, query] of downloads) {
    const response = await app.fetch(new Request(`${TEST_SITE}/download/${query}`));
    writeFileSync(join(folder, `${id}.csv`), Buffer.from(await response.arrayBuffer()));
  }
  const files = downloads.map(([id]) => join(folder, `${id}.csv`));
  const read = converted(files, locale, [IMPORT]);
  for (const [id, , leading] of downloads)
    expect([id, differences(join(read, `${id}-${id}.csv`), id, decimal, leading).slice(0, 3)]).toEqual([
      id,
      [],
    ]);
  console.log(
    `LibreOffice in ${locale}: ${compared} records in workbooks, ${downloads.length} CSV files, 0 differences`,
  );
});
