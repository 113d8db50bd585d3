/** /compare/: views next to each other with the same periods, and the pairs of lanes that are refused. */
import { describe, expect, test } from 'vitest';
import { compare, submittedComparison } from '../../shim/core/compare.ts';
import { PROHIBITED_JOINS } from '../../shim/core/joins.ts';
import definitions from '../../shim/core/operations/definitions.json' with { type: 'json' };
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { testApp, testContext, requestsTo } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { tagsOf, unescaped, unparsed } from '../_support/site-pages.ts';
import { TEST_SITE } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const unexpected: unknown[] = [];
const ask = requestsTo(testApp(undefined, (error) => unexpected.push(error)));

async function page(...views: string[]): Promise<string> {
  const query = views.map((view, at) => `${'abcdefg'[at]}=${encodeURIComponent(view)}`).join('&');
  const response = await ask(`compare/?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  expect(response.headers.get('content-security-policy')).toBe(PAGE_POLICY);
  const html = await response.text();
  expect(unparsed(html)).toEqual([]);
  return html;
}

/** The figure of a view: its marks, the unit it states, and the years on its axis. */
function figureOf(html: string, parameter: string): { marks: string[]; text: string; years: string[] } {
  const start = html.indexOf(`id="figure-${parameter}"`);
  const figure = start < 0 ? '' : html.slice(start, html.indexOf('</figure>', start));
  const marks = tagsOf(figure).flatMap(({ attributes }) => attributes.get('data-record') ?? []);
  const years = [...figure.matchAll(/text-anchor="middle">(\d{4})</g)].map(([, year = '']) => year);
  return { marks: marks.toSorted(), text: unescaped(figure), years: [...new Set(years)] };
}

const HEROIN = ['indicator=seizures&geo=DEU&subgroup=Heroin', 'indicator=prices-retail&geo=AFG'] as const;
const OPIUM = ['indicator=opium-cultivation&geo=AFG', 'indicator=seizures&geo=DEU&subgroup=Heroin'] as const;

test('each view draws all its records in its own unit, and periods are the same in all', async () => {
  const html = await page(...OPIUM);
  const [opium, heroin] = [figureOf(html, 'a'), figureOf(html, 'b')];
  const idsOf = (indicator: string, geo: string, subgroup?: string): string[] =>
    allObservations()
      .filter((one) => one.indicatorId === indicator && one.geoCode === geo)
      .flatMap((one) => (subgroup === undefined || one.subgroup === subgroup ? [one.id] : []))
      .toSorted();
  expect(opium.marks).toEqual(idsOf('opium-cultivation', 'AFG'));
  expect(heroin.marks).toEqual(idsOf('seizures', 'DEU', 'Heroin'));
  expect(opium.text).toContain('Unit: hectares, as printed.');
  expect(heroin.text).toContain('Unit: Kilograms, as printed.');
  expect(opium.years).toEqual(heroin.years);
  // No figure holds the records of two views.
  expect(html.split('<figure').length - 1).toBe(2);
});

test('a view whose label has no records names the labels that have some, each with its way to them', async () => {
  const html = await page('dataset=drug-seizures&geo=BEL&category=Opium', HEROIN[0]);
  const start = html.indexOf('Labels of this place that have records:');
  const list = html.slice(start, html.indexOf('</section>', start));
  const categories = tagsOf(list).flatMap(({ attributes }) => {
    const href = attributes.get('href');
    return href == null ? [] : [new URL(href, `${TEST_SITE}/compare/`).searchParams.get('category')];
  });
  const published = allObservations()
    .filter(({ datasetId, geoCode }) => datasetId === 'drug-seizures' && geoCode === 'BEL')
    .map(({ category }) => category);
  expect([start > 0, categories.length > 0]).toEqual([true, true]);
  expect(categories.filter((category) => !published.includes(String(category)))).toEqual([]);
});

test('what cites a view cites all its records, on the page of its query in the explorer', async () => {
  const html = await page(...OPIUM);
  const links = ['a', 'b'].map((view) =>
    [...figureOf(html, view).text.matchAll(/<a href="([^"]*)">Cite</g)].map(([, href]) => href),
  );
  expect(links).toEqual(OPIUM.map((query) => [`../explore/?${query}#cite`]));
  for (const query of OPIUM) expect(await (await ask(`explore/?${query}`)).text()).toContain('id="cite"');
});

test('a view of some periods does not call the others periods without a row', async () => {
  const heroin = 'indicator=seizures&geo=DEU&category=Opioids&subgroup=Heroin';
  const one = allObservations().find(({ id }) => id.startsWith('seizures.DEU.2022.opioids-heroin'));
  for (const own of [`${heroin}&from=2022`, `${heroin}&to=2020`, `id=${one?.id}`]) {
    const html = await page(own, heroin);
    const [part, whole] = [figureOf(html, 'a'), figureOf(html, 'b')];
    expect([own, part.years]).toEqual([own, whole.years]);
    expect(part.marks.length).toBeLessThan(whole.marks.length);
    expect(part.text).toContain('nothing drawn: no row in the source, or outside the periods of this view<');
    expect(whole.text).toContain('nothing drawn: no row in the source<');
  }
});

test('a view of more series than can be read is not drawn in part', async () => {
  const html = await page('indicator=seizures&geo=BEL', HEROIN[0]);
  expect(html).toContain('a part would be read as the whole');
  expect(figureOf(html, 'b').marks.length).toBeGreaterThan(0);
});

test('a view of too many series names what its query leaves open alone, and leads to where that is chosen', async () => {
  const html = await page('indicator=prices-retail&geo=FRA', 'indicator=prices-retail');
  const links = [...html.matchAll(/<a href="([^"]*)">(Choose [^<]*)<\/a>/g)].map(
    ([, href = '', text = '']) => [text, unescaped(href)],
  );
  expect(links).toEqual([
    ['Choose a label in the explorer', '../explore/?indicator=prices-retail&geo=FRA'],
    ['Choose a place or a label in the explorer', '../explore/?indicator=prices-retail'],
  ]);
});

describe('lanes that may not be joined', () => {
  /** A query of each lane, as an address of the API or of the explorer. */
  const OF: Record<string, string> = {
    context: '/api/v1/producerp-bri',
    designations: 'https://evidence.example/api/v1/entities?country=MX',
    drugs: 'explore/?indicator=seizures&geo=MEX&view=map',
    arms: '/api/v1/market-observations?indicator=arms-seized&geo=MEX',
    informal_economy: 'indicator=dge&geo=MEX',
    organized_crime: '/api/v1/atlas?domain=organized_crime&iso3=MEX',
    firearms_tracing: '/api/v1/atlas?domain=firearms_tracing&iso3=MEX',
  };
  const pairs = PROHIBITED_JOINS.flatMap(({ lane, others, why }) =>
    others.flatMap((other): [string, string, string][] => [
      [lane, other, why],
      [other, lane, why],
    ]),
  );

  test.each(pairs)('%s and %s are refused in the words of the policy', async (one, other, why) => {
    const html = unescaped(await page(OF[one] ?? '', OF[other] ?? ''));
    expect(html).toContain(`a and b: ${why[0]?.toUpperCase()}${why.slice(1)}.`);
    expect(html).not.toContain('data-record');
    expect(html).toContain('Nothing is drawn');
  });

  test('national indicators are context, a lane of the federation is separate from all, and one pair of six is enough', async () => {
    const [context] = PROHIBITED_JOINS;
    const why = String(context?.why.slice(1));
    for (const national of ['dataset=national-indicators', 'indicator=bn.cab.xoka.cd'])
      expect(await page(`${national}&geo=CHN`, OPIUM[0])).toContain(why);
    const html = await page(OPIUM[0], OPIUM[1], 'indicator=dge&geo=MEX', '/api/v1/producerp-corridors');
    expect(html).toContain(`a and d: N${why}`);
    expect(html).toContain(`b and d: N${why}`);
    expect(html).not.toContain('c and d');
    expect(html).not.toContain('data-record');
    const [separate = ''] = definitions.federation.limitations;
    expect(unescaped(await page(OPIUM[0], '/api/v1/federation?lane=producers-summary'))).toContain(separate);
  });

  test.each(
    words(`geo=PAK dataset=opium-cultivation dataset=drug-prices&geo=PAK id=opium-cultivation.AFG.2010.~e3b0c4
      /api/v1/atlas /api/v1/atlas?iso3=PAK /api/v1/federation /api/v1/federation?lane=producers-summary explore/`),
  )('%s is refused next to the context and next to designations', async (view) => {
    for (const other of ['/api/v1/federation?lane=producerp-bri', '/designations/?country=PK']) {
      const html = await page(view, other);
      expect(html, other).toMatch(/a and b: (?:National|Designations|Each lane is separate)/);
      expect(html, other).not.toContain('data-record');
    }
  });

  test('drugs next to drugs, or next to arms and the informal economy, are not refused', async () => {
    for (const other of [OF['drugs'], OF['arms'], OF['informal_economy']])
      expect(await page(OPIUM[0], other ?? '')).not.toContain('data-refused');
  });
});

test('what is wrong with a view is said beside its field, and the others are drawn', async () => {
  const html = unescaped(
    await page(OPIUM[0], 'indicator=seizures&limit=x', '/api/v1/atlas?iso3=MEX&domain=organized_crime'),
  );
  expect(html).toContain('id="v-b-error">Invalid value "x" for parameter "limit"');
  expect(html).toContain('id="v-c-error">A comparison draws queries of market-observations');
  expect(figureOf(html, 'a').marks.length).toBeGreaterThan(0);
  const twice = await (await ask('compare/?a=indicator%3Ddge%26geo%3DBEL&a=geo%3DBEL')).text();
  expect([twice.includes('given more than once'), twice.includes('<figure')]).toEqual([true, false]);
  expect(await (await ask('compare/?g=geo%3DMEX')).text()).toContain('Unknown parameter');
  expect(await page(OPIUM[0])).toContain('A comparison has two to six views');
});

test('the form repeats the last view for another place, and leaves out what is empty', async () => {
  const sent = new URLSearchParams({ a: HEROIN[1], b: '', place: 'DEU', form: '1' });
  const { status, headers } = await ask(`compare/?${sent}`);
  expect(status).toBe(303);
  const location = new URL(headers.get('location') ?? '', TEST_SITE);
  expect([...location.searchParams]).toEqual([
    ['a', 'indicator=prices-retail&geo=AFG'],
    ['b', 'indicator=prices-retail&geo=DEU'],
  ]);
  const html = await (await ask('explore/?indicator=seizures&geo=DEU&subgroup=Heroin')).text();
  expect(unescaped(html)).toContain(`../compare/?a=${encodeURIComponent(HEROIN[0])}`);
});

test.each([{}, { place: '' }])('the form with %j repeats no view', async (place) => {
  const sent = new URLSearchParams({ a: HEROIN[1], form: '1', ...place });
  const { headers } = await ask(`compare/?${sent}`);
  const location = new URL(headers.get('location') ?? '', TEST_SITE);
  expect([...location.searchParams]).toEqual([['a', HEROIN[1]]]);
});

test('the form gives six views at most, without the spaces around them, and nothing where it was not sent', () => {
  const views = Object.fromEntries([...'abcdef'].map((name) => [name, ` geo=MEX&from=${name}\t`]));
  const all = [...'abcdef'].map((name) => [name, `geo=MEX&from=${name}`]);
  const sent = (fields: Record<string, string>): unknown => {
    const query = submittedComparison(`?${new URLSearchParams(fields).toString()}`);
    return query === null ? null : [...new URLSearchParams(query)];
  };
  expect(sent({ ...views, form: '1' })).toEqual(all);
  expect(sent({ ...views, form: '1', place: 'DEU' })).toEqual(all);
  expect(sent({ place: 'DEU', form: '' })).toEqual([]);
  expect(sent({ a: HEROIN[0], c: HEROIN[1], form: '1', place: 'DEU' })).toEqual([
    ['a', HEROIN[0]],
    ['b', HEROIN[1]],
    ['c', 'indicator=prices-retail&geo=DEU'],
  ]);
  expect(sent(views)).toBeNull();
});

test('views that are refused together, and a view of another resource, are not asked for', () => {
  const asked = (...queries: string[]): string[] => {
    const address = queries.map((query, at) => `${'abc'[at]}=${encodeURIComponent(query)}`).join('&');
    const { views } = compare(address, testContext(), (error) => unexpected.push(error));
    return views.flatMap(({ parameter, model }) => (model ? parameter : []));
  };
  expect(asked(...OPIUM)).toEqual(['a', 'b']);
  expect(asked(`?${OPIUM[0]}`, `explore/?${OPIUM[1]}`)).toEqual(['a', 'b']);
  expect(asked(...OPIUM, '/api/v1/producerp-bri')).toEqual([]);
  expect(asked(...OPIUM, '/api/v1/atlas?iso3=MEX&domain=organized_crime')).toEqual(['a', 'b']);
});

test('what is wrong is named by its first hundred letters', () => {
  const at = (address: string): ReturnType<typeof compare> =>
    compare(address, testContext(), (error) => unexpected.push(error));
  const accepts = 'a comparison accepts a, b, c, d, e, f, each a query.';
  expect(at('a=geo%3DMEX&g=geo%3DBEL').message).toBe(`Unknown parameter "g"; ${accepts}`);
  expect(at(`${'g'.repeat(101)}=1`).message).toBe(`Unknown parameter "${'g'.repeat(100)}"; ${accepts}`);
  expect(at('a=geo%3DMEX').message).toBeNull();
  const [view] = at(`a=${'x'.repeat(101)}%3Fgeo=MEX`).views;
  expect(view?.message).toBe(
    `A comparison draws queries of market-observations; this one is of "${'x'.repeat(100)}".`,
  );
});

test('odd addresses give a page that says what is wrong, never an unexpected error', async () => {
  for (const odd of [
    '?',
    '%',
    '<b>',
    'a=b',
    '/api/v1/nope?x=1',
    'geo=%ff',
    'x'.repeat(2000),
    ' ',
    '?a=1&b=2',
    '../..',
  ])
    await page(odd, OPIUM[0]);
  expect(unexpected).toEqual([]);
});

test('the form has every view of the address, where letters between them have none too', async () => {
  const [one, other] = ['indicator=opium-cultivation&geo=AFG', 'indicator=opium-cultivation&geo=MMR'];
  const sent = new URLSearchParams({ b: one, d: other });
  const html = await (await ask(`compare/?${sent}`)).text();
  const fields = [...html.matchAll(/<input id="v-[a-f]" name="([a-f])"([^>]*)>/g)];
  const valueOf = (attributes = ''): string => unescaped(/ value="([^"]*)"/.exec(attributes)?.[1] ?? '');
  expect(fields.map(([, name, attributes]) => [name, valueOf(attributes)])).toEqual([
    ['a', ''],
    ['b', one],
    ['c', ''],
    ['d', other],
    ['e', ''],
  ]);
});
