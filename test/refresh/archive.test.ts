/** Series that their publisher sends as zip archives, each with files about the data next to the data. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFamily } from '../../build/import/family.ts';
import { run, type Ran } from '../_support/command-line.ts';
import { file, startPublisher, type Publisher } from '../_support/publisher.ts';
import { temporaryFolder } from '../_support/tree.ts';

const FAMILY = 'national-indicators';
const SERIES = Object.entries(readFamily(FAMILY).series);

let publisher: Publisher;
const datasets = join(temporaryFolder(), 'datasets');
const cache = join(temporaryFolder(), 'cache');
beforeAll(async () => {
  publisher = await startPublisher();
  mkdirSync(datasets);
});
afterAll(() => publisher.close());

/** A series in the shape of the publisher's download. */
function series(code: string, title: string, value: number): string {
  const row = (country: string, iso3: string): string =>
    `"${country}","${iso3}","${title}","${code}","${value}","${value + 1}",`;
  const head = '"Country Name","Country Code","Indicator Name","Indicator Code","2021","2022",';
  const lines = [head, row('China', 'CHN'), row('Myanmar', 'MMR'), row('Pakistan', 'PAK')];
  const preamble = [
    '"Data Source","World Development Indicators",',
    '',
    '"Last Updated Date","2024-06-28",',
    '',
  ];
  return `\uFEFF${[...preamble, ...lines].join('\r\n')}\r\n`;
}

/** A zip archive of these files. */
function zip(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    return { name: Buffer.from(name), packed, facts };
  });
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, packed, facts } of entries) {
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, name, packed);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, place, name);
    at += 4 + facts.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

function send(change: (archive: Buffer, code: string) => Buffer = (archive) => archive): void {
  for (const [id, title] of SERIES) {
    const code = id.toUpperCase();
    const archive = zip({
      [`Metadata_Country_API_${code}_DS2_en_csv_v2_1.csv`]: '"Country Code","Region",\r\n',
      [`API_${code}_DS2_en_csv_v2_1.csv`]: series(code, title, 5),
    });
    const headers = { 'content-type': 'application/zip' };
    publisher.on(`/v2/en/indicator/${code}?downloadformat=csv`, file(change(archive, code), headers));
  }
}

const refresh = (...words: string[]): Promise<Ran> =>
  run([
    'refresh',
    FAMILY,
    '--datasets',
    datasets,
    '--cache',
    cache,
    '--base',
    `${FAMILY}=${publisher.origin}`,
    ...words,
  ]);

test('[REFRESH-EDITIONS] the data files of all archives together are an edition, and then unchanged', async () => {
  send();
  const { status, stdout } = await refresh('--apply');
  expect([status, stdout.trim().split('\n').at(-1)]).toEqual([
    10,
    expect.stringContaining(`2024-06-28, the first edition: ${SERIES.length * 6} values; written`),
  ]);
  const again = await refresh();
  expect([again.status, again.stdout.match(/: unchanged: the file of edition 2024-06-28/g)?.length]).toEqual([
    0,
    SERIES.length,
  ]);
});

test('[REFRESH-OUTCOMES] an archive given by hand is read as one that was sent', async () => {
  const [[id, title] = ['', '']] = SERIES;
  const name = `API_${id.toUpperCase()}_DS2_en_csv_v2_1.csv`;
  const path = join(temporaryFolder(), 'series.zip');
  writeFileSync(path, zip({ 'Metadata.csv': 'x\r\n', [name]: series(id.toUpperCase(), title, 5) }));
  const { status, stdout } = await refresh('--file', path);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${name}: unchanged: the file of edition`)]);
});

test('[REFRESH-OUTCOMES] a later edition that lacks one of the series is doubted, however few values that are', async () => {
  const folder = temporaryFolder();
  const files = SERIES.slice(1).flatMap(([id, title]) => {
    const path = join(folder, `${id}.csv`);
    writeFileSync(path, series(id.toUpperCase(), title, 5).replace('2024-06-28', '2024-12-20'));
    return ['--file', path];
  });
  const { status, stdout } = await refresh('--apply', ...files);
  expect([status, stdout.trim().split('\n').at(-1)]).toEqual([
    52,
    expect.stringContaining(`2024-06-28 -> 2024-12-20: ${SERIES[0]?.[0]}: no value any more; if it is right`),
  ]);
});

test('[REFRESH-OUTCOMES] an archive that is damaged, or without the data file, stops its family alone', async () => {
  const [first = '', second = ''] = SERIES.map(([id]) => id.toUpperCase());
  send((archive, code) => {
    const at = archive.lastIndexOf('PK\u0003\u0004', undefined, 'latin1') + 100;
    if (code === first) archive.writeUInt8(archive.readUInt8(at) ^ 0xff, at);
    return code === second ? zip({ 'readme.txt': 'no data\n' }) : archive;
  });
  const { status, stdout } = await refresh('--apply');
  expect(status).toBe(50);
  expect(stdout).toMatch(new RegExp(`wdi-${first.toLowerCase()}: truncated: `));
  expect(stdout).toMatch(new RegExp(`wdi-${second.toLowerCase()}: refused: 0 files called`));
  expect(readdirSync(join(datasets, FAMILY)).sort()).toEqual(['2024-06-28', 'vocabulary.csv']);
});
