import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { textFile, workbookFile, type TestCell } from '../_support/workbook.ts';
import { auditSources, report } from '../../build/audit/audit.ts';
import { rawFiles } from '../../build/audit/raw.ts';
import type { Outcome } from '../../build/audit/compare.ts';
import { readLines, readSheets } from '../../build/audit/raw.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { items } from '../_support/words.ts';

const HEADER = items(`Region | Country | DrugGroup | DrugSubGroup | DrugName | Reference year |
  Kilograms | msCode`);
const ROWS: TestCell[][] = [
  ['Drug seizures'],
  HEADER,
  ['Africa', 'Kenya', 'Opioids', 'Heroin', 'Heroin', 2021, 12.5, 'KEN'],
  ['Africa', 'Kenya', 'Opioids', 'Heroin', 'Heroin', 2022, 0, 'KEN'],
  ['Africa', 'Kenya', 'Opioids', 'Heroin', 'Opium & more', 2022, null, 'KEN'],
  ['Africa', 'Mali', 'Total opioids', 'Heroin', 'Heroin', 2022, { f: 'ROUND(7.2,0)', v: 7 }, 'MLI'],
];
const BLANK = 'blank_in_source';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function record(locator: string, values: Record<string, unknown> = {}): Record<string, unknown> {
  const value = 'value' in values ? values['value'] : 1;
  return {
    geoCode: 'KEN',
    geoName: 'Kenya',
    period: '2022',
    indicatorId: 'seizures',
    category: 'Opioids',
    subgroup: 'Heroin',
    group: 'Opioids',
    unit: 'Kilograms',
    lower: null,
    upper: null,
    sourceId: 'seizures-source',
    sourceLocator: locator,
    status: value === null ? 'unavailable' : 'reported',
    unavailableReason: value === null ? BLANK : null,
    ...values,
    value,
  };
}

function rightRecords(): Record<string, unknown>[] {
  return [
    record('Seizures!G3', { value: 12.5, period: '2021' }),
    record('Seizures!G4', { value: 0 }),
    record('Seizures!G5', { value: null, subgroup: 'Opium & more' }),
    record('Seizures!G6', {
      value: 7,
      geoCode: 'MLI',
      geoName: 'Mali',
      category: 'Reported totals',
      group: 'Total opioids',
    }),
  ];
}

function put(path: string, content: string | Uint8Array): void {
  const full = join(folder, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, content);
}

async function audited(
  name: string,
  descriptor: Record<string, unknown>,
  records: unknown[],
): Promise<Outcome[]> {
  put(
    `datasets/${name}/2025-06/datapackage.json`,
    JSON.stringify({ name, kind: 'observations', ...descriptor }),
  );
  put(`public/data/${name}.ndjson`, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return auditSources({
    datasets: join(folder, 'datasets'),
    open: rawFiles(join(folder, 'raw')),
    base: join(folder, 'public'),
  });
}

async function auditedSeizures(records: unknown[], rows = ROWS): Promise<Outcome> {
  const { bytes, sha256 } = workbookFile('any-name.xlsx', { Seizures: rows });
  put('raw/below/any-name.xlsx', bytes);
  const sources = [{ id: 'seizures-source', sha256, notes: [] }];
  const [outcome] = await audited('drug-seizures', { sources }, records);
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

describe('a source', () => {
  test('that agrees has no difference, whatever its file is called', async () => {
    const outcome = await auditedSeizures(rightRecords());
    const counts = { records: 4, reported: 3, estimated: 0, unavailable: 1, zeros: 1 };
    expect(outcome).toEqual({
      source: 'drug-seizures seizures-source',
      published: counts,
      printed: counts,
      values: 3,
      texts: 32,
      folded: 0,
      differences: [],
    });
  });

  test.each([
    [
      'a changed value',
      0,
      { value: 12.6 },
      'Seizures!G3 (KEN 2021): value 12.6 published, the file prints 12.5',
    ],
    [
      'a blank published as a number',
      2,
      { value: 3 },
      'Seizures!G5 (KEN 2022): value 3 published, the file prints null',
    ],
    ['a zero lost', 1, { value: null }, 'value null published, the file prints 0'],
    ['a shifted locator', 0, { sourceLocator: 'Seizures!G4' }, 'Seizures!G4: published twice'],
    [
      'a locator that leads nowhere',
      0,
      { sourceLocator: 'Purities!G3' },
      'Purities!G3: published, but not in the file',
    ],
    [
      'another country',
      3,
      { geoCode: 'MLT', geoName: 'Malta' },
      'code "MLT" published, the file prints "MLI"',
    ],
    ['another period', 0, { period: '2020' }, 'period "2020" published, the file prints "2021"'],
    [
      'another category',
      0,
      { category: 'Cocaine' },
      'category "Cocaine" published, the file prints "Opioids"',
    ],
    [
      'a total of another group',
      3,
      { group: 'Cocaine-type' },
      'group "Cocaine-type" published, the file prints "Total opioids"',
    ],
    [
      'a name cut short',
      2,
      { subgroup: 'Opium' },
      'subgroup "Opium" published, the file prints "Opium & more"',
    ],
    [
      'another spelling of a country',
      3,
      { geoName: 'Republic of Mali' },
      'name "Republic of Mali" published, the file prints "Mali"',
    ],
    [
      'another indicator',
      0,
      { indicatorId: 'prices' },
      'indicator "prices" published, the file prints "seizures"',
    ],
    ['a bound that is not printed', 0, { lower: 1 }, 'lower 1 published, the file prints null'],
    ['another unit', 0, { unit: 'Grams' }, 'unit "Grams" published, the file prints "Kilograms"'],
    [
      'another reason',
      2,
      { unavailableReason: 'placeholder_in_source' },
      'reason "placeholder_in_source" published, the file prints "blank_in_source"',
    ],
    ['another status', 0, { status: 'estimated' }, 'estimated: 1 published, 0 in the file'],
  ])('finds %s', async (_, at, change, found) => {
    const records = rightRecords().map((one, index) => (index === at ? { ...one, ...change } : one));
    const { differences } = await auditedSeizures(records);
    expect(differences.join('\n')).toContain(found);
  });

  test('that agrees has no difference where an edition spells its headings otherwise or prints a mark for a figure', async () => {
    const heading = (word: string): string => (word === 'msCode' ? 'Iso3_code' : word.toUpperCase());
    const rows = ROWS.map((row) => (row === HEADER ? HEADER.map(heading) : [...row]));
    rows[4]?.splice(6, 1, '..');
    const records = rightRecords();
    Object.assign(records[2] ?? {}, { unavailableReason: 'placeholder_in_source' });
    expect((await auditedSeizures(records, rows)).differences).toEqual([]);
  });

  test('finds a wrong count: a record too few, and one too many', async () => {
    const fewer = await auditedSeizures(rightRecords().slice(1));
    expect(fewer.differences).toEqual([
      'records: 3 published, 4 in the file',
      'reported: 2 published, 3 in the file',
      'Seizures!G3: in the file, but not published',
    ]);
    const [first] = rightRecords();
    const more = await auditedSeizures([...rightRecords(), first]);
    expect(more.differences).toContain('Seizures!G3: published twice');
    expect(more.differences).toContain('reported: 4 published, 3 in the file');
  });

  test('whose file is not in the folder is a difference', async () => {
    put('raw/other.csv', 'a,b\n');
    const sources = [{ id: 'seizures-source', sha256: '0'.repeat(64), notes: [] }];
    const [outcome] = await audited('drug-seizures', { sources }, rightRecords());
    expect(outcome?.differences).toEqual([`no file with sha256 ${'0'.repeat(64)}`]);
  });

  test('without a rule is a difference', async () => {
    const { bytes, sha256 } = textFile('x.csv', 'a,b\n1,2\n');
    put('raw/x.csv', bytes);
    const [outcome] = await audited('new-table', { sources: [{ id: 'x', sha256, notes: [] }] }, []);
    expect(outcome?.differences).toEqual(['no rule for dataset new-table']);
  });
});

test('a cell that refers to another workbook bears out no value', async () => {
  const rows: TestCell[][] = [
    ['', '', 2018, 2019],
    ['', 'Mexico (best estimate) d', 28000, { f: "'[1]ALL'!O10", v: 33100 }],
    ['', 'lower bound', 21200, 15500],
  ];
  const { bytes, sha256 } = workbookFile('opium.xlsx', { Sheet1: rows });
  put('raw/opium.xlsx', bytes);
  const facts = {
    sourceId: 'opium',
    geoCode: 'MEX',
    geoName: 'Mexico',
    indicatorId: 'opium-cultivation',
    category: '',
    subgroup: '',
    group: '',
    unit: 'hectares',
  };
  const broken = { value: null, unavailableReason: 'broken_formula_in_source', lower: 15500, period: '2019' };
  const records = [
    record('Sheet1!C2', { ...facts, value: 28000, lower: 21200, period: '2018', status: 'estimated' }),
    record('Sheet1!D2', { ...facts, ...broken }),
  ];
  const descriptor = { sources: [{ id: 'opium', sha256, notes: [] }] };
  expect((await audited('opium-cultivation', descriptor, records))[0]?.differences).toEqual([]);
  const wrong = [records[0], record('Sheet1!D2', { ...facts, ...broken, value: 33100, status: 'estimated' })];
  const [outcome] = await audited('opium-cultivation', descriptor, wrong);
  expect(outcome?.differences).toContain('Sheet1!D2 (MEX 2019): value 33100 published, the file prints null');
});

test('a row of border seizures bears out a count and a weight of its calendar month', async () => {
  const head = 'FY,Month (abbv),Component,Region,Land Filter,Area of Responsibility,Drug Type,Count of Event';
  const place = 'U.S. Border Patrol,Northern Border,Land Only,HAVRE SECTOR,Other Drugs**';
  const lines = [`${head},Sum Qty (lbs)`, `2026 (FYTD),OCT,${place},3,0.0`, `2025,SEP,${place},1,2.5`];
  const { bytes, sha256 } = textFile('any.csv', `${lines.join('\r\n')}\r\n`);
  put('raw/any.csv', bytes);
  const facts = {
    sourceId: 'cbp',
    geoCode: 'x-us-cbp-havre-sector',
    geoName: 'HAVRE SECTOR',
    category: 'Other Drugs**',
    group: '',
    subgroup: 'U.S. Border Patrol; Northern Border; Land Only',
  };
  const both = (row: number, period: string, values: [number, number]) =>
    ['Count of Event', 'Sum Qty (lbs)'].map((column, at) =>
      record(`row ${row} column ${column}`, {
        ...facts,
        ...(at === 0
          ? { indicatorId: 'cbp-seizure-events', unit: 'Count of Event' }
          : { indicatorId: 'cbp-seizure-weight', unit: 'lbs' }),
        period,
        value: values[at],
      }),
    );
  const descriptor = { sources: [{ id: 'cbp', sha256, notes: [] }] };
  const differences = async (period: string): Promise<string[] | undefined> => {
    const records = [...both(2, period, [3, 0]), ...both(3, '2025-09', [1, 2.5])];
    return (await audited('border-drug-seizures', descriptor, records))[0]?.differences;
  };
  expect(await differences('2025-10')).toEqual([]);
  expect(await differences('2026-10')).toHaveLength(2);
});

describe('designations', () => {
  const SDN = [
    '10,"ALPHA, Ann",individual,"SDNTK] [CUBA","Director",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"a.k.a. \'SECRET ONE\'; DOB 1960."',
    '11,"BETA","-0- ","SDNTX",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ',
    '12,"GAMMA",-0- ,"TCO",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ',
  ];
  const ALPHA = {
    sanctions_entity_number: 10,
    name: 'ALPHA, Ann',
    entity_type: 'individual',
    programs: ['SDNTK'],
    countries: ['Peru'],
    meta: { source: 'the list' },
  };

  async function auditedList(records: unknown[], withheldInDoubt = 0): Promise<string[]> {
    const texts = [
      `${SDN.join('\r\n')}\r\n\u001A`,
      '10,1,"1 Hidden Street","Lima","Peru",-0- \r\n',
      'entity_number\n12\n',
    ];
    const sources = texts.map((text, at) => {
      const { bytes, sha256 } = textFile(`${at}.csv`, text);
      put(`raw/${at}.csv`, bytes);
      return { id: `ofac-${at}`, sha256, notes: [] };
    });
    const programs = ['SDNT', 'SDNTK', 'TCO', 'ILLICIT-DRUGS-EO14059'];
    const withheld = { withheldAfterWithdrawal: 1, withheldInDoubt };
    const descriptor = { kind: 'entities', sources, programs, ...withheld };
    return (await audited('designations', descriptor, records))[0]?.differences ?? ['no outcome'];
  }

  test('agree when only the official fields of listed entities are published', async () => {
    expect(await auditedList([ALPHA])).toEqual([]);
  });

  test('agree when a name in doubt is withheld and counted, and only then', async () => {
    expect((await auditedList([])).join('\n')).toContain('10: in the file, but not published');
    expect(await auditedList([], 1)).toEqual([]);
    expect((await auditedList([ALPHA], 1)).join('\n')).toContain('records');
  });

  test.each([
    ['an alias', { meta: { source: 'also SECRET ONE' } }, 'holds a private text'],
    ['an address', { countries: ['Peru', '1 Hidden Street'] }, 'holds a private text'],
    ['another field', { title: 'x' }, '10: the fields are'],
    ['another name', { name: 'ALPHA, Anna' }, '10: name "ALPHA, Anna" published'],
    ['a program outside the four', { programs: ['CUBA', 'SDNTK'] }, '10: programs "CUBA|SDNTK" published'],
    [
      'a withdrawn entity',
      { sanctions_entity_number: 12 },
      '12: published, but not among the listed entities',
    ],
  ])('%s is found', async (_, change, found) => {
    expect((await auditedList([{ ...ALPHA, ...change }])).join('\n')).toContain(found);
  });
});

test('the workbook reader sees text, numbers, formulas with a result of zero, and dates as days', async () => {
  const { bytes } = workbookFile('x.xlsx', {
    'A & B': [
      ['<a> "b"', null, 1e-7],
      [
        { f: 'A1&"x"', v: 'y' },
        { f: 'C1*0', v: 0 },
      ],
      [{ v: 41_640, z: 'yyyy' }],
    ],
  });
  const [sheet] = await readSheets(bytes);
  const cells = [...(sheet?.rows ?? [])].flatMap(([row, columns]) =>
    [...columns].map(([column, { value, formula }]) => [sheet?.place(row, column), value, formula]),
  );
  expect(cells).toEqual([
    ['A & B!A1', '<a> "b"', null],
    ['A & B!C1', 1e-7, null],
    ['A & B!A2', 'y', 'A1&"x"'],
    ['A & B!B2', 0, 'C1*0'],
    ['A & B!A3', 41_640, null],
  ]);
});

test('the CSV reader counts physical lines, keeps commas, quotes and line breaks of quoted cells', () => {
  expect(readLines(new TextEncoder().encode('\uFEFFa,b\r\n"x, ""y""","1\n2"\r\n\r\n,z\r\n\u001A'))).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"', '1\n2'] },
    { line: 5, cells: ['', 'z'] },
  ]);
});

test('the table prints a count once where both sides agree and both where not', () => {
  const published = { records: 2, reported: 2, estimated: 0, unavailable: 0, zeros: 0 };
  const printed = report([
    {
      source: 's',
      published,
      printed: { ...published, records: 3 },
      values: 2,
      texts: 9,
      folded: 1,
      differences: ['why'],
    },
  ]);
  expect(printed).toContain('2/3');
  expect(printed).toContain('  s: why');
  expect(printed).toContain('2 values and 9 texts compared, 1 differences.');
});
