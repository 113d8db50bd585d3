import { describe, expect, test } from 'vitest';
import { economicCoverage, readEconomicCsv } from '../../build/producer/coverage.ts';
import { prettyJson, sha256 } from '../../build/lib/tree.ts';
import { verifyProducer } from '../../build/producer/verify.ts';
import { realEffects } from '../../build/write/effects.ts';
import { economicFiles } from '../../build/producer/economics.ts';
import { parseRegister } from '../../build/producer/register.ts';
import { importProducer, loadProducer } from '../../build/producer/reference.ts';
import { loadDatasets } from '../../build/load/datasets.ts';
import { nationalSeries, referenceProducer, registerText } from '../_support/producer.ts';

describe('the source register', () => {
  const { sources, rules } = parseRegister('register.md', registerText());
  const of = (id: string): (typeof sources)[number] | undefined =>
    sources.find(({ sourceId }) => sourceId === id);

  test('maps classes, states and areas', () => {
    expect(of('world_bank_wdi')).toMatchObject({
      implementationState: 'live',
      sourceClass: 'official_or_administrative + modeled_or_analytical',
    });
    expect(of('night_lights')).toMatchObject({
      classes: ['independent_observation', 'modeled_or_analytical'],
      claimClasses: ['light level'],
      notClaimed: ['not activity'],
      authorityRole: 'remote observation',
    });
    expect([...(of('mapped_features')?.areas ?? [])]).toEqual(['C', 'G', 'M', 'K', 'B']);
    expect(of('statistics_office')?.claimClasses).toEqual(['trade', 'prices']);
    expect(rules).toHaveLength(4);
  });

  test('an interested party only claims, a blocked source supports nothing', () => {
    expect(of('corridor_portal')?.claimClasses).toEqual([
      'official claim: project list',
      'official claim: announced status',
    ]);
    expect(of('provincial_plan')).toMatchObject({
      interestedParty: true,
      claimClasses: ['official claim: allocations'],
    });
    expect(of('conflict_events')).toMatchObject({ implementationState: 'blocked', claimClasses: [] });
  });

  test('says which terms and addresses were not checked', () => {
    expect(of('corridor_portal')).toMatchObject({
      rightsStatus: 'none stated (cite only); terms not confirmed; URL not checked',
      rightsGroup: 'cite only',
      urlEvidence: 'not_checked',
    });
    expect(of('conflict_events')?.rightsStatus).toBe('custom: no passing on of raw data (restricted)');
  });

  test('reads rows that are indented or have no outer bars', () => {
    const all = registerText((register) =>
      register.replace('| 3 | Prov', '  | 3 | Prov').replace('| 4 |', '4 |'),
    );
    expect(parseRegister('register.md', all).sources).toEqual(sources);
  });

  test.each([
    ['a class', '| O (some M) |', '| X |', /row 4: expected a class/],
    ['a state', '| data in hand |', '| maybe |', /expected data in hand/],
    ['an area', '| N M |', '| N Z |', /area letters/],
    ['a column', '| claim classes |', '| claims |', /a column "claim classes"/],
    ['the numbering', '| 3 | Provincial', '| 4 | Provincial', /source number 3/],
    ['the rules', 'must not feed', 'may feed', /expected rows of interested parties and of blocked sources/],
    ['a row of more cells', '| O (some M) |', '| O | (some M) |', /row 4: expected 11 cells; found 12/],
    ['a row after a blank line', '| 3 | Provincial', '\n| 3 | Provincial', /row 7: expected no row apart/],
    ['a table without its line of dashes', /\|---.*\n/, '', /row 3: expected the line of dashes/],
  ])('refuses %s it does not understand', (_what, from, to, message) => {
    expect(() =>
      parseRegister(
        'register.md',
        registerText((register) => register.replace(from, to)),
      ),
    ).toThrow(message);
  });
});

describe('economic observations', () => {
  const { files, retrieved } = economicFiles(nationalSeries());
  const rows = readEconomicCsv(files[1]?.[1] ?? new Uint8Array());

  test('[BRI-NULL] a year without a value is unavailable between the first and last year any country has', () => {
    expect(retrieved).toBe('2026-07-01');
    expect(rows.map(({ country, indicator, year, value }) => [country, indicator, year, value])).toEqual([
      ['CHN', 'gdp', 2020, 0],
      ['CHN', 'gdp', 2021, 2.5],
      ['CHN', 'gdp', 2022, null],
      ['MMR', 'gdp', 2020, -1],
      ['MMR', 'gdp', 2021, null],
      ['MMR', 'gdp', 2022, 3],
      ['PAK', 'gdp', 2020, null],
      ['PAK', 'gdp', 2021, 4],
      ['PAK', 'gdp', 2022, null],
      ['CHN', 'pop', 2021, 10],
      ['MMR', 'pop', 2021, 20],
      ['PAK', 'pop', 2021, null],
    ]);
    expect(rows.filter(({ value }) => value === null).every(({ reason }) => reason === 'not_in_source')).toBe(
      true,
    );
  });

  test('[BRI-NULL] windows and counts are those of the rows; an observed zero counts as observed', () => {
    const series = [
      {
        indicatorId: 'gdp',
        label: '',
        unit: 'x',
        sourceUrl: '',
        license: '',
        notes: [],
        rawBytes: 1,
        rawSha256: '',
        fromYear: 2020,
        toYear: 2022,
      },
    ];
    const coverage = economicCoverage(
      rows.filter(({ indicator }) => indicator === 'gdp'),
      {
        series,
      },
    );
    expect(coverage.totals).toEqual({
      countries: 3,
      indicators: 1,
      sourceRows: 9,
      observedRows: 5,
      forecastRows: 0,
      unavailableRows: 4,
    });
    expect(coverage.countries[0]?.indicators[0]).toMatchObject({
      annualCoverage: { fromYear: 2020, toYear: 2022, yearCount: 3 },
      observed: { fromYear: 2020, toYear: 2021, yearCount: 2 },
      forecast: { fromYear: null, toYear: null, yearCount: 0 },
      unavailable: { fromYear: 2022, toYear: 2022, yearCount: 1, reasonCounts: { not_in_source: 1 } },
    });
  });

  test('the CSV reader refuses a value beside unavailable, a second row and a blank observed value', () => {
    const header = 'country,indicator,year,value,status,reason,locator\n';
    const read = (line: string): unknown => readEconomicCsv(Buffer.from(header + line));
    expect(() => read('CHN,gdp,2020,1,unavailable,not_in_source,\n')).toThrow(/line 2/);
    expect(() => read('CHN,gdp,2020,,observed,,row 2\n')).toThrow(/line 2/);
    expect(() => read('IND,gdp,2020,1,observed,,row 2\n')).toThrow(/line 2/);
    expect(() => read('CHN,gdp,2020,1,observed,,row 2\nCHN,gdp,2020,2,observed,,row 3\n')).toThrow(
      /line 3: a second row/,
    );
  });

  test('refuses a series with two units or without a value', () => {
    const national = nationalSeries();
    const mixed = {
      ...national,
      rows: national.rows.map((row, index) => (index === 1 ? { ...row, unit: 'other' } : row)),
    };
    expect(() => economicFiles(mixed)).toThrow(/one unit/);
    expect(() => economicFiles({ ...national, rows: national.rows.slice(0, 5) })).toThrow(
      /series pop: expected a value/,
    );
  });
});

const ACCEPTING = { datasets: 'datasets', acceptLabels: true };

test('the reference is made from a register and the packaged national series, through the command', () => {
  const real = realEffects();
  const written = new Map<string, Uint8Array>();
  const effects = {
    ...real,
    read: (path: string) => (path === 'register.md' ? Buffer.from(registerText()) : real.read(path)),
    replaceTree: (_out: string, files: Iterable<readonly [string, Uint8Array]>) => {
      for (const [path, bytes] of files) written.set(path, bytes);
    },
  };
  const lines = importProducer('producerp-reference', ['register.md'], ACCEPTING, effects);
  expect(lines[0]).toMatch(/reference release reference-[0-9a-f]{16} pinned/);
  expect(verifyProducer(written).findings).toEqual([]);
});

describe('pinning a release folder', () => {
  function effectsOver(release: Map<string, Uint8Array>): {
    effects: Parameters<typeof importProducer>[3];
    written: Map<string, Uint8Array>;
  } {
    const written = new Map<string, Uint8Array>();
    const inside = [...release.keys()]
      .filter((path) => path.startsWith('release/'))
      .map((path) => path.slice('release/'.length));
    return {
      written,
      effects: {
        files: () => inside,
        folders: () => [],
        read(path) {
          const bytes = release.get(path.replace('folder/', 'release/'));
          return bytes ? Buffer.from(bytes) : null;
        },
        replaceTree: (_out, files) => {
          for (const [path, bytes] of files) written.set(path, bytes);
        },
      },
    };
  }

  test('a sound release is pinned as it is', () => {
    const release = referenceProducer();
    const { effects, written } = effectsOver(release);
    const lines = importProducer('producerp', ['folder'], ACCEPTING, effects);
    expect(lines[0]).toMatch(/reference release reference-[0-9a-f]{16} pinned/);
    expect(verifyProducer(written).findings).toEqual([]);
    expect([...written.keys()].sort()).toEqual([...release.keys()].sort());
  });

  test('an unsound one changes nothing and gives every finding', () => {
    const release = referenceProducer();
    release.set('release/data/newswire-rights-status.json', prettyJson({ status: 'open' }));
    release.set('release/data/extra.txt', Buffer.from('x'));
    const { effects, written } = effectsOver(release);
    expect(() => importProducer('producerp', ['folder'], ACCEPTING, effects)).toThrow(
      /newswire-rights-status\.json: producer-schema[^]*producer-hash|producer-unlisted/,
    );
    expect(written.size).toBe(0);
  });
});

describe('datasets/producerp', () => {
  const packaged = loadProducer('datasets', realEffects());

  test('verifies', () => {
    const { findings, producer } = verifyProducer(packaged);
    expect(findings).toEqual([]);
    expect(producer?.observatory.sources).toHaveLength(28);
    expect(producer?.economics.coverage).toHaveProperty('totals', {
      countries: 3,
      indicators: 20,
      sourceRows: 3318,
      observedRows: 3150,
      forecastRows: 0,
      unavailableRows: 168,
    });
  });

  test('holds the economic files that the packaged national series give', () => {
    const { datasets } = loadDatasets('datasets', {
      ...realEffects(),
      folders: (path) => (path === 'datasets' ? ['national-indicators'] : realEffects().folders(path)),
    });
    const national = datasets[0] as unknown as Parameters<typeof economicFiles>[0];
    const made = economicFiles(national).files.map(([path, bytes]) => [path, sha256(bytes)]);
    expect(made.map(([path = '']) => [path, sha256(packaged.get(`release/${path}`) ?? '')])).toEqual(made);
  });
});
