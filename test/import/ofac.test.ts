import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntityRow } from '../../build/lib/dataset.ts';
import type { Imported, SourceFile } from '../../build/import/importer.ts';
import { ofac } from '../../build/import/ofac.ts';
import { datasetFiles } from '../../build/import/run.ts';
import { runImport } from '../../build/refresh/editions.ts';
import { temporaryFolder } from '../_support/tree.ts';
import { textFile } from '../_support/workbook.ts';
import { items } from '../_support/words.ts';

const OPTIONS = { retrieved: '2026-03-31', edition: '2026-01' };
const NULL = '-0- ';
/** What the list prints about a subject and no packaged byte may hold. */
const SENSITIVE = items(`SECRET ALIAS | 01 Jan 1970 | X1234567 | Hidden Street 1 | HIDDENTOWN |
  Chief | CALLSIGN | OWNERCO | 99999`);
const REMARKS = '"DOB 01 Jan 1970; a.k.a. SECRET ALIAS; Passport X1234567 (Mexico); Linked To: OWNERCO."';

function sdn(number: number, name: string, type: string, programs: string, flag = NULL): string {
  const title = type === 'individual' ? '"Chief"' : NULL;
  const vessel =
    type === 'vessel'
      ? ['CALLSIGN', '"Cargo"', '99999', '99999', `"${flag}"`, '"OWNERCO"']
      : Array(6).fill(NULL);
  return [
    number,
    `"${name}"`,
    type === NULL ? type : `"${type}"`,
    `"${programs}"`,
    title,
    ...vessel,
    REMARKS,
  ].join(',');
}

function add(number: number, country: string): string {
  return [
    number,
    25,
    '"Hidden Street 1"',
    '"HIDDENTOWN"',
    country === NULL ? NULL : `"${country}"`,
    '"a.k.a. SECRET ALIAS"',
  ].join(',');
}

const published = (lines: string[]): string => lines.map((line) => `${line}\r\n`).join('') + '\x1a';

const SDN = [
  sdn(10, 'FIRST ORGANIZATION, S.A.', NULL, 'SDNTK] [SDGT'),
  sdn(11, 'SECOND SUBJECT, One', 'individual', 'ILLICIT-DRUGS-EO14059] [TCO'),
  sdn(12, 'THIRD VESSEL', 'vessel', 'SDNT', 'Panama'),
  sdn(13, 'FOURTH AIRCRAFT', 'aircraft', 'SDNTK', NULL),
  sdn(14, 'OTHER PROGRAM', NULL, 'CUBA'),
  sdn(15, 'PREFIX PROGRAM', NULL, 'SDNTKX] [XTCO'),
  sdn(16, 'WITHDRAWN LATER', NULL, 'TCO'),
  sdn(17, 'WITHDRAWN ELSEWHERE', NULL, 'CUBA'),
];
const ADD = [
  add(10, 'Mexico'),
  add(10, 'Colombia'),
  add(10, 'Mexico'),
  add(10, NULL),
  add(11, NULL),
  add(12, 'Cuba'),
  add(13, NULL),
  add(14, 'Cuba'),
  add(15, NULL),
  add(16, 'Peru'),
  add(17, NULL),
];
const withdrawnOf = (...numbers: number[]): string => `entity_number\n${numbers.join('\n')}\n`;
const WITHDRAWN = withdrawnOf(16, 17, 4000);

const FILES = {
  sdn: textFile('a.csv', published(SDN)),
  add: textFile('b.csv', published(ADD)),
  withdrawn: textFile('c.csv', WITHDRAWN),
};

function read(files: Partial<typeof FILES> = {}): Imported {
  const { sdn: list, add: addresses, withdrawn } = { ...FILES, ...files };
  const [imported] = ofac.read([withdrawn, addresses, list], OPTIONS);
  if (!imported) throw new Error('nothing imported');
  return imported;
}

const rows = (imported: Imported): EntityRow[] => imported.dataset.rows as EntityRow[];

describe('designations', () => {
  test('[ENTITIES-PROGRAMS] hold entities of the four programs, with programs compared whole and countries distinct', () => {
    expect(rows(read())).toEqual([
      {
        sanctions_entity_number: 10,
        name: 'FIRST ORGANIZATION, S.A.',
        entity_type: 'organization',
        programs: ['SDNTK'],
        countries: ['Colombia', 'Mexico'],
      },
      {
        sanctions_entity_number: 11,
        name: 'SECOND SUBJECT, One',
        entity_type: 'individual',
        programs: ['ILLICIT-DRUGS-EO14059', 'TCO'],
        countries: [],
      },
      {
        sanctions_entity_number: 12,
        name: 'THIRD VESSEL',
        entity_type: 'vessel',
        programs: ['SDNT'],
        countries: ['Cuba', 'Panama'],
      },
      {
        sanctions_entity_number: 13,
        name: 'FOURTH AIRCRAFT',
        entity_type: 'aircraft',
        programs: ['SDNTK'],
        countries: [],
      },
    ]);
  });

  test('[ENTITIES-PROGRAMS] tell SDNT and SDNTK apart where both are in one cell', () => {
    const line = sdn(12, 'BOTH', NULL, 'SDNTK] [SDNT');
    const both = read({ sdn: textFile('s.csv', published([...SDN.slice(0, 2), line, ...SDN.slice(3)])) });
    expect(
      rows(both).map(({ sanctions_entity_number: number, programs }) => [number, programs]),
    ).toContainEqual([12, ['SDNT', 'SDNTK']]);
  });

  test('[ENTITIES-WITHDRAWN] withhold what has left the list and count only what would have been published', () => {
    const { audit, dataset } = read();
    if (dataset.descriptor.kind !== 'entities') throw new Error('no entities');
    expect(dataset.descriptor.withheldAfterWithdrawal).toBe(1);
    expect(audit).toMatchObject({ read: 8, kept: 4 });
    expect(audit.withheld).toMatchObject({
      'entity no longer on the list': 1,
      'entity under none of the four programs': 3,
    });
    const nothing = read({ withdrawn: textFile('w.csv', 'entity_number\n') });
    expect(rows(nothing).map(({ sanctions_entity_number: number }) => number)).toContain(16);
  });

  test('take the flag of vessels only', () => {
    const line = SDN[2]?.replace('"vessel"', '"aircraft"') ?? '';
    const files = { sdn: textFile('s.csv', published([...SDN.slice(0, 2), line, ...SDN.slice(3)])) };
    expect(rows(read(files)).find(({ sanctions_entity_number: number }) => number === 12)?.countries).toEqual(
      ['Cuba'],
    );
  });

  test.each(SENSITIVE)('[ENTITIES-PRIVACY] never let %s through', (text) => {
    const packaged = Object.values(datasetFiles(read().dataset)).map(String).join('');
    const raw = [...SDN, ...ADD].join('');
    expect(raw).toContain(text);
    expect(packaged).not.toContain(text);
  });

  test('[ENTITIES-PRIVACY] name no field beyond the five', () => {
    const [header] = String(datasetFiles(read().dataset)['records.csv']).split('\n');
    expect(header).toBe('sanctions_entity_number,name,entity_type,programs,countries');
  });

  test('[IMPORT-SAME] give the same bytes twice and in any order of the files', () => {
    const files = Object.values(FILES);
    const other = ofac.read(files, OPTIONS)[0];
    if (!other) throw new Error('nothing imported');
    expect(datasetFiles(other.dataset)).toEqual(datasetFiles(read().dataset));
  });

  test('need no end-of-file byte', () => {
    const bare = { sdn: textFile('s.csv', SDN.join('\n')), add: textFile('d.csv', ADD.join('\n')) };
    expect(rows(read(bare))).toEqual(rows(read()));
  });
});

const listWith = (...lines: string[]): { sdn: SourceFile; add: SourceFile } => ({
  sdn: textFile('s.csv', published([...SDN, ...lines])),
  add: textFile('d.csv', published([...ADD, ...lines.map((line) => add(parseInt(line), NULL))])),
});
const addWith = (line: string): { add: SourceFile } => ({
  add: textFile('d.csv', published([...ADD, line])),
});

test.each<[string, Partial<typeof FILES>, RegExp]>([
  [
    'one file without its last byte, of two',
    { add: textFile('d.csv', published(ADD).slice(0, -1)) },
    /d\.csv: the file: expected a whole one, with the byte 0x1A at its end as a\.csv/,
  ],
  [
    'a column too many',
    listWith(`${sdn(20, 'X', NULL, 'TCO')},${NULL}`),
    /s\.csv: row 9: expected 12 columns; found 13/,
  ],
  [
    'a header row',
    { sdn: textFile('s.csv', published([`ent_num${',x'.repeat(11)}`, ...SDN])) },
    /s\.csv: row 1: expected a number and 11 more .*; found 12 columns, without a number in the first$/,
  ],
  [
    'addresses that end early, at the end of a row and with the byte 0x1A',
    { add: textFile('d.csv', published(ADD.slice(0, -2))) },
    /d\.csv: the file: expected a row for each entity of a\.csv; found none for 2 of them/,
  ],
  ['a column too few', addWith('10,25,"x"'), /d\.csv: row 12: expected 6 columns; found 3/],
  [
    'an unknown type',
    listWith(sdn(20, 'X', 'ship', 'TCO')),
    /row 9: expected the type individual, vessel, aircraft/,
  ],
  [
    'a type that is the name of a method',
    listWith(sdn(20, 'X', 'constructor', 'TCO')),
    /row 9: expected the type individual, vessel, aircraft/,
  ],
  [
    'a number twice',
    listWith(sdn(10, 'X', NULL, 'TCO')),
    /row 9: expected each entity number once; found 10/,
  ],
  ['a number that is none', listWith(sdn(0, 'X', NULL, 'TCO')), /row 9: expected an entity number/],
  ['no name', listWith(sdn(20, NULL, NULL, 'TCO')), /row 9: expected an official name/],
  ['remarks for programs', listWith(sdn(20, 'X', NULL, 'TCO; DOB 1970.')), /row 9: expected programs joined/],
  [
    'another spelling of a program in scope',
    listWith(sdn(20, 'X', NULL, 'CUBA] [ILLICIT-DRUGS EO14059')),
    /row 9: expected ILLICIT-DRUGS-EO14059; found ILLICIT-DRUGS EO14059/,
  ],
  [
    'a program in scope with a space before the next one',
    listWith(sdn(20, 'X', NULL, 'CUBA] [SDNTK SDGT')),
    /row 9: expected SDNTK; found SDNTK SDGT/,
  ],
  ['no program', listWith(sdn(20, 'X', NULL, NULL)), /row 9: expected programs joined/],
  [
    'an address for a country',
    addWith(add(10, 'Hidden Street 1')),
    /d\.csv: row 12: expected a country; found something else/,
  ],
  [
    'an address of nobody listed',
    addWith(add(999, 'Peru')),
    /d\.csv: row 12: expected an entity number of a\.csv; found 999/,
  ],
  [
    'a withdrawn number that is none',
    { withdrawn: textFile('w.csv', 'entity_number\nsixteen\n') },
    /row 2: expected an entity number/,
  ],
  [
    'withdrawn numbers that may be cut off',
    { withdrawn: textFile('w.csv', WITHDRAWN.slice(0, -2)) },
    /w\.csv: row 4: expected a whole row/,
  ],
  [
    'broken quotes',
    { sdn: textFile('s.csv', `${SDN[0]}\n20,"X"Y,"SECRET ALIAS"`) },
    /s\.csv: row 2: expected UTF-8 text in CSV form; found a row of another form$/,
  ],
  [
    'a file that is cut off in a cell',
    { sdn: textFile('s.csv', `${SDN[0]}\n20,"X`) },
    /s\.csv: row 2: .*; found a quoted cell that never ends: the file is cut off$/,
  ],
  [
    'a file without a row',
    { add: textFile('d.csv', '\r\n') },
    /d\.csv: the file: expected UTF-8 text in CSV form; found an empty file/,
  ],
  [
    'a file of another shape',
    { withdrawn: textFile('w.csv', 'number\n16\n') },
    /w\.csv: row 1: expected a number and 11 more columns \(SDN\)/,
  ],
])('refuses %s', (_name, files, message) => {
  expect(() => read(files)).toThrow(message);
});

test.each<[string, Partial<typeof FILES>]>([
  ['country', addWith(add(10, 'Hidden Street 1'))],
  ['quotes', { sdn: textFile('s.csv', `${SDN[0]}\n20,"X"Y,"SECRET ALIAS"`) }],
])('a refusal about the %s repeats nothing of the cell', (_name, files) => {
  expect(() => read(files)).toThrow(/^(?!.*(SECRET|Hidden Street)).*$/s);
});

describe('[ENTITIES-PRIVACY] a name in doubt', () => {
  const NAMES = [
    'X (a.k.a. SECRET ALIAS)',
    'X DOB 01 Jan 1970',
    'X Passport X1234567',
    'X "SECRET ALIAS"',
    'X\u202E',
  ];

  test.each(NAMES)('is withheld and counted, and the others are imported: %s', (name) => {
    const { audit, dataset } = read(listWith(sdn(20, name.replaceAll('"', '""'), NULL, 'TCO')));
    if (dataset.kind !== 'entities') throw new Error('no entities');
    expect(dataset.descriptor.withheldInDoubt).toBe(1);
    expect(dataset.rows.map(({ sanctions_entity_number: number }) => number)).toEqual([10, 11, 12, 13]);
    const reasons = Object.keys(audit.withheld).join();
    expect(reasons).toMatch(/entity 20, whose name looks like it holds .*; accept it in accepted\.csv/);
    expect(reasons + String(Object.values(datasetFiles(dataset)))).not.toContain('SECRET');
  });

  test('is one far longer than any other, which is not read further', () => {
    const { audit } = read(listWith(sdn(20, 'AB, '.repeat(100_000), NULL, 'TCO')));
    expect(Object.keys(audit.withheld).join()).toContain(
      'entity 20, whose name looks like it holds more than',
    );
  }, 2000);

  test('is imported when its number and its very name were accepted', () => {
    const name = "THE 'X' FAMILY (SECOND NAME)";
    const files = { ...FILES, ...listWith(sdn(20, name, NULL, 'TCO')) };
    const withNames = (accepted: Map<number, string>) =>
      ofac.read(Object.values(files), { ...OPTIONS, accepted })[0]?.dataset.rows.length;
    expect(withNames(new Map())).toBe(4);
    expect(withNames(new Map([[20, name]]))).toBe(5);
    expect(withNames(new Map([[21, name]]))).toBe(4);
    expect(withNames(new Map([[20, 'ANOTHER']]))).toBe(4);
  });

  test('of an entity outside the programs stops nothing', () => {
    expect(read(listWith(sdn(20, 'X DOB 01 Jan 1970', NULL, 'CUBA'))).audit.kept).toBe(4);
  });

  test('is rare: many of them mean that cells have moved, and the list is refused', () => {
    const lines = Array.from({ length: 21 }, (_, at) =>
      sdn(100 + at, `X DOB 01 Jan ${1950 + at}`, NULL, 'TCO'),
    );
    expect(() => read(listWith(...lines))).toThrow(
      's.csv: column 2: expected official names; found 21 texts that are more than a name',
    );
  });
});

test('a first import takes no country that the project does not know, unless it is accepted', () => {
  const datasets = temporaryFolder();
  const files = Object.values({ ...FILES, ...addWith(add(10, 'Hidden Quarter')) }).map(({ name, bytes }) => {
    writeFileSync(join(datasets, name), bytes);
    return join(datasets, name);
  });
  const request = { family: 'ofac', files, datasets, ...OPTIONS };
  expect(() => runImport(request, '2026-11-22')).toThrow(
    /1 new; .*--accept-labels:\n {2}countries "Hidden Quarter"/,
  );
  expect(runImport({ ...request, acceptLabels: true }, '2026-11-22').join()).toContain('created with');
});

test('who has left the list is not named again by a list without, or with fewer, of the withdrawn numbers', () => {
  const datasets = temporaryFolder();
  const importOf = (files: Partial<typeof FILES>, edition: string): string[] =>
    runImport(
      {
        ...OPTIONS,
        family: 'ofac',
        datasets,
        acceptLabels: true,
        edition,
        files: Object.values(files).map(({ name, bytes }) => {
          writeFileSync(join(datasets, name), bytes);
          return join(datasets, name);
        }),
      },
      '2026-11-22',
    );
  const { withdrawn: _withdrawn, ...alone } = FILES;
  importOf(FILES, '2026-01');
  const before = readdirSync(join(datasets, 'designations'), { recursive: true });
  const fewer = { ...alone, withdrawn: textFile('c.csv', withdrawnOf(17, 4000)) };
  expect(() => importOf(fewer, '2026-01')).toThrow('1 of its entities missing; who has left the list is not');
  const place = join(datasets, 'designations', '2026-01', 'datapackage.json');
  const descriptor = readFileSync(place, 'utf8');
  writeFileSync(place, descriptor.replace(/("id": "ofac-withdrawn"[^]*?"dated": )"2026-01"/, '$1"2026-03"'));
  expect(() => importOf(alone, '2026-02')).toThrow(
    'expected the numbers withdrawn up to 2026-03 (withdrawn-2026-03.csv), as the packaged list has them; found a list of 2026-02 alone',
  );
  const earlier = textFile('withdrawn-2026-02-20.csv', withdrawnOf(17, 4000));
  expect(() => importOf({ ...alone, withdrawn: earlier }, '2026-02')).toThrow('found those up to 2026-02');
  expect(readdirSync(join(datasets, 'designations'), { recursive: true })).toEqual(before);
});

test('the name of the file says up to when it is known who has left, which may be later than the list', () => {
  const [first, , last] = read({ withdrawn: textFile('x/withdrawn-2026-03-02.csv', WITHDRAWN) }).dataset
    .descriptor.sources;
  expect([first?.dated, last?.dated]).toEqual(['2026-01', '2026-03-02']);
  const later = textFile('x/withdrawn-2026-04-01.csv', WITHDRAWN);
  expect(() => read({ withdrawn: later })).toThrow('expected a date up to 2026-03-31');
});

test('refuses a missing or a second file, so that a forgotten withdrawn list publishes nobody', () => {
  expect(() => ofac.read([FILES.sdn, FILES.add], OPTIONS)).toThrow(/withdrawn\.csv/);
  expect(() => ofac.read([FILES.sdn, FILES.sdn, FILES.add], OPTIONS)).toThrow(/one sdn file/);
});
