import { describe, expect, test } from 'vitest';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { prices } from '../../build/import/seizures-prices.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { observationsOf, withoutPlace, workbookFile, type TestCell } from '../_support/workbook.ts';

const FIRST: Record<string, TestCell> = {
  Region: 'Asia',
  SubRegion: 'South Asia',
  'Country/Territory': 'Viet Nam',
  DrugGroup: 'Opioids',
  Drug: 'Heroin',
  Specify: null,
  LevelOfSale: 'Retail',
  Year: 2022,
  Typical_USD: 30.5,
  Minimum_USD: 20,
  Maximum_USD: 40,
  Unit: 'Grams',
};
const HEADER = Object.keys(FIRST);
const row = (cells: Record<string, TestCell>): TestCell[] => Object.values({ ...FIRST, ...cells });

const ROWS = [
  row({}),
  row({ LevelOfSale: 'Wholesale', Specify: 'Brown', Unit: '100 gram' }),
  row({ Typical_USD: null }),
  row({ Typical_USD: null, Minimum_USD: null }),
  row({ Typical_USD: null, Minimum_USD: null, Maximum_USD: null }),
  row({ Typical_USD: 0, Minimum_USD: null, Maximum_USD: null, Unit: null }),
  row({ Typical_USD: 7, Minimum_USD: null, Maximum_USD: null, Unit: null }),
  row({ Typical_USD: 0, Minimum_USD: null, Maximum_USD: null }),
  row({ Minimum_USD: 50 }),
  row({ Typical_USD: 10 }),
  row({ Specify: '80% purity', Year: 2018 }),
  row({ Minimum_USD: 0, Maximum_USD: 0, Typical_USD: 0, Unit: null }),
  row({ Minimum_USD: 0, Maximum_USD: 0, Typical_USD: null, Unit: null }),
  row({ Minimum_USD: 0 }),
];
const PURITIES = {
  Purities: [
    ['Country/Territory', 'Typical'],
    ['Viet Nam', 12.5],
  ],
};
const TABLE = [['Prices of drugs, 2018-2022'], HEADER, ...ROWS];

function imported(sheet: TestCell[][]) {
  const file = workbookFile('8.1.xlsx', { 'Prices in USD': sheet, ...PURITIES });
  return observationsOf(prices, [file], { retrieved: '2026-01-02', edition: '2024-06' });
}

describe('prices', () => {
  const { rows, audit, descriptor, dataset } = imported(TABLE);

  test('[IMPORT-UNIT] typical is the value, minimum and maximum its bounds, the unit says currency and printed label', () => {
    expect(rows[0]).toEqual({
      indicatorId: 'prices-retail',
      geoCode: 'VNM',
      category: 'Heroin',
      subgroup: 'Grams',
      group: 'Opioids',
      period: '2022',
      value: 30.5,
      lower: 20,
      upper: 40,
      unit: 'USD / Grams',
      status: 'reported',
      unavailableReason: null,
      sourceId: 'wdr2024-8.1',
      sourceLocator: 'Prices in USD!I3',
    });
  });

  test('a level of sale is an indicator; specification and unit are the subgroup', () => {
    expect(rows[1]).toMatchObject({
      indicatorId: 'prices-wholesale',
      subgroup: 'Brown; 100 gram',
      unit: 'USD / 100 gram',
    });
    expect(descriptor.indicators.map(({ id }) => id)).toEqual(['prices-retail', 'prices-wholesale']);
    expect(imported([HEADER, row({})]).descriptor.indicators.map(({ id }) => id)).toEqual(['prices-retail']);
  });

  test.each<[string, number, Partial<ObservationRow>]>([
    [
      'no typical: no midpoint',
      2,
      { value: null, lower: 20, upper: 40, unavailableReason: 'no_point_value_in_source' },
    ],
    [
      'one bound alone',
      3,
      { value: null, lower: null, upper: 40, unavailableReason: 'no_point_value_in_source' },
    ],
    ['nothing printed', 4, { value: null, lower: null, upper: null, unavailableReason: 'blank_in_source' }],
    [
      'zero without a unit',
      5,
      { value: null, unavailableReason: 'placeholder_in_source', unit: 'USD', subgroup: '' },
    ],
    ['price without a unit', 6, { value: 7, unavailableReason: null, unit: 'USD', subgroup: '' }],
    ['zero with a unit', 7, { value: 0, unavailableReason: null, unit: 'USD / Grams' }],
    ['minimum above maximum', 8, { value: 30.5, lower: 50, upper: 40, unavailableReason: null }],
    ['typical below minimum', 9, { value: 10, lower: 20, upper: 40, unavailableReason: null }],
    ['specification of purity', 10, { value: 30.5, subgroup: 'Grams' }],
    [
      'zeros without a unit as bounds',
      11,
      { value: null, lower: null, upper: null, unavailableReason: 'placeholder_in_source' },
    ],
    [
      'zeros without a unit as bounds alone',
      12,
      { value: null, lower: null, upper: null, unavailableReason: 'blank_in_source' },
    ],
    ['a bound of zero with a unit', 13, { value: 30.5, lower: 0, upper: 40, unavailableReason: null }],
  ])('[IMPORT-PLACEHOLDER] [IMPORT-ZERO] %s', (_, index, expected) => {
    const status = expected.value === null ? 'unavailable' : 'reported';
    expect(rows[index]).toMatchObject({ ...expected, status, sourceLocator: `Prices in USD!I${index + 3}` });
  });

  test('[SAFETY-WITHHELD] nothing of the purities is packaged', () => {
    const bytes = Object.values(datasetFiles(dataset)).join('\n');
    expect(bytes).not.toContain('12.5');
    expect(bytes).not.toContain('80%');
  });

  test('[IMPORT-AUDIT] the audit accounts for every row, sheet and column', () => {
    expect(audit).toEqual({
      read: 14,
      kept: 14,
      unavailable: { no_point_value_in_source: 2, blank_in_source: 2, placeholder_in_source: 2 },
      withheld: {
        'sheet "Purities", never read': 1,
        'column "Region"': 1,
        'column "SubRegion"': 1,
        'specification that speaks of purity': 1,
      },
      notes: {
        'rows without a unit': 4,
        'lower bound above upper bound, kept as printed': 1,
        'value outside its bounds, kept as printed': 1,
        'rows that share all keys with another row, all kept': 12,
      },
    });
  });

  test.each(['80 per cent', 'High purities', 'Purest', 'pureza 80'])(
    '[SAFETY-WITHHELD] a specification that speaks of purity is withheld: %s',
    (specification) => {
      const { rows: read, audit: counted } = imported([HEADER, row({ Specify: specification })]);
      expect(read.map(({ subgroup }) => subgroup)).toEqual(['Grams']);
      expect(counted.withheld).toMatchObject({ 'specification that speaks of purity': 1 });
    },
  );

  test.each([
    ['Drug', 'Cocaine, 80% purity', 'E2: expected a drug without its purity'],
    ['Unit', 'Gram at 80 purity points', 'L2: expected a unit of quantity'],
  ])('[SAFETY-WITHHELD] refused: purity in the column %s, "%s"', (column, text, message) => {
    expect(() => imported([HEADER, row({ [column]: text })])).toThrow(`Prices in USD!${message}`);
  });

  test('[IMPORT-LAYOUT] moved columns and more title rows give the same records', () => {
    const turned = [HEADER, ...ROWS].map((cells) => cells.toReversed());
    const moved = imported([['Annex'], ['Prices of drugs, 2018-2022'], [], ...turned]);
    expect(moved.rows.map(withoutPlace)).toEqual(rows.map(withoutPlace));
    expect(moved.rows[0]?.sourceLocator).toBe('Prices in USD!D5');
  });

  test('[IMPORT-SAME] the same file gives the same bytes', () => {
    expect(datasetFiles(imported(TABLE).dataset)).toEqual(datasetFiles(imported(TABLE).dataset));
  });
});

test.each(['.', '..', '...', '…', '-', '–', '—'])(
  '[IMPORT-ZERO] %s for a unit or a specification says that there is none',
  (mark) => {
    const priced = imported([HEADER, row({ Unit: mark, Specify: mark })]).rows[0];
    expect(priced).toMatchObject({ value: 30.5, subgroup: '', unit: 'USD' });
    const placeholder = imported([HEADER, row({ Unit: mark, Typical_USD: 0 })]).rows[0];
    expect(placeholder).toMatchObject({ value: null, unavailableReason: 'placeholder_in_source' });
    expect(() => imported([HEADER, row({ Drug: mark })])).toThrow(
      `Prices in USD!E2: expected text; found "${mark}"`,
    );
  },
);

test.each(['%', '€', '£', '$', '¥', '₦', '*', '--', '#'])(
  '[IMPORT-REFUSES] the sign %s alone is refused as a unit, a specification or a name',
  (sign) => {
    const message = 'expected text, or ".." or a dash for none; found';
    for (const [heading, column] of Object.entries({ Unit: 'L', Specify: 'F', Drug: 'E', DrugGroup: 'D' }))
      expect(() => imported([HEADER, row({ [heading]: sign })])).toThrow(
        `8.1.xlsx: Prices in USD!${column}2: ${message} "${sign}"`,
      );
  },
);

test('[SAFETY-WITHHELD] the table of purities is known by its name or its title, and is never read', () => {
  const head = HEADER.map((word) => word.replace('_USD', '').replace('Unit', 'Measurement'));
  const purities = [head, row({ Unit: '% (percent)' })];
  const known: [string, TestCell[][]][] = [
    ['Purities', purities],
    ['Sheet2', [['Purity of drugs, 2018-2022'], ...purities]],
  ];
  for (const [name, table] of known) {
    const file = workbookFile('8.1.xlsx', { 'Prices in USD': TABLE, [name]: table });
    const { audit } = observationsOf(prices, [file], { retrieved: '2026-01-02', edition: '2024-06' });
    expect(audit.withheld).toMatchObject({ [`sheet "${name}", never read`]: 1 });
  }
});

describe('[IMPORT-REFUSES] prices refuses', () => {
  test.each<[string, TestCell[][], string]>([
    [
      'prices of another currency',
      [HEADER.map((name) => (name === 'Typical_USD' ? 'Typical_EUR' : name))],
      '"Typical_USD"',
    ],
    ['a level of sale it does not know', [HEADER, row({ LevelOfSale: 'Street' })], 'Prices in USD!G2'],
    ['a missing level of sale', [HEADER, row({ LevelOfSale: null })], 'Prices in USD!G2'],
    ['a share for a unit', [HEADER, row({ Unit: '% (percent)' })], 'Prices in USD!L2'],
    ['a share in words', [HEADER, row({ Unit: 'per cent' })], 'Prices in USD!L2'],
    ['a currency for a unit', [HEADER, row({ Unit: 'EUR per gram' })], 'Prices in USD!L2'],
    ['a word for a currency', [HEADER, row({ Unit: 'Local currency' })], 'Prices in USD!L2'],
    ['text for a price', [HEADER, row({ Typical_USD: '10-20' })], 'Prices in USD!I2'],
    ['text for a bound', [HEADER, row({ Maximum_USD: 'n/a' })], 'Prices in USD!K2'],
    ['a negative bound', [HEADER, row({ Minimum_USD: -2 })], 'Prices in USD!J2'],
    ['a year out of range', [HEADER, row({ Year: 22 })], 'Prices in USD!H2'],
    ['an unknown country', [HEADER, row({ 'Country/Territory': 'Atlantis' })], 'Prices in USD!C2'],
  ])('%s', (_, sheet, place) => {
    expect(() => imported(sheet)).toThrow(place);
  });

  test('a workbook that has purities alone', () => {
    const file = workbookFile('8.1.xlsx', PURITIES);
    expect(() => prices.read([file], { retrieved: '2026-01-02', edition: '2026-01' })).toThrow(
      'Purities!1:1: expected a header row',
    );
  });
});
