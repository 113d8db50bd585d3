import { expect, test } from 'vitest';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { coca, opium } from '../../build/import/cultivation.ts';
import type { SourceFile } from '../../build/import/importer.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { observationsOf, workbookFile, type TestCell, edited } from '../_support/workbook.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const year = (serial: number): TestCell => ({ v: serial, z: 'yyyy' });

/** 2010 to 2012: dates, then a plain year behind a narrow column of footnote marks. */
const COCA_ROWS: TestCell[][] = [
  [null, 'Cultivation of coca bush (hectares)'],
  [],
  [null, null, year(40182), year(40547), null, 2012],
  [null, '  Bolivia (Plurinational State of) ', 31000, 27200, null, 25300],
  [null, ' Colombia a', 62000, 64000, null, { f: 'MROUND(48012,100)', v: 48000 }],
  [null, ' Peru b', 61200, 64400],
  [null, ' Peru c', null, 62500, 'e', 60400],
  [null, ' Total', 154200, 155600, 'd', 133700],
  [],
  [null, 'Sources: the countries'],
  [null, 'a)  Net area on 31 December.\nb) Figures represent the area as interpreted on satellite imagery.'],
  [null, 'c) Net area on 31 December, deducting fields eradicated.'],
];

const OPIUM_ROWS: TestCell[][] = [
  [null, null, 'Opium poppy (hectares)'],
  [null, null, null, year(42551), year(43646), 2023],
  [null, null, ' SOUTH-EAST ASIA'],
  [null, null, 'Myanmar (best estimate) b, c', '..', { f: "'[1]OVERALL'!O9", v: 4624 }, 47100],
  [null, null, ' lower bound a ', null, 25800, 32200],
  [null, null, ' upper bound a ', null, { f: "'[1]OVERALL'!O10", v: 9 }, 77200],
  [null, null, 'Mexico (best estimate)', 25200, null, 0],
  [null, null, ' lower bound a ', 30000, 15500],
  [null, null, 'Other countries b', 62438.85, 14426.5, 37005.1],
  [null, null, 'TOTAL (best estimate)', 294495.85, 236650.5, 99905.1],
  [null, null, ' lower bound', 257995, 209350, 80505],
  [null, null, null, 333395, 262726, 137605],
  [null, null, 'TOTAL (best estimate, rounded)', 294500, 236650, 99910],
  [null, null, 'Sources: \na) Bound.\nb) Eradicated areas may be included.\nc) Survey of two states.'],
];

const read = (importer: typeof coca, rows: TestCell[][], more: Record<string, TestCell[][]> = {}) =>
  observationsOf(importer, [file(rows, more)], OPTIONS);

function file(rows: TestCell[][], more: Record<string, TestCell[][]> = {}): SourceFile {
  return workbookFile('annex.xlsx', { Sheet1: rows, ...more });
}

/** `geo category period: value [lower upper] reason locator`. */
function lines(rows: ObservationRow[]): string[] {
  return rows.map(
    (row) =>
      `${row.geoCode} ${row.category} ${row.period}: ${row.value} [${row.lower} ${row.upper}] ${row.unavailableReason ?? 'ok'} ${row.sourceLocator}`,
  );
}

test('[IMPORT-REFUSES] the table of another crop is refused', () => {
  const only = COCA_ROWS.filter((_, at) => ![4, 6, 7].includes(at));
  expect(() => read(opium, only)).toThrow(
    'the list of sheets: expected one sheet with opium and "(hectares)" above a row of years; found 0: "Sheet1"',
  );
  expect(() => read(coca, OPIUM_ROWS)).toThrow('expected one sheet with coca and');
});

test('[IMPORT-REFUSES] a second text left of the years may change what the line means', () => {
  const withText = (text: string): typeof COCA_ROWS =>
    COCA_ROWS.map((row, at) => [row[0] ?? null, row[1] ?? null, at === 4 ? text : null, ...row.slice(2)]);
  expect(() => read(coca, withText('km²'))).toThrow('Sheet1!C5: expected a footnote mark; found "km²"');
  expect(read(coca, withText('a')).rows.map(({ category }) => category)).toEqual(
    read(coca, COCA_ROWS).rows.map(({ category }) => category),
  );
});

test('coca: a concept is named by the mark in the label, or in a cell of its own next to it', () => {
  const apart = COCA_ROWS.map((row, at) => {
    const [, label = null, ...rest] = row;
    return at === 4 ? [null, ' Colombia', 'a', ...rest] : [null, label, null, ...rest];
  });
  const categories = (rows: TestCell[][]): string[] => read(coca, rows).rows.map(({ category }) => category);
  expect(categories(apart)).toEqual(categories(COCA_ROWS));
});

test('[IMPORT-LAYOUT] coca: a title that says "in hectares" says the same', () => {
  const titled = edited(COCA_ROWS, 0, 1, 'Cultivation of coca bush (in hectares)');
  expect(read(coca, titled).rows).toEqual(read(coca, COCA_ROWS).rows);
  const other = edited(COCA_ROWS, 0, 1, 'Eradication of coca bush (in hectares)');
  expect(() => read(coca, other)).toThrow('the list of sheets');
});

test('coca: a footnote goes on in the next line of its cell', () => {
  const wrapped = edited(
    COCA_ROWS,
    11,
    1,
    'c) Net area on 31 December,\ndeducting fields eradicated.\nSource: UNODC.',
  );
  const categories = (rows: TestCell[][]): string[] => read(coca, rows).rows.map(({ category }) => category);
  expect(categories(wrapped)).toEqual(categories(COCA_ROWS));
});

test('[IMPORT-REFUSES] coca: a footnote of a label that names no known concept, which would be another series', () => {
  const rows = edited(COCA_ROWS, 4, 1, ' Colombia a, e');
  const named = [...rows, [null, 'e) Gross area in the middle of the year.']];
  expect(() => read(coca, named)).toThrow(
    'annex.xlsx: Sheet1!B5: expected a footnote like net area on 31 december or as interpreted on satellite imagery, which name an area concept; a new one goes into build/import/coca.yaml; found " Colombia a, e" with "Gross area in the middle of the year."',
  );
});

test('opium: bounds that are the wrong way round are kept and noted, also where no best estimate is between them', () => {
  const { rows, audit } = read(opium, edited(edited(OPIUM_ROWS, 4, 3, 300), 5, 3, 200));
  expect(lines(rows)[0]).toBe('MMR  2016: null [300 200] placeholder_in_source Sheet1!D4');
  expect(audit.notes).toMatchObject({ 'lower bound above upper bound, kept as printed': 1 });
});

test('[IMPORT-REFUSES] coca: a label that has lost its mark, which would be another series', () => {
  const lost = (row: number, label: string) => () => read(coca, edited(COCA_ROWS, row, 1, label));
  expect(lost(4, ' Colombia')).toThrow(
    'annex.xlsx: the labels of "Sheet1": expected the mark "a" at a label or next to a value, since "Net area on 31 December." names an area concept; found none',
  );
  expect(lost(6, ' Peru')).toThrow('expected the mark "c" at a label');
});

test('coca: date headers, footnote columns, and Peru under two concepts', () => {
  const { rows, audit } = read(coca, COCA_ROWS);
  expect(lines(rows)).toEqual([
    'BOL  2010: 31000 [null null] ok Sheet1!C4',
    'BOL  2011: 27200 [null null] ok Sheet1!D4',
    'BOL  2012: 25300 [null null] ok Sheet1!F4',
    'COL Net area on 31 December. 2010: 62000 [null null] ok Sheet1!C5',
    'COL Net area on 31 December. 2011: 64000 [null null] ok Sheet1!D5',
    'COL Net area on 31 December. 2012: 48000 [null null] ok Sheet1!F5',
    'PER Figures represent the area as interpreted on satellite imagery. 2010: 61200 [null null] ok Sheet1!C6',
    'PER Figures represent the area as interpreted on satellite imagery. 2011: 64400 [null null] ok Sheet1!D6',
    'PER Figures represent the area as interpreted on satellite imagery. 2012: null [null null] blank_in_source Sheet1!F6',
    'PER Net area on 31 December, deducting fields eradicated. 2010: null [null null] blank_in_source Sheet1!C7',
    'PER Net area on 31 December, deducting fields eradicated. 2011: 62500 [null null] ok Sheet1!D7',
    'PER Net area on 31 December, deducting fields eradicated. 2012: 60400 [null null] ok Sheet1!F7',
    'x-coca-total  2010: 154200 [null null] ok Sheet1!C8',
    'x-coca-total  2011: 155600 [null null] ok Sheet1!D8',
    'x-coca-total  2012: 133700 [null null] ok Sheet1!F8',
  ]);
  expect(new Set(rows.map(({ unit, status }) => `${unit} ${status}`))).toEqual(
    new Set(['hectares estimated', 'hectares unavailable']),
  );
  expect(audit).toEqual({
    read: 5,
    kept: 5,
    unavailable: { blank_in_source: 2 },
    withheld: {},
    notes: { 'footnote mark next to a value': 2, 'records written': 15 },
  });
});

test('[IMPORT-BROKEN] opium: bounds beside best estimates, broken links, marks, an unlabelled row, a rounded total', () => {
  const { rows, audit, descriptor } = read(opium, OPIUM_ROWS);
  expect(lines(rows)).toEqual([
    'MMR  2016: null [null null] placeholder_in_source Sheet1!D4',
    'MMR  2019: null [25800 null] broken_formula_in_source Sheet1!E4',
    'MMR  2023: 47100 [32200 77200] ok Sheet1!F4',
    'MEX  2016: 25200 [30000 null] ok Sheet1!D7',
    'MEX  2019: null [15500 null] no_point_value_in_source Sheet1!E7',
    'MEX  2023: 0 [null null] ok Sheet1!F7',
    'x-opium-other-countries  2016: 62438.85 [null null] ok Sheet1!D9',
    'x-opium-other-countries  2019: 14426.5 [null null] ok Sheet1!E9',
    'x-opium-other-countries  2023: 37005.1 [null null] ok Sheet1!F9',
    'x-opium-total  2016: 294495.85 [257995 null] ok Sheet1!D10',
    'x-opium-total  2019: 236650.5 [209350 null] ok Sheet1!E10',
    'x-opium-total  2023: 99905.1 [80505 null] ok Sheet1!F10',
    'x-opium-total rounded 2016: 294500 [null null] ok Sheet1!D13',
    'x-opium-total rounded 2019: 236650 [null null] ok Sheet1!E13',
    'x-opium-total rounded 2023: 99910 [null null] ok Sheet1!F13',
  ]);
  expect(audit).toEqual({
    read: 11,
    kept: 9,
    unavailable: { placeholder_in_source: 1, broken_formula_in_source: 1, no_point_value_in_source: 1 },
    withheld: { 'heading or row without any value': 1, 'row of values without a label': 1 },
    notes: {
      'value outside its bounds, kept as printed': 1,
      'bound lost to a broken formula': 1,
      'records written': 15,
    },
  });
  expect(descriptor.geographies.map(({ code, level }) => `${code} ${level}`)).toEqual([
    'MEX country',
    'MMR country',
    'x-opium-other-countries aggregate',
    'x-opium-total aggregate',
  ]);
});

test('[IMPORT-BROKEN] opium: a link to another workbook is broken whatever its last result was', () => {
  const linked = edited(OPIUM_ROWS, 3, 4, { f: "'[1]OVERALL'!O9", v: '..' });
  const bounded = edited(linked, 5, 4, { f: "'[1]OVERALL'!O10", v: '#REF!' });
  expect(read(opium, bounded).rows).toEqual(read(opium, OPIUM_ROWS).rows);
});

test('[IMPORT-LAYOUT] moved columns, more title rows, an added year and a yield column give the same records', () => {
  const moved = [[], ['A title of its own'], ...COCA_ROWS.map((row) => [null, ...row])];
  const plain = read(coca, COCA_ROWS).rows.map((row) => ({ ...row, sourceLocator: '' }));
  expect(read(coca, moved).rows.map((row) => ({ ...row, sourceLocator: '' }))).toEqual(plain);
  const longer = edited(edited(COCA_ROWS, 2, 6, 2013), 3, 6, 23000);
  expect(lines(read(coca, longer).rows)).toContain('BOL  2013: 23000 [null null] ok Sheet1!G4');
  const withYield = edited(edited(COCA_ROWS, 2, 6, 'Yield (kg/ha)'), 3, 6, 1.2);
  const result = read(coca, withYield);
  expect(result.rows.map((row) => ({ ...row, sourceLocator: '' }))).toEqual(plain);
  expect(result.audit.withheld).toEqual({ 'column of yield or production': 1 });
});

test('[SAFETY-WITHHELD] a second table of production and another sheet are withheld', () => {
  const rows = [
    ...COCA_ROWS.slice(0, 8),
    [null, 'Potential production (tons)'],
    [null, ' Colombia', 300, 400, null, 500],
    ...COCA_ROWS.slice(9),
  ];
  const { audit, rows: records } = read(coca, rows, {
    Other: [['Potential production (tons)'], [2010, 2011, 2012]],
  });
  expect(records.length).toBe(15);
  expect(audit.withheld).toEqual({ 'row of yield or production': 2, 'sheet "Other", never read': 1 });
});

test('[IMPORT-REFUSES] a second sheet with lines of the table is refused, unless it is one of production', () => {
  const rest = [COCA_ROWS[2] ?? [], COCA_ROWS[3] ?? []];
  expect(() => read(coca, COCA_ROWS, { Rest: rest })).toThrow(
    'annex.xlsx: Rest!2:2: expected the whole table in one sheet, or a word for this one in unreadSheets of build/import/coca.yaml',
  );
  const production = { Rest: [[null, 'Potential production (tons)'], ...rest] };
  expect(read(coca, COCA_ROWS, production).rows).toHaveLength(15);
});

const REFUSALS: [string, typeof coca, TestCell[][], RegExp][] = [
  ['another unit', coca, edited(COCA_ROWS, 0, 1, 'Coca bush (acres)'), /list of sheets.*hectares/],
  ['an unknown country', coca, edited(COCA_ROWS, 4, 1, ' Atlantis a'), /Sheet1!5:5.*"Atlantis"/],
  ['text for a number', coca, edited(COCA_ROWS, 4, 2, 'n.k.'), /Sheet1!C5.*hectares.*"n\.k\."/],
  ['an error for an area', coca, edited(COCA_ROWS, 4, 2, { e: 42 }), /Sheet1!C5: expected hectares.*"#N\/A"/],
  ['a negative area', coca, edited(COCA_ROWS, 4, 2, -1), /Sheet1!C5/],
  ['a number between years', coca, edited(COCA_ROWS, 4, 4, 12), /Sheet1!E5.*footnote mark/],
  ['a repeated year', coca, edited(COCA_ROWS, 2, 5, year(40547)), /Sheet1!F3.*second 2011/],
  [
    'a month for a year',
    coca,
    edited(edited(COCA_ROWS, 2, 3, { v: 40547, z: 'mmm-yy' }), 2, 6, 2013),
    /Sheet1!D3.*a date that shows the year alone; found 40547/,
  ],
  [
    'a year with a word',
    coca,
    edited(COCA_ROWS, 2, 5, { v: 2012, z: '0"p"' }),
    /Sheet1!F3.*2012 shown as a number with a word/,
  ],
  [
    'a year out of another workbook',
    coca,
    edited(COCA_ROWS, 2, 5, { f: '[1]Years!A1', v: 2012 }),
    /Sheet1!F3.*a link to another workbook/,
  ],
  [
    'a note on acres',
    coca,
    [...COCA_ROWS, [null, 'Areas are in acres.']],
    /Sheet1!B13: expected a table in hectares/,
  ],
  ['an unknown column', coca, edited(COCA_ROWS, 2, 6, 'Change'), /Sheet1!G3.*a year.*"Change"/],
  ['a mark without its footnote', coca, edited(COCA_ROWS, 4, 1, ' Colombia x'), /Sheet1!5:5.*footnote/],
  [
    'a footnote twice',
    coca,
    [...COCA_ROWS, [null, 'a) Gross area.']],
    /Sheet1!B13.*one footnote "a\)".*a second/,
  ],
  [
    'one concept twice',
    coca,
    edited(edited(COCA_ROWS, 5, 1, ' Peru c'), 3, 4, 'b'),
    /one line of PER\|Net area/,
  ],
  ['a bound of nothing', opium, edited(OPIUM_ROWS, 3, 2, ' upper bound a '), /Sheet1!4:4.*upper/],
  ['a bound whose line has no label', opium, edited(OPIUM_ROWS, 6, 2, null), /Sheet1!7:7.*a label/],
  ['a line without a label', coca, edited(COCA_ROWS, 5, 1, null), /Sheet1!6:6.*a label/],
  ['a note on thousands', coca, [...COCA_ROWS, [null, 'Areas are in thousands.']], /not in thousands/],
  [
    'numbers without a year',
    coca,
    edited(edited(COCA_ROWS, 2, 2, null), 2, 6, 2013),
    /C4.*a year above it.*31000/,
  ],
  ['two lower bounds', opium, edited(OPIUM_ROWS, 5, 2, ' lower bound a '), /Sheet1!6:6.*lower/],
  ['another estimate', opium, edited(OPIUM_ROWS, 6, 2, 'Mexico (best guess)'), /Sheet1!7:7.*best estimate/],
];

test.each(REFUSALS)('[IMPORT-REFUSES] refuses %s', (_, family, rows, message) => {
  expect(() => family.read([file(rows)], OPTIONS)).toThrow(message);
});

test('[IMPORT-SAME] the same file gives the same bytes, and other than one file is refused', () => {
  const bytes = [1, 2].map(() => datasetFiles(read(opium, OPIUM_ROWS).dataset)['records.csv'].toString());
  expect(bytes[0]).toBe(bytes[1]);
  expect(() => coca.read([], OPTIONS)).toThrow(/one workbook/);
});

test('refused: a number below the sources, which would be a value that is not read', () => {
  const rows = [...COCA_ROWS, [null, 'Ecuador', 700, 800, null, 900]];
  expect(() => read(coca, rows)).toThrow('Sheet1!C13: expected a note, as all rows below the sources are');
});
