/** /explore/ with a query: the page against the API, its messages, its form, its views. */
import { describe, expect, test } from 'vitest';
import definitions from '../../shim/core/operations/definitions.json' with { type: 'json' };
import type { Exploration, ExploreAnswer } from '../../shim/core/explore-answer.ts';
import { FILTERS, MOST_DRAWN, VIEWS } from '../../shim/core/explore-query.ts';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { WORLD } from '../../shim/core/paths.ts';
import type { Observation } from '../../shim/core/records.ts';
import type { WorldShapes } from '../../shim/view/chart/world.ts';
import { exploreBody } from '../../shim/view/explore.ts';
import { print } from '../../shim/view/node.ts';
import { REFUSED } from '../contract/cases.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { tagsOf, unescaped, unparsed } from '../_support/site-pages.ts';
import { TEST_SITE, treeJson } from '../_support/tree.ts';
import { wholes } from '../_support/seeded.ts';
import { words } from '../_support/words.ts';

const unexpected: unknown[] = [];
const ask = requestsTo(testApp(undefined, (error) => unexpected.push(error)));

async function page(query: string): Promise<string> {
  const response = await ask(`explore/?${query}`);
  expect([query, response.status, response.headers.get('content-type')]).toEqual([
    query,
    200,
    'text/html; charset=utf-8',
  ]);
  const html = await response.text();
  expect(unparsed(html)).toEqual([]);
  return html;
}

interface Api {
  ok: boolean;
  message?: string;
  data: ExploreAnswer;
}

async function api(query: string): Promise<Api> {
  return (await (await ask(`api/v1/market-observations?${query}`)).json()) as Api;
}

/** Every record of a query. */
async function all(query: string): Promise<Observation[]> {
  const found: Observation[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data } = await api(`${query}&limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...data.observations);
    cursor = data.page.next_cursor;
  }
  return found;
}

/** Ids with edition of the rows of the table, in order. */
function rowsOf(html: string): string[] {
  const table = html.slice(
    html.indexOf('<table class="rows'),
    html.indexOf('</table>', html.indexOf('<table class="rows')),
  );
  return [...table.matchAll(/<th scope="row"><a href="\.\.\/r\/([^"]+)"/g)].map(([, id = '']) => id);
}

/** Marks of the figure: id and value. */
function marksOf(html: string): string[] {
  return tagsOf(html)
    .filter(({ attributes }) => attributes.has('data-record'))
    .map(({ attributes }) => `${attributes.get('data-record')} ${attributes.get('data-value')}`)
    .toSorted();
}

const shown = ({ id, value }: Observation): string => `${id} ${value === null ? '' : JSON.stringify(value)}`;

/** The message beside a field; of no field, the one above the form. */
function messageOf(html: string, field: string | null): string | null {
  const [, text] =
    field === null
      ? (/<p class="error" role="alert">([^<]*)<\/p>/.exec(html) ?? [])
      : (new RegExp(`<p class="error" id="f-${field}-error">([^<]*)</p>`).exec(html) ?? []);
  return text === undefined ? null : unescaped(text);
}

test('the filters of the form are the parameters of the API', () => {
  expect(FILTERS).toEqual(definitions['market-observations'].parameters.map(({ name }) => name));
});

test.each(
  words(`indicator=seizures&geo=BEL&category=Cocaine-type dataset=opium-cultivation
  indicator=arms-seized&geo=MEX&from=2019&limit=50 indicator=prices-retail&geo=DEU&subgroup=Heroin
  indicator=cbp-seizure-weight&from=2023-01&to=2023-03
  id=seizures.BEL.2023.cocaine-type-cocaine-hydrochloride geo=MEX&category=`),
)('the table of %s is the page of the API, record by record', async (query) => {
  const html = await page(query);
  const { data } = await api(query);
  expect(rowsOf(html)).toEqual(data.observations.map(({ id, edition }) => `${id}@${edition}`));
  if (data.absence === null) expect(html).toContain(`data-matched="${data.page.matched}"`);
  else expect(unescaped(html)).toContain(data.absence.message);
});

test('a series figure and small multiples draw every record, also those of further pages, and nothing else', async () => {
  for (const [query, limit] of [
    ['indicator=seizures&geo=BEL&category=Cocaine-type', ''],
    ['indicator=dge&geo=MEX', '&limit=3'],
    ['dataset=opium-cultivation', '&limit=7'],
  ] as const) {
    const records = (await all(query)).map(shown).toSorted();
    for (const view of ['series', 'multiples'])
      expect([query, view, marksOf(await page(`${query}${limit}&view=${view}`))]).toEqual([
        query,
        view,
        records,
      ]);
  }
});

test('dots and map draw one period and say which, with links to the others', async () => {
  const periods = allObservations().flatMap(({ indicatorId, period }) =>
    indicatorId === 'dge' ? [period] : [],
  );
  const [last = '', before = ''] = [...new Set(periods)].toSorted().toReversed();
  const drawn = (await all(`indicator=dge&from=${last}&to=${last}`)).map(shown).toSorted();
  expect(drawn.length).toBeGreaterThan(100);
  for (const view of ['dots', 'map']) {
    const html = await page(`indicator=dge&from=${before}&to=${last}&view=${view}`);
    expect(marksOf(html)).toEqual(drawn);
    expect(html).toContain(`${last} is the last of 2 periods`);
    expect(html).toContain(
      `href="../explore/?indicator=dge&amp;from=${before}&amp;to=${before}&amp;view=${view}"`,
    );
  }
});

test('a map asks for one indicator, one label and one unit before it is drawn', async () => {
  expect(await page('dataset=drug-use-prevalence&geo=MEX&view=map')).toContain('A map shows one indicator');
  expect(await page('indicator=seizures&from=2023&to=2023&category=Cocaine-type&view=map')).toContain(
    'A map shows one label',
  );
  // No label of this release has two units: those of half of the records are changed.
  const model = (await (
    await ask('explore/?answer=json&indicator=dge&from=2018&view=map')
  ).json()) as Exploration;
  for (const [at, record] of model.answer?.observations.entries() ?? [])
    if (at % 2 === 0) record.unit = 'hectares';
  const world = treeJson<WorldShapes>(WORLD);
  const drawn = (unit: string | null): string =>
    print(
      exploreBody({ ...model, query: { ...model.query, unit } }, { root: '../', siteUrl: TEST_SITE }, world),
    );
  expect(drawn(null)).toContain('A map shows one unit');
  expect(drawn(null)).toContain('unit=hectares');
  const half = (model.answer?.observations ?? []).filter(({ unit }) => unit === 'hectares').map(shown);
  expect(half.length).toBeGreaterThan(50);
  expect(marksOf(drawn('hectares'))).toEqual(half.toSorted());
});

test('more records than can be drawn are never drawn in part: the table says how many there are', async () => {
  const { data } = await api('indicator=seizures');
  expect(data.page.matched).toBeGreaterThan(MOST_DRAWN);
  for (const view of VIEWS.filter((name) => name !== 'table')) {
    const html = await page(`indicator=seizures&view=${view}`);
    expect(marksOf(html)).toEqual([]);
    expect(html).toContain('a part would be read as the whole');
    expect(html).toContain('The table has 200 of them');
    expect(html).toContain(`cursor=${data.page.next_cursor}`);
  }
});

describe('a query that the API refuses', () => {
  const refused = REFUSED.map(([, target]) => target).filter((target) =>
    target.startsWith('/api/v1/market-observations?'),
  );
  const OWN = words(`limit=5junk limit=0 geo= from=2020-13 from=2022&to=2021 dataset=nothing
    indicator=nothing id=%3Cb%3E as_of=2020 as_of=1990-01-01 foo=1 iso3=MEX geo=MEX&geo=BEL geo=%ff
    cursor=abc from=%00`);

  test.each([...new Set([...OWN, ...refused.map((target) => target.slice(target.indexOf('?') + 1))])])(
    '%s shows the message of the API beside its field',
    async (query) => {
      const response = await ask(`explore/?${query}`);
      const html = await response.text();
      const { ok, message = '' } = await api(query);
      expect(ok).toBe(false);
      const [, named] = /parameter "([a-z_]+)"/i.exec(message) ?? [];
      const field =
        named !== undefined && [...FILTERS, 'limit'].some((name) => name === named) ? named : null;
      expect(messageOf(html, field)).toBe(message);
      if (field !== null)
        expect(html).toMatch(
          new RegExp(
            `<(?:input|select) id="f-${field}"[^>]* aria-invalid="true" aria-describedby="f-${field}-error`,
          ),
        );
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    },
  );

  test('names of the page itself are refused in the same words', async () => {
    expect(messageOf(await page('geo=MEX&view=pie'), null)).toMatch(
      /^Invalid value "pie" for parameter "view": expected one of table, /,
    );
    expect(messageOf(await page('geo=MEX&sort=size'), null)).toMatch(
      /^Invalid value "size" for parameter "sort"/,
    );
    expect(messageOf(await page('view=map&view=map'), null)).toBe(
      'Parameter "view" was given more than once.',
    );
  });
});

test('an empty result is explained in the words of the service, and its links lead to records', async () => {
  for (const query of [
    'indicator=seizures&geo=Belgium',
    'indicator=seizures&geo=BEL&from=2030',
    'indicator=seizures&geo=BEL&category=Cocaine-type&subgroup=Heroin',
  ]) {
    const html = await page(query);
    const { data } = await api(query);
    const note = html.slice(html.indexOf('No records match'));
    expect(unescaped(note)).toContain(data.absence?.message);
    const links = [...note.matchAll(/href="\.\.\/explore\/\?([^"]+)"/g)].map(([, link = '']) =>
      unescaped(link),
    );
    expect([query, links.length > 0]).toEqual([query, true]);
    for (const link of links) expect([link, (await api(link)).data.page.matched > 0]).toEqual([link, true]);
  }
});

describe('the form', () => {
  const optionsOf = (html: string, name: string): string[] => {
    const start = html.indexOf(`<select id="f-${name}"`);
    const list = html.slice(start, html.indexOf('</select>', start));
    return tagsOf(list)
      .flatMap((tag) => (tag.name === 'option' ? [tag.attributes.get('value') ?? ''] : []))
      .slice(1);
  };

  test('its lists hold what has rows and nothing else: an indicator of the dataset, a place of the indicator, a label of the place', async () => {
    const records = allObservations();
    const of = (name: 'indicatorId' | 'geoCode' | 'category' | 'subgroup', own: Observation[]): string[] =>
      [...new Set(own.map((record) => record[name] || '(none)'))].toSorted();
    const html = await page('dataset=drug-prices&indicator=prices-retail&geo=DEU&limit=1');
    const indicator = records.filter(({ indicatorId }) => indicatorId === 'prices-retail');
    const place = indicator.filter(({ geoCode }) => geoCode === 'DEU');
    expect(optionsOf(html, 'indicator').toSorted()).toEqual(
      of(
        'indicatorId',
        records.filter(({ datasetId }) => datasetId === 'drug-prices'),
      ),
    );
    expect(optionsOf(html, 'geo').toSorted()).toEqual(of('geoCode', indicator));
    expect(optionsOf(html, 'category').toSorted()).toEqual(of('category', place));
    expect(optionsOf(html, 'subgroup').toSorted()).toEqual(of('subgroup', place));
    expect(html).toContain('>Germany (DEU)</option>');
  });

  test('what it sends without script becomes the address of the query: empty means any, none printed means empty', async () => {
    const response = await ask(
      'explore/?dataset=&indicator=seizures&geo=BEL&category=(none)&subgroup=&from=2020&to=&limit=&form=1&view=dots',
    );
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/explore/?indicator=seizures&geo=BEL&category=&from=2020&view=dots',
    ]);
    expect((await ask('explore/?dataset=&form=1')).headers.get('location')).toBe('/explore/');
    expect((await ask('explore/?from=+&to=%09&form=1')).headers.get('location')).toBe('/explore/');
    expect((await ask('explore?geo=BEL')).headers.get('location')).toBe('/explore/?geo=BEL');
  });

  test.each([
    ['dataset=arms', 'Arms seized, found, surrendered and traced'],
    ['limit=5', 'All records'],
  ])('a title is of all records, not of those of the first page: %s', async (query, title) => {
    expect(await page(query)).toContain(`<h2 id="result">${title}</h2>`);
  });

  test('words find series, each with the filters of its records', async () => {
    const html = await page('find=cocaine+belgium');
    const [, first = ''] = /class="found"[^]*?href="\.\.\/explore\/\?([^"]+)"/.exec(html) ?? [];
    expect(first).toContain('geo=BEL');
    expect((await api(unescaped(first))).data.page.matched).toBeGreaterThan(0);
    expect(messageOf(await page('find=%21'), 'find')).toContain('for parameter "find"');
    expect(await page('find=zzzzqqqq')).toContain('No series has all of these words');
  });

  test('a search for series and what it finds keep the time that was chosen', async () => {
    const time = 'from=2020&to=2022&as_of=2025-01-01';
    const html = unescaped(await page(`find=heroin&indicator=seizures&geo=BEL&${time}`));
    const [find = ''] = /<form class="find"[^]*?<\/form>/.exec(html) ?? [];
    for (const pair of time.split('&')) {
      const [name, value] = pair.split('=');
      expect(find).toContain(`name="${name}" value="${value}"`);
      expect(/class="found"[^]*?href="\.\.\/explore\/\?([^"]+)"/.exec(html)?.[1]).toContain(pair);
    }
  });
});

test('the table sorts by any column, values that are unavailable last', async () => {
  const query = 'indicator=opium-cultivation&geo=AFG';
  const { data } = await api(query);
  const value = new Map(data.observations.map((record) => [`${record.id}@${record.edition}`, record.value]));
  for (const [sort, sign] of [
    ['value', 1],
    ['-value', -1],
  ] as const) {
    const html = await page(`${query}&sort=${sort}`);
    const values = rowsOf(html).map((id) => value.get(id) ?? null);
    const known = values.filter((one) => one !== null);
    expect(known).toEqual(known.toSorted((a, b) => (a - b) * sign));
    expect(values.slice(known.length).every((one) => one === null)).toBe(true);
    expect(html).toContain(`aria-sort="${sign === 1 ? 'ascending' : 'descending'}"`);
  }
});

test('a figure carries the boundary of its indicator, else that of its dataset', async () => {
  const survey = 'Answers that firms give in a survey';
  expect(await page('indicator=wbentp1&geo=ALB')).toContain(survey);
  expect(await page('indicator=dge&geo=ALB')).not.toContain(survey);
});

test('the page says unit, status, source with edition and licence, and what goes on: files, requests, citation', async () => {
  const html = unescaped(await page('indicator=seizures&geo=BEL&category=Cocaine-type'));
  for (const text of [
    'edition 2025-06',
    'UNODC terms: reproduction for educational or non-profit purposes',
    'does not measure the size of a market',
    'href="../download/market-observations.csv?indicator=seizures&geo=BEL&category=Cocaine-type"',
    'href="../download/market-observations.excel.csv?indicator=seizures&geo=BEL&category=Cocaine-type"',
    `curl '${TEST_SITE}/api/v1/market-observations?indicator=seizures&geo=BEL&category=Cocaine-type'`,
    `FROM read_parquet('${TEST_SITE}/data/drug-seizures.parquet')`,
    'under other labels of the same printed group',
  ])
    expect(html).toContain(text);
});

test.each(['', '&view=multiples', '&view=dots', '&view=map&subgroup=Cocaine+hydrochloride'])(
  'what cites the figure of a view leads to the citation of the view on the page: %s',
  async (view) => {
    const html = await page(`indicator=seizures&geo=BEL&category=Cocaine-type${view}`);
    const [, actions = ''] = /<ul class="actions">(.*?)<\/ul>/s.exec(html) ?? [];
    expect(/<a href="([^"]*)"[^>]*>Cite</.exec(actions)?.[1]).toBe('#cite');
    expect(html.split('id="cite"')).toHaveLength(2);
  },
);

test('headers: the policy of every page, caching as filtered responses have it, 304, HEAD, and data on request', async () => {
  const response = await ask('explore/?geo=BEL');
  const plain = await ask('api/v1/market-observations?geo=BEL');
  for (const name of ['cache-control', 'netlify-cdn-cache-control', 'netlify-vary'])
    expect([name, response.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
  expect(response.headers.get('content-security-policy')).toBe(PAGE_POLICY);
  const etag = response.headers.get('etag') ?? '';
  expect((await ask('explore/?geo=BEL', { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(await (await ask('explore/?geo=BEL', { method: 'HEAD' })).text()).toBe('');
  expect((await ask('explore/?geo=BEL', { method: 'POST' })).status).toBe(405);
  expect((await ask('explore/nothing?geo=BEL')).status).toBe(404);
  expect(await (await ask('explore/')).text()).toContain('Examples');
  const data = await ask('explore/?answer=json&geo=Belgium');
  expect(data.headers.get('content-type')).toBe('application/json');
  expect(await data.json()).toMatchObject({ answer: { absence: { nearest: ['BEL'] } }, fault: null });
});

test('80 random queries, valid and not: never an empty page, a wrong count or an unexpected error', async () => {
  const records = allObservations();
  const random = wholes(7);
  const odd = ['', '<b>', '%', "'", '"', '0', '-1', 'é', '2020-1', '\u0000', '= 1+1', 'x'.repeat(300)];
  for (let round = 0; round < 80; round += 1) {
    const record = records[random(records.length)];
    if (!record) continue;
    const query = new URLSearchParams();
    const values = {
      dataset: record.datasetId,
      indicator: record.indicatorId,
      geo: record.geoCode,
      category: record.category,
      subgroup: record.subgroup,
      from: record.period,
      to: record.period,
    };
    for (const [name, value] of Object.entries(values))
      if (random(3) > 0) query.append(name, random(8) === 0 ? (odd[random(odd.length)] ?? '') : value);
    if (random(10) === 0) query.append(odd[random(odd.length)] ?? '', 'x');
    query.set('limit', String(1 + random(20)));
    const { ok, message = '', data } = await api(query.toString());
    const view = VIEWS[random(VIEWS.length)] ?? 'table';
    const html = await page(`${query}&view=${view}`);
    if (ok)
      expect([query.toString(), /data-matched="(\d+)"/.exec(html)?.[1]]).toEqual([
        query.toString(),
        String(data.page.matched),
      ]);
    else expect(unescaped(html)).toContain(message);
  }
  expect(unexpected).toEqual([]);
});
