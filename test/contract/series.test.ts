/** The directory of series: every line against the packaged records, and what words find. */
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import type { Observation, Revision } from '../../shim/core/records.ts';
import { readDirectory, rowTest } from '../../shim/core/series-directory.ts';
import { searchOf } from '../../shim/core/series-search.ts';
import { callDoor, testContext } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { treeText, treeRecords } from '../_support/tree.ts';
import type { ExploreLine } from '../../shim/core/explore-answer.ts';

type Line = ExploreLine & { path: string };

interface Answer {
  status: string;
  page: { matched: number; returned: number; next_cursor: string | null };
  series: Line[];
  limitations: string[];
}

const door = callDoor();
const records = allObservations();

async function asked(target: string): Promise<Answer> {
  const answer = await door.ask(target);
  expect(answer.status, target).toBe(200);
  return (JSON.parse(answer.text) as { data: Answer }).data;
}

/** Every page of a query, in order. */
async function walked(filters: Record<string, string>, limit: number): Promise<Line[]> {
  const lines: Line[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ ...filters, limit: String(limit), ...(cursor ? { cursor } : {}) });
    const { page, series } = await asked(`/api/v1/series?${query.toString()}`);
    expect(page.returned).toBe(series.length);
    lines.push(...series);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return lines;
}

type Key = Pick<Observation, 'datasetId' | 'indicatorId' | 'geoCode' | 'category' | 'subgroup'>;

function keyOf({ datasetId, indicatorId, geoCode, category, subgroup }: Key): string {
  return JSON.stringify([datasetId, indicatorId, geoCode, category, subgroup]);
}

function keyOfLine({ dataset, indicator, geo, category, subgroup }: Line): string {
  return JSON.stringify([dataset, indicator, geo, category, subgroup]);
}

/** The filters that a line has, in the order of its path. */
const FILTERS = ['dataset', 'indicator', 'geo', 'category', 'subgroup'];

/** The lines there must be, counted over the packaged records. */
function expectedLines(): object[] {
  const labels = new Map(
    (
      JSON.parse(treeText('data/catalog.json')) as {
        datasets: { id: string; indicators: { id: string; label: string }[] }[];
      }
    ).datasets.flatMap(({ id, indicators }) =>
      indicators.map((indicator) => [`${id} ${indicator.id}`, indicator.label] as const),
    ),
  );
  const revised = new Map<string, Set<string>>();
  for (const revision of treeRecords<Revision>('data/revisions.ndjson')) {
    const ids = revised.get(keyOf(revision)) ?? new Set();
    revised.set(keyOf(revision), ids.add(revision.id.split('@')[0] ?? ''));
  }
  const groups = new Map<string, Observation[]>();
  for (const record of records) {
    const own = groups.get(keyOf(record)) ?? [];
    groups.set(keyOf(record), own);
    own.push(record);
  }
  return [...groups].map(([key, own]) => {
    const values = JSON.parse(key) as string[];
    const filters = Object.fromEntries(FILTERS.map((name, at) => [name, values[at] ?? '']));
    const units = [...new Set(own.map(({ unit }) => unit))];
    const periods = own.map(({ period }) => period).sort();
    return {
      ...filters,
      geoName: own[0]?.geoName,
      label: labels.get(`${filters['dataset'] ?? ''} ${filters['indicator'] ?? ''}`),
      unit: units.length === 1 ? units[0] : null,
      firstPeriod: periods[0],
      lastPeriod: periods.at(-1),
      observations: own.length,
      numeric: own.filter(({ value }) => value !== null).length,
      zeros: own.filter(({ value }) => value === 0).length,
      unavailable: own.filter(({ status }) => status === 'unavailable').length,
      revised: revised.get(key)?.size ?? 0,
      path: `/api/v1/market-observations?${Object.entries(filters)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&')}`,
    };
  });
}

describe('[SERIES] every series', async () => {
  const lines = await walked({}, 100);

  test('is listed once, as the packaged records count it', () => {
    const expected = expectedLines();
    expect(lines).toHaveLength(expected.length);
    expect(lines).toEqual(expected);
  });

  test('[SERIES-ORDER] is in the order of dataset, indicator, geography code, category and subgroup', () => {
    const keys = lines.map((line) =>
      [line.dataset, line.indicator, line.geo, line.category, line.subgroup].join('\0'),
    );
    expect(keys).toEqual(keys.toSorted());
  });

  test('has its records at its path', async () => {
    const step = Math.floor(lines.length / 400);
    for (const line of lines.filter((_, at) => at % step === 0)) {
      const { status, text: body } = await door.ask(line.path);
      expect(status, line.path).toBe(200);
      const { data } = JSON.parse(body) as {
        data: { page: { matched: number }; observations: Observation[] };
      };
      expect(data.page.matched, line.path).toBe(line.observations);
      expect(new Set(data.observations.map(keyOf))).toEqual(new Set([keyOfLine(line)]));
    }
  });

  test('has a path that is a valid request', () => {
    expect(Math.max(...lines.map(({ path }) => path.length))).toBeLessThan(8192);
  });

  test('is in the published pages once, which a mirror walks without a server', () => {
    const found: string[] = [];
    let path = 'api/v1/series.json';
    while (path !== '') {
      const { data } = JSON.parse(treeText(path)) as { data: Answer };
      found.push(...data.series.map(keyOfLine));
      path = data.page.next_cursor === null ? '' : `api/v1/series/${data.page.next_cursor}.json`;
    }
    expect(found).toEqual(lines.map(keyOfLine));
  });

  test.each([
    [{ market: 'arms' }, ({ dataset }: Line) => dataset === 'arms'],
    [
      { dataset: 'drug-prices', geo: 'BEL' },
      ({ dataset, geo }: Line) => dataset === 'drug-prices' && geo === 'BEL',
    ],
    [
      { indicator: 'seizures', geo: 'MEX' },
      ({ indicator, geo }: Line) => indicator === 'seizures' && geo === 'MEX',
    ],
    [{ market: 'arms', dataset: 'drug-prices' }, () => false],
  ])('is selected by the filters %j', async (filters, selects) => {
    const expected = lines.filter(selects).map(keyOfLine);
    expect((await walked(filters, 100)).map(keyOfLine)).toEqual(expected);
  });
});

/** The series a query finds, as sets of one of their members. */
async function search(query: string, filters: Record<string, string> = {}): Promise<Line[]> {
  return walked({ query, ...filters }, 100);
}

const membersOf = (lines: readonly Line[], member: 'geo' | 'category' | 'dataset' | 'indicator'): string[] =>
  [...new Set(lines.map((line) => line[member]))].sort();

describe('[SERIES-QUERY] words', () => {
  test.each([
    ['BEL', 'Belgium belgium BELGIUM belgique België belgien Бельгия 比利时 BE bel be belgum Bèlgium'],
    ['AFG', 'Afghanistan afganistan afghanstan AF Афганистан afghan'],
    ['CRI', 'costarica CR'],
    ['CIV', 'CIV CI'],
    ['DEU', 'Germany Deutschland Alemania Allemagne'],
  ])('%s is found as %s', async (code, names) => {
    const expected = records.filter(({ geoCode }) => geoCode === code).length;
    for (const name of names.split(' ')) {
      const lines = await search(name);
      expect(membersOf(lines, 'geo'), name).toEqual([code]);
      expect(
        lines.reduce((sum, { observations }) => sum + observations, 0),
        name,
      ).toBe(expected);
    }
  });

  test.each([
    ['Côte d’Ivoire', 'CIV'],
    ['ivory coast', 'CIV'],
    ['Democratic Republic of the Congo', 'COD'],
    ['south korea', 'KOR'],
    ['guinea', 'GIN'],
    ['Niger', 'NER'],
    ['uk', 'GBR'],
    ['USA', 'USA'],
  ])('%s is %s first', async (query, code) => {
    const [first] = await search(query);
    expect(first?.geo).toBe(code);
  });

  test('a word that is known is not the beginning of another: Niger is not Nigeria, coca is not cocaine', async () => {
    expect(membersOf(await search('niger'), 'geo')).toEqual(['NER']);
    const labels = (await search('coca')).map((line) => `${line.dataset} ${line.category} ${line.subgroup}`);
    expect(labels.filter((label) => !/\bcoca\b/i.test(label))).toEqual([]);
  });

  test.each(['arms', 'guns', 'weapons'])(
    'a code has no plural: %s are no series of Armenia',
    async (query) => {
      expect(await search(query, { market: 'drugs' })).toEqual([]);
      expect(membersOf(await search(`${query} armenia`), 'geo')).toEqual(['ARM']);
    },
  );

  test.each([
    ['cocaine belgium', /cocaine|crack/i, ['BEL'], ['drug-prices', 'drug-seizures', 'drug-use-prevalence']],
    ['belgique cocaïne', /cocaine|crack/i, ['BEL'], ['drug-prices', 'drug-seizures', 'drug-use-prevalence']],
    ['How much cocaine was seized in Belgium?', /cocaine/i, ['BEL'], ['drug-seizures']],
    ['heroin price germany', /heroin/i, ['DEU'], ['drug-prices']],
    ['precio de la heroína en Alemania', /heroin/i, ['DEU'], ['drug-prices']],
    ['price per kilogram of heroin in Germany', /heroin/i, ['DEU'], ['drug-prices']],
    ['dge bolivia', /^ $/, ['BOL'], ['informal-economy']],
    ['shadow economy mexico', /./, ['MEX'], ['informal-economy', 'informal-employment']],
    [
      'fentanyl san diego',
      /fentanyl/i,
      ['x-us-cbp-san-diego-field-office', 'x-us-cbp-san-diego-sector'],
      ['border-drug-seizures'],
    ],
  ])('%s', async (query, label, geos, datasets) => {
    const lines = await search(query);
    expect(lines.length).toBeGreaterThan(0);
    expect(membersOf(lines, 'geo')).toEqual(geos);
    for (const dataset of membersOf(lines, 'dataset')) expect(datasets).toContain(dataset);
    for (const { indicator, category, subgroup } of lines)
      expect(`${indicator} ${category} ${subgroup}`).toMatch(label.source === '^ $' ? /^dge {2}$/ : label);
  });

  test('other filters narrow what words find', async () => {
    const all = await search('cocaine belgium');
    const some = await search('cocaine belgium', { indicator: 'seizures' });
    expect(some).toEqual(all.filter(({ indicator }) => indicator === 'seizures'));
    expect(some.length).toBeGreaterThan(0);
    const { series, limitations } = await asked('/api/v1/series?query=cocaine+belgium&market=arms');
    expect(series).toEqual([]);
    expect(limitations[0]).toBe(
      `No series matches the words and the other filters; ${all.length} match the words alone.`,
    );
  });

  test('a whole name comes before a part of one', async () => {
    const [first] = await search('heroin price germany');
    expect(first).toMatchObject({ category: 'Heroin', geo: 'DEU' });
    const congo = await search('congo');
    expect(membersOf(congo, 'geo')).toEqual(expect.arrayContaining(['COD']));
  });

  test.each([
    ['afghanstan', '"afghanstan" was read as "afghanistan".'],
    ['weed jamaica', '"weed" was read as "marijuana", "cannabis".'],
    ['prescr', '"prescr" was read as "prescription".'],
    ['heroin price per kg', '"kg" was read as "kilogram".'],
    ['cocaine belgiu', '"belgiu" was read as "belgium"'],
    ['cocaine belgium 2020', '"2020" was left out: words do not select periods.'],
  ])('another reading of a word is named: %s', async (query, note) => {
    const { limitations, page } = await asked(`/api/v1/series?query=${encodeURIComponent(query)}`);
    expect(page.matched).toBeGreaterThan(0);
    expect(limitations[0]?.startsWith(note)).toBe(true);
  });

  test('of many words that a word may begin the first are named, and how many there are', async () => {
    const { limitations } = await asked('/api/v1/series?query=con');
    expect(limitations[0]).toMatch(/^"con" was read as (?:"con\w+",? ){6}and [1-9]\d* more\.$/);
    expect((await asked('/api/v1/series?query=cocaine')).limitations[0]).not.toContain('was read as');
  });

  test('words that say nothing do not count, except in capitals among others', async () => {
    expect(await search('cocaine in Belgium')).toEqual(await search('cocaine Belgium'));
    expect(membersOf(await search('cocaine DE'), 'geo')).toEqual(['DEU']);
    expect((await search('cocaine de')).length).toBeGreaterThan(100);
    expect(await search('COCAINE DE BELGIUM')).toEqual(await search('cocaine Belgium'));
    expect(await search('heroin price kg')).toEqual(await search('heroin price kilogram'));
    for (const query of ['heroin price KG', 'kg'])
      expect(membersOf(await search(query), 'geo')).toEqual(['KGZ']);
  });

  test('a word that is not understood selects nothing and is named, with what the others find', async () => {
    const { length } = await search('cocaine belgium');
    const { page, limitations } = await asked('/api/v1/series?query=cocaine+belgium+purity');
    expect(page.matched).toBe(0);
    expect(limitations.slice(0, 2)).toEqual([
      '"purity" is not understood: it is in no code, name, label or unit.',
      `The other words match ${length} series: query=cocaine belgium`,
    ]);
    const [near] = (await asked('/api/v1/series?query=xprices')).limitations;
    expect(near).toContain('"prices"');
  });

  test('words that no series has together are named with what the query is without each', async () => {
    const { page, limitations } = await asked('/api/v1/series?query=heroin+cultivation+germany');
    const { length } = await search('heroin germany');
    expect(page.matched).toBe(0);
    expect(limitations[0]).toContain(`${length} without "cultivation"`);
  });

  test('a geography that is not known is answered with the closest ones and selects nothing', async () => {
    const { page, limitations } = await asked('/api/v1/series?geo=Belgique');
    expect(page.matched).toBe(0);
    expect(limitations[0]).toBe('"Belgique" is not a geography code of the catalog; closest: BEL (Belgium).');
  });

  const UK =
    '"UK" is not a geography code of the catalog; closest: GBR (United Kingdom of Great Britain and Northern Ireland), x-england (United Kingdom (England)), x-england-and-wales (United Kingdom (England and Wales)).';
  test.each<[filters: Record<string, string>, notes: string[]]>([
    [
      { indicator: 'coca-cultivation', geo: 'BEL' },
      ['There are no series of indicator "coca-cultivation", geo "BEL" together.'],
    ],
    [
      { market: 'arms', dataset: 'drug-prices' },
      ['There are no series of market "arms", dataset "drug-prices" together.'],
    ],
    [{ market: 'arms', geo: 'UK' }, [UK]],
    [
      { query: 'xyzzyq', geo: 'UK' },
      ['"xyzzyq" is not understood: it is in no code, name, label or unit.', UK],
    ],
    [
      { query: 'heroin cultivation', geo: 'DEU' },
      [
        'Each word is known, but no series has all of them. Series without one word: 8 without "cultivation".',
      ],
    ],
    [{ query: 'cocaine', geo: 'BEL' }, []],
    [{ geo: 'BEL' }, []],
  ])('%j: the notes are %j', async (filters, notes) => {
    const { status, page, limitations } = await asked(
      `/api/v1/series?${new URLSearchParams(filters).toString()}`,
    );
    expect(status).toBe('available');
    const { limitations: always } = await asked('/api/v1/series?geo=BEL');
    expect(limitations).toEqual([...notes, ...always]);
    expect(page.matched > 0).toBe(notes.length === 0);
  });
});

describe('[SERIES-ORDER] pages of a query', () => {
  test.each(['cocaine', 'belgium', 'afganistan', 'price gram'])(
    '%s: any page size gives the same series once',
    async (query) => {
      const whole = (await walked({ query }, 100)).map(keyOfLine);
      const { page } = await asked(`/api/v1/series?query=${encodeURIComponent(query)}&limit=1`);
      expect(whole).toHaveLength(page.matched);
      expect(new Set(whole).size).toBe(whole.length);
      expect((await walked({ query }, 37)).map(keyOfLine)).toEqual(whole);
    },
  );

  test('a second opening of the same bytes gives the same order, without a server', () => {
    const { release } = testContext();
    const bytes = release.document('data/index/series.idx');
    for (const query of ['cocaine', 'heroin price germany', 'guinea', 'afganistan']) {
      const [first, second] = [readDirectory(bytes), readDirectory(Uint8Array.from(bytes))].map((directory) =>
        searchOf(directory).find(query, rowTest(directory, {})),
      );
      expect(first?.rows.length).toBeGreaterThan(0);
      expect(second).toEqual(first);
    }
  });
});

test.each(['of', 'los', 'series of'])(
  '[SERIES] "%s": a word that labels have, but is not looked for, is not called absent',
  async (query) => {
    const { page, limitations } = await asked(`/api/v1/series?${new URLSearchParams({ query }).toString()}`);
    expect(page.matched).toBe(0);
    expect(limitations[0]).toMatch(/is not understood: it says nothing of a series by itself/);
    expect(limitations.join()).not.toContain('it is in no code');
  },
);

test('[RESOURCES] the tool says what its page size is', () => {
  const limit = OPERATIONS.find(({ tool }) => tool === 'find_series')?.parameters.find(
    ({ name }) => name === 'limit',
  );
  expect(limit?.schema).toMatchObject({ minimum: 1, maximum: 100 });
});
