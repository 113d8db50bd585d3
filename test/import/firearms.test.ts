import { describe, expect, test } from 'vitest';
import type { AtlasRow, Dataset, ObservationRow } from '../../build/lib/dataset.ts';
import type { Imported, SourceFile } from '../../build/import/importer.ts';
import { firearms } from '../../build/import/firearms.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { NOTES_BELOW, workbookFile, type TestCell } from '../_support/workbook.ts';

const OPTIONS = { retrieved: '2026-01-31' };
const SHEET = 'data_iafq_firearms_trafficking';
const HEADER =
  'Iso3_code|Country|Region|Indicator|Dimension|Category|Sex|Age|Year|Unit of measurement|VALUE|Source'.split(
    '|',
  );
const UNIQUE_TOTAL = 'Uniquely identifiable - total uniquely identifiable through marking';
const NOT_UNIQUE_TOTAL = 'Total not uniquely identifiable through marking';
const PENDING = 'Uniquely identifiable - tracing procedure pending';

function arms(
  indicator: string,
  dimension: string,
  category: string,
  value: TestCell,
  source = 'IAFQ',
): TestCell[] {
  const place = ['ARG', 'Argentina', 'Americas'];
  return [...place, indicator, dimension, category, 'na', 'na', '2021', 'Counts', value, source];
}

function person(sex: string, value: TestCell): TestCell[] {
  const indicator = 'Individuals convicted for illicit trafficking in weapons';
  const place = ['ESP', 'Spain', 'Europe'];
  return [...place, indicator, 'Total', 'Total', sex, 'Total', '2022', 'Counts', value, 'IAFQ'];
}

/** Row 4 is the first. */
const ROWS: TestCell[][] = [
  arms('Arms seized', 'by type', 'pistol', 12),
  arms('Arms seized', 'by type', 'revolver', 0),
  arms('Arms seized', 'by type', 'shotgun', null),
  arms('Arms seized', 'by location', 'national territory', 30),
  arms('Arms seized', 'by location', 'Total', 30),
  arms('Arms seized', 'by location', 'Total', 0, 'IAFQ/SOF'),
  arms('Arms seized', 'by marking', 'altered marking', 4),
  arms('Arms seized', 'by marking', 'altered marking', 4),
  arms('Arms seized', 'by location', UNIQUE_TOTAL, 9),
  arms('Arms seized', 'by location', NOT_UNIQUE_TOTAL, 0),
  person('Total', 7),
  person('Female', 2),
  arms('Arms seized', 'by location', PENDING, 3),
  arms('Arms found', 'by location', PENDING, 5),
  arms('Arms found', 'by location', PENDING, 6),
];

function workbook(rows: TestCell[][], header: TestCell[] = HEADER): SourceFile {
  return workbookFile('arms.xlsx', { [SHEET]: [['UNODC'], ['26/08/2024'], header, ...rows] });
}

function read(file: SourceFile): {
  observations: ObservationRow[];
  records: AtlasRow[];
  imported: Imported[];
} {
  const imported = firearms.read([file], OPTIONS);
  const rowsOf = (id: string): Dataset['rows'] =>
    imported.find(({ dataset }) => dataset.descriptor.name === id)?.dataset.rows ?? [];
  return {
    imported,
    observations: rowsOf('arms') as ObservationRow[],
    records: rowsOf('firearms-tracing') as AtlasRow[],
  };
}

/** [indicator, category, subgroup, value, reason, cell] of an observation. */
function short(row: ObservationRow): (string | number | null)[] {
  const cell = row.sourceLocator.slice(SHEET.length + 1);
  return [row.indicatorId, row.category, row.subgroup, row.value, row.unavailableReason, cell];
}

describe('firearms', () => {
  test('[IMPORT-CONFLICT] rows that differ in white space alone are rows of one key', () => {
    const spaced = UNIQUE_TOTAL.replace(' - ', '  - ');
    const two = [UNIQUE_TOTAL, spaced].map((category, at) =>
      arms('Arms seized', 'by location', category, at + 8),
    );
    expect(spaced).not.toBe(UNIQUE_TOTAL);
    const rows = read(workbook(two)).observations.map(short);
    expect(rows.map(([, , , value, reason]) => [value, reason])).toEqual(
      Array.from({ length: 2 }, () => [null, 'conflicting_source_rows']),
    );
  });

  test('[IMPORT-CONFLICT] [IMPORT-LOCATOR] keeps every row with its cell, conflicting pairs unavailable, equal pairs and zeros as reported', () => {
    const conflict = 'conflicting_source_rows';
    expect(read(workbook(ROWS)).observations.map(short)).toEqual([
      ['arms-seized', 'by type', 'pistol', 12, null, 'K4'],
      ['arms-seized', 'by type', 'revolver', 0, null, 'K5'],
      ['arms-seized', 'by type', 'shotgun', null, 'blank_in_source', 'K6'],
      ['arms-seized', 'by location', 'national territory', 30, null, 'K7'],
      ['arms-seized', 'by location', 'Total', null, conflict, 'K8'],
      ['arms-seized', 'by location', 'Total', null, conflict, 'K9'],
      ['arms-seized', 'by marking', 'altered marking', 4, null, 'K10'],
      ['arms-seized', 'by marking', 'altered marking', 4, null, 'K11'],
      ['arms-seized-tracing', UNIQUE_TOTAL, '', 9, null, 'K12'],
      ['arms-seized-tracing', NOT_UNIQUE_TOTAL, '', 0, null, 'K13'],
      ['arms-convicted', 'Total', 'Total; Sex Total; Age Total', 7, null, 'K14'],
      ['arms-convicted', 'Total', 'Total; Sex Female; Age Total', 2, null, 'K15'],
      ['arms-seized-tracing', PENDING, '', 3, null, 'K16'],
      ['arms-found-tracing', PENDING, '', null, conflict, 'K17'],
      ['arms-found-tracing', PENDING, '', null, conflict, 'K18'],
    ]);
  });

  test('a place without a code of the standard is known by its name, and is not in the atlas', () => {
    const kosovo = arms('Arms seized', 'by location', PENDING, 3)
      .with(0, 'XKX')
      .with(1, 'Kosovo under UNSCR 1244');
    const { imported, observations, records } = read(workbook([...ROWS, kosovo]));
    expect(observations.at(-1)).toMatchObject({ geoCode: 'x-kosovo', value: 3 });
    expect(records.map(({ iso3 }) => iso3)).toEqual(['ARG']);
    expect(imported[1]?.audit.withheld).toMatchObject({
      'row of a place without an ISO 3166-1 code, packaged in dataset arms only': 1,
    });
    expect(() => read(workbook([kosovo.with(0, 'ALB')]))).toThrow(`${SHEET}!A4: expected x-kosovo`);
    expect(() => read(workbook([kosovo.with(1, 'Spain')]))).toThrow(`${SHEET}!A4: expected an ISO 3166-1`);
  });

  test.each(['NA', 'N/A', 'n/a'])('%s for a sex or an age means not applicable too', (text) => {
    const [first = []] = ROWS;
    const [row] = read(workbook([first.with(6, text).with(7, text)])).observations;
    expect(row).toMatchObject({ category: 'by type', subgroup: 'pistol' });
  });

  test('takes status, unit, year and geography from the row', () => {
    const [first, , blank] = read(workbook(ROWS)).observations;
    expect(first).toMatchObject({
      geoCode: 'ARG',
      period: '2021',
      unit: 'Counts',
      status: 'reported',
      sourceId: 'iafq',
    });
    expect(first).toMatchObject({ lower: null, upper: null });
    expect(blank).toMatchObject({ value: null, status: 'unavailable' });
  });

  test('describes only the indicators it holds, under the market of arms', () => {
    const [imported] = read(workbook(ROWS)).imported;
    const descriptor = imported?.dataset.descriptor;
    if (descriptor?.kind !== 'observations') throw new Error('no observations');
    expect(descriptor.indicators.map(({ id }) => id)).toEqual([
      'arms-seized',
      'arms-seized-tracing',
      'arms-found-tracing',
      'arms-convicted',
    ]);
    expect(new Set(descriptor.indicators.map(({ market }) => market))).toEqual(new Set(['arms']));
    expect(descriptor.geographies).toEqual([
      { code: 'ARG', name: 'Argentina', level: 'country' },
      { code: 'ESP', name: 'Spain', level: 'country' },
    ]);
    expect(descriptor.limitations.join(' ')).toMatch(/never add up/);
    expect(descriptor.limitations.join(' ')).toMatch(/not SDG indicator 16\.4\.2/);
  });

  test('dates the source by the date the workbook prints, the retrieval by the operator', () => {
    const [imported] = read(workbook(ROWS)).imported;
    expect(imported?.dataset.descriptor.sources[0]).toMatchObject({
      dated: '2024-08-26',
      retrievedAt: '2026-01-31',
    });
  });

  test('[IMPORT-AUDIT] accounts for every row and column', () => {
    const [observations, tracing] = read(workbook(ROWS)).imported.map(({ audit }) => audit);
    expect(observations).toMatchObject({
      read: 15,
      kept: 15,
      unavailable: { blank_in_source: 1, conflicting_source_rows: 4 },
      withheld: { 'column "Region"': 1, 'column "Source"': 1 },
      notes: {
        'explicit zero kept as an observed zero': 2,
        'explicit zero unavailable because its row conflicts with another': 1,
      },
    });
    expect(tracing).toMatchObject({ read: 15, kept: 5, unavailable: { conflicting_source_rows: 2 } });
    expect(Object.values(tracing?.withheld ?? {})).toEqual([10]);
  });

  test('[IMPORT-LAYOUT] finds moved columns, more title rows and numeric years', () => {
    const moved = (cells: TestCell[]): TestCell[] => cells.toReversed();
    const numeric = ROWS.map((cells) => cells.map((cell) => (cell === '2021' ? 2021 : cell)));
    const file = workbookFile('arms.xlsx', {
      Export: [['UNODC'], ['26/08/2024'], [], ['Arms'], moved(HEADER), ...numeric.map(moved), []],
    });
    const plain = (rows: ObservationRow[]): unknown[] => rows.map((row) => ({ ...row, sourceLocator: '' }));
    const { observations, records } = read(file);
    expect(plain(observations)).toEqual(plain(read(workbook(ROWS)).observations));
    expect(observations[0]?.sourceLocator).toBe('Export!B6');
    expect(records[0]?.values).toEqual(read(workbook(ROWS)).records[0]?.values);
  });

  test('[IMPORT-SAME] gives the same bytes twice', () => {
    const bytes = (): Buffer[] =>
      read(workbook(ROWS)).imported.flatMap(({ dataset }) => Object.values(datasetFiles(dataset)));
    expect(bytes()).toEqual(bytes());
  });
});

describe('firearms-tracing', () => {
  test('[IMPORT-ZERO] makes one record per country and year: zeros kept, absent and conflicting fields null', () => {
    const { records } = read(workbook(ROWS));
    expect(records).toHaveLength(1);
    const [record] = records;
    expect(record).toMatchObject({ iso3: 'ARG', country: 'Argentina', year: 2021, source: 'iafq' });
    const given = Object.entries(record?.values ?? {}).filter(([, value]) => value !== null);
    expect(given).toEqual([
      ['seized.unique_total', 9],
      ['seized.unique.pending', 3],
      ['seized.not_unique_total', 0],
    ]);
    expect(record?.values).toHaveProperty(['found.unique.pending'], null);
    expect(record?.values).toHaveProperty(['surrendered.unknown'], null);
    expect(Object.keys(record?.values ?? {})).toHaveLength(39);
  });

  test('locates exactly the cells of its values, runs as ranges', () => {
    expect(read(workbook(ROWS)).records[0]?.locator).toBe(`${SHEET}!K12:K13,K16:K18`);
  });

  test('names every field in the words of the source', () => {
    const descriptor = read(workbook(ROWS)).imported[1]?.dataset.descriptor;
    if (descriptor?.kind !== 'atlas') throw new Error('no atlas');
    expect(descriptor.fields).toContainEqual({
      path: 'seized.unique_total',
      label: `Arms seized: ${UNIQUE_TOTAL}`,
    });
    expect(new Set(descriptor.fields.map(({ path }) => path)).size).toBe(39);
    expect(descriptor.rights.length).toBeLessThan(60);
  });
});

const WITHOUT_SEX = HEADER.map((word) => (word === 'Sex' ? 'Gender' : word));
const changed = (column: string, cell: TestCell): TestCell[] =>
  arms('Arms seized', 'by type', 'pistol', 1).map((old, index) => (HEADER[index] === column ? cell : old));

test.each<[string, TestCell[][], TestCell[], RegExp]>([
  ['a renamed column', ROWS, WITHOUT_SEX, /!3:3: expected a header row with "Sex"/],
  [
    'text for a count',
    [changed('VALUE', 'many')],
    HEADER,
    /!K4: expected a count of zero or more; found "many"/,
  ],
  ['a negative count', [changed('VALUE', -1)], HEADER, /!K4: expected a count/],
  ['a formula', [changed('VALUE', { f: '1+1', v: 2 })], HEADER, /!K4: expected a number, not a formula/],
  ['another unit', [changed('Unit of measurement', 'Kilograms')], HEADER, /!J4: expected the unit "Counts"/],
  ['a year out of range', [changed('Year', '1821')], HEADER, /!I4: expected a year from 1900 to 2200/],
  ['a span of years', [changed('Year', '2021/22')], HEADER, /!I4: expected a year/],
  ['an unknown code', [changed('Iso3_code', 'ZZZ')], HEADER, /!A4: expected an ISO 3166-1 alpha-3 code/],
  [
    'a second name for a code',
    [...ROWS, changed('Country', 'Argentine')],
    HEADER,
    /!B19: expected a known country or territory; .* found "Argentine"/,
  ],
  [
    'an unknown indicator',
    [changed('Indicator', 'Arms lost')],
    HEADER,
    /!D4: expected a known indicator; found "Arms lost"/,
  ],
  ['a blank category', [changed('Category', null)], HEADER, /!F4: expected text in column "Category"/],
  [
    'an unknown tracing category',
    [arms('Arms seized', 'by location', 'Uniquely identifiable - other', 1)],
    HEADER,
    /!F4: expected a known tracing category/,
  ],
  [
    'a tracing category under another dimension',
    [arms('Arms seized', 'by tracing', UNIQUE_TOTAL, 1)],
    HEADER,
    /!E4: expected the dimension "by location"/,
  ],
  [
    'a place with nothing else, which is no note',
    [...ROWS, ['AR', 'Argentina']],
    HEADER,
    /!A19: expected an ISO 3166-1/,
  ],
  ['no rows', [], HEADER, /the table: expected rows of data; found none/],
  ['a fraction of a count', [changed('VALUE', 2.5)], HEADER, /!K4: expected a count .* without a fraction/],
  [
    'a name that is not that of the code',
    [changed('Country', 'Peru')],
    HEADER,
    /!A4: expected PER, the code of the name next to it; found "ARG" next to "Peru"/,
  ],
])('refuses %s', (_name, rows, header, message) => {
  expect(() => firearms.read([workbook(rows, header)], OPTIONS)).toThrow(message);
});

test('refuses more or fewer than one file', () => {
  expect(() => firearms.read([], OPTIONS)).toThrow(/expected one workbook/);
  expect(() => firearms.read([workbook(ROWS), workbook(ROWS)], OPTIONS)).toThrow(/expected one workbook/);
});

test('notes under the table are counted, and are no rows', () => {
  const [plain, noted] = [ROWS, [...ROWS, ...NOTES_BELOW]].map((rows) => read(workbook(rows)));
  expect(noted?.observations).toEqual(
    plain?.observations.map((row) => ({ ...row, sourceId: expect.anything() })),
  );
  expect(noted?.imported[0]?.audit).toMatchObject({
    read: ROWS.length + 4,
    kept: ROWS.length,
    withheld: { 'note under the table': 4 },
  });
});
