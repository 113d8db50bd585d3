/** What a refresh makes of a file that a publisher sends well: editions, their order, the accidents that stop one, and acceptance. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../_support/command-line.ts';
import { AREAS, FAMILY, PATH, refreshing, sent, table, type Refreshing, type Table } from './fixture.ts';

let at: Refreshing;
beforeEach(async () => {
  at = await refreshing();
});
afterEach(() => at.publisher.close());

const descriptor = (edition: string) =>
  JSON.parse(at.files()[`${FAMILY}/${edition}/datapackage.json`] ?? '{}') as {
    sources: { refresh: { lastChecked: string }; accepted?: unknown; sha256: string }[];
  };

const YEARS = [2018, 2019, 2020, 2021, 2022];
const LATER = table({ years: [...YEARS, 2023] });

describe('[REFRESH-EDITIONS]', () => {
  test('without --apply a new edition is described and nothing is written', async () => {
    at.publisher.on(PATH, sent(LATER, '06-12'));
    const before = at.files();
    const { status, lines } = await at.refresh();
    expect(status).toBe(10);
    expect(lines).toEqual([
      expect.stringMatching(/ ilo-nifl: changed: sha256 [0-9a-f]{64}$/),
      expect.stringContaining(
        'informal-employment: new-edition: 2024-01-10 -> 2024-06-12: 50 same, 0 changed, 0 added, 0 withdrawn, 10 of new periods; not written',
      ),
    ]);
    expect(at.files()).toEqual(before);
  });

  test('places that a new edition lacks are named', async () => {
    const without = AREAS.filter((area) => area !== 'Peru');
    at.publisher.on(PATH, sent(table({ areas: without, years: [...YEARS, 2023] }), '06-12'));
    const { status, lines } = await at.refresh('--apply');
    expect([status, lines.at(-1)]).toEqual([
      10,
      expect.stringMatching(/; written; lacks places of nifl that edition 2024-01-10 has: PER$/),
    ]);
  });

  test('with --apply it gets a folder of its own, and the edition before stays byte for byte', async () => {
    at.publisher.on(PATH, sent(LATER, '06-12'));
    const before = at.files();
    const { status } = await at.refresh('--apply');
    expect([status, at.editions()]).toEqual([10, ['2024-01-10', '2024-06-12']]);
    expect(at.files()).toMatchObject(before);
  });

  test('the same file twice changes nothing, whoever sends it', async () => {
    at.publisher.on(PATH, sent(LATER, '06-12'));
    await at.refresh('--apply');
    const before = at.files();
    const [again, byHand] = [
      await at.refresh('--apply'),
      await at.refresh('--apply', '--file', saved(LATER)),
    ];
    expect([again.status, byHand.status]).toEqual([0, 0]);
    expect(at.files()).toEqual(before);
  });

  test('other bytes with the same values and date are no new edition', async () => {
    at.publisher.on(PATH, sent(table().replaceAll('"Angola"', 'Angola'), '01-10'));
    const { status, lines } = await at.refresh('--apply');
    expect([status, lines.at(-1)]).toEqual([
      0,
      expect.stringContaining('the same values as edition 2024-01-10'),
    ]);
    expect(at.editions()).toEqual(['2024-01-10']);
  });

  test('other values with the date of an edition that is there are not written', async () => {
    at.publisher.on(PATH, sent(LATER, '01-10'));
    const { status, lines } = await at.refresh('--apply');
    expect([status, lines.at(-1)]).toEqual([
      51,
      expect.stringMatching(/has an edition 2024-01-10 with other values; .* give it with --edition$/),
    ]);
    expect(at.editions()).toEqual(['2024-01-10']);
    expect((await at.refresh('--apply', '--edition', '2024-01-11')).status).toBe(10);
    expect(at.editions()).toEqual(['2024-01-10', '2024-01-11']);
  });

  test('a file that says the date of an edition itself is not to be given another one', async () => {
    const file = saved(LATER, 'EMP_NIFL_SEX_RT_A-20240110T1200.csv');
    const { status, lines } = await at.refresh('--apply', '--file', file);
    const [, advised] =
      /; this date is the file's own, .* with the hash of the file under editions in (\S+), since/.exec(
        lines.at(-1) ?? '',
      ) ?? [];
    expect([status, advised]).toEqual([51, `build/import/${FAMILY}.yaml`]);
    expect(existsSync(advised ?? '')).toBe(true);
    expect((await at.refresh('--apply', '--file', file, '--edition', '2024-01-11')).status).toBe(50);
    expect((await run(['import', FAMILY, file, '--datasets', at.datasets])).status).toBe(0);
    expect([at.editions(), at.files()[`${FAMILY}/2024-01-10/records.csv`]]).toEqual([
      ['2024-01-10'],
      expect.stringContaining('2023'),
    ]);
  });

  test('a file changed after today is refused: its server or the clock of this machine is wrong', async () => {
    at.publisher.on(PATH, sent(LATER, '06-12', { 'last-modified': 'Fri, 12 Jun 2999 12:00:00 GMT' }));
    const { status, lines } = await at.refresh('--apply');
    expect([status, lines.at(-1)]).toEqual([
      50,
      expect.stringMatching(/the clock of this machine or --retrieved; found 2999-06-12$/),
    ]);
    expect((await at.refresh('--apply', '--edition', '2024-06-12')).status).toBe(10);
  });

  test('an edition older than the current one is filed in its place and changes nothing current', async () => {
    at.publisher.on(PATH, sent(LATER, '06-12'));
    await at.refresh('--apply');
    const before = at.files();
    const older = saved(table({ years: YEARS.slice(0, 4) }));
    const { status, lines } = await at.refresh('--apply', '--file', older, '--edition', '2023-03');
    expect(lines.at(-1)).toMatch(/earlier-edition: .*2023-03.*the current edition stays; written$/);
    expect([status, at.editions()]).toEqual([10, ['2023-03', '2024-01-10', '2024-06-12']]);
    expect(at.files()).toMatchObject(before);
  });

  test('an edition between two others is compared with the one before it', async () => {
    at.publisher.on(PATH, sent(LATER, '06-12'));
    await at.refresh('--apply');
    const part = saved(table({ years: YEARS.slice(3) }));
    const { status, lines } = await at.refresh('--apply', '--file', part, '--edition', '2024-03');
    expect([status, lines.at(-1)]).toEqual([
      52,
      expect.stringContaining('2024-01-10 -> 2024-03: 20 values in place of 50, 60.0 % fewer'),
    ]);
    expect(at.editions()).toEqual(['2024-01-10', '2024-06-12']);
  });

  test('the day of the check is recorded with --apply only', async () => {
    const [source] = descriptor('2024-01-10').sources;
    const today = new Date().toISOString().slice(0, 10);
    expect(source?.refresh).toEqual({
      address: `https://rplumber.ilo.org${PATH}`,
      format: 'csv',
      lastChecked: today,
    });
  });

  test('a file without a date is not written until a person gives it', async () => {
    const file = saved(LATER);
    const undated = await at.refresh('--apply', '--file', file);
    expect([undated.status, undated.lines.at(-1)]).toEqual([50, expect.stringContaining('--edition')]);
    const dated = await at.refresh('--apply', '--file', file, '--edition', '2024-06');
    expect([dated.status, at.editions()]).toEqual([10, ['2024-01-10', '2024-06']]);
  });
});

const ACCIDENTS: [name: string, table: Table, says: RegExp][] = [
  [
    'a list that shrinks',
    { areas: ['Angola', 'Brazil', 'Chile'] },
    /15 values in place of 50, 70\.0 % fewer/,
  ],
  ['recent changes in place of the table', { areas: ['Peru'], years: [2022] }, /1 values in place of 50/],
  [
    'a window that moves back',
    { years: [2016, 2017, 2018, 2019, 2020] },
    /the last period is 2020, before it was 2022/,
  ],
  ['a share in place of percent', { value: (area) => (10 + area) / 100 }, /0\.0\d+ times what they were/],
  [
    'a year in another unit',
    { value: (area, year) => (year === 2021 ? 0.5 : 10 + area + (year % 10) / 10) },
    /nifl in 2021/,
  ],
  [
    'a year of zeros',
    { value: (area, year) => (year === 2022 ? 0 : 10 + area + (year % 10) / 10) },
    /all 10 numbers of nifl in 2022 are zero/,
  ],
  [
    'most values changed',
    { value: (area, year) => 11 + area + (year % 10) / 10 },
    /50 of 50 values have changed/,
  ],
];

describe('[REFRESH-GATES]', () => {
  test.each(ACCIDENTS)('%s is in quarantine, and the last good edition stays', async (_, accident, says) => {
    at.publisher.on(PATH, sent(table(accident), '06-12', { etag: '"two"' }));
    const before = at.files();
    const runs = [await at.refresh('--apply'), await at.refresh('--apply')];
    expect(runs.map(({ status }) => status)).toEqual([52, 52]);
    for (const { lines } of runs) expect(lines.at(-1)).toMatch(says);
    expect(at.files()).toEqual(before);
    const [note = ''] = readdirSync(join(at.cache, 'quarantine'));
    const { reasons, sha256 } = JSON.parse(readFileSync(join(at.cache, 'quarantine', note), 'utf8')) as {
      reasons: string[];
      sha256: string;
    };
    expect(reasons.join()).toMatch(says);
    expect(readFileSync(join(at.cache, 'files', sha256), 'utf8')).toBe(table(accident));
  });

  test('an operator accepts such a file; hash, reason and doubts are in the descriptor', async () => {
    at.publisher.on(PATH, sent(table({ areas: ['Angola', 'Brazil', 'Chile'] }), '06-12'));
    const { lines } = await at.refresh();
    const hash = /--accept ([0-9a-f]{64})/.exec(lines.at(-1) ?? '')?.[1] ?? '';
    const { status } = await at.refresh(
      '--apply',
      '--accept',
      hash,
      '--reason',
      'The publisher covers three countries now',
    );
    expect([status, at.editions()]).toEqual([10, ['2024-01-10', '2024-06-12']]);
    expect(descriptor('2024-06-12').sources[0]).toMatchObject({
      sha256: hash,
      accepted: {
        sha256: hash,
        reason: 'The publisher covers three countries now',
        doubts: ['15 values in place of 50, 70.0 % fewer (limit 10.0 %)'],
      },
    });
    expect(readdirSync(join(at.cache, 'quarantine'))).toEqual([]);
  });

  test('an acceptance without a reason, of another file, or of a file that cannot be read is none', async () => {
    at.publisher.on(PATH, sent(table({ head: 'a,b,c' }), '06-12'));
    const accept = ['--accept', '0'.repeat(64)];
    expect((await at.refresh('--apply', ...accept)).status).toBe(2);
    expect((await at.refresh('--apply', ...accept, '--reason', 'I know it')).status).toBe(2);
    expect(at.editions()).toEqual(['2024-01-10']);
    // Nothing else is written either.
    at.publisher.on(PATH, sent(LATER, '06-13'));
    expect((await at.refresh('--apply', ...accept, '--reason', 'I know it')).status).toBe(2);
    expect(at.editions()).toEqual(['2024-01-10']);
    expect((await at.refresh('--apply')).status).toBe(10);
  });
});

function saved(text: string, name = 'table.csv'): string {
  const path = join(at.cache, '..', name);
  writeFileSync(path, text);
  return path;
}
