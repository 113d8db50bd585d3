import { expect, test } from 'vitest';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { informalEconomy } from '../../build/import/informal-economy.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { NOTES_BELOW, observationsOf, workbookFile, type TestCell, edited } from '../_support/workbook.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const HEAD: TestCell[] = ['Economy ', 'Code', 2012, 2013];
type Sheets = Record<string, TestCell[][]>;

const SHEETS: Sheets = {
  'Read me': [
    ['Source: the authors'],
    ['Variables', 'Labels', 'Additional notes'],
    ['DGE_p', 'Model-based (DGE) estimates of informal output (% of official GDP)'],
    ['MIMIC_p', 'Model-based (MIMIC) estimates of informal output (% of official GDP)'],
    ['WBentp1', 'Percent of firms competing against unregistered or informal firms (Surveys)'],
    ['WBentp2', 'Percent of firms formally registered when they started operations in the country (Surveys)'],
    ['WBentp3', 'Number of years firm operated without formal registration (Surveys)'],
    [
      'WBentp4',
      'Percent of firms identifying practices of competitors in the informal sector as a constraint',
    ],
  ],
  DGE_p: [HEAD, ['Albania', 'ALB', 30.87, null], ['Kosovo', 'XKX', 1, 2]],
  MIMIC_p: [HEAD, ['Congo, Dem. Rep.', 'COD', null, 40]],
  SEMP_p: [HEAD, ['Albania', 'ALB', 56, 57]],
  WBentp1: [HEAD, ['Albania', 'ALB', null, 46.3]],
  WBentp2: [HEAD],
  WBentp3: [HEAD, ['Albania', 'ALB', 0.3, 0], [], ['Angola', 'AGO']],
  WBentp4: [HEAD],
};

const read = (sheets: Sheets) => observationsOf(informalEconomy, [workbookFile('ied.xlsx', sheets)], OPTIONS);

const line = (row: ObservationRow) =>
  `${row.indicatorId} ${row.geoCode} ${row.period}: ${row.value} ${row.unit}, ${row.status} ${row.unavailableReason ?? '-'} ${row.sourceLocator}`;

test('[IMPORT-ZERO] blank model years are unavailable, blank survey years are not records, a printed zero is a zero', () => {
  const { rows, audit } = read(SHEETS);
  expect(rows.map(line)).toEqual([
    'dge ALB 2012: 30.87 % of official GDP, estimated - DGE_p!C2',
    'dge ALB 2013: null % of official GDP, unavailable blank_in_source DGE_p!D2',
    'dge x-kosovo 2012: 1 % of official GDP, estimated - DGE_p!C3',
    'dge x-kosovo 2013: 2 % of official GDP, estimated - DGE_p!D3',
    'mimic COD 2012: null % of official GDP, unavailable blank_in_source MIMIC_p!C2',
    'mimic COD 2013: 40 % of official GDP, estimated - MIMIC_p!D2',
    'wbentp1 ALB 2013: 46.3 Percent of firms, estimated - WBentp1!D2',
    'wbentp3 ALB 2012: 0.3 Number of years, estimated - WBentp3!C2',
    'wbentp3 ALB 2013: 0 Number of years, estimated - WBentp3!D2',
  ]);
  expect(audit).toEqual({
    read: 6,
    kept: 6,
    unavailable: { blank_in_source: 2 },
    withheld: { 'sheet "Read me", never read': 1, 'sheet "SEMP_p", never read': 1 },
    notes: {
      'records written, DGE_p': 4,
      'records written, MIMIC_p': 2,
      'records written, WBentp1': 1,
      'records written, WBentp2': 0,
      'records written, WBentp3': 2,
      'records written, WBentp4': 0,
      'zero kept as observed': 1,
    },
  });
});

test('[IMPORT-REFUSES] a series that goes on in another sheet', () => {
  const sheets = { ...SHEETS, 'DGE_p (2)': [HEAD, ['Angola', 'AGO', null, 41]] };
  expect(() => read(sheets)).toThrow('ied.xlsx: DGE_p (2)!2:2: expected the whole table in one sheet');
});

test('[IMPORT-LAYOUT] moved columns and title rows give the same records', () => {
  const moved = [
    ['A title'],
    [2013, 'Code', 2012, 'Economy'],
    [null, 'ALB', 30.87, 'Albania'],
    [2, 'XKX', 1, 'Kosovo'],
  ];
  const bare = (sheets: Sheets) =>
    read(sheets)
      .rows.map((row) => line({ ...row, sourceLocator: '' }))
      .sort();
  expect(bare({ ...SHEETS, DGE_p: moved })).toEqual(bare(SHEETS));
});

const dge = (row: number, column: number, cell: TestCell): Sheets => ({
  ...SHEETS,
  DGE_p: edited(SHEETS['DGE_p'] ?? [], row, column, cell),
});
const labelled = (label: string): Sheets => ({
  ...SHEETS,
  'Read me': (SHEETS['Read me'] ?? []).map((cells) => (cells[0] === 'DGE_p' ? ['DGE_p', label] : cells)),
});
const { WBentp4: _, ...withoutSheet } = SHEETS;

const REFUSALS: [string, Sheets, RegExp][] = [
  [
    'another unit',
    labelled('(DGE) estimates of informal output (% of total GDP)'),
    /label of DGE_p in "Read me": expected words like "\(DGE\) estimates of informal output \(% of official GDP\)"; found/,
  ],
  [
    'a variable that is listed twice',
    { ...SHEETS, 'Read me': [...(SHEETS['Read me'] ?? []), ['DGE_p', 'Another label']] },
    /Read me!A9: expected each variable once; found "DGE_p"/,
  ],
  [
    'a variable that is listed twice with one label',
    { ...SHEETS, 'Read me': [...(SHEETS['Read me'] ?? []), ...(SHEETS['Read me'] ?? []).slice(2, 3)] },
    /Read me!A9: expected each variable once; found "DGE_p"/,
  ],
  ['a missing sheet', withoutSheet, /a sheet named "WBentp4"/],
  ['text for a number', dge(1, 2, 'n/a'), /DGE_p!C2.*% of official GDP.*"n\/a"/],
  ['a negative share', dge(1, 2, -3), /DGE_p!C2/],
  [
    'more than all firms',
    { ...SHEETS, WBentp1: [HEAD, ['Albania', 'ALB', null, 100.5]] },
    /WBentp1!D2: expected a number, Percent of firms; found 100\.5/,
  ],
  ['a code of another economy', dge(1, 1, 'AGO'), /DGE_p!B2.*"AGO" next to "Albania"/],
  [
    'a repeated economy',
    { ...SHEETS, DGE_p: [HEAD, ['Albania', 'ALB', 1, 2], ['Albania', 'ALB', 3, 4]] },
    /DGE_p!B3.*each economy once/,
  ],
  ['a repeated year', dge(0, 3, 2012), /DGE_p!D1.*each year once/],
  ['a year out of range', dge(0, 3, 1800), /DGE_p!D1/],
];

test.each(REFUSALS)('[IMPORT-REFUSES] refuses %s', (_name, sheets, message) => {
  expect(() => read(sheets)).toThrow(message);
});

test('an economy needs a known name, whatever its code', () => {
  const both = dge(1, 1, 'QQQ');
  const sheets = {
    ...both,
    DGE_p: (both['DGE_p'] ?? []).map((cells) => (cells[1] === 'QQQ' ? ['Atlantis', 'QQQ', 1, 2] : cells)),
  };
  expect(() => read(sheets)).toThrow(/DGE_p!A2.*known country.*"Atlantis"/);
});

test('[IMPORT-SAME] the same file gives the same bytes', () => {
  const [first, second] = [read(SHEETS), read(SHEETS)].map(({ dataset }) =>
    datasetFiles(dataset)['records.csv'].toString(),
  );
  expect(first).toBe(second);
});

test('notes under a table are counted and are no rows; a column without heading and content is none', () => {
  const spaced = (SHEETS['DGE_p'] ?? []).map((cells) => cells.toSpliced(3, 0, null));
  const { rows, audit } = read({ ...SHEETS, DGE_p: [...spaced, ...NOTES_BELOW] });
  const bare = (found: ObservationRow[]) => found.map((row) => line({ ...row, sourceLocator: '' }));
  expect(bare(rows)).toEqual(bare(read(SHEETS).rows));
  expect(audit).toMatchObject({ read: 10, kept: 6, withheld: { 'note under the table': 4 } });
});

test('refused: the name of an economy alone, and a column of values without a year', () => {
  const alone = { ...SHEETS, DGE_p: [...(SHEETS['DGE_p'] ?? []), ['Albania']] };
  expect(() => read(alone)).toThrow(/each economy once/);
  expect(() => read(dge(0, 2, null))).toThrow(/DGE_p!C1.*each year once.*a blank cell/);
});

test('a year without a column between two others is named: a model has an estimate for every year', () => {
  const table = [HEAD.with(3, 2014), ['Albania', 'ALB', 30.87, 31]];
  expect(read({ ...SHEETS, DGE_p: table }).audit.notes).toMatchObject({ 'no column of 2013 in "DGE_p"': 1 });
});

test('refused: the heading of a year that Excel shows as another one', () => {
  const table = [HEAD.with(3, { v: 2013, z: 'yyyy' }), ['Albania', 'ALB', 30.87, 31]];
  expect(() => read({ ...SHEETS, DGE_p: table })).toThrow(
    'DGE_p!D1: expected text; found 2013 shown as a date',
  );
});
