import { expect, test } from 'vitest';
import type { ObservationRow } from '../../build/lib/dataset.ts';
import { prevalence } from '../../build/import/prevalence.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { observationsOf, workbookFile, type TestCell, edited, tableRow } from '../_support/workbook.ts';
import { words, items } from '../_support/words.ts';

const OPTIONS = { retrieved: '2026-01-31', edition: '2026-01' };
const UNIT =
  'Annual Prevalence of Use as a percentage of the population aged 15-64 (unless otherwise indicated) ';
const HEAD = words(`Region Sub-region Country/Territory Best Low High Male Female Year Age`);
const MORE = ['Source', 'Method', 'Adjustment/\n notes', 'Specific notes'];

const OPIATES: TestCell[][] = [
  ['OPIATES'],
  [UNIT],
  [...HEAD, ...MORE],
  tableRow('Europe | Western | Spain | 2.1 | 1.9 | 2.28 | 3.2 | 0 | 2022 | 15-64 | ARQ | HHS'),
  tableRow(
    '| | Spain | 2 | 3 | | | | 2022/23 | 12 -70 | ARQ | SS | e,d | Data refer to 2022/23. Heroin.',
  ).with(12, 'e,d '),
  tableRow(
    '| | United Kingdom (Scotland) | | 0.1 | 0.3 | | | 2019-2021 | 15+ | | | z** | Problem opiate users',
  ).with(9, '15+ '),
  tableRow(
    'Asia | | Kosovo under UNSCR 1244 | | | | 0.003 | | 2011 | | | | Mostly heroin. | Past month use. As it was',
  ).with(6, '0.003'),
  [],
  ['Except where the values are taken from surveys'],
];

const TRANQUILLIZERS: TestCell[][] = [
  ['TRANQUILLIZERS'],
  [UNIT],
  items(`Region | Sub-region | Country/Territory | Total | Male | Female | Year | Age | Source |
    Method | Specific notes`),
  ['Africa', 'East Africa', 'Kenya', 0, 0, 0.1, 2016, '15-64', 'ARQ', 'HHS'],
  [null, null, 'Kenya', null, null, null, 2021, '15-64'],
];

const SEXES = ['Total', 'Male', 'Female'];
const NPS: TestCell[][] = [
  ['NEW PSYCHOACTIVE SUBSTANCES (NPS)'],
  ['Prevalence of Use as a percentage of the population aged 15-64 (unless otherwise stated)'],
  tableRow(
    'NPS Type | Region | Sub-region | Country/Territory | Substance | Lifetime | | | Past year | | | Past Month | | | Year | Age',
  ),
  [null, null, null, null, null, ...SEXES, ...SEXES, ...SEXES],
  tableRow('Ketamine | Europe | | Spain | Ketamine | 0.2 | 0.3 | | | | | 0.1 | | 0 | 2010-11 | 15-34'),
  tableRow(
    '| | | Spain | Synthetic cannabinoids. Following their control, it is not possible | | | | 1.1 | | | | | | 2019 |',
  ),
];

const SHEETS = { Opiates: OPIATES, 'Tranquillizers and sedatives': TRANQUILLIZERS, NPS };

const read = (sheets: Record<string, TestCell[][]>) =>
  observationsOf(prevalence, [workbookFile('1.2.xlsx', sheets)], OPTIONS);

/** `indicator|geo|category|subgroup|period: value [lower upper] reason locator`. */
function lines(rows: ObservationRow[]): string[] {
  return rows.map(
    (row) =>
      `${row.indicatorId.slice(4)}|${row.geoCode}|${row.category}|${row.subgroup}|${row.period}: ${row.value} [${row.lower} ${row.upper}] ${row.unavailableReason ?? 'ok'} ${row.sourceLocator}`,
  );
}

test('three layouts, spans of years, sexes, ages, adjustment letters and notes that change the measure', () => {
  const { rows, audit } = read(SHEETS);
  expect(lines(rows)).toEqual([
    'opiates|ESP|Opiates|15-64|2022: 2.1 [1.9 2.28] ok Opiates!D4',
    'opiates|ESP|Opiates|Male 15-64|2022: 3.2 [null null] ok Opiates!G4',
    'opiates|ESP|Opiates|Female 15-64|2022: 0 [null null] ok Opiates!H4',
    'opiates|ESP|Opiates|12-70; d, e; Heroin|2022: 2 [3 null] ok Opiates!D5',
    'opiates|x-scotland|Opiates|15+; z**; problem users|2019: null [0.1 0.3] no_point_value_in_source Opiates!D6',
    'opiates|x-kosovo|Opiates|past month|2011: null [null null] blank_in_source Opiates!D7',
    'opiates|x-kosovo|Opiates|Male; past month|2011: 0.003 [null null] ok Opiates!G7',
    'tranquillizers|KEN|Tranquillizers and sedatives|15-64|2016: 0 [null null] ok Tranquillizers and sedatives!D4',
    'tranquillizers|KEN|Tranquillizers and sedatives|Male 15-64|2016: 0 [null null] ok Tranquillizers and sedatives!E4',
    'tranquillizers|KEN|Tranquillizers and sedatives|Female 15-64|2016: 0.1 [null null] ok Tranquillizers and sedatives!F4',
    'tranquillizers|KEN|Tranquillizers and sedatives|15-64|2021: null [null null] blank_in_source Tranquillizers and sedatives!D5',
    'nps-lifetime|ESP|Ketamine|15-34|2010: 0.2 [null null] ok NPS!F5',
    'nps-lifetime|ESP|Ketamine|Male 15-34|2010: 0.3 [null null] ok NPS!G5',
    'nps-month|ESP|Ketamine|15-34|2010: 0.1 [null null] ok NPS!L5',
    'nps-month|ESP|Ketamine|Female 15-34|2010: 0 [null null] ok NPS!N5',
    'nps|ESP|Synthetic cannabinoids||2019: 1.1 [null null] ok NPS!I6',
  ]);
  expect(new Set(rows.map(({ unit }) => unit))).toEqual(new Set(['percent of population']));
  expect(audit).toEqual({
    read: 9,
    kept: 8,
    unavailable: { blank_in_source: 2, no_point_value_in_source: 1 },
    withheld: {
      'column "Method"': 2,
      'column "NPS Type"': 1,
      'column "Region"': 3,
      'column "Source"': 2,
      'column "Sub-region"': 3,
      'note under the table': 1,
    },
    notes: {
      'adjustment note in words not packaged': 1,
      'value outside its bounds, kept as printed': 1,
      'explanation after a substance not packaged': 1,
      'number typed as text': 1,
      'records written': 16,
      'row without an age group': 2,
      'span of years filed under its first year': 3,
    },
  });
});

test('a span of years may have the longer dash', () => {
  const [, , head = [], row = []] = OPIATES;
  const { rows } = read({ Opiates: [['OPIATES'], [UNIT], head, row.with(8, '2022–23')] });
  expect(rows.map(({ period }) => period)).toEqual(['2022', '2022', '2022']);
});

test.each([
  ['Does not include problem drug users', '15-64'],
  ['Excludes high-risk users', '15-64'],
  ['Sampling problem in two provinces', '15-64'],
  ['Problem opioid users (not including those in prison)', '15-64; problem users'],
  ['Users not in treatment. High-risk opioid use', '15-64; problem users'],
  ['Past-month use', '15-64; past month'],
  ['Use in the last 30-days', '15-64; past month'],
  ['Past-month use; the figure is that of the past year', '15-64'],
  ['Daily heroin users', '15-64; daily users'],
  ['Prevalence of heroin use among pasta base users. A sample', '15-64; users of another drug'],
  ['People who inject drugs', '15-64; people who inject drugs'],
  ['Population with opioid use disorders', '15-64; use disorders'],
  ['Opioid-dependent users', '15-64; dependent users'],
  ['Number of persons in treatment for opioid use disorders, with a multiplier', '15-64'],
  ['Problem opioid users: Daily opioid users', '15-64; problem users'],
  ['Heroin', '15-64; Heroin'],
  ['Heroin; opium', '15-64'],
])('the note "%s" is read as %s', (note, subgroup) => {
  const [, , , row = []] = OPIATES;
  const noted = [...row.slice(0, 12), null, note];
  const { rows } = read({ Opiates: [...OPIATES.slice(0, 3), noted] });
  expect(rows[0]?.subgroup).toBe(subgroup);
});

test.each([
  ['Other NPS (e.g. ketamine)', 'Other NPS (e.g. ketamine)'],
  ['NPS, e.g. ketamine. Not asked in 2019', 'NPS, e.g. ketamine'],
  ['Kratom (leaf). Following their control', 'Kratom (leaf)'],
  ['Kratom.', 'Kratom'],
])('the substance "%s" is %s', (printed, category) => {
  const rows = NPS.map((row, at) => (at === 5 ? row.with(4, printed) : row));
  expect(read({ NPS: rows }).rows.at(-1)?.category).toBe(category);
});

test.each(['d,e ', 'e; d', 'd e', 'd and e'])(
  'adjustment letters are the same set written as %s',
  (letters) => {
    const adjusted = OPIATES.map((cells, at) => (at === 3 ? [...cells, letters] : cells));
    expect(read({ Opiates: adjusted }).rows[0]).toMatchObject({ geoCode: 'ESP', subgroup: '15-64; d, e' });
  },
);

test('[IMPORT-LAYOUT] moved columns and title rows give the same records', () => {
  const order = [2, 9, 8, 3, 7, 6, 5, 4, 13, 12, 0, 1, 10, 11];
  const moved = [
    ['A title'],
    ['OPIATES'],
    [UNIT],
    [],
    ...OPIATES.slice(2, 7).map((row) => [null, ...order.map((column) => row[column] ?? null)]),
  ];
  const bare = (sheet: TestCell[][]) =>
    lines(read({ Opiates: sheet }).rows.map((row) => ({ ...row, sourceLocator: '' }))).sort();
  expect(bare(moved)).toEqual(bare(OPIATES));
});

test('[IMPORT-LAYOUT] other spaces in any text, and headings in capitals, give the same records', () => {
  const changed = (change: (text: string, row: number) => string): Record<string, TestCell[][]> =>
    Object.fromEntries(
      Object.entries(SHEETS).map(([name, table]) => [
        name,
        table.map((cells, row) => cells.map((cell) => (typeof cell === 'string' ? change(cell, row) : cell))),
      ]),
    );
  const expected = lines(read(SHEETS).rows);
  expect(lines(read(changed((text) => text.replaceAll(' ', '\u00A0'))).rows)).toEqual(expected);
  const capitals = changed((text, row) => (row < 4 && !text.includes('Spain') ? text.toUpperCase() : text));
  expect(lines(read({ ...SHEETS, Opiates: capitals['Opiates'] ?? [] }).rows)[1]).toBe(expected[1]);
});

test('a mark that a figure is not available is a placeholder, never a number', () => {
  const marked = OPIATES.map((cells, row) =>
    row === 3 ? cells.map((cell, at) => (at >= 3 && at <= 7 ? '..' : cell)) : cells,
  );
  expect(lines(read({ Opiates: marked }).rows)[0]).toBe(
    'opiates|ESP|Opiates|15-64|2022: null [null null] placeholder_in_source Opiates!D4',
  );
  expect(read({ Opiates: marked }).rows).toHaveLength(read({ Opiates: OPIATES }).rows.length - 2);
});

test.each([
  ['Past Month', '15-64; past month'],
  ['Use of opioids. Last 30 days', '15-64; past month'],
  ['Past month use was asked for. The past year use figure was estimated on its basis.', '15-64'],
  ['Problem opiate users', '15-64; problem users'],
  ['Lifetime use', '15-64; lifetime'],
  ['Ever use. Urban areas', '15-64; lifetime'],
  ['Lifetime use was asked for; the figure is that of the past year', '15-64'],
])('[IMPORT-LAYOUT] of what a value is, its note says: %s', (note, subgroup) => {
  const noted = OPIATES.map((cells, at) => (at === 3 ? [...cells, null, note] : cells));
  expect(read({ Opiates: noted }).rows[0]).toMatchObject({ geoCode: 'ESP', subgroup });
});

test('the geographies keep their own levels', () => {
  expect(
    read(SHEETS).descriptor.geographies.map(({ code, name, level }) => `${code} ${level} ${name}`),
  ).toEqual([
    'ESP country Spain',
    'KEN country Kenya',
    'x-kosovo territory Kosovo under UNSCR 1244',
    'x-scotland subnational United Kingdom (Scotland)',
  ]);
});

const row = (column: number, cell: TestCell) => edited(OPIATES, 3, column, cell);
const header = (column: number, cell: TestCell) => edited(OPIATES, 2, column, cell);

const REFUSALS: [string, Record<string, TestCell[][]>, RegExp][] = [
  ['an unknown country', { Opiates: row(2, 'Atlantis') }, /Opiates!C4.*known country.*"Atlantis"/],
  ['a mark for a substance', { NPS: edited(NPS, 4, 4, '..') }, /NPS!E5: expected a substance; found "\.\."/],
  [
    'a substance with its purity',
    { NPS: edited(NPS, 4, 4, 'Heroin, 80% pure. As reported.') },
    /NPS!E5: expected a substance that says nothing of purity/,
  ],
  ['values without a country', { Opiates: row(2, null) }, /Opiates!C4.*a country/],
  ['a bound in words', { Opiates: row(3, '<0.1') }, /Opiates!D4.*percentage.*"<0\.1"/],
  ['an error for a share', { Opiates: row(4, { e: 42 }) }, /Opiates!E4: expected a percentage.*"#N\/A"/],
  ['more than all', { Opiates: row(4, 101) }, /Opiates!E4.*0 to 100/],
  ['a broken link', { Opiates: row(3, { f: "'[1]X'!A1", v: 2 }) }, /Opiates!D4/],
  ['no year', { Opiates: row(8, 'recent') }, /Opiates!I4.*a year/],
  ['a year out of range', { Opiates: row(8, 20222) }, /Opiates!I4.*a year/],
  ['a span that ends before it begins', { Opiates: row(8, '2022-20') }, /Opiates!I4.*a span/],
  ['a span without end', { Opiates: row(8, '2022/2100') }, /Opiates!I4.*at most 10 years/],
  ['an age group in words', { Opiates: row(9, 'adults') }, /Opiates!J4.*age group.*"adults"/],
  ['a renamed column', { Opiates: header(4, 'Lowest') }, /Opiates!3:3.*"Low"/],
  ['a renamed estimate', { Opiates: header(3, 'Estimate') }, /Opiates!3:3.*header row with "Best"/],
  ...['A', 'a.', 'a|b', 5].map((text): [string, Record<string, TestCell[][]>, RegExp] => [
    `the adjustment ${text}`,
    { Opiates: OPIATES.map((cells, r) => (r === 3 ? [...cells, text] : cells)) },
    /Opiates!M4: expected letters like "a, z\*\*", words or a blank cell/,
  ]),
  [
    'an age group of another dash',
    { Opiates: [['OPIATES'], [UNIT.replace('-', '–')], ...OPIATES.slice(2)] },
    /titles of "Opiates".*found Annual Prevalence of Use/,
  ],
  [
    'another population',
    { Opiates: [['OPIATES'], ['Share of students'], ...OPIATES.slice(2)] },
    /titles of "Opiates"/,
  ],
  [
    'another recall period',
    { Opiates: [['OPIATES'], [UNIT.replace('Annual', 'Lifetime')], ...OPIATES.slice(2)] },
    /titles of "Opiates".*Annual Prevalence.*found Lifetime Prevalence/,
  ],
  ['another drug', { Opiates: [['KHAT'], ...OPIATES.slice(1)] }, /Opiates!A1.*names a drug.*"KHAT"/],
  ['a renamed column of countries', { Opiates: header(2, 'Nation') }, /Opiates!3:3.*"Country\/Territory"/],
  [
    'a recall period without sexes',
    { NPS: NPS.map((cells, r) => (r === 3 ? cells.slice(0, 12) : cells)) },
    /NPS!L4.*Total, Male/,
  ],
  [
    'a row without its substance',
    { NPS: NPS.map((cells, r) => (r === 4 ? cells.map((c, i) => (i === 4 ? null : c)) : cells)) },
    /NPS!E5.*substance/,
  ],
];

test('[IMPORT-REFUSES] a workbook of another table is refused before its edition is asked for', () => {
  const other = workbookFile('7.1.xlsx', {
    Seizures: [
      ['Area', 'Kilograms'],
      ['Kenya', 1],
    ],
    Notes: [['x']],
  });
  expect(() => prevalence.read([other], { retrieved: '2026-01-31' })).toThrow(
    '7.1.xlsx: the list of sheets: expected a sheet with "Country/Territory" and "Age", and with rows below; found "Seizures", "Notes"',
  );
});

test.each(REFUSALS)('[IMPORT-REFUSES] refuses %s', (_, sheets, message) => {
  expect(() => read(sheets)).toThrow(message);
});

test('[IMPORT-SAME] the same file gives the same bytes', () => {
  const [first, second] = [read(SHEETS), read(SHEETS)].map(({ dataset }) => datasetFiles(dataset));
  expect(first?.['records.csv'].equals(second?.['records.csv'] ?? Buffer.of())).toBe(true);
  expect(first?.['datapackage.json'].equals(second?.['datapackage.json'] ?? Buffer.of())).toBe(true);
});

test('a sheet without a table is withheld, a second sheet of a drug is refused', () => {
  const { rows, audit } = read({ ...SHEETS, 'Read me': [['Notes'], ['On methods']], Sheet9: [] });
  expect(rows).toEqual(read(SHEETS).rows);
  expect(audit.withheld).toMatchObject({
    'sheet "Read me", without a table': 1,
    'sheet "Sheet9", without a table': 1,
  });
  const renamed = HEAD.map((heading) =>
    heading === 'Country/Territory' || heading === 'Age' ? `${heading} of all` : heading,
  );
  for (const sheet of [[['OPIATES'], [UNIT], [...renamed, ...MORE], ...OPIATES.slice(3)], []])
    expect(() => read({ ...SHEETS, Opiates: sheet })).toThrow('1.2.xlsx: ');
  expect(() => read({ ...SHEETS, 'Opiates (2)': OPIATES })).toThrow(
    'Opiates (2)!A1: expected one sheet of Opiates; found another at Opiates!A1',
  );
});
