/** Rows, columns, numbers and dates: malformed or missing evidence is a finding, never a dataset of zeros or of nothing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDatasets } from '../../build/check/check.ts';
import { isCalendarDate } from '../../build/lib/clock.ts';
import { loadDatasets } from '../../build/load/datasets.ts';
import { parseNumber } from '../../build/load/row.ts';
import { realEffects } from '../../build/write/effects.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { descriptor, findingsOf, firstRow, rulesOf } from './gate-door.ts';
import { words } from '../_support/words.ts';

const IDS = ['opium-cultivation', 'organized-crime-index', 'designations'];

describe('[GATES] [MARKETS-NULL] records.csv', () => {
  test.each(IDS)('of %s without a byte is refused, for its columns and its rows', (id) => {
    const findings = findingsOf(id, { 'records.csv': () => '' });
    expect(rulesOf(findings)).toEqual(['columns', 'rows-present']);
    expect(findings[0]?.file).toMatch(new RegExp(`^datasets/${id}/[0-9-]+/records\\.csv$`));
  });

  test.each(IDS)('of %s with nothing but its header is refused', (id) => {
    const header = (text: string): string => `${text.split('\n')[0]}\n`;
    expect(rulesOf(findingsOf(id, { 'records.csv': header }))).toEqual(['rows-present']);
  });

  test.each<[string, (text: string) => string | Buffer, string]>([
    ['a missing column', (text) => text.replace('upper', 'uppermost'), 'column "upper" is missing'],
    ['an unknown column', (text) => text.replace('upper', 'uppermost'), 'column "uppermost" is unknown'],
    ['a column twice', (text) => text.replace('upper', 'lower'), 'column "lower" is duplicated'],
    ['a blank header', (text) => `\n\n${text.slice(text.indexOf('\n') + 1)}`, 'column "value" is missing'],
  ])('with %s is refused', (_name, change, message) => {
    const findings = findingsOf('opium-cultivation', { 'records.csv': change });
    expect(findings.map((finding) => finding.message).join('\n')).toContain(message);
    expect(findings.every(({ rule, row }) => rule === 'columns' && row === 1)).toBe(true);
  });

  test('in other bytes than UTF-8 is refused, not repaired', () => {
    const latin = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.from([0xe9, 0x0a])]);
    const [finding] = findingsOf('opium-cultivation', { 'records.csv': latin });
    expect(finding?.message).toBe('records.csv is not valid UTF-8');
  });

  test('has the columns its descriptor describes', () => {
    const findings = findingsOf('opium-cultivation', {
      'datapackage.json': descriptor(({ resources }) => resources[0]?.schema.fields.pop()),
    });
    expect(rulesOf(findings)).toEqual(['stated']);
  });
});

describe('[GATES] numbers', () => {
  test.each([
    ['0', 0],
    ['-5674000000', -5674000000],
    ['1.50', 1.5],
    ['1e3', 1000],
    ['1E-7', 1e-7],
    ['42.032562255859375', 42.032562255859375],
    ['9007199254740991', 9007199254740991],
    ['0.00', 0],
    ['5e-324', 5e-324],
  ])('%s is the number it says', (text, number) => {
    expect(parseNumber(text)).toBe(number);
  });

  test.each([
    ...words(`1e-400 9007199254740993 9007199254740992 1e22 1e999 0.1000000000000000055511151231257827
      123456789.123456789123 -0 1e-324 007 +1 .5 5. 0x10`),
    ' 1',
    '1,5',
    'NaN',
    'Infinity',
    '١',
  ])('%s is refused: it is not a number, or JSON would print another', (text) => {
    expect(typeof parseNumber(text)).toBe('string');
    expect(rulesOf(findingsOf('opium-cultivation', { 'records.csv': firstRow({ value: text }) }))).toContain(
      'number',
    );
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['a quantity', 'opium-cultivation', { value: '-1' }, 'not-negative'],
    ['a bound', 'opium-cultivation', { lower: '-1' }, 'not-negative'],
    ['a count', 'firearms-tracing', { 'found.unique_total': '-1' }, 'not-negative'],
    ['a score', 'organized-crime-index', { criminality: '-1' }, 'not-negative'],
  ])('%s below zero is refused', (_name, id, cells, rule) => {
    expect(rulesOf(findingsOf(id, { 'records.csv': firstRow(cells) }))).toContain(rule);
  });

  test('a wrong number is a finding of every row that has it', () => {
    const twice = (text: string): string =>
      text.replace(/^(opium-cultivation,AFG,,,,201[01]),\d+/gm, '$1,many');
    const findings = findingsOf('opium-cultivation', { 'records.csv': twice });
    expect(findings.filter(({ rule }) => rule === 'number').map(({ row }) => row)).toEqual([2, 3]);
  });

  test('a balance below zero stays: the context is not a quantity of a market', () => {
    expect(findingsOf('national-indicators', { 'records.csv': firstRow({ value: '-12.5' }) })).toEqual([]);
  });
});

describe('[GATES] the first row', () => {
  test.each<[id: string, cells: Record<string, string>, rules: string[]]>([
    ['opium-cultivation', { value: '0.5', lower: '0', upper: '1' }, []],
    ['organized-crime-index', { criminality: '10', 'markets.average': '1' }, []],
    ['organized-crime-index', { criminality: '10.1' }, ['scale']],
    ['organized-crime-index', { criminality: '0.9' }, ['scale']],
    ['organized-crime-index', { country: '' }, ['country', 'vocabulary']],
    ['designations', { sanctions_entity_number: '1.5' }, ['entity-number']],
    ['designations', { name: ' ' }, ['name']],
    ['designations', { countries: 'Italy|Italy' }, ['repeated']],
  ])('of %s with %j breaks %j', (id, cells, rules) => {
    expect(rulesOf(findingsOf(id, { 'records.csv': firstRow(cells) }))).toEqual(rules);
  });
});

describe('[GATES] dates', () => {
  test.each(['2024-02-29', '2000-02-29', '2026-12-31', '2024-06'])('%s is a date', (date) => {
    expect(isCalendarDate(date)).toBe(true);
  });

  test.each([...words(`2027-02-30 2023-02-29 1900-02-29 2024-04-31 2024-13 2024-00-10 2024-01-00`), ''])(
    '%s is not a date',
    (date) => {
      expect(isCalendarDate(date)).toBe(false);
    },
  );

  test.each(['dated', 'retrievedAt'])('a source whose %s is not a date is refused', (member) => {
    const change = descriptor(({ sources }) => Object.assign(sources[0] ?? {}, { [member]: '2027-02-30' }));
    expect(rulesOf(findingsOf('opium-cultivation', { 'datapackage.json': change }))).toEqual(['date']);
  });

  test('a source of this month that was retrieved today is not of the future', () => {
    const today = { dated: '2026-11', retrievedAt: '2026-11-22' };
    const change = descriptor(({ sources }) => Object.assign(sources[0] ?? {}, today));
    expect(rulesOf(findingsOf('opium-cultivation', { 'datapackage.json': change }))).not.toContain('date');
  });

  test('a clock that is behind the copies on record stops nothing', () => {
    expect(findingsOf('designations', {}, '2020-01-01')).toEqual([]);
  });

  test('a list of a later day than today is refused', () => {
    const change = descriptor((value) => Object.assign(value, { listDate: '2026-11-23' }));
    const findings = findingsOf('designations', { 'datapackage.json': change });
    expect(findings.map(({ message }) => message)).toEqual([
      'listDate is in the future: 2026-11-23; if it is not, the clock of this machine is behind',
    ]);
  });

  test('a descriptor that lacks a member is one finding', () => {
    const change = descriptor((value) => delete value['listDate']);
    const findings = findingsOf('designations', { 'datapackage.json': change });
    expect(findings.map(({ message }) => message)).toEqual([
      'the descriptor must have required property \'listDate\' {"missingProperty":"listDate"}',
    ]);
  });

  test('a list whose date is not a date is refused', () => {
    const change = descriptor((value) => Object.assign(value, { listDate: '2023-11-31' }));
    expect(rulesOf(findingsOf('designations', { 'datapackage.json': change }))).toEqual(['date']);
  });
});

describe('[GATES] editions', () => {
  const reading = (folders: string[], read = realEffects().read): ReturnType<typeof loadDatasets> =>
    loadDatasets('datasets', {
      read,
      folders: (path) => (path === 'datasets' ? ['designations'] : folders),
    });

  test('of designations there is one: an earlier one names who has left the list', () => {
    const earlier = (path: string): string => path.replace('2023-11-29', '2023-12-29');
    const { datasets, findings } = reading(['2023-11-29', '2023-12-29'], (path) => {
      const bytes = realEffects().read(earlier(path));
      const isEarlier = path !== earlier(path);
      return bytes && isEarlier ? Buffer.from(String(bytes).replaceAll('2023-12-29', '2023-11-29')) : bytes;
    });
    const found = [...findings, ...checkDatasets(datasets, '2026-11-22')];
    expect(found.map(({ rule, file }) => [rule, file])).toContainEqual([
      'one-list',
      'datasets/designations/2023-11-29/datapackage.json',
    ]);
  });

  test.each([
    [['2025-05', '2025-05-12'], []],
    [['2025-06', '2025-06-30'], ['2025-06-30']],
    [['2024-06', '2025-06', '2025-06-30'], ['2025-06-30']],
  ])('%j: no two count from the same day, or as_of reaches only one of them', (folders, refused) => {
    const { datasets } = loadDatasets('datasets', {
      read(path) {
        const { name = '' } = /\/(?<name>[\d-]+)\//.exec(path)?.groups ?? {};
        const bytes = realEffects().read(path.replace(`/${name}/`, '/2025-06/'));
        const dated = String(bytes).replaceAll('"dated": "2025-06"', `"dated": "${name}"`);
        return bytes && path.endsWith('datapackage.json') ? Buffer.from(dated) : bytes;
      },
      folders: (path) => (path === 'datasets' ? ['coca-cultivation'] : folders),
    });
    const found = checkDatasets(datasets, '2026-11-22').filter(({ rule }) => rule === 'one-day');
    expect(found.map(({ file, message }) => [file, message])).toEqual(
      refused.map((name) => [
        `datasets/coca-cultivation/${name}/datapackage.json`,
        expect.stringMatching(/^datasets\/coca-cultivation\/2025-06 counts from 2025-06-30 too/) as string,
      ]),
    );
  });

  test.each([
    [['2023-12-29.old'], ['rename 2023-12-29.old to 2023-12-29, or import again']],
    [['2023-12-29', '2023-12-29.old'], []],
    [[], ['a dataset needs a folder for each edition']],
  ])('%j', (folders, messages) => {
    const { findings } = reading(folders);
    expect(findings.map(({ message }) => message)).toEqual(
      messages.map((message) => expect.stringContaining(message) as string),
    );
  });

  test('an edition that an import left aside is seen', () => {
    const root = temporaryFolder();
    for (const name of ['2025-06.old', '2024-06', '2024-06.new']) mkdirSync(join(root, name));
    expect(realEffects().folders(root)).toEqual(['2024-06', '2025-06.old']);
  });

  test('a descriptor that is no object is said to be none', () => {
    const [finding] = findingsOf('designations', { 'datapackage.json': () => 'null' });
    expect(finding?.message).toBe('datapackage.json must be a JSON object');
  });
});
