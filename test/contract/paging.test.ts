/** Walking pages yields each record once and in the fixed order, `matched` is what brute force counts, and cursors hold. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { call } from '../../shim/core/call.ts';
import { payloadBytes } from '../../shim/core/envelope.ts';
import { fold } from '../../shim/core/words.ts';
import type { Input } from '../../shim/core/types.ts';
import { testContext, operationNamed } from '../_support/doors.ts';
import { allAtlas, allEntities, allObservations } from '../_support/records.ts';

interface Page {
  page: { limit: number; matched: number; returned: number; has_more: boolean; next_cursor: string | null };
  records: object[];
}

const context = testContext();

function ask(resource: string, input: Input): Page {
  const operation = operationNamed(resource);
  const result = call(operation, input, context, (error) => {
    throw error;
  });
  if (result instanceof Promise) throw new Error(`${resource} returned a promise`);
  if (!result.ok) throw result.fault;
  const data = JSON.parse(new TextDecoder().decode(payloadBytes(result.payload))) as Page & {
    observations?: object[];
  };
  return { page: data.page, records: data.records ?? data.observations ?? [] };
}

/** All records of a query, page by page; checks each page's own numbers. */
function walk(resource: string, filters: Input, limit: number, from: string | null = null): object[] {
  const found: object[] = [];
  let cursor = from;
  do {
    const { page, records } = ask(resource, { ...filters, limit, ...(cursor === null ? {} : { cursor }) });
    // Not expect(): a hundred thousand pages are walked.
    const isWhole = page.has_more ? records.length === limit : records.length <= limit;
    if (page.returned !== records.length || page.has_more !== (page.next_cursor !== null) || !isWhole)
      throw new Error(`${resource} ${JSON.stringify(filters)}: ${JSON.stringify(page)} of ${records.length}`);
    for (const record of records) found.push(record);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

const observations = allObservations();
const atlas = allAtlas();
const entities = allEntities();

/** The member of an observation that each filter reads. */
const MEMBERS: Record<string, keyof (typeof observations)[number]> = {
  dataset: 'datasetId',
  indicator: 'indicatorId',
  geo: 'geoCode',
  category: 'category',
  subgroup: 'subgroup',
};

function matchingObservations({ from, to, ...filters }: Input): object[] {
  const wanted = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[MEMBERS[name], value] as const],
  );
  return observations.filter(
    (record) =>
      wanted.every(([member, value]) => member !== undefined && record[member] === value) &&
      periodMatches(record.period, from, to),
  );
}

/** A year bound takes annual records and the months of its year; a month bound takes months only. */
function periodMatches(period: string, from?: Input[string], to?: Input[string]): boolean {
  const annual = period.length === 4;
  const [first, last] = [String(from ?? ''), String(to ?? '')];
  if (annual && (first.length === 7 || last.length === 7)) return false;
  return period.slice(0, first.length) >= first && (last === '' || period.slice(0, last.length) <= last);
}

function matchingAtlas({ domain, iso3, year }: Input): object[] {
  return atlas.filter(
    (record) =>
      (domain === undefined || domain === 'all' || record.domain === domain) &&
      (iso3 === undefined || record.data['iso3'] === iso3) &&
      (year === undefined || record.data['year'] === year),
  );
}

const wordsOf = (text: string): string[] => fold(text).split(/[^\p{L}\p{N}]+/u);

function matchingEntities({ entity_type, program, country, query }: Input): object[] {
  const words = wordsOf(String(query ?? '')).filter(Boolean);
  return entities.filter(
    (record) =>
      (entity_type === undefined || record.entity_type === entity_type) &&
      (program === undefined || record.programs.includes(String(program))) &&
      (country === undefined ||
        record.countries.some((name) => name.toLowerCase() === String(country).toLowerCase())) &&
      words.every((word) => wordsOf(record.name).some((own) => own.startsWith(word))),
  );
}

const BRUTE: Record<string, (filters: Input) => object[]> = {
  'market-observations': matchingObservations,
  atlas: matchingAtlas,
  entities: matchingEntities,
};

const WALKS: [resource: string, filters: Input, limits: number[]][] = [
  ['market-observations', {}, [50, 500]],
  ['market-observations', { dataset: 'opium-cultivation' }, [1, 7, 50, 500]],
  ['market-observations', { indicator: 'seizures', geo: 'MEX' }, [1, 7, 50, 500]],
  ['market-observations', { geo: 'DEU' }, [7, 50, 500]],
  ['market-observations', { from: '2020', to: '2021', category: 'Opioids' }, [7, 50, 500]],
  ['market-observations', { subgroup: 'Heroin' }, [7, 500]],
  ['market-observations', { category: '' }, [7, 500]],
  ['atlas', {}, [1, 7, 50, 100]],
  ['atlas', { domain: 'organized_crime' }, [1, 7, 50, 100]],
  ['atlas', { year: 2021 }, [1, 7, 50, 100]],
  ['atlas', { iso3: 'COL' }, [1, 7, 100]],
  ['entities', {}, [1, 7, 50, 100]],
  ['entities', { program: 'SDNT' }, [1, 7, 50, 100]],
  ['entities', { country: 'Mexico', entity_type: 'organization' }, [1, 7, 50, 100]],
  ['entities', { query: 'jose' }, [1, 7, 100]],
];

describe.each(WALKS)('[PAGING] %s %j', (resource, filters, limits) => {
  test.each(limits)('limit %i yields each record once, in order', (limit) => {
    const expected = (BRUTE[resource] ?? (() => []))(filters);
    expect(expected.length).toBeGreaterThan(0);
    expect(ask(resource, { ...filters, limit }).page.matched).toBe(expected.length);
    expect(walk(resource, filters, limit)).toEqual(expected);
  });
});

test('[PAGING] limit 7 over all observations yields each id once', () => {
  const records = walk('market-observations', {}, 7) as { id: string }[];
  expect(new Set(records.map(({ id }) => id)).size).toBe(observations.length);
});

test('[ORDER] observations are in the fixed order', () => {
  const keys = observations.map(({ datasetId, indicatorId, geoCode, category, subgroup, period, id }) => [
    datasetId,
    indicatorId,
    geoCode,
    category,
    subgroup,
    period,
    id,
  ]);
  const ordered = keys.every((key, row) => row === 0 || compare(keys[row - 1] ?? [], key) < 0);
  expect(ordered).toBe(true);
});

function compare(a: string[], b: string[]): number {
  for (const [position, text] of a.entries()) {
    const other = b[position] ?? '';
    if (text !== other) return text < other ? -1 : 1;
  }
  return 0;
}

test('[FILTERS] any combination of filters counts what brute force counts', () => {
  const pick = <K extends keyof (typeof observations)[number]>(key: K): fc.Arbitrary<string> =>
    fc.constantFrom(...new Set(observations.map((record) => String(record[key]))));
  const optional = { requiredKeys: [] };
  const filters = fc.record(
    {
      indicator: pick('indicatorId'),
      geo: pick('geoCode'),
      category: pick('category'),
      subgroup: pick('subgroup'),
      from: fc.constantFrom('2015', '2019', '2020-01'),
      to: fc.constantFrom('2020', '2023', '2022-12'),
    },
    optional,
  );
  fc.assert(
    fc.property(filters, fc.integer({ min: 1, max: 500 }), (chosen, limit) => {
      const expected = matchingObservations(chosen);
      const { page, records } = ask('market-observations', { ...chosen, limit });
      expect(page.matched).toBe(expected.length);
      expect(records).toEqual(expected.slice(0, limit));
    }),
    { numRuns: 150 },
  );
});

test('[CURSOR] limit may change between pages', () => {
  const first = ask('atlas', { year: 2021, limit: 7 });
  const rest = walk('atlas', { year: 2021 }, 100, first.page.next_cursor);
  expect([...first.records, ...rest]).toEqual(matchingAtlas({ year: 2021 }));
});
