/** Why a query of observations matches nothing: the filter, what is closest to it, and where there are records instead. */
import { expect, test } from 'vitest';
import { renderCatalog } from '../../build/render/api/catalog.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import { restAnswer, restDoor, testContext } from '../_support/doors.ts';
import { packDatasets, packedStore } from '../_support/packed.ts';
import { TEST_SITE } from '../_support/tree.ts';
import { callTool, doorOf } from '../mcp/asking.ts';
import { description, judge } from '../_support/openapi.ts';
import { allObservations } from '../_support/records.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';

const door = restDoor();
const mcp = doorOf();
const judged = judge(description());

async function ask(args: Record<string, string>): Promise<ExploreAnswer & { code: number; message: string }> {
  const { status, text } = await door.ask(`/api/v1/market-observations?${new URLSearchParams(args)}`);
  const { message, data } = JSON.parse(text);
  return { code: status, message, ...data };
}

test.each([
  ['Belgium', 'BEL'],
  ['belgique', 'BEL'],
  ['Belgien', 'BEL'],
  ['Bélgica', 'BEL'],
  ['BE', 'BEL'],
  ['bel', 'BEL'],
  ['Belguim', 'BEL'],
  ['Myanmar', 'MMR'],
  ['Burma', 'MMR'],
  ['United States of America', 'USA'],
  ['USA ', 'USA'],
  ['Cote d Ivoire', 'CIV'],
  ['Turkey', 'TUR'],
  ['XKX', 'x-kosovo'],
])('[MARKETS-ABSENCE] geo "%s" is not a code, and %s is the closest', async (given, code) => {
  const { code: status, absence, page } = await ask({ geo: given });
  expect([status, page.matched]).toEqual([200, 0]);
  expect(absence).toMatchObject({ parameter: 'geo', given, reason: 'unknown_value' });
  expect(absence?.nearest[0]).toBe(code);
  expect(absence?.message).toContain(code);
});

test('[MARKETS-ABSENCE] UK leads to GBR and its parts, those with records first', async () => {
  const all = await ask({ geo: 'UK' });
  expect(all.absence?.nearest[0]).toBe('GBR');
  const { absence } = await ask({ geo: 'UK', indicator: 'use-cannabis' });
  expect(absence?.nearest).toEqual(
    expect.arrayContaining(['x-england-and-wales', 'x-scotland', 'x-northern-ireland']),
  );
});

test.each([
  [{ indicator: 'seizures', category: 'cocaine' }, 'category', 'Cocaine-type'],
  [{ indicator: 'prices-retail', category: 'cocaína', geo: 'ESP' }, 'category', 'Cocaine hydrochloride'],
  [{ indicator: 'seizures', subgroup: 'heroína' }, 'subgroup', 'Heroin'],
  [{ indicator: 'seizures', subgroup: '“Crack” cocaine' }, 'subgroup', '"Crack" cocaine'],
  [{ indicator: 'seizures', category: '"Ecstasy"-type substances' }, 'category', '“Ecstasy”-type substances'],
  [{ subgroup: '14 ' }, 'subgroup', '14+'],
  [{ indicator: 'seizures', subgroup: 'marihuana' }, 'subgroup', 'Cannabis herb (marijuana)'],
])('[MARKETS-ABSENCE] %j: the closest %s is %s', async (args, parameter, value) => {
  const { absence } = await ask(args);
  expect(absence?.parameter).toBe(parameter);
  expect(absence?.nearest[0]).toBe(value);
});

test('[MARKETS-ABSENCE] a period without records names those that have some', async () => {
  const { absence } = await ask({ dataset: 'coca-cultivation', geo: 'COL', from: '2030' });
  const periods = allObservations()
    .filter(({ datasetId, geoCode }) => datasetId === 'coca-cultivation' && geoCode === 'COL')
    .map(({ period }) => period);
  expect(absence).toMatchObject({
    parameter: 'from',
    given: '2030',
    reason: 'no_rows_in_period',
    nearest: [],
  });
  const known = [...new Set(periods)].sort();
  expect(absence?.periods).toEqual(known);
  expect(absence?.message).toContain(`periods with records: ${known[0]} to ${known.at(-1)}.`);
});

test('[MARKETS-ABSENCE] months of annual records: neither bound alone empties the response', async () => {
  const { absence } = await ask({ dataset: 'coca-cultivation', from: '2020-01', to: '2020-12' });
  expect(absence).toMatchObject({ parameter: null, given: null, reason: 'no_rows_in_period' });
  expect(absence?.periods).toContain('2020');
});

test('[MARKETS-ABSENCE] a known place without records of an indicator, and a known combination', async () => {
  const place = await ask({ indicator: 'coca-cultivation', geo: 'BEL' });
  expect(place.absence).toMatchObject({ parameter: 'geo', given: 'BEL', reason: 'no_rows', nearest: [] });
  const both = await ask({ indicator: 'seizures', geo: 'BEL', category: 'Solvents and Inhalants' });
  expect(both.absence).toMatchObject({ parameter: null, given: null, reason: 'no_rows' });
  expect(both.absence?.elsewhere.length).toBeGreaterThan(0);
});

test('[MARKETS-ABSENCE] a known place is never taken for another one with a similar name', async () => {
  const england = await ask({ indicator: 'use-cannabis', geo: 'x-england', category: 'Cannabis' });
  expect(england.absence).toMatchObject({
    parameter: 'geo',
    reason: 'no_rows',
    nearest: ['x-england-and-wales'],
    elsewhere: [],
  });
  const office = await ask({ indicator: 'arms-seized', geo: 'x-us-cbp-san-diego-field-office' });
  expect(office.absence).toMatchObject({ parameter: 'geo', nearest: [], elsewhere: [] });
  expect(office.absence?.message).not.toContain('with records');
});

test('[MARKETS-ABSENCE] a dataset and an indicator that do not belong together', async () => {
  const { absence } = await ask({ dataset: 'drug-seizures', indicator: 'dge', geo: 'BEL', from: '2021' });
  expect(absence).toMatchObject({
    parameter: 'indicator',
    given: 'dge',
    reason: 'no_rows',
    nearest: ['seizures'],
  });
  expect(absence?.message).toContain('informal-economy');
  expect(absence?.periods).toEqual(['2021', '2022', '2023']);
});

test('[MARKETS-ABSENCE] labels of the place that have records come with their periods, as the records have them', async () => {
  const { absence } = await ask({
    indicator: 'seizures',
    geo: 'BEL',
    category: 'cocaine',
    from: '2020',
    to: '2023',
  });
  const records = allObservations().filter(
    ({ indicatorId, geoCode, period }) =>
      indicatorId === 'seizures' && geoCode === 'BEL' && period >= '2020' && period <= '2023',
  );
  expect(absence?.elsewhere.length).toBeGreaterThan(2);
  for (const { category, subgroup, periods } of absence?.elsewhere ?? []) {
    const own = records.filter((record) => record.category === category && record.subgroup === subgroup);
    expect(periods).toEqual([...new Set(own.map(({ period }) => period))].sort());
  }
  expect(absence?.elsewhere.map(({ category }) => category)).toContain('Reported totals');
});

/** The labels of seizures in Belgium since a year with their periods, those with most first. */
function labelsOfBelgium(from: string): { category: string; subgroup: string; periods: string[] }[] {
  const labels = new Map<string, Set<string>>();
  for (const { indicatorId, geoCode, period, category, subgroup } of allObservations()) {
    if (indicatorId !== 'seizures' || geoCode !== 'BEL' || period < from) continue;
    const key = JSON.stringify([category, subgroup]);
    labels.set(key, (labels.get(key) ?? new Set()).add(period));
  }
  return [...labels]
    .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1))
    .map(([key, periods]) => {
      const [category = '', subgroup = ''] = JSON.parse(key) as string[];
      return { category, subgroup, periods: [...periods].sort() };
    });
}

test('[MARKETS-ABSENCE] labels that are one of those asked for come before those like it, eight in all', async () => {
  const asked = { indicator: 'seizures', category: 'Opioids', subgroup: 'Cannabis seed' };
  const { absence } = await ask({ ...asked, geo: 'BEL' });
  const same = labelsOfBelgium('').filter(
    ({ category, subgroup }) => category === asked.category || subgroup === asked.subgroup,
  );
  expect(absence?.elsewhere).toEqual(same.slice(0, 8));
  expect(absence?.elsewhere).toHaveLength(8);
  const unlike = await ask({ indicator: 'seizures', geo: 'BEL', category: 'qqqq', from: '2020' });
  expect(unlike.absence?.elsewhere).toEqual(labelsOfBelgium('2020').slice(0, 8));
  expect((await ask(asked)).absence?.elsewhere).toEqual([]);
  const { absence: ofGroup } = await ask({ indicator: 'seizures', geo: 'BEL', category: 'cocaine' });
  expect(ofGroup?.elsewhere).toEqual(
    labelsOfBelgium('').filter(
      ({ category, subgroup }) => category === 'Cocaine-type' || subgroup.startsWith('Cocaine ('),
    ),
  );
});

test('[MARKETS-ABSENCE] the total of a drug group stands in for a year in which the group has no other record, and back', async () => {
  const years = { indicator: 'seizures', geo: 'BEL', from: '2020', to: '2021' };
  const { absence } = await ask({ ...years, category: 'Cocaine-type' });
  expect(absence?.elsewhere[0]).toMatchObject({ category: 'Reported totals', periods: ['2020', '2021'] });
  const [total] = absence?.elsewhere ?? [];
  const later = await ask({
    ...years,
    from: '2022',
    to: '2023',
    category: 'Reported totals',
    subgroup: total?.subgroup ?? '',
  });
  expect(later.absence?.elsewhere.map(({ category }) => category)).toContain('Cocaine-type');
});

test('[MARKETS-ABSENCE] an unknown id is refused with the closest ones, and what else is not known', async () => {
  const { code, message } = await ask({
    indicator: 'cocaine seizures',
    geo: 'Belgium',
    category: 'cocaine',
  });
  expect(code).toBe(400);
  expect(message).toMatch(/closest: seizures[,.]/);
  expect(message).toMatch(/BEL \(Belgium\).*"Cocaine-type"/);
  expect((await ask({ dataset: 'drug seizures' })).message).toMatch(/closest: drug-seizures[,.]/);
  expect((await ask({ dataset: 'zzzzzz' })).message).toMatch(/: arms, .*opium-cultivation/);
});

test.each([
  'COCA-CULTIVATION.BOL.2010',
  'coca-cultivation.bol.2010',
  'coca-cultivation.bo.2010',
  'coca-cultivation.bolivia.2010',
])(
  '[MARKETS-ABSENCE] the id "%s" is none, and the one in the case and code of records is the closest',
  async (id) => {
    const { absence } = await ask({ id });
    expect(absence).toMatchObject({ parameter: 'id', given: id, reason: 'unknown_value' });
    expect(absence?.nearest).toEqual(['coca-cultivation.BOL.2010']);
  },
);

test('[MARKETS-ABSENCE] an id in other case leads to its record first; five ids at most are named, each once', async () => {
  const ids = allObservations()
    .filter(
      ({ indicatorId, geoCode, period }) => `${indicatorId}.${geoCode}.${period}` === 'seizures.BEL.2023',
    )
    .map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(10);
  const last = ids.at(-1) ?? '';
  const { absence } = await ask({ id: last.toUpperCase() });
  expect(absence?.nearest).toEqual([last, ...ids.slice(0, 4)]);
});

test('[MARKETS-ABSENCE] a record whose label changed between editions is compared by the one it has now', async () => {
  const id = 'nifl.AFG.2021.female-lfs-labour-force-survey~901664';
  const then = await ask({ id, as_of: '2024-12-31' });
  expect(then.observations).toMatchObject([{ category: 'Sex: Female' }]);
  const { absence } = await ask({ id, category: 'Total' });
  expect(absence).toMatchObject({ parameter: 'category', reason: 'no_rows', nearest: ['Female'] });
});

test('[MARKETS-ABSENCE] null where something matches, and the same over MCP', async () => {
  expect((await ask({ geo: 'BEL', limit: '1' })).absence).toBeNull();
  const args = { indicator: 'seizures', geo: 'Belgium', category: 'cocaine' };
  const { structuredContent } = await callTool(mcp, 'query_market_observations', args);
  expect(structuredContent?.['absence']).toEqual((await ask(args)).absence);
});

test.each(['dataset', 'indicator', 'geo', 'category', 'subgroup', 'from', 'to'] as const)(
  '[MARKETS-ABSENCE] a record excluded by %s alone: the response names it, as openapi.json allows',
  async (parameter) => {
    const [record] = allObservations().filter(({ indicatorId }) => indicatorId === 'seizures');
    const other = {
      dataset: 'drug-prices',
      indicator: 'coca-cultivation',
      geo: record?.geoCode === 'BEL' ? 'FRA' : 'BEL',
      category: 'Reported totals ',
      subgroup: 'none such',
      from: String(Number(record?.period) + 1),
      to: String(Number(record?.period) - 1),
    }[parameter];
    const query = new URLSearchParams({ id: record?.id ?? '', [parameter]: other }).toString();
    const target = `/api/v1/market-observations?${query}`;
    const { status, text } = await door.ask(target);
    const { absence } = JSON.parse(text).data as ExploreAnswer;
    expect(absence).toMatchObject({ parameter, given: other });
    expect(judged(target, status, text)).toEqual([]);
  },
);

const RECORD = 'coca-cultivation.BOL.2010';
const [CURRENT] = allObservations().filter(({ id }) => id === RECORD);
const THERE = [`${RECORD}@${CURRENT?.edition}`];
const EXCLUDED = `The record "${RECORD}" is excluded by the other filters.`;
const OUTSIDE = `The record "${RECORD}" is of 2010, outside the period asked for.`;
const ELSEWHERE = `The record "${RECORD}" is in other editions.`;
const UNKNOWN = 'No edition of a market dataset has a record with the id';

test.each<
  [
    filters: Record<string, string>,
    parameter: string | null,
    reason: string,
    facts: { nearest: string[]; periods: string[] },
    message: string,
  ]
>([
  [{ geo: 'XXX' }, 'geo', 'unknown_value', { nearest: ['BOL'], periods: ['2010'] }, EXCLUDED],
  [{ geo: 'COL' }, 'geo', 'no_rows', { nearest: ['BOL'], periods: ['2010'] }, EXCLUDED],
  [{ geo: 'XXX', to: '1950' }, null, 'no_rows', { nearest: THERE, periods: ['2010'] }, EXCLUDED],
  [{ geo: 'XXX', category: 'Heroin' }, null, 'no_rows', { nearest: THERE, periods: ['2010'] }, EXCLUDED],
  [{ from: '2011' }, 'from', 'no_rows_in_period', { nearest: [], periods: ['2010'] }, OUTSIDE],
  [
    { from: '2009-05', to: '2011-05' },
    null,
    'no_rows_in_period',
    { nearest: [], periods: ['2010'] },
    OUTSIDE,
  ],
  [{ id: `${RECORD}@2001-01` }, 'id', 'no_rows', { nearest: THERE, periods: [] }, ELSEWHERE],
  [{ id: `${RECORD}@2001-01`, geo: 'XXX' }, 'id', 'no_rows', { nearest: THERE, periods: [] }, ELSEWHERE],
  [
    { id: 'zzz.BOL.1950@2001-01', geo: 'XXX' },
    'id',
    'unknown_value',
    { nearest: [], periods: [] },
    `${UNKNOWN} "zzz.BOL.1950".`,
  ],
])('[MARKETS-ABSENCE] one record by its id, with %j: %s, %s', async (filters, parameter, reason, ...said) => {
  const [facts, message] = said;
  const all: Record<string, string> = { id: RECORD, ...filters };
  const { absence } = await ask(all);
  expect(absence).toEqual({
    parameter,
    given: parameter === null ? null : all[parameter],
    reason,
    ...facts,
    elsewhere: [],
    message: `${message} An empty response is not a zero.`,
  });
});

test.each([
  { geo: '' },
  { category: 'x'.repeat(3000) },
  { geo: '?'.repeat(300) },
  { category: '', indicator: 'seizures' },
  { subgroup: '𝒜'.repeat(500) },
])('[MARKETS-ABSENCE] %j does not make the request fail', async (args) => {
  const { code, absence } = await ask(args as Record<string, string>);
  expect(code === 400 || absence !== null).toBe(true);
});

test('[MARKETS-GROUP] some labels of a place say which periods are under other labels of their group', async () => {
  const { limitations } = await ask({
    indicator: 'seizures',
    geo: 'BEL',
    category: 'Cocaine-type',
    from: '2020',
    to: '2023',
  });
  const note = limitations.find((text) => text.includes('same printed group'));
  expect(note).toMatch(/"Reported totals".*\(2020, 2021\)/);
});

test('[MARKETS-GROUP] the note is exact for every place, label by label', async () => {
  const seizures = allObservations().filter(({ indicatorId }) => indicatorId === 'seizures');
  const places = [...new Set(seizures.map(({ geoCode }) => geoCode))].filter((_, at) => at % 12 === 0);
  for (const geo of places) {
    const own = seizures.filter(({ geoCode }) => geoCode === geo);
    for (const category of new Set(own.map((record) => record.category))) {
      const shown = own.filter((record) => record.category === category);
      const expected = own.filter(
        ({ group, period }) =>
          shown.some((record) => record.group === group) && !shown.some((record) => record.period === period),
      );
      const { limitations } = await ask({ indicator: 'seizures', geo, category, limit: '1' });
      const note = limitations.find((text) => text.includes('same printed group'));
      const labels = new Map<string, Set<string>>();
      for (const other of expected) {
        const label = `category ${JSON.stringify(other.category)}, subgroup ${JSON.stringify(other.subgroup)}`;
        labels.set(label, (labels.get(label) ?? new Set()).add(other.period));
      }
      const named = [...labels]
        .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1))
        .map(([label, periods]) => `${label} (${[...periods].sort().join(', ')})`);
      const more = named.length > 3 ? `, and ${named.length - 3} more` : '';
      const begin =
        'Periods that are not in this response have records under other labels of the same printed group';
      expect(note, `${geo} ${category}`).toBe(
        expected.length > 0 ? `${begin}: ${named.slice(0, 3).join('; ')}${more}.` : undefined,
      );
    }
  }
});

test('[MARKETS-GROUP] a query without a place gets no note on other labels', async () => {
  for (const args of [
    { indicator: 'seizures', category: 'Cocaine-type' },
    { geo: 'BEL', category: 'Cocaine-type' },
  ]) {
    const { limitations } = await ask({ ...args, from: '2020', limit: '1' });
    expect(limitations.filter((text) => text.includes('same printed group'))).toEqual([]);
  }
});

test('[UNAVAILABLE] a release without any market dataset is unavailable, not a market without records', async () => {
  const packed = packDatasets([]);
  const context = testContext(packedStore(packed));
  for (const input of [{}, { geo: 'BEL' }])
    expect(await restAnswer(marketObservations, input, context)).toMatchObject({
      status: 503,
      body: {
        ok: false,
        error: 'unavailable',
        message: expect.stringContaining('none of the market datasets'),
      },
    });
  const { bytes } = renderCatalog([], packed.manifest, TEST_SITE);
  expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ status: 'unavailable', datasets: [] });
});
