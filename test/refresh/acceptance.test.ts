/** Doubts about a dataset of several files: each is about some of them, and only these can be accepted for it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import { run, type Ran } from '../_support/command-line.ts';
import { temporaryFolder } from '../_support/tree.ts';

const GDP = 'GDP (current US$)';
const POPULATION = 'Population, total';
const COUNTRIES = { China: 'CHN', Myanmar: 'MMR', Pakistan: 'PAK' };

let folder: string;
let datasets: string;
beforeEach(async () => {
  folder = temporaryFolder();
  datasets = join(folder, 'datasets');
  mkdirSync(datasets);
  const files = [series(GDP, 'NY.GDP.MKTP.CD', 2021), series(POPULATION, 'SP.POP.TOTL', 2021)];
  await refresh(files);
});

/** A series from 2019 to a year as the World Bank gives it; its file was last changed in December of that year. */
function series(title: string, code: string, last: number, factor = 1): string {
  const years = [...Array(last - 2018).keys()].map((at) => 2019 + at);
  const line = (cells: (string | number)[]): string => `${cells.map((cell) => `"${cell}",`).join('')}\r\n`;
  const rows = Object.entries(COUNTRIES).map(([name, iso3], at) =>
    line([name, iso3, title, code, ...years.map((year) => (year + 100 * at) * factor)]),
  );
  const text = [
    line(['Data Source', 'World Development Indicators']),
    line(['Last Updated Date', `${last}-12-18`]),
    line(['Country Name', 'Country Code', 'Indicator Name', 'Indicator Code', ...years]),
    ...rows,
  ];
  const path = join(folder, `API_${code}_DS2_en_csv_v2.csv`);
  writeFileSync(path, text.join('\r\n'));
  return path;
}

const refresh = (files: string[], ...words: string[]): Promise<Ran> =>
  run([
    'refresh',
    'national-indicators',
    '--apply',
    '--datasets',
    datasets,
    '--cache',
    join(folder, 'cache'),
    ...files.flatMap((file) => ['--file', file]),
    ...words,
  ]);
const accepting = (files: string[], ...hashes: string[]): Promise<Ran> =>
  refresh(files, ...hashes.flatMap((hash) => ['--accept', hash]), '--reason', 'Rebased');
const hashOf = (file: string): string => sha256(readFileSync(file));
const hint = ({ stdout }: Ran): string[] =>
  [...stdout.matchAll(/--accept ([0-9a-f]{64})/g)].map(([, hash = '']) => hash);
const editions = (): string[] =>
  readdirSync(join(datasets, 'national-indicators'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
const accepted = (): Record<string, unknown> => {
  const path = join(datasets, 'national-indicators', '2022-12-18', 'datapackage.json');
  const { sources } = JSON.parse(readFileSync(path, 'utf8')) as {
    sources: { id: string; accepted?: unknown }[];
  };
  return Object.fromEntries(sources.map((source) => [source.id, source.accepted]));
};

test('[REFRESH-GATES] of several new files the one in doubt is named, and no other accepts it', async () => {
  const [gdp, population] = [
    series(GDP, 'NY.GDP.MKTP.CD', 2022),
    series(POPULATION, 'SP.POP.TOTL', 2022, 0.001),
  ];
  const doubted = await refresh([gdp, population]);
  expect([doubted.status, hint(doubted)]).toEqual([52, [hashOf(population)]]);
  expect((await accepting([gdp, population], hashOf(gdp))).status).toBe(52);
  expect(editions()).toEqual(['2021-12-18']);
  expect((await accepting([gdp, population], hashOf(population))).status).toBe(10);
  expect(editions()).toEqual(['2021-12-18', '2022-12-18']);
  expect(accepted()).toEqual({
    'wdi-ny.gdp.mktp.cd': undefined,
    'wdi-sp.pop.totl': {
      sha256: hashOf(population),
      reason: 'Rebased',
      doubts: [
        expect.stringContaining('9 of 18 values have changed'),
        expect.stringContaining('the values of sp.pop.totl are 0.00100 times'),
      ],
    },
  });
});

test('[REFRESH-GATES] a doubt about each of two files needs both', async () => {
  const files = [series(GDP, 'NY.GDP.MKTP.CD', 2022, 1000), series(POPULATION, 'SP.POP.TOTL', 2022, 0.001)];
  const hashes = files.map(hashOf);
  expect(hint(await refresh(files))).toEqual(hashes);
  for (const hash of hashes) expect((await accepting(files, hash)).status).toBe(52);
  expect((await accepting(files, ...hashes)).status).toBe(10);
  expect(accepted()).toMatchObject({
    'wdi-ny.gdp.mktp.cd': { doubts: [/changed/, /ny\.gdp/].map((text) => expect.stringMatching(text)) },
    'wdi-sp.pop.totl': { doubts: [/changed/, /sp\.pop/].map((text) => expect.stringMatching(text)) },
  });
});

test('[REFRESH-GATES] a series whose file was not given: any new file stands for it', async () => {
  const gdp = series(GDP, 'NY.GDP.MKTP.CD', 2022);
  const doubted = await refresh([gdp]);
  expect([doubted.status, hint(doubted)]).toEqual([52, [hashOf(gdp)]]);
  expect(doubted.stdout).toContain('sp.pop.totl: no value any more');
  expect((await accepting([gdp], hashOf(gdp))).status).toBe(10);
});
