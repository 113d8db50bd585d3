/** Later and earlier editions of one table, and copies that are not on record: what is read, and what a copy is called. */
import { expect, test } from 'vitest';
import type { Importer, ImportOptions, SourceFile } from '../../build/import/importer.ts';
import { coca } from '../../build/import/cultivation.ts';
import { firearms } from '../../build/import/firearms.ts';
import { informalEmployment } from '../../build/import/informal-employment.ts';
import { identifier } from '../../build/lib/identity.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { observationsOf, textFile, workbookFile, type TestCell } from '../_support/workbook.ts';
import { items } from '../_support/words.ts';

const RETRIEVED = { retrieved: '2026-11-20' };
const HEAD_2025 =
  'Region SubRegion Country DrugGroup DrugSubGroup DrugName ReferenceYear Kilograms msCode'.split(' ');
const GROUP = 'Cocaine-type';
const ROW_2025 = ['Africa', 'East Africa', 'Kenya', GROUP, 'Cocaine', 'Cocaine salts', 2022, 1.5, 'KEN'];

const HEAD_2026 = items(`Iso3_code | Region | SubRegion | Country | DrugGroup | DrugSubGroup |
  DrugName | Reference year | Kilograms | source | footnote`);
const row2026 = (year: number, kilograms: TestCell): TestCell[] => {
  const place = ['KEN', 'Africa', 'East Africa', 'Kenya'];
  return [...place, GROUP, 'Cocaine', 'Cocaine salts', year, kilograms, 'ARQ', 'Provisional'];
};

function annex(title: string, header: TestCell[], rows: TestCell[][], sheet = 'Seizures'): SourceFile {
  return workbookFile('7.1.xlsx', { [sheet]: [[title], header, ...rows] });
}

const read = (importer: Importer, file: SourceFile, options: ImportOptions = RETRIEVED) =>
  observationsOf(importer, [file], options);

test('a sheet is found by its header row, its name is only a hint', () => {
  const older = read(seizures, annex('Drug seizures, 2018-2022', HEAD_2025, [ROW_2025], 'Export'));
  expect(older.rows[0]).toMatchObject({
    geoCode: 'KEN',
    sourceLocator: 'Export!H3',
    sourceId: 'wdr2024-7.1',
  });
  expect(older.descriptor.sources[0]).toMatchObject({ dated: '2024-06', retrievedAt: '2026-11-20' });
});

test('a code column of another name, moved columns, further columns and the mark of no figure', () => {
  const rows = [row2026(2015, 2), row2026(2024, '...'), row2026(2023, null)];
  const later = read(seizures, annex('Drug seizures, 2015-2024', HEAD_2026, rows));
  const found = later.rows.map(({ value, unavailableReason: reason }) => [value, reason]);
  expect(found).toEqual([
    [2, null],
    [null, 'placeholder_in_source'],
    [null, 'blank_in_source'],
  ]);
  expect(later.rows[1]).toMatchObject({ geoCode: 'KEN', period: '2024', sourceLocator: 'Seizures!I4' });
  expect(later.audit.withheld).toMatchObject({ 'column "source"': 1, 'column "footnote"': 1 });
  expect(later.descriptor.sources[0]).toMatchObject({ id: 'wdr2026-7.1', dated: '2026-06' });
});

test('a title with the longer dash is that of the same edition', () => {
  const { descriptor } = read(seizures, annex('Drug seizures, 2018–2022', HEAD_2025, [ROW_2025]));
  expect(descriptor.sources[0]).toMatchObject({ id: 'wdr2024-7.1', dated: '2024-06' });
});

test('an unknown edition keeps a neutral title and the page of the publisher', () => {
  const file = annex('Drug seizures, 2016-2025', HEAD_2025, [ROW_2025]);
  expect(() => read(seizures, file)).toThrow(
    "7.1.xlsx: the edition: expected a date in the file, or --edition with the publisher's date of it",
  );
  const [source] = read(seizures, file, { retrieved: '2027-07-01', edition: '2027-06' }).descriptor.sources;
  expect(source).toMatchObject({ id: 'wdr-7.1', dated: '2027-06', retrievedAt: '2027-07-01' });
  expect(`${source?.title} ${source?.url} ${source?.path}`).not.toMatch(/20\d\d/);
  expect(source?.notes.join(' ')).toContain('stated at the import');
});

test('a file that is dated like a known edition but does not print its title is not called by it', () => {
  const [source] = read(seizures, annex('Table 7.1', HEAD_2025, [ROW_2025]), {
    retrieved: '2026-07-01',
    edition: '2025-06',
  }).descriptor.sources;
  expect(source).toMatchObject({ id: 'wdr-7.1', dated: '2025-06' });
  expect(`${source?.title} ${source?.url} ${source?.path}`).not.toMatch(/20\d\d/);
});

test('the title of an earlier edition below the table is not that of the file', () => {
  const wide: TestCell[] = ['Country', 2010, 2011, 2012, 2013];
  const sheet = [
    ['Global illicit cultivation of coca bush, 2010-2024 (hectares)'],
    wide,
    ['Peru', 1, 2, 3, 4],
    ['Source: cultivation of coca bush, 2010-2023.'],
  ];
  expect(() => read(coca, workbookFile('6.1.1.xlsx', { Sheet1: sheet }))).toThrow(
    'the edition: expected a date in the file',
  );
});

test('an altered copy of a known edition is not given the address of the publisher’s file', () => {
  const [source] = read(seizures, annex('Drug seizures, 2019-2023', HEAD_2025, [ROW_2025])).descriptor
    .sources;
  expect(source).toMatchObject({ id: 'wdr2025-7.1', dated: '2025-06' });
  expect(source?.path).toBe(source?.url);
  expect(source?.notes.join(' ')).toContain('not the one on record');
});

const COCA: TestCell[][] = [
  ['Global illicit cultivation of coca bush, 2011-2024 (hectares)'],
  ['', 2022, 2023, 2024],
  ['Colombia', 230, 253, 260],
];

test('a later annex of cultivation is not called the edition of 2025', () => {
  const file = workbookFile('6.1.1.xlsx', { Areas: COCA });
  expect(() => read(coca, file)).toThrow('--edition');
  const [source] = read(coca, file, { ...RETRIEVED, edition: '2026-06' }).descriptor.sources;
  expect(`${source?.id} ${source?.title} ${source?.path}`).not.toContain('2025');
});

test.each([
  ['the file and the operator disagree', { ...RETRIEVED, edition: '2024-06' }, 'found --edition 2024-06'],
  ['the copy was obtained before it was published', { retrieved: '2025-01-31' }, 'a date up to 2025-01-31'],
])('refused: %s', (_, options, message) => {
  const file = annex('Drug seizures, 2019-2023', HEAD_2025, [ROW_2025]);
  expect(() => read(seizures, file, options)).toThrow(message);
});

const ARMS = 'Iso3_code,Country,Indicator,Dimension,Category,Sex,Age,Year,Unit of measurement,VALUE'.split(
  ',',
);
const arms = (printed: TestCell): SourceFile => {
  const row = ['KEN', 'Kenya', 'Arms seized', 'by type', 'rifle', 'na', 'na', '2020', 'Counts', 3];
  return workbookFile('iafq.xlsx', { data: [['UNODC'], [printed], ARMS, row] });
};

test.each<[string, TestCell, string]>([
  ['day before month', '12/05/2025', '2025-05-12'],
  ['year first', '2025-05-12', '2025-05-12'],
  ['an Excel date', { v: 45_789, z: 'dd/mm/yyyy' }, '2025-05-12'],
])('the date of an edition printed with %s', (_, printed, dated) => {
  const [imported] = firearms.read([arms(printed)], RETRIEVED);
  expect(imported?.dataset.descriptor.sources[0]).toMatchObject({ dated });
});

test('a date in a sheet without a table is not that of the edition, one in two tables has to be chosen', () => {
  const row = ['KEN', 'Kenya', 'Arms seized', 'by type', 'rifle', 'na', 'na', '2020', 'Counts', 3];
  const data = [['UNODC'], ['18/05/2026'], ARMS, row];
  const about = [['Metadata'], ['Questionnaire sent to Member States', '30/06/2025']];
  const dated = (sheets: Record<string, TestCell[][]>, options: ImportOptions = RETRIEVED) =>
    firearms.read([workbookFile('iafq.xlsx', sheets)], options)[0]?.dataset.descriptor.sources[0]?.dated;
  expect(dated({ about, data })).toBe('2026-05-18');
  const log = [
    ['Changes'],
    ['30/06/2025'],
    ['when', 'who', 'what', 'why', 'where'],
    ['1', '2', '3', '4', '5'],
  ];
  expect(() => dated({ log, data })).toThrow(
    'iafq.xlsx: the edition: expected one date; where the sheets of a file print several, --edition says which one is meant; found 2025-06-30 and 2026-05-18',
  );
  for (const edition of ['2026-05-18', '2026-05'])
    expect(dated({ log, data }, { ...RETRIEVED, edition })).toBe('2026-05-18');
});

test('a corrected file with the title of an edition is one of its own, by the date that the operator states', () => {
  const file = annex('Drug seizures, 2019-2023', HEAD_2025, [ROW_2025]);
  const [source] = read(seizures, file, { ...RETRIEVED, edition: '2025-10' }).descriptor.sources;
  expect(source).toMatchObject({ id: 'wdr-7.1', dated: '2025-10' });
  expect(source?.notes.join(' ')).toContain('stated at the import');
});

test('a date in the table is not that of the edition', () => {
  const header = [...ARMS, 'Source', 'Region'];
  const row = ['KEN', 'Kenya', 'Arms seized', 'by type', 'rifle', 'na', 'na', '2020', 'Counts', 3];
  const file = workbookFile('iafq.xlsx', {
    data: [['UNODC'], header, [...row, '01/02/2020', { v: 45_000, z: 'dd/mm/yyyy' }]],
  });
  expect(() => firearms.read([file], RETRIEVED)).toThrow(
    'iafq.xlsx: the edition: expected a date in the file',
  );
});

test('a printed date of month before day is refused with its cell', () => {
  expect(() => firearms.read([arms('08/26/2024')], RETRIEVED)).toThrow(
    'data!A2: expected the date of the edition, day before month; found "08/26/2024"',
  );
});

const ILO_HEAD =
  'ref_area.label,source.label,indicator.label,sex.label,time,obs_value,obs_status.label,note_indicator.label,note_source.label';
const ilo = (name: string, sex: string, flag = ''): SourceFile => {
  const row = `Kenya,LFS - Labour Force Survey,Informal employment rate by sex (%),${sex},2019,86.5,${flag},,`;
  return textFile(name, `${ILO_HEAD}\n${row}\n`);
};

test('labels are packaged as printed in their edition, which the name of the file dates', () => {
  const older = read(informalEmployment, ilo('EMP_NIFL_SEX_RT_A-20240726T0000.csv', 'Sex: Male'));
  const later = read(
    informalEmployment,
    ilo('ILOSTAT_EMP_NIFL_SEX_RT_A-20251121T2048.csv', 'Male', 'Unreliable'),
  );
  expect([older, later].map(({ rows }) => rows[0]?.category)).toEqual(['Sex: Male', 'Male']);
  expect(later.descriptor.sources[0]).toMatchObject({ id: 'ilo-nifl', dated: '2025-11-21' });
  const moved = 'EMP_NIFL_SEX_RT_A-20251121T2048/ILOSTAT_EMP_NIFL_SEX_RT_A-20260915T1015.csv';
  expect(read(informalEmployment, ilo(moved, 'Male')).descriptor.sources[0]?.dated).toBe('2026-09-15');
  const ids = [older, later].map(({ descriptor: { labelKeys }, rows }) => identifier(labelKeys)(rows));
  expect(ids[0]).toEqual(ids[1]);
});

test('a survey may be called like a method of every object', () => {
  const { rows, descriptor } = read(
    informalEmployment,
    textFile(
      'ILOSTAT_EMP_NIFL_SEX_RT_A-20251121T2048.csv',
      `${ILO_HEAD}\nKenya,constructor,Informal employment rate by sex (%),Male,2019,86.5,,,\n`,
    ),
  );
  expect(rows[0]?.subgroup).toBe('constructor');
  expect(descriptor.labelKeys).toBeUndefined();
});
