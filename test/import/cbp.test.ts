import { describe, expect, test } from 'vitest';
import { cbp } from '../../build/import/cbp.ts';
import type { ImportOptions } from '../../build/import/importer.ts';
import { datasetFiles } from '../../build/import/run.ts';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { observationsOf, textFile } from '../_support/workbook.ts';
import { words } from '../_support/words.ts';

const OPTIONS: ImportOptions = { retrieved: '2026-02-10' };
const HEAD =
  'FY,Month (abbv),Component,Region,Land Filter,Area of Responsibility,Drug Type,Count of Event,Sum Qty (lbs)';
const MONTHS = words('OCT NOV DEC JAN FEB MAR APR MAY JUN JUL AUG SEP');
const OFFICE = 'Office of Field Operations,Southwest Border,Land Only,EL PASO FIELD OFFICE';
const SECTOR = 'U.S. Border Patrol,Southwest Border,Land Only,EL PASO SECTOR';

/** One row for each of these months. */
const year = (fiscalYear: string, months = MONTHS): string[] =>
  months.map((month, at) => `${fiscalYear},${month},${OFFICE},Other Drugs**,${at + 1},${at}.5`);

const COMPLETE = [...year('2023'), ...year('2024')];
const RUNNING = [...year('2025'), ...year('2026 (FYTD)', MONTHS.slice(0, 4))];

const csv = (rows: string[], head = HEAD, end = '\r\n'): string => `${[head, ...rows].join(end)}${end}`;

const readAs = (options: ImportOptions, ...texts: string[]) =>
  observationsOf(
    cbp,
    texts.map((text, at) => textFile(`${at}.csv`, text)),
    options,
  );

const read = (...texts: string[]) => readAs(OPTIONS, ...texts);

const line = (row: ObservationRow): string =>
  `${row.indicatorId}|${row.geoCode}|${row.category}|${row.subgroup}|${row.period}: ${row.value} ${row.unit} ${row.unavailableReason ?? row.status} ${row.sourceLocator}`;

describe('[IMPORT-CBP] a row', () => {
  test('is a count and a weight, each with its cell, never added', () => {
    const [, ...rest] = RUNNING;
    const first = `2025,OCT,${SECTOR},Khat (Catha Edulis),1,6.61386786e-05`;
    expect(
      read(csv([first, ...rest]))
        .rows.slice(0, 2)
        .map(line),
    ).toEqual([
      'cbp-seizure-events|x-us-cbp-el-paso-sector|Khat (Catha Edulis)|U.S. Border Patrol; Southwest Border; Land Only|2024-10: 1 Count of Event reported row 2 column Count of Event',
      'cbp-seizure-weight|x-us-cbp-el-paso-sector|Khat (Catha Edulis)|U.S. Border Patrol; Southwest Border; Land Only|2024-10: 0.0000661386786 lbs reported row 2 column Sum Qty (lbs)',
    ]);
  });

  test('with a printed zero is a zero, with a blank is unavailable, and a row that is absent is no record', () => {
    const rows = [
      `2025,OCT,${OFFICE},Heroin,2,0.0`,
      `2025,NOV,${OFFICE},Heroin,2,`,
      ...year('2025'),
      ...year('2026 (FYTD)', ['OCT']),
    ];
    const { rows: records, audit } = read(csv(rows));
    expect(
      records
        .filter(({ category, indicatorId }) => category === 'Heroin' && indicatorId === 'cbp-seizure-weight')
        .map(({ period, value, unavailableReason }) => [period, value, unavailableReason]),
    ).toEqual([
      ['2024-10', 0, null],
      ['2024-11', null, 'blank_in_source'],
    ]);
    expect(audit).toEqual({
      read: 15,
      kept: 30,
      unavailable: { blank_in_source: 1 },
      withheld: {},
      notes: { 'zero kept as printed, cbp-seizure-weight': 1 },
    });
  });

  test('that shares every key with another is kept next to it', () => {
    const [first = ''] = RUNNING;
    const { rows, audit } = read(csv([first, ...RUNNING]));
    expect(rows.filter(({ period }) => period === '2024-10').length).toBe(4);
    expect(audit.notes['rows that share all keys with another row, all kept']).toBe(4);
  });

  test('has an area as printed, with a code of its own and no country', () => {
    expect(read(csv([...RUNNING, `2025,JUL,${SECTOR},Lsd,1,1`])).descriptor.geographies).toEqual([
      { code: 'x-us-cbp-el-paso-field-office', name: 'EL PASO FIELD OFFICE', level: 'subnational' },
      { code: 'x-us-cbp-el-paso-sector', name: 'EL PASO SECTOR', level: 'subnational' },
    ]);
  });
});

test('[IMPORT-CBP] the fiscal year begins in October of the calendar year before', () => {
  const { rows, descriptor } = read(csv(RUNNING.toReversed()));
  const events = rows.filter(({ indicatorId }) => indicatorId === 'cbp-seizure-events').toReversed();
  expect(events.map(({ period, value }) => `${period} ${value}`)).toEqual(
    words('2024-10 2024-11 2024-12 2025-01 2025-02 2025-03 2025-04 2025-05 2025-06 2025-07 2025-08 2025-09')
      .concat(words('2025-10 2025-11 2025-12 2026-01'))
      .map((period, at) => `${period} ${(at % 12) + 1}`),
  );
  expect(descriptor.sources[0]).toMatchObject({
    id: 'cbp-fy2025-2026',
    title: 'Drug Seizure Statistics, nationwide drugs, fiscal years 2025 to 2026',
    cadence: 'P1M',
  });
  expect(descriptor.sources[0]?.notes.slice(-2)).toEqual([
    'The months are 2024-10 to 2026-01.',
    'Fiscal year "2026 (FYTD)" is the running year, to date.',
  ]);
});

test('[IMPORT-CBP] disjoint tables make one dataset with a source each, in any order of the files', () => {
  const [forward, backward] = [
    read(csv(COMPLETE), csv(RUNNING)),
    read(csv(RUNNING, HEAD, '\n'), csv(COMPLETE)),
  ];
  for (const { descriptor, rows } of [forward, backward]) {
    expect(descriptor.sources.map(({ id, cadence }) => [id, cadence])).toEqual([
      ['cbp-fy2023-2024', null],
      ['cbp-fy2025-2026', 'P1M'],
    ]);
    expect(descriptor.indicators.map(({ id, sourceId }) => [id, sourceId])).toEqual([
      ['cbp-seizure-events', 'cbp-fy2025-2026'],
      ['cbp-seizure-weight', 'cbp-fy2025-2026'],
    ]);
    expect(rows.length).toBe(80);
  }
  const bytes = [forward, backward].map(({ dataset }) => datasetFiles(dataset)['records.csv'].toString());
  expect(bytes[0]).toBe(bytes[1]);
});

test('[IMPORT-CBP] the edition is the month after the last one, or of the newest table the one that is stated', () => {
  const tables = [csv(COMPLETE), csv(RUNNING)];
  const INFERRED = /The edition is (\S+), inferred/;
  const dates = (options: ImportOptions) =>
    readAs(options, ...tables).descriptor.sources.map(({ dated, notes }) => [
      dated,
      INFERRED.exec(notes.join(' '))?.[1] ?? notes.at(-1),
    ]);
  const older = ['2024-10', '2024-10'];
  expect(dates(OPTIONS)).toEqual([older, ['2026-02', '2026-02']]);
  expect(dates({ retrieved: '2026-03-20', edition: '2026-03-09' })).toEqual([
    older,
    ['2026-03-09', 'The date of the edition was stated at the import; the file does not print it.'],
  ]);
  expect(() => readAs({ ...OPTIONS, edition: '2025-12' }, ...tables)).toThrow(
    /row \d+ column Month \(abbv\): expected no month after the edition 2025-12; found 2026-01/,
  );
});

test('[IMPORT-LAYOUT] moved columns give the same values', () => {
  const moved = RUNNING.map((row) => row.split(',').toReversed().join(','));
  const values = (text: string) =>
    read(text).rows.map(({ period, category, value }) => [period, category, value]);
  expect(values(csv(moved, HEAD.split(',').toReversed().join(',')))).toEqual(values(csv(RUNNING)));
});

const changed = (from: string, to: string): string => csv(RUNNING).replace(from, to);

const REFUSALS: [string, string[], RegExp][] = [
  ['no file', [], /one CSV file or more.*none/],
  ['no row', [csv([])], /row 2.*rows below the header/],
  ['a renamed column', [changed('Sum Qty (lbs)', 'Sum Qty (kg)')], /row 1.*"Sum Qty \(lbs\)"/],
  [
    'a column it does not know',
    [
      csv(
        RUNNING.map((row) => `${row},X`),
        `${HEAD},Port`,
      ),
    ],
    /row 1: expected only the columns FY.*"Port"/,
  ],
  ['a month written out', [changed('2025,OCT', '2025,October')], /row 2.*the month.*"October"/],
  ['a month in small letters', [changed('2025,OCT', '2025,Oct')], /row 2.*the month.*"Oct"/],
  ['a range of years', [changed('2025,OCT', '2025-26,OCT')], /row 2.*a fiscal year.*"2025-26"/],
  ['another mark', [changed('2026 (FYTD)', '2026 (YTD)')], /row 14.*a fiscal year.*"2026 \(YTD\)"/],
  ['two marks in one year', [changed('2026 (FYTD)', '2026')], /row 15.*"\(FYTD\)" with the last fiscal year/],
  [
    'a mark on an earlier year',
    [csv([...year('2024 (FYTD)'), ...RUNNING])],
    /row 2.*"\(FYTD\)" with the last fiscal year/,
  ],
  ['a missing month', [changed(`2025,APR,${OFFICE}`, `2025,MAY,${OFFICE}`)], /no row of 2025-04/],
  ['a complete year that ends early', [csv(COMPLETE.slice(0, -1))], /no row of 2024-09/],
  ['a first year that begins late', [csv(COMPLETE.slice(1))], /no row of 2022-10/],
  [
    'a month after the edition',
    [csv([...year('2025'), ...year('2026 (FYTD)', MONTHS.slice(0, 6))])],
    /the edition: expected a date up to 2026-02-10, when the copy was obtained by the clock of this machine or --retrieved; found 2026-04/,
  ],
  [
    'a month in two files',
    [csv([...year('2024'), ...RUNNING]), csv(year('2024'))],
    /no month of 0.csv again/,
  ],
  ['an unknown component', [changed('Office of Field Operations', 'Coast Guard')], /row 2.*"Coast Guard"/],
  ['an unknown region', [changed('Southwest Border', 'Caribbean')], /row 2.*"Caribbean"/],
  ['an unknown land filter', [changed('Land Only', 'Sea')], /row 2.*"Sea"/],
  ['a place that is no area', [changed('EL PASO FIELD OFFICE', 'Downtown El Paso')], /row 2.*"FIELD OFFICE"/],
  [
    'an area of the other component',
    [changed('EL PASO FIELD OFFICE', 'EL PASO SECTOR')],
    /row 2.*"FIELD OFFICE"/,
  ],
  ['no drug type', [changed('Other Drugs**', '')], /row 2.*a drug type/],
  ['half an event', [changed('**,1,', '**,1.5,')], /row 2.*a number of events, without a fraction.*"1.5"/],
  ['a negative weight', [changed('0.5', '-0.5')], /row 2.*a weight of zero or more/],
  ['a weight beyond all numbers', [changed('0.5', '1e999')], /row 2.*a weight of zero or more.*"1e999"/],
  ['words for a number', [changed('0.5', '<1')], /row 2.*a weight.*"<1"/],
];

test.each(REFUSALS)('[IMPORT-REFUSES] refuses %s', (_, texts, message) => {
  expect(() => read(...texts)).toThrow(message);
});

test.each(['Note: all weights are in kilograms', 'Weights in kg', '(in metric tons)'])(
  '[IMPORT-REFUSES] pounds above the note "%s"',
  (note) => {
    const noted = (text: string): string => csv([...COMPLETE, `"${text}",,,,,,,,`]);
    expect(() => read(noted(note))).toThrow(
      `0.csv: row 26: expected a table in pounds, as "Sum Qty (lbs)" says; found "${note}"`,
    );
    expect(read(noted('Weights in lbs')).audit.withheld).toEqual({ 'note under the table': 1 });
  },
);

test('[IMPORT-REFUSES] a part of the table that stands twice, but not single rows', () => {
  const table = [...RUNNING, ...RUNNING.map((row) => row.replace('Other Drugs**', 'Heroin'))];
  expect(() => read(csv([...table, ...table.slice(3)]))).toThrow(
    '0.csv: row 58 column Sum Qty (lbs): expected each part of the table once; found the last of 50 records in a row that stand from row 5 column Count of Event on as well',
  );
  expect(read(csv([...table, ...table.slice(3, 27)])).rows).toHaveLength(112);
});
