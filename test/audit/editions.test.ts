/** The audit of revisions: what two raw files print differently is what is published of the pair, else it is named. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { auditPairs } from '../../build/audit/audit.ts';
import { rawFiles, readSheets } from '../../build/audit/raw.ts';
import { RULES } from '../../build/audit/rules.ts';
import type { PairOutcome } from '../../build/audit/editions.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { observationsOf, textFile, workbookFile, type TestCell } from '../_support/workbook.ts';
import { prevalence } from '../../build/import/prevalence.ts';

/** What a reading has besides the file: the fields of an atlas, and tables of the project. */
const ATLAS = { fields: [], tables: [] };

const HEADER = 'ref_area.label,source.label,sex.label,time,obs_value,obs_status.label';
const OLDER = [
  HEADER,
  'Kenya,Survey,Total,2020,50,',
  'Kenya,Survey,Total,2021,51,',
  'Mali,Survey,Total,2020,60,',
];
const NEWER = [
  HEADER,
  'Kenya,Survey,Total,2020,49,',
  'Kenya,Survey,Total,2021,51,',
  'Mali,Survey,Total,2021,61,',
];

const side = (value: number): object => ({
  value,
  lower: null,
  upper: null,
  unit: '%',
  unavailableReason: null,
});

function revision(
  kind: string,
  geoName: string,
  period: string,
  from: number | null,
  to: number | null,
): object {
  return {
    id: `nifl.${geoName}.${period}@2024-07..2025-11`,
    datasetId: 'informal-employment',
    indicatorId: 'nifl',
    geoCode: geoName.slice(0, 3).toUpperCase(),
    geoName,
    period,
    category: 'Total',
    subgroup: 'Survey',
    kind,
    from: from === null ? null : side(from),
    to: to === null ? null : side(to),
  };
}

const REVISIONS = [
  revision('changed', 'Kenya', '2020', 50, 49),
  revision('withdrawn', 'Mali', '2020', 60, null),
  revision('added', 'Mali', '2021', null, 61),
];

const COUNTS = {
  changed: 1,
  added: 1,
  withdrawn: 1,
  became_unavailable: 0,
  became_available: 0,
  rounding_only: 0,
  unmatched: 0,
  new_periods: 0,
  left_window: 0,
};

/** The outcome for the only pair, published as given, with or without the raw files. */
async function audited(
  given: { counts?: object; revisions?: object[]; raw?: boolean } = {},
): Promise<PairOutcome> {
  const { counts = COUNTS, revisions = REVISIONS, raw: hasRaw = true } = given;
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'raw'));
  const put = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [edition, lines] of [
    ['2024-07', OLDER],
    ['2025-11', NEWER],
  ] as const) {
    const { bytes, sha256 } = textFile(`${edition}.csv`, `${lines.join('\n')}\n`);
    if (hasRaw) put(`raw/${edition}.csv`, bytes);
    const descriptor = {
      name: 'informal-employment',
      kind: 'observations',
      sources: [{ id: 'ilo', sha256, notes: [] }],
    };
    put(`datasets/informal-employment/${edition}/datapackage.json`, JSON.stringify(descriptor));
  }
  const pair = { datasetId: 'informal-employment', from: '2024-07', to: '2025-11', ...counts };
  put('tree/api/v1/revisions.json', JSON.stringify({ data: { pairs: [pair] } }));
  put('tree/data/revisions.ndjson', revisions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const [raw = '', base = '', datasets = ''] = ['raw', 'tree', 'datasets'].map((name) => join(folder, name));
  const [outcome] = await auditPairs({ open: rawFiles(raw), base, datasets });
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

test('every row that differs between the files is a revision or counted', async () => {
  expect(await audited()).toEqual({
    pair: 'informal-employment 2024-07 to 2025-11',
    printed: 3,
    published: 3,
    revisions: 3,
    unmatched: 0,
    differences: [],
  });
});

test('a difference that is not published is named by both counts', async () => {
  const { differences } = await audited({ counts: { ...COUNTS, changed: 0 }, revisions: REVISIONS.slice(1) });
  expect(differences).toEqual(['3 rows differ between the files, 2 are published as revisions or counted']);
});

test('a revision that says another number than its file is named', async () => {
  const { differences } = await audited({
    revisions: [revision('changed', 'Kenya', '2020', 50, 48), ...REVISIONS.slice(1)],
  });
  expect(differences).toEqual([
    'nifl.Kenya.2020@2024-07..2025-11: the file of the "to" edition does not print this',
  ]);
});

test('an edition whose file is not there is named', async () => {
  expect((await audited({ raw: false })).differences).toEqual(['one of its files is missing']);
});

test('a sheet that an edition names otherwise is read by its title', async () => {
  const unit = 'Annual prevalence of use as a percentage of the population aged 15-64';
  const head = ['Country/Territory', 'Total', 'Male', 'Female', 'Year', 'Age', 'Specific notes'];
  const title = '"ECSTASY"-TYPE SUBSTANCES (MDMA)';
  const file = workbookFile('1.2.xlsx', {
    'Table 4': [[title], [unit], head, ['Kenya', 1.5, null, null, 2020, '15-64']],
  });
  const [sheet] = await readSheets(file.bytes);
  const read = RULES['drug-use-prevalence']?.read({
    sheets: sheet ? [sheet] : [],
    lines: [],
    title: '',
    ...ATLAS,
  });
  const { rows } = observationsOf(prevalence, [file], { retrieved: '2026-01-31', edition: '2026-01' });
  expect(rows.map(({ indicatorId, category }) => [indicatorId, category])).toEqual([
    ['use-ecstasy', 'Ecstasy'],
  ]);
  expect(read).toMatchObject(rows.map(({ indicatorId, category }) => ({ indicator: indicatorId, category })));
});

test('an edition of the index is known by the year of its sheet or title, and its cells by their headings', async () => {
  const head = ['Region', 'Country', 'Human smuggling', 'Human trafficking', 'Note'];
  const file = workbookFile('index.xlsx', { Data: [['Index 2027'], head, ['Any', 'Kenya', 4, 5, 'x']] });
  const fields = ['trafficking', 'smuggling'].map((path) => ({ path, label: `Human ${path}` }));
  const read = RULES['organized-crime-index']?.read({
    ...ATLAS,
    sheets: await readSheets(file.bytes),
    lines: [],
    title: '',
    fields,
  });
  expect(read).toMatchObject([
    { field: 'trafficking', value: 5, period: '2027', locator: 'Data!C3:D3' },
    { field: 'smuggling', value: 4, period: '2027', locator: 'Data!C3:D3' },
  ]);
});

test('the audit takes a mark for none as a price without a unit, and a sign as the unit', async () => {
  const head = 'Country|DrugGroup|Drug|Specify|LevelOfSale|Year|Typical_USD|Minimum_USD|Maximum_USD|Unit';
  const row = (mark: string) => ['Kenya', 'Opioids', 'Heroin', mark, 'Retail', 2022, 5, 4, 6, mark];
  const sheets = { Prices: [head.split('|'), row('—'), row('..'), row('%'), row('€')] };
  const read = RULES['drug-prices']?.read({
    ...ATLAS,
    sheets: await readSheets(workbookFile('t.xlsx', sheets).bytes),
    lines: [],
    title: '',
  });
  expect(read?.map(({ unit }) => unit)).toEqual(['USD', 'USD', 'USD / %', 'USD / €']);
});

test('the audit reads a place by any heading it may have, and the mark of a label in a cell next to it', async () => {
  const read = async (dataset: string, sheets: Record<string, TestCell[][]>) =>
    RULES[dataset]?.read({
      ...ATLAS,
      sheets: await readSheets(workbookFile('t.xlsx', sheets).bytes),
      lines: [],
      title: '',
    });
  const areas = [
    ['Coca bush (hectares)'],
    [null, null, 2010, 2011],
    ['Colombia', 'a', 1, 2],
    ['Sources: x'],
    ['a) Net area on 31 December.'],
  ];
  expect(await read('coca-cultivation', { Areas: areas })).toMatchObject([
    { name: 'Colombia', category: 'Net area on 31 December.', value: 1 },
    { value: 2 },
  ]);
  const models = [['x'], ['Code', 2010, 2011, 'Economy'], ['KEN', 30, 31, 'Kenya']];
  expect(await read('informal-economy', { DGE_p: models })).toMatchObject([
    { name: 'Kenya', code: 'KEN', value: 30 },
    { value: 31 },
  ]);
  const arms = [
    'ISO3|Country|Indicator|Dimension|Category|Sex|Age|Year|Unit of measurement|VALUE'.split('|'),
    ['XKX', 'Kosovo', 'Arms seized', 'by location', 'Unknown status', 'N/A', 'na', '2020', 'Counts', 3],
  ];
  expect(await read('arms', { Export: arms })).toMatchObject([{ code: null, name: 'Kosovo', subgroup: '' }]);
  expect(await read('firearms-tracing', { Export: arms })).toEqual([]);
});
