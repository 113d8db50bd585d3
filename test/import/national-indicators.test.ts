import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { NATIONAL, nationalIndicators } from '../../build/import/national-indicators.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { runImport } from '../../build/refresh/editions.ts';
import { observationsOf, textFile } from '../_support/workbook.ts';
import { items } from '../_support/words.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const HEAD = 'Country Name,Country Code,Year,Value';
const LONG_ROWS = items(`"Congo, Dem. Rep.",COD,1960,1 | World,WLD,1961,2.5 |
  China,CHN,1960,59716249310.9742 | China,CHN,1962,-27.5 | Myanmar,MMR,1960,0 | Pakistan,PAK,1960,1E-5`);
const longText = (rows = LONG_ROWS, head = HEAD): string => `${[head, ...rows].join('\r\n')}\r\n`;
const gdp = (text = longText(), folder = 'ny.gdp.mktp.cd'): SourceFile =>
  textFile(`${folder}/data.csv`, text);
const packaged = (name: string, title: string, folder: string): SourceFile =>
  textFile(`${folder}/datapackage.json`, JSON.stringify({ name, title }));

const WIDE_HEAD = '"Country Name","Country Code","Indicator Name","Indicator Code","1960","1961",';
const WIDE_ROWS = [
  '"Aruba","ABW","GDP (current US$)","NY.GDP.MKTP.CD","","405586592.178771",',
  '"China","CHN","GDP (current US$)","NY.GDP.MKTP.CD","59716249310.9742","",',
  '"Myanmar","MMR","GDP (current US$)","NY.GDP.MKTP.CD","0","605581577.287066",',
];
const wide = (rows = WIDE_ROWS, head = WIDE_HEAD): SourceFile =>
  textFile(
    'wdi/API_NY.GDP.MKTP.CD_DS2.csv',
    `\uFEFF${['"Data Source","World Development Indicators",', '', '"Last Updated Date","2024-06-28",', '', head, ...rows].join('\r\n')}\r\n`,
  );

const read = (...files: SourceFile[]) => observationsOf(nationalIndicators, files, OPTIONS);

const line = (row: ObservationRow) =>
  `${row.indicatorId} ${row.geoCode} ${row.period}: ${row.value} ${row.unit} ${row.status} ${row.sourceId} ${row.sourceLocator}`;

test('long form: only the countries in scope, only published values, line numbers as locators', () => {
  const { rows, audit, descriptor } = read(gdp());
  expect(rows.map(line)).toEqual([
    'ny.gdp.mktp.cd CHN 1960: 59716249310.9742 current US$ reported wdi-ny.gdp.mktp.cd row 4',
    'ny.gdp.mktp.cd CHN 1962: -27.5 current US$ reported wdi-ny.gdp.mktp.cd row 5',
    'ny.gdp.mktp.cd MMR 1960: 0 current US$ reported wdi-ny.gdp.mktp.cd row 6',
    'ny.gdp.mktp.cd PAK 1960: 0.00001 current US$ reported wdi-ny.gdp.mktp.cd row 7',
  ]);
  expect(audit).toEqual({
    read: 6,
    kept: 4,
    unavailable: {},
    withheld: { 'row of a country or region outside the scope': 2 },
    notes: {},
  });
  expect(descriptor.sources[0]).toMatchObject({ dated: '2026-01', retrievedAt: '2026-01-31' });
  expect(descriptor.indicators[0]).toMatchObject({ market: 'context', label: 'GDP (current US$)' });
});

test('a code that is neither of the standard nor one of the World Bank is named, not lost among the others', () => {
  const rows = ['Republic of Nowhere,NWH,1960,1', 'Republic of Nowhere,NWH,1961,1', ...LONG_ROWS];
  expect(read(gdp(longText(rows))).audit.withheld).toEqual({
    'row of a country or region outside the scope': 2,
    'row of a country or region outside the scope, with the unknown code NWH': 2,
  });
});

test('wide form: a row and a year name the cell, a blank year is not a record, the file dates itself', () => {
  const { rows, audit, descriptor } = read(wide());
  expect(rows.map(line)).toEqual([
    'ny.gdp.mktp.cd CHN 1960: 59716249310.9742 current US$ reported wdi-ny.gdp.mktp.cd row 7 column 1960',
    'ny.gdp.mktp.cd MMR 1960: 0 current US$ reported wdi-ny.gdp.mktp.cd row 8 column 1960',
    'ny.gdp.mktp.cd MMR 1961: 605581577.287066 current US$ reported wdi-ny.gdp.mktp.cd row 8 column 1961',
  ]);
  expect(audit).toMatchObject({
    read: 3,
    kept: 2,
    notes: { 'blank year of the wide shape is not a record': 1 },
  });
  expect(descriptor.sources[0]).toMatchObject({ dated: '2024-06-28', retrievedAt: '2026-01-31' });
});

test('[IMPORT-LAYOUT] the wide form is known by its words, whatever spaces and capitals they have', () => {
  const { bytes } = wide();
  const text = new TextDecoder()
    .decode(bytes)
    .replace('Data Source', 'DATA\u00A0SOURCE')
    .replace('Last Updated Date","', 'Last updated date"," ')
    .replace('Indicator Code', 'indicator\u00A0code');
  expect(read(textFile('wdi/API.csv', text)).rows.map(line)).toEqual(read(wide()).rows.map(line));
});

test('a datapackage.json names the series of any folder, and several series go together', () => {
  const { descriptor, rows } = read(
    gdp(longText(['Pakistan,PAK,1990,6.1']), 'downloads'),
    packaged('VC.IHR.PSRC.P5', 'Intentional homicides (per 100,000 people)', 'downloads'),
    gdp(longText(['China,CHN,1960,667070000']), 'sp.pop.totl'),
  );
  expect(descriptor.sources.map(({ id, notes }) => `${id} ${notes.join()}`)).toEqual([
    'wdi-sp.pop.totl The date of the edition was stated at the import; the file does not print it.',
    'wdi-vc.ihr.psrc.p5 The date of the edition was stated at the import; the file does not print it.,The World Bank takes this series from UNODC.',
  ]);
  expect(rows.map(({ unit, sourceId: source }) => `${source} ${unit}`)).toEqual([
    'wdi-sp.pop.totl people',
    'wdi-vc.ihr.psrc.p5 per 100,000 people',
  ]);
});

test('[IMPORT-LAYOUT] moved columns give the same records', () => {
  const moved = gdp(
    longText(['1,1960,COD,x', '59716249310.9742,1960,CHN,China'], 'Value,Year,Country Code,Country Name'),
  );
  expect(read(moved).rows.map(line)).toEqual([
    'ny.gdp.mktp.cd CHN 1960: 59716249310.9742 current US$ reported wdi-ny.gdp.mktp.cd row 3',
  ]);
});

const REFUSALS: [string, SourceFile[], RegExp][] = [
  [
    'a file of no known series',
    [gdp(longText(), 'downloads')],
    /downloads\/data\.csv: the series.*"downloads"/,
  ],
  ['a file without a folder', [textFile('data.csv', longText())], /the series/],
  [
    'a title of another meaning',
    [gdp(), packaged('ny.gdp.mktp.cd', 'GDP (constant 2015 US$)', 'ny.gdp.mktp.cd')],
    /title of the series.*constant/,
  ],
  [
    'a folder and a package that disagree',
    [gdp(), packaged('sp.pop.totl', 'Population, total', 'ny.gdp.mktp.cd')],
    /datapackage\.json.*"sp\.pop\.totl"/,
  ],
  ['one series twice', [gdp(), wide()], /each series once.*"ny\.gdp\.mktp\.cd"/],
  [
    'a renamed column',
    [gdp(longText(LONG_ROWS, 'Country,Country Code,Year,Value'))],
    /row 1.*"Country Name"/,
  ],
  ['words for a number', [gdp(longText(['China,CHN,1960,n/a']))], /row 2.*a number.*"n\/a"/],
  ['a blank value', [gdp(longText(['Aruba,ABW,1960,']))], /row 2.*a number/],
  ['a year out of range', [gdp(longText(['China,CHN,1860,1']))], /row 2.*a year/],
  [
    'a year twice',
    [gdp(longText(['China,CHN,1960,1', 'China,CHN,1960,2']))],
    /row 3.*one value of CHN 1960.*row 2/,
  ],
  ['a short row', [gdp(longText(['China,CHN,1960']))], /row 2.*4 columns/],
  ['no country code', [gdp(longText(['China,China,1960,1']))], /row 2.*country code/],
  [
    'two series in one wide file',
    [wide([...WIDE_ROWS, '"China","CHN","Population, total","SP.POP.TOTL","1","2",'])],
    /row 9.*ny\.gdp\.mktp\.cd/,
  ],
  [
    'a wide column that is not a year',
    [wide(WIDE_ROWS, WIDE_HEAD.replace('1961', 'Mean'))],
    /row 5.*a year.*"Mean"/,
  ],
  [
    'a wide column of values without a heading',
    [wide(WIDE_ROWS, WIDE_HEAD.replace('"1961"', '""'))],
    /row 5.*a year.*blank/,
  ],
  ['a package that is not JSON', [gdp(), textFile('ny.gdp.mktp.cd/datapackage.json', '{')], /JSON/],
  [
    'the name of a country in scope next to another code',
    [gdp(longText(['Myanmar,BUR,1960,1']))],
    /data\.csv: row 2.*MMR, the code of "Myanmar".*"BUR"/,
  ],
  [
    'the same in the wide form',
    [wide([...WIDE_ROWS, '"Burma","BUR","GDP (current US$)","NY.GDP.MKTP.CD","1","2",'])],
    /row 9.*MMR, the code of "Burma".*"BUR"/,
  ],
  [
    'a package without a file',
    [gdp(), packaged('sp.pop.totl', 'Population, total', 'downloads')],
    /downloads\/datapackage\.json: the files.*the long CSV file of its folder/,
  ],
  [
    'a package next to a wide file, which names itself',
    [wide(), packaged('ny.gdp.mktp.cd', 'GDP (current US$)', 'wdi')],
    /wdi\/datapackage\.json: the files.*the long CSV file of its folder/,
  ],
  [
    'more than the whole population',
    [gdp(longText(['China,CHN,1960,100.5']), 'eg.elc.accs.zs')],
    /row 2 column Value: expected a number, % of population; found "100\.5"/,
  ],
  [
    'more victims than people',
    [gdp(longText(['China,CHN,1960,100001']), 'vc.ihr.psrc.p5')],
    /row 2 column Value: expected a number, per 100,000 people/,
  ],
  ['no file at all', [], /one CSV file or more/],
];

test.each(REFUSALS)('[IMPORT-REFUSES] refuses %s', (_, files, message) => {
  expect(() => read(...files)).toThrow(message);
});

test('[IMPORT-SAME] the same files give the same bytes in whatever order they come', () => {
  const [one, two] = [gdp(), gdp(longText(), 'sp.pop.totl')];
  const [first, second] = [read(one, two), read(two, one)].map(({ dataset }) => datasetFiles(dataset));
  expect(first?.['records.csv'].toString()).toBe(second?.['records.csv'].toString());
  expect(first?.['datapackage.json'].toString()).toBe(second?.['datapackage.json'].toString());
});

test('the known series are twenty, with copies of their own', () => {
  expect(Object.keys(NATIONAL.series).length).toBe(20);
  const editions = Object.values(NATIONAL.sources['table']?.editions ?? {});
  expect(editions.flatMap(({ copies = [] }) => copies).length).toBe(21);
});

test('the command line hands over the folder, so files named alike stay apart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'national-'));
  try {
    for (const id of ['sp.pop.totl', 'ny.gdp.mktp.cd']) {
      mkdirSync(join(folder, id));
      writeFileSync(join(folder, id, 'data.csv'), longText());
    }
    const files = ['sp.pop.totl', 'ny.gdp.mktp.cd'].map((id) => join(folder, id, 'data.csv'));
    const datasets = join(folder, 'datasets');
    const printed = runImport({ family: 'national-indicators', files, datasets, ...OPTIONS }, '2026-11-22');
    expect(printed[0]).toBe('national-indicators: 12 rows read, 8 kept');
    const records = readFileSync(join(datasets, 'national-indicators', '2026-01', 'records.csv'), 'utf8');
    expect(records.split('\n').length).toBe(10);
    expect(printed.join()).not.toContain('lacks');
    writeFileSync(files[1] ?? '', longText(LONG_ROWS.slice(0, -3)));
    const later = { retrieved: '2026-03-31', edition: '2026-02' };
    const fewer = { family: 'national-indicators', files: files.slice(1), datasets, ...later };
    expect(runImport(fewer, '2026-11-22').filter((text) => text.includes('lacks'))).toEqual([
      '  lacks indicators that edition 2026-01 has: sp.pop.totl',
      '  lacks periods that edition 2026-01 has: 1962',
      '  lacks places of ny.gdp.mktp.cd that edition 2026-01 has: MMR, PAK',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
