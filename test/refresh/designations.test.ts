/** Designations: who left the list is found by comparing lists, counted, and named nowhere. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, type Ran } from '../_support/command-line.ts';
import { startPublisher, type Publisher } from '../_support/publisher.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { sent } from './fixture.ts';

const folder = temporaryFolder();
const datasets = join(folder, 'datasets');
const [UNDATED, DATED] = ['withdrawn.csv', 'withdrawn-2024-01-10.csv'].map((name) => join(folder, name)) as [
  string,
  string,
];
let publisher: Publisher;
beforeAll(async () => {
  publisher = await startPublisher();
  mkdirSync(datasets);
  for (const name of [UNDATED, DATED]) writeFileSync(name, 'entity_number\n10003\n');
});
afterAll(() => publisher.close());

const NAMES = [...'ABCDEFGHIJKLMNOPQRSTUVWX'].map((letter) => `EXAMPLE TRADING COMPANY ${letter.repeat(3)}`);

/** The list without these entities, on a day; its addresses are of that day or a later one. */
function publish(day: string, gone: number[], addresses = day): void {
  const listed = NAMES.map((name, place) => ({ name, number: 10_000 + place })).filter(
    ({ number }) => !gone.includes(number),
  );
  const ended = (lines: string[]): string => `${lines.join('\r\n')}\r\n\u001a`;
  const nulls = ',-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ';
  const sdn = ended(listed.map(({ name, number }) => `${number},"${name}",-0- ,"SDNTK"${nulls}`));
  const add = ended(listed.map(({ number }) => `${number},1,-0- ,-0- ,"Mexico",-0- `));
  publisher.on('/ofac/downloads/sdn.csv', sent(sdn, day));
  publisher.on('/ofac/downloads/add.csv', sent(add, addresses));
}

const refresh = (...words: string[]): Promise<Ran> => refreshIn(datasets, ...words);
const refreshIn = (where: string, ...words: string[]): Promise<Ran> =>
  run([
    'refresh',
    'ofac',
    '--apply',
    '--datasets',
    where,
    '--cache',
    join(folder, 'cache'),
    '--base',
    `ofac=${publisher.origin}`,
    ...words,
  ]);
const place = join(datasets, 'designations');
const editions = (): string[] => readdirSync(place).filter((name) => !name.includes('.'));
const everything = (): string =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : []))
    .join('\n');

test('[REFRESH-EDITIONS] without a packaged list the withdrawn numbers are needed', async () => {
  publish('01-10', []);
  const { status, stdout } = await refresh();
  expect(status).toBe(50);
  expect(stdout).toMatch(/refused: .*the numbers withdrawn since \(withdrawn\.csv\)/);
  expect((await refresh('--with', DATED)).status).toBe(10);
  expect(editions()).toEqual(['2024-01-10']);
});

test('[REFRESH-EDITIONS] a file is dated by its own last change, never by that of another', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  publish('01-10', [], '01-12');
  const undated = await refreshIn(other, '--with', UNDATED);
  expect([undated.status, undated.stdout]).toEqual([
    50,
    expect.stringMatching(/withdrawn\.csv: the edition/),
  ]);
  expect((await refreshIn(other, '--with', DATED)).status).toBe(10);
  const written = readFileSync(join(other, 'designations', '2024-01-10', 'datapackage.json'), 'utf8');
  const { sources } = JSON.parse(written) as { sources: { id: string; dated: string }[] };
  expect(sources.map(({ id, dated }) => `${id} ${dated}`)).toEqual([
    'ofac-sdn 2024-01-10',
    'ofac-add 2024-01-12',
    'ofac-withdrawn 2024-01-10',
  ]);
});

test('[REFRESH-EDITIONS] who has left the list is counted and named nowhere', async () => {
  publish('06-12', [10_003, 10_004, 10_005]);
  const { status, stdout } = await refresh();
  expect(status).toBe(10);
  expect(stdout).toMatch(
    /designations: new-edition: 2024-01-10 -> 2024-06-12: 21 same, 0 changed, 0 added, 2 withdrawn; written/,
  );
  expect(editions()).toEqual(['2024-06-12']);
  expect(everything()).toContain('"withheldAfterWithdrawal": 2');
  for (const name of [NAMES[3], NAMES[4], NAMES[5]]) expect(everything()).not.toContain(name);
  for (const number of ['10003', '10004', '10005']) expect(everything()).not.toContain(number);
});

test('[REFRESH-GATES] a list older than the packaged one is refused: it would name who has left', async () => {
  publish('03-01', []);
  const { status, stdout } = await refresh();
  expect([status, editions()]).toEqual([50, ['2024-06-12']]);
  expect(stdout).toMatch(/one later than 2024-06-12, the packaged one/);
  expect(everything()).not.toContain(NAMES[3]);
});
