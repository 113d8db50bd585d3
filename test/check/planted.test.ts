/** What may never be packaged, planted where a label, a place, a locator or a text of a descriptor is: each stops the build. */
import { describe, expect, test } from 'vitest';
import { descriptor, findingsOf, firstRow, rulesOf, type LooseDescriptor } from './gate-door.ts';
import { items } from '../_support/words.ts';

const OPIUM = 'opium-cultivation';
const RECORDS = 'datasets/opium-cultivation/2025-06/records.csv';
const PACKAGE = 'datasets/opium-cultivation/2025-06/datapackage.json';

const LABELS: [what: string, texts: string[]][] = [
  [
    'an address',
    items(`Kalverstraat 92 | Karl-Marx-Allee 34 | Jalan Sudirman 21 | Piazza Navona 5 | улица Ленина 5 | 長安街1号 |
      Plot 5 Gulberg III | Comuna 13 Medellín | 12 Main Street, Kabul | Calle Hidalgo 12 | Hauptstraße 12 | Apt. 4 |
      P.O. Box 7 | corner of Elm and Oak | Barrio Tepito | 10 rue de la Paix | ul. Marszałkowska 3 | شارع الحمرا`),
  ],
  [
    'coordinates',
    items(`lat34 lon118 | 34.0522 and 118.2437 | x=34.0522 y=-118.2437 | 34.0522–118.2437 | 3403N11815W |
      34 03 08 118 14 37 | 8928308280fffff | 89c25c | 9q5ctr186 | 34.52, 69.18 | N34 31 42 E69 10 20 | 42SWD1234567890 |
      8FVC9G8F+6X | POINT(69.17 34.52) | geo:34.52,69.18 | ///index.home.raft | 31;65 | ٣٤ ٦٩`),
  ],
  [
    'purity',
    items(`Reinheit 80 | чистота 80 | 纯度 80 | p.u.r.i.t.y | pur1ty | 80% cocaine | cut 20% | quality 80 percent |
      ᴘurity | Pureza | THC 15 | saflık | Ｐurity | pu\u0301rity`),
  ],
  [
    'chemistry or yield',
    items(`acetic anhydride 2.5 L | red phosphorus and iodine | Birch reduction | BMK glycidate | kg/ha | rendimiento |
      potential production | synthesis route | précurseur | P2P method`),
  ],
  [
    'a subject',
    items(
      `GUZMAN LOERA, Joaquin | El Chapo | born 1960 | Passport G1234567 | +52 667 123 4567 | Los Chapitos | suspect`,
    ),
  ],
  [
    'a score',
    items(
      `Overall illicit market index | narco-state ranking | Índice compuesto | crime index | risk 7 of 10 | causal weight`,
    ),
  ],
  [
    'a place of sale or a route',
    items(`Point of sale | stash house | smuggling corridor | Ruta del Pacífico | live feed`),
  ],
];

describe('[SAFETY-GATES] planted as a label', () => {
  test.each(LABELS.flatMap(([what, texts]) => texts.map((text) => [what, text])))('%s: %s', (_what, text) => {
    for (const column of ['category', 'subgroup', 'group', 'unit', 'geoCode', 'indicatorId']) {
      const findings = findingsOf(OPIUM, { 'records.csv': firstRow({ [column]: text }) });
      expect(findings, column).toContainEqual(expect.objectContaining({ file: RECORDS, row: 2 }));
    }
  });

  test.each(['Reinheit 80', 'Kalverstraat 92', '34.0522 and 118.2437'])('%s as a country', (text) => {
    for (const [id, cells] of [
      ['organized-crime-index', { country: text }],
      ['organized-crime-index', { iso3: text }],
      ['designations', { countries: text }],
      ['designations', { programs: text }],
      ['designations', { entity_type: text }],
    ] as const) {
      const findings = findingsOf(id, { 'records.csv': firstRow(cells) });
      expect(findings).toContainEqual(
        expect.objectContaining({ file: expect.stringContaining(id), row: 2, rule: 'vocabulary' }),
      );
    }
  });
});

describe('[SAFETY-GATES] planted in a locator', () => {
  test.each([
    ...items(`Purity!H3 | Routes by GPS!H3 | 34.52 69.18!A1 | row 1 column purity 80% | row 7 column 34.0522 | Sheet1!H3 34.5N |
      34.0522, 118.2437 | Sheet1!AAAA3 | Sheet1!H0 | row 0 | row 5551234567 | Sheet1!H5551234567`),
    '',
  ])('%s', (sourceLocator) => {
    const findings = findingsOf(OPIUM, { 'records.csv': firstRow({ sourceLocator }) });
    expect(findings).toContainEqual(expect.objectContaining({ file: RECORDS, row: 2 }));
  });

  test.each(
    items(`Sheet! | row | row 0 | row 1 column purity | Sheet!D3;F3 | Kalverstraat 92!D3:F3 |
    row 5551234567`),
  )('of an atlas: %s', (locator) => {
    const findings = findingsOf('organized-crime-index', { 'records.csv': firstRow({ locator }) });
    expect(findings).toContainEqual(expect.objectContaining({ row: 2 }));
  });
});

const PLACES: [place: string, (value: LooseDescriptor, text: string) => void][] = [
  ['title', (value, text) => (value.title = text)],
  ['description', (value, text) => (value.description = text)],
  ['limitation', (value, text) => value.limitations.push(text)],
  ['part of a limitation', (value, text) => (value.limitations[0] += ` ${text}`)],
  ['source id', (value, text) => Object.assign(value.sources[0] ?? {}, { id: text })],
  ['source title', (value, text) => Object.assign(value.sources[0] ?? {}, { title: text })],
  ['source publisher', (value, text) => Object.assign(value.sources[0] ?? {}, { publisher: text })],
  ['source note', (value, text) => Object.assign(value.sources[0] ?? {}, { notes: [text] })],
  [
    'source address',
    (value, text) => Object.assign(value.sources[0] ?? {}, { url: `https://x.example/${text}` }),
  ],
  ['licence', (value, text) => Object.assign(value.sources[0] ?? {}, { license: text })],
  ['indicator id', (value, text) => Object.assign(value.indicators[0] ?? {}, { id: text })],
  ['indicator label', (value, text) => Object.assign(value.indicators[0] ?? {}, { label: text })],
  ['indicator description', (value, text) => Object.assign(value.indicators[0] ?? {}, { description: text })],
  ['indicator limitation', (value, text) => value.indicators[0]?.limitations.push(text)],
  ['geography name', (value, text) => Object.assign(value.geographies[0] ?? {}, { name: text })],
  [
    'geography code',
    (value, text) => value.geographies.push({ code: text, name: 'Place', level: 'subnational' }),
  ],
  [
    'column description',
    (value, text) => Object.assign(value.resources[0]?.schema.fields[0] ?? {}, { description: text }),
  ],
  ['licence list', (value, text) => Object.assign(value, { licenses: [{ name: 'x', title: text }] })],
  ['schema', (value, text) => Object.assign(value, { $schema: text })],
  ['unknown member', (value, text) => Object.assign(value, { remarks: text })],
];

const PROSE = [
  'alias Los Chapos, born 1957, passport G1234567',
  'Call +52 667 123 4567',
  'Colombia is responsible for the drug crisis',
  'Purity was 80 percent',
  'It lies at 34.0522 and 118.2437',
  'CC0-1.0',
];

describe('[SAFETY-GATES] planted in a descriptor', () => {
  test.each(PLACES.flatMap(([place, write]) => PROSE.map((text) => [place, text, write] as const)))(
    'as %s: %s',
    (_place, text, write) => {
      const findings = findingsOf(OPIUM, { 'datapackage.json': descriptor((value) => write(value, text)) });
      expect(findings.some(({ file }) => [PACKAGE, RECORDS].includes(file))).toBe(true);
    },
  );

  test.each(PROSE)('as the key of a label, which record ids show: %s', (text) => {
    for (const id of [OPIUM, 'informal-employment']) {
      const change = descriptor((value) => Object.assign(value, { labelKeys: { '': text } }));
      expect(rulesOf(findingsOf(id, { 'datapackage.json': change }))).toContain('stated');
    }
  });

  test.each<[string, string, (value: LooseDescriptor) => void]>([
    ['a limitation', OPIUM, (value) => value.limitations.pop()],
    ['every limitation', 'designations', (value) => (value.limitations = [])],
    ['a limitation of an indicator', 'drug-seizures', (value) => value.indicators[0]?.limitations.pop()],
    ['a caveat', 'organized-crime-index', (value) => Object.assign(value, { caveats: [] })],
  ])('leaves out %s: what the importer states is said', (_what, id, change) => {
    const findings = findingsOf(id, { 'datapackage.json': descriptor(change) });
    expect(findings.map(({ rule, message }) => [rule, message.includes('is missing')])).toContainEqual([
      'stated',
      true,
    ]);
  });

  test.each<[string, string, (value: LooseDescriptor) => void, string]>([
    [
      'two indicators whose texts are exchanged',
      'arms',
      ({ indicators: [one, two] }) => {
        const { label = '', description = '' } = one ?? {};
        Object.assign(one ?? {}, { label: two?.label, description: two?.description });
        Object.assign(two ?? {}, { label, description });
      },
      'stated',
    ],
    [
      'a tolerance that nobody stated, which would hide revisions',
      'drug-seizures',
      ({ indicators: [one] }) => Object.assign(one ?? {}, { tolerance: 1e12 }),
      'stated',
    ],
    [
      'a title nobody stated, of a dataset that has records without a label',
      'national-indicators',
      (value) => Object.assign(value, { title: 'Poppies' }),
      'stated',
    ],
    [
      'labels without their keys, which would change ids',
      'informal-employment',
      (value) => Object.assign(value, { labelKeys: undefined }),
      'label-key',
    ],
  ])('has %s', (_what, id, change, rule) => {
    expect(rulesOf(findingsOf(id, { 'datapackage.json': descriptor(change) }))).toContain(rule);
  });

  test('has a source with the terms of another of the same importer', () => {
    const change = descriptor(({ sources: [list, , withdrawn] }) => {
      const { publisher, license, licenseUrl } = withdrawn ?? {};
      Object.assign(list ?? {}, { publisher, license, licenseUrl });
    });
    const messages = findingsOf('designations', { 'datapackage.json': change }).map(({ message }) => message);
    expect(messages.join('\n')).toMatch(/source "ofac-sdn" is not what build\/import\/\w+\.yaml states/);
  });

  test.each<[string, string, (value: LooseDescriptor) => void]>([
    [
      'the title of another',
      'designations',
      ({ sources: [a, b] }) => Object.assign(a ?? {}, { title: b?.title }),
    ],
    [
      'the notes of another',
      'designations',
      ({ sources: [a, b] }) => Object.assign(a ?? {}, { notes: b?.notes }),
    ],
    [
      'the refresh of another',
      'designations',
      ({ sources: [a, b] }) => Object.assign(a ?? {}, { refresh: b?.refresh }),
    ],
    ['another cadence', 'designations', ({ sources: [, , a] }) => Object.assign(a ?? {}, { cadence: 'P1D' })],
    [
      'the title of another series',
      'national-indicators',
      ({ sources: [a, b] }) => Object.assign(a ?? {}, { title: b?.title }),
    ],
    [
      'the rights of another series',
      'national-indicators',
      ({ sources }) =>
        Object.assign(sources.find(({ id }) => id === 'wdi-vc.ihr.psrc.p5') ?? {}, {
          rights: sources[0]?.rights,
        }),
    ],
    ['no note of its edition', OPIUM, ({ sources: [a] }) => Object.assign(a ?? {}, { notes: [] })],
    ['an id that is not stated', OPIUM, ({ sources: [a] }) => Object.assign(a ?? {}, { id: 'wdr-6.2.2' })],
    [
      'a second one of its name',
      OPIUM,
      ({ sources }) => {
        const page = 'https://www.unodc.org/unodc/en/data-and-analysis/index.html';
        const title = 'World Drug Report, annex 6.2.1: Illicit cultivation of opium poppy';
        sources.push({ ...sources[0], id: 'wdr-6.2.1', title, url: page, path: page, notes: [] });
      },
    ],
  ])('has a source with %s', (_what, id, change) => {
    const messages = findingsOf(id, { 'datapackage.json': descriptor(change) }).map(({ message }) => message);
    expect(messages.join('\n')).toMatch(/source "[^"]+" is (?:not what|a second source)/);
  });

  test.each(['f'.repeat(64), '1957-99', '2099', '2021, 2003 and 2025', '2021-34', '34.0522', '1421'])(
    'has %s where a text of the importer leaves a place for years',
    (text) => {
      const change = descriptor((value) => {
        const withText = (one: string): string => one.replace(/(?<=^The years are )[^:]+/, text);
        for (const member of ['limitations', 'caveats'])
          value[member] = (value[member] as string[]).map(withText);
      });
      expect(rulesOf(findingsOf('organized-crime-index', { 'datapackage.json': change }))).toEqual([
        'stated',
      ]);
    },
  );

  test('has coordinates where a text of an indicator leaves a place for years', () => {
    const change = descriptor(({ indicators: [one] }) =>
      one?.limitations.splice(
        0,
        99,
        ...one.limitations.map((text) => text.replace(/(?<=^All kilograms of )[^a]+(?= are)/, '34.0522')),
      ),
    );
    const messages = findingsOf('drug-seizures', { 'datapackage.json': change }).map(
      ({ message }) => message,
    );
    expect(messages).toEqual([
      expect.stringMatching(/^limitations "All kilograms of 34\.0522 are .* is not stated/),
    ]);
  });

  test('has an indicator with the label of another drug', () => {
    const change = descriptor(({ indicators: [one, two] }) =>
      Object.assign(one ?? {}, { label: two?.label }),
    );
    const messages = findingsOf('drug-use-prevalence', { 'datapackage.json': change }).map(
      ({ message }) => message,
    );
    expect(messages.join('\n')).toMatch(
      /indicator "use-\w+" is not what build\/import\/prevalence.yaml states/,
    );
  });

  test.each<[string, (value: LooseDescriptor) => void]>([
    ['source', ({ sources }) => sources.push({ ...sources[0] })],
    ['indicator', ({ indicators }) => indicators.push(...indicators)],
    ['geography', ({ geographies }) => geographies.push({ ...geographies[0] })],
  ])('has a %s twice', (_what, change) => {
    const findings = findingsOf(OPIUM, { 'datapackage.json': descriptor(change) });
    expect(rulesOf(findings)).toContain('unique-id');
  });

  test('says which text, and where it is to be changed', () => {
    const change = descriptor((value) => (value.title = 'Poppies'));
    expect(findingsOf(OPIUM, { 'datapackage.json': change })).toEqual([
      {
        file: PACKAGE,
        row: null,
        rule: 'stated',
        message:
          'title "Poppies" is not stated in build/import/opium.yaml; change the text there and import again',
      },
    ]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a hash of zeros', { sha256: '0'.repeat(64) }],
    ['a retrieval to come', { retrievedAt: '2099-01-01' }],
    ['a retrieval tomorrow', { retrievedAt: '2026-11-23' }],
    ['an edition to come', { dated: '2099-01', retrievedAt: '2099-01' }],
    ['an edition after its retrieval', { dated: '2025-08', retrievedAt: '2025-06' }],
    ['a date that is none', { dated: '2027-02-30' }],
  ])('%s', (_what, change) => {
    const edit = descriptor(({ sources }) => Object.assign(sources[0] ?? {}, change));
    expect(findingsOf(OPIUM, { 'datapackage.json': edit })).toContainEqual(
      expect.objectContaining({ file: PACKAGE, rule: 'date' }),
    );
  });
});

test.each(
  items(`arms | coca-cultivation | designations | drug-prices | drug-seizures | drug-use-prevalence | firearms-tracing |
    border-drug-seizures | informal-economy | informal-employment | national-indicators | opium-cultivation |
    organized-crime-index`),
)('[SAFETY-GATES] %s, as it is packaged, passes', (id) => {
  expect(findingsOf(id)).toEqual([]);
});
