import { describe, expect, test } from 'vitest';
import { identifier } from '../../build/lib/identity.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { observationsOf, withoutPlace, workbookFile, type TestCell } from '../_support/workbook.ts';

const CANNABIS = 'Cannabis-type drugs (excluding synthetic cannabinoids)';
const ECSTASY =
  'Total "ecstasy"-type substances (including the above, all other substances of this type and any unspecified/undistinguished quantities of substances of this type)';
const COCAINE =
  'Cocaine (total of the above, including if unspecified/undistinguished, but excluding coca leaf and coca bush)';

const FIRST: Record<string, TestCell> = {
  Region: 'Africa',
  SubRegion: 'East Africa',
  Country: 'Kenya',
  DrugGroup: 'Opioids',
  DrugSubGroup: 'Opiates',
  DrugName: 'Heroin',
  'Reference year': 2022,
  Kilograms: 1.5,
  msCode: 'KEN',
};
const HEADER = Object.keys(FIRST);
const row = (cells: Record<string, TestCell>): TestCell[] => Object.values({ ...FIRST, ...cells });

const ROWS = [
  row({}),
  row({}),
  row({ Kilograms: 0 }),
  row({ Kilograms: null }),
  row({ DrugGroup: CANNABIS, DrugName: '4-Fluoro\u00a0(4-FMA) ', 'Reference year': 2019, Kilograms: 0 }),
  row({ Country: 'China, Taiwan Province of China', msCode: 'TWN', Kilograms: 5.0000000000000004e-8 }),
  row({
    DrugGroup: '“Ecstasy”-type substances',
    DrugSubGroup: '“Ecstasy”-type substances',
    DrugName: ECSTASY,
  }),
  row({ DrugGroup: 'Cocaine-type', DrugSubGroup: 'Cocaine', DrugName: COCAINE }),
  row({
    DrugGroup: 'Hallucinogens',
    DrugSubGroup: 'Reported total hallucinogens',
    DrugName: 'Hallucinogens',
  }),
];

function imported(sheet: TestCell[][], more: Record<string, TestCell[][]> = {}) {
  const file = workbookFile('7.1.xlsx', { Seizures: sheet, ...more });
  return observationsOf(seizures, [file], { retrieved: '2026-01-02', edition: '2025-06' });
}

const TABLE = [['Drug seizures, 2019-2023'], HEADER, ...ROWS];

describe('seizures', () => {
  const { rows, audit, descriptor } = imported(TABLE);

  test('[IMPORT-LOCATOR] a reported row carries its keys, unit and the cell of its kilograms', () => {
    expect(rows[0]).toEqual({
      indicatorId: 'seizures',
      geoCode: 'KEN',
      category: 'Opioids',
      subgroup: 'Heroin',
      group: 'Opioids',
      period: '2022',
      value: 1.5,
      lower: null,
      upper: null,
      unit: 'Kilograms',
      status: 'reported',
      unavailableReason: null,
      sourceId: 'wdr2025-7.1',
      sourceLocator: 'Seizures!H3',
    });
  });

  test('a label is exactly as printed, and its id is that of the label with plain spaces', () => {
    expect(descriptor.labelKeys).toEqual({ '4-Fluoro\u00a0(4-FMA)': '4-Fluoro (4-FMA)' });
    const [id] = identifier(descriptor.labelKeys)(rows.slice(4, 5));
    const plain = rows.slice(4, 5).map((one) => ({ ...one, subgroup: '4-Fluoro (4-FMA)' }));
    expect(identifier()(plain)).toEqual([id]);
  });

  test('a row without a code is of the country that its name says', () => {
    expect(imported([HEADER, row({ msCode: null })]).rows[0]?.geoCode).toBe('KEN');
  });

  test('rows that share all keys stay apart, distinguished by their cell', () => {
    expect(rows.slice(0, 2).map(({ value, sourceLocator: locator }) => [value, locator])).toEqual([
      [1.5, 'Seizures!H3'],
      [1.5, 'Seizures!H4'],
    ]);
  });

  test('[IMPORT-ZERO] a zero is a reported zero, a blank is unavailable', () => {
    expect(rows.slice(2, 4)).toMatchObject([
      { value: 0, status: 'reported', unavailableReason: null },
      {
        value: null,
        status: 'unavailable',
        unavailableReason: 'blank_in_source',
        sourceLocator: 'Seizures!H6',
      },
    ]);
  });

  test('names are as printed with white space folded, amounts unrounded', () => {
    expect(rows[4]).toMatchObject({
      category: CANNABIS,
      subgroup: '4-Fluoro\u00a0(4-FMA)',
      period: '2019',
      value: 0,
    });
    expect(rows[5]).toMatchObject({ geoCode: 'TWN', value: 5.0000000000000004e-8 });
    expect(descriptor.geographies.map(({ code, name }) => [code, name])).toEqual([
      ['KEN', 'Kenya'],
      ['TWN', 'China, Taiwan Province of China'],
    ]);
  });

  test('[IMPORT-TOTALS] totals leave the category of their parts, whichever column calls them so', () => {
    expect(rows.slice(6).map(({ group }) => group)).toEqual([
      '“Ecstasy”-type substances',
      'Cocaine-type',
      'Hallucinogens',
    ]);
    expect(rows.slice(6).map(({ category, subgroup }) => [category, subgroup])).toEqual([
      [
        'Reported totals',
        'Total "ecstasy"-type substances (including the above, all other substances of this type and any unspecified/undistinguished quantities of substances of this type)',
      ],
      [
        'Reported totals',
        'Cocaine (total of the above, including if unspecified/undistinguished, but excluding coca leaf and coca bush)',
      ],
      ['Reported totals', 'Hallucinogens'],
    ]);
  });

  test.each(['Subtotal', 'Opiates, sub-totals'])('[IMPORT-TOTALS] a %s is a total too', (DrugName) => {
    const part: TestCell[] = ['Kenya', 'Opioids', 'Opiates', DrugName, 2022, 5, 'KEN'];
    const head = 'Country DrugGroup DrugSubGroup DrugName ReferenceYear Kilograms msCode'.split(' ');
    const file = workbookFile('7.1.xlsx', { Seizures: [head, part] });
    const { rows: read } = observationsOf(seizures, [file], { retrieved: '2026-01-02', edition: '2026-01' });
    expect(read.map(({ category }) => category)).toEqual(['Reported totals']);
  });

  test('[IMPORT-AUDIT] the audit accounts for every row and column', () => {
    expect(audit).toEqual({
      read: 9,
      kept: 9,
      unavailable: { blank_in_source: 1 },
      withheld: {
        'column "Region"': 1,
        'column "SubRegion"': 1,
        'column "DrugSubGroup", read only to tell totals': 1,
      },
      notes: {
        'rows in the category of reported totals': 3,
        'rows that share all keys with another row, all kept': 4,
      },
    });
  });

  test('[IMPORT-LAYOUT] moved columns, more title rows and a line of notes give the same records', () => {
    const turned = [HEADER, ...ROWS].map((cells) => cells.toReversed());
    const moved = imported([
      ['Table 7.1'],
      [],
      ['Drug seizures, 2019-2023'],
      ...turned,
      [],
      ['Source: annual report'],
    ]);
    expect(moved.rows.map(withoutPlace)).toEqual(rows.map(withoutPlace));
    expect(moved.rows[0]?.sourceLocator).toBe('Seizures!B5');
    expect(moved.audit.withheld['note under the table']).toBe(1);
  });

  test('another sheet is counted, not read', () => {
    expect(imported(TABLE, { Other: [['Kilograms']] }).audit.withheld).toMatchObject({
      'sheet "Other", never read': 1,
    });
  });

  test('[IMPORT-SAME] the same file gives the same bytes', () => {
    expect(datasetFiles(imported(TABLE).dataset)).toEqual(datasetFiles(imported(TABLE).dataset));
  });
});

describe('[IMPORT-REFUSES] seizures refuses', () => {
  test.each<[string, TestCell[][], string]>([
    [
      'a renamed column',
      [HEADER.map((name) => (name === 'Kilograms' ? 'Tonnes' : name)), row({})],
      '"Kilograms"',
    ],
    ['a second column of a name', [[...HEADER, 'Kilograms'], row({})], 'Seizures!J1'],
    ['text for an amount', [HEADER, row({ Kilograms: '< 1' })], 'Seizures!H2'],
    ['a negative amount', [HEADER, row({ Kilograms: -1 })], 'Seizures!H2'],
    ['a link to another workbook', [HEADER, row({ Kilograms: { f: '[1]A!B2', v: 0 } })], 'Seizures!H2'],
    ['a year as text', [HEADER, row({ 'Reference year': '2022/23' })], 'Seizures!G2'],
    ['a year out of range', [HEADER, row({ 'Reference year': 20220 })], 'Seizures!G2'],
    ['a missing year', [HEADER, row({ 'Reference year': null })], 'Seizures!G2'],
    ['a drug with its purity', [HEADER, row({ DrugName: 'Cocaine 80% pure' })], 'Seizures!F2'],
    ['a group with its purity', [HEADER, row({ DrugGroup: 'High purity heroin' })], 'Seizures!D2'],
    ['a missing drug', [HEADER, row({ DrugName: null })], 'Seizures!F2'],
    ['an unknown country', [HEADER, row({ Country: 'Atlantis', msCode: null })], 'Seizures!C2'],
    ['a code that is another country', [HEADER, row({ msCode: 'UGA' })], 'Seizures!I2'],
  ])('%s', (_, sheet, place) => {
    expect(() => imported(sheet)).toThrow(place);
  });

  test('a workbook without the table, two files and none', () => {
    const file = workbookFile('other.xlsx', { Prices: [['Country', 'Price']] });
    expect(() => seizures.read([file], { retrieved: '2026-01-02' })).toThrow(
      'Prices!1:1: expected a header row',
    );
    expect(() => seizures.read([file, file], { retrieved: '2026-01-02' })).toThrow('one workbook');
    expect(() => seizures.read([], { retrieved: '2026-01-02' })).toThrow('one workbook');
  });
});
