/** The closed list of labels: what is not a line of vocabulary.csv stops the build with its row, whatever it is. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport } from '../../build/refresh/editions.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { words } from '../_support/words.ts';
import { descriptor, findingsOf, firstRow, rulesOf } from './gate-door.ts';

const OPIUM = 'opium-cultivation';
const INDEX = 'organized-crime-index';

test('[GATES] a label outside the list stops the build with its row, and the finding says what to do', () => {
  expect(findingsOf(OPIUM, { 'records.csv': firstRow({ category: 'Net area' }) })).toEqual([
    {
      file: 'datasets/opium-cultivation/2025-06/records.csv',
      row: 2,
      rule: 'vocabulary',
      message:
        'category "Net area" is not in datasets/opium-cultivation/vocabulary.csv; a new label is a reviewed line of that file',
    },
  ]);
});

test('[GATES] a label of many rows is one finding, at its first row', () => {
  const findings = findingsOf(OPIUM, { 'records.csv': (text) => text.replaceAll(',hectares,', ',acres,') });
  expect(findings.map(({ row, rule }) => [row, rule])).toEqual([[2, 'vocabulary']]);
  expect(findings[0]?.message).toContain('(120 times, first here)');
});

test.each<[string, string, Record<string, string>]>([
  ['a unit of another indicator', 'drug-prices', { unit: 'Kilograms' }],
  ['grams for hectares', OPIUM, { unit: 'grams' }],
  ['no unit', OPIUM, { unit: '' }],
  ['a group in a table without groups', OPIUM, { group: 'Opiates' }],
  ['another spelling', 'arms', { category: 'Unknown Status' }],
  ['a month in an annual table', OPIUM, { period: '2010-01' }],
  ['a country under another name', INDEX, { country: 'Kabul' }],
  ['a country of the world that the table does not have', INDEX, { iso3: 'ATA' }],
  ['a country of no list', 'designations', { countries: 'Atlantis' }],
  ['an address as a country', 'designations', { countries: '12 Main St, Mexico City' }],
])('[GATES] %s is outside the list', (_name, id, cells) => {
  const findings = findingsOf(id, { 'records.csv': firstRow(cells) });
  const file = expect.stringMatching(new RegExp(`^datasets/${id}/[0-9-]+/records\\.csv$`)) as unknown;
  expect(findings).toContainEqual(expect.objectContaining({ file, row: 2, rule: 'vocabulary' }));
});

test('[GATES] a geography that only the descriptor has is outside the list', () => {
  const change = descriptor(({ geographies }) =>
    geographies.push({ code: 'x-tepito', name: 'Tepito', level: 'subnational' }),
  );
  expect(findingsOf(OPIUM, { 'datapackage.json': change })).toEqual([
    expect.objectContaining({
      file: 'datasets/opium-cultivation/2025-06/datapackage.json',
      rule: 'vocabulary',
    }),
  ]);
});

test('[GATES] a geography under another name or level is outside the list, at the first of its rows', () => {
  const change = descriptor(({ geographies }) => Object.assign(geographies[0] ?? {}, { name: 'Helmand' }));
  expect(findingsOf(OPIUM, { 'datapackage.json': change })).toEqual([
    expect.objectContaining({
      file: 'datasets/opium-cultivation/2025-06/records.csv',
      row: 2,
      rule: 'vocabulary',
    }),
  ]);
});

describe('[GATES] periods', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['a year to come', OPIUM, { period: '2150' }, 'period'],
    ['a year after the edition', OPIUM, { period: '2026' }, 'period'],
    ['a year before any table', OPIUM, { period: '1899' }, 'period'],
    ['a year with a digit before it', OPIUM, { period: '12010' }, 'period'],
    ['a year with a digit after it', OPIUM, { period: '20100' }, 'period'],
    ['a month after the edition', OPIUM, { period: '2025-07' }, 'period'],
    ['a year of an atlas before any table', 'firearms-tracing', { year: '1899' }, 'year'],
    ['a part of a year', 'firearms-tracing', { year: '2018.5' }, 'year'],
    ['a year of an atlas after its edition', 'firearms-tracing', { year: '2026' }, 'year'],
    ['a year between two editions of the index', INDEX, { year: '2022' }, 'year'],
    ['a year before the index', INDEX, { year: '2019' }, 'year'],
  ])('%s is refused', (_name, id, cells, rule) => {
    const findings = findingsOf(id, { 'records.csv': firstRow(cells) });
    expect(findings).toContainEqual(expect.objectContaining({ row: 2, rule }));
  });
});

test('[GATES] a score that an edition assessed is never blank', () => {
  const blank = (text: string): string =>
    text.replace(/^(AFG,Afghanistan,2023,.*,)[\d.]+(,.*)$/m, (_line, before, after) => `${before}${after}`);
  expect(rulesOf(findingsOf(INDEX, { 'records.csv': blank }))).toEqual(['known-gap']);
});

describe('[GATES] vocabulary.csv', () => {
  const add = (line: string) => (text: string) => `${text}${line}\n`;
  const row = readFileSync('datasets/opium-cultivation/vocabulary.csv', 'utf8').split('\n').length;

  test('lets through the label of a line that was added', () => {
    const changes = {
      'records.csv': firstRow({ category: 'Net area' }),
      'vocabulary.csv': add('category,Net area,,,'),
    };
    expect(findingsOf(OPIUM, changes)).toEqual([]);
  });

  test('may have lines that no row uses', () => {
    expect(findingsOf(OPIUM, { 'vocabulary.csv': add('category,Net area,,,') })).toEqual([]);
  });

  test.each(
    words(
      'A\u202eB A\u200bB A\u3164B A\u2800B A\u034FB A\uFE0FB A\u17B4B <b> \uff1cb\uff1e &lt;b&gt; \u0440urity \u0585pium &#112urity \u0663\u0664',
    ),
  )('cannot accept %j', (label) => {
    expect(findingsOf(OPIUM, { 'vocabulary.csv': add(`category,${label},,,`) })).toEqual([
      expect.objectContaining({
        file: 'datasets/opium-cultivation/vocabulary.csv',
        row,
        rule: 'vocabulary-line',
      }),
    ]);
  });

  test('cannot accept a text that is too long for a label', () => {
    const findings = findingsOf(OPIUM, { 'vocabulary.csv': add(`category,${'a'.repeat(201)},,,`) });
    expect(rulesOf(findings)).toEqual(['vocabulary-line']);
  });

  test.each([
    ['missing columns', () => 'field,value\n'],
    ['other bytes than UTF-8', () => Buffer.from([0xff, 0x0a])],
    ['nothing', () => ''],
    ['no line below its columns', (text: string) => `${text.split('\n')[0]}\n\n`],
  ])('with %s is refused, and no label besides', (_name, change) => {
    expect(findingsOf(OPIUM, { 'vocabulary.csv': change })).toEqual([
      expect.objectContaining({
        file: 'datasets/opium-cultivation/vocabulary.csv',
        rule: 'list-readable',
      }),
    ]);
  });
});

describe('[IMPORT-REFUSES] an import', () => {
  const HEAD =
    'ref_area.label,source.label,indicator.label,sex.label,time,obs_value,obs_status.label,note_indicator.label,note_source.label';
  const row = (country: string, source: string): string =>
    `${country},${source},Informal employment rate by sex (%),Sex: Total,2021,90.2,,,`;

  /** A folder of datasets and how to import rows into it. */
  function workshop() {
    const datasets = temporaryFolder();
    const file = join(datasets, 'ilo.csv');
    const list = join(datasets, 'informal-employment/vocabulary.csv');
    return {
      list,
      read: () => readFileSync(list, 'utf8'),
      records: () => readFileSync(join(datasets, 'informal-employment/2026-01-31/records.csv'), 'utf8'),
      run(rows: string[], acceptLabels = false): string {
        mkdirSync(datasets, { recursive: true });
        writeFileSync(file, [HEAD, ...rows, ''].join('\r\n'));
        const request = {
          family: 'informal-employment',
          files: [file],
          datasets,
          retrieved: '2026-01-31',
          edition: '2026-01-31',
        };
        return runImport({ ...request, acceptLabels }, '2026-11-22').join('\n');
      },
    };
  }

  test('writes the list of a dataset that has none, sorted, and says so', () => {
    const { run, read, list } = workshop();
    expect(run([row('Angola', 'LFS')])).toContain(`${list}: created with 7 labels`);
    expect(read()).toBe(
      [
        'field,value,name,level,indicator',
        'category,Sex: Total,,,',
        'geoCode,AGO,Angola,country,',
        'group,,,,',
        'indicatorId,nifl,,,',
        'period,YYYY,,,',
        'subgroup,LFS,,,',
        'unit,%,,,nifl',
        '',
      ].join('\n'),
    );
  });

  test('with a new label is refused with the label, and nothing is written', () => {
    const { run, records } = workshop();
    run([row('Angola', 'LFS')]);
    const before = records();
    expect(() => run([row('Angola', 'Reinheit 80')])).toThrow(
      /1 new; review them, then import again with --accept-labels:\n {2}subgroup "Reinheit 80"/,
    );
    expect(records()).toBe(before);
  });

  test('with a new label that is accepted adds a line and prints it', () => {
    const { run, read, list } = workshop();
    run([row('Angola', 'LFS')]);
    expect(run([row('Angola', 'HS')], true)).toContain(`${list}: new, for review: subgroup "HS"`);
    expect(read()).toContain('subgroup,HS,,,\nsubgroup,LFS,,,\n');
  });

  test('with a country of the tables adds it by itself and prints it', () => {
    const { run, read } = workshop();
    run([row('Angola', 'LFS')]);
    expect(run([row('India', 'LFS')])).toContain('new, for review: geoCode "IND" ("India", country)');
    expect(read()).toContain('geoCode,IND,India,country,\n');
  });

  test('never takes what cannot be a label, accepted or not', () => {
    const { run } = workshop();
    expect(() => run([row('Angola', 'A\u202eB')], true)).toThrow(/subgroup .*: it holds a control/);
  });
});
