/** /embed/ and /oembed: a figure for frames elsewhere against the explorer and the API, and what programs are told of it. */
import { describe, expect, test } from 'vitest';
import { FILTERS, VIEWS } from '../../shim/core/explore-query.ts';
import { EMBED_POLICY, PAGE_POLICY } from '../../shim/core/headers.ts';
import { REFUSED } from '../contract/cases.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { seeded } from '../_support/seeded.ts';
import { casesOf } from '../_support/share.ts';
import { tagsOf, unescaped, unparsed, type Tag } from '../_support/site-pages.ts';
import { copyOfTree, TEST_SITE, writeWithSidecar } from '../_support/tree.ts';

const unexpected: unknown[] = [];
const ask = requestsTo(testApp(undefined, (error) => unexpected.push(error)));

async function framed(query: string, status = 200): Promise<string> {
  const response = await ask(`embed/?${query}`);
  expect([query, response.status]).toEqual([query, status]);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe(EMBED_POLICY);
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(response.headers.get('set-cookie')).toBeNull();
  const html = await response.text();
  expect(unparsed(html)).toEqual([]);
  expect(html).not.toContain('<script');
  return html;
}

const marksOf = (html: string): (string | undefined)[] =>
  tagsOf(html).flatMap(({ attributes }) => attributes.get('data-record') ?? []);
const linksOf = (html: string): Tag[] => tagsOf(html).filter(({ name }) => name === 'a');
const wordsOf = (html: string): string => unescaped(html.replaceAll(/<[^>]*>/g, ''));
const oembed = (url: string, more = ''): Promise<Response> =>
  ask(`oembed?url=${encodeURIComponent(url)}${more}`);

const COCAINE = 'indicator=seizures&geo=BEL&category=Cocaine-type';

describe('a figure for frames', () => {
  test('the address without its slash leads to it', async () => {
    const { status, headers } = await ask('embed?geo=BEL');
    expect([status, headers.get('location')]).toEqual([308, '/embed/?geo=BEL']);
  });

  test.each([
    COCAINE,
    'indicator=opium-cultivation',
    'indicator=dge&geo=MEX&limit=3',
    'indicator=dge&from=2018&to=2018&view=dots',
    'indicator=dge&from=2018&view=map',
  ])('%s has the marks of the explorer and says what the figure there says', async (query) => {
    const html = await framed(query);
    const explored = await (await ask(`explore/?${query}`)).text();
    expect(marksOf(html)).toEqual(marksOf(explored));
    expect(marksOf(html).length).toBeGreaterThan(3);
    const [, own = ''] = /(<figure [^]*?)<\/figure>/.exec(html) ?? [];
    const [, whole = ''] = /(<figure [^]*?)<ul class="actions">/.exec(explored) ?? [];
    expect(own.replaceAll(' target="_blank" rel="noopener"', '').trim()).toBe(whole.trim());
    for (const part of ['<figcaption', 'class="kinds"', 'class="boundary"', 'Licence: '])
      expect(own).toContain(part);
    expect(own).toMatch(/edition \d{4}-\d{2}/);
  });

  test('its unit, a newer edition that is due, and one sentence of how not to read it are there', async () => {
    const html = await framed(COCAINE);
    expect(html).toContain('Unit: Kilograms, as printed.');
    expect(html).toContain('<span class="stale">newer edition due since ');
    expect(html.split('class="boundary"')).toHaveLength(2);
  });

  test('every link opens a window of its own; the last leads to the records in the explorer', async () => {
    const links = linksOf(await framed(`${COCAINE}&view=series`));
    expect(links.length).toBeGreaterThan(4);
    for (const { attributes } of links)
      expect([attributes.get('target'), attributes.get('rel')]).toEqual(['_blank', 'noopener']);
    const href = links.at(-1)?.attributes.get('href') ?? '';
    expect(href).toBe(`../explore/?${COCAINE}&view=series`);
    expect(await (await ask(href.slice('../'.length))).text()).toContain('<table class="rows');
  });

  test.each([
    ['indicator=dge&geo=BEL&view=map', 'not part of this query'],
    ['id=dge.BEL.2018&view=map', 'not part of this query'],
    ['id=dge.BEL.2018&view=series', 'nothing drawn: not part of this query'],
    [
      'indicator=seizures&category=Cocaine-type&subgroup=Cocaine%20hydrochloride&view=map',
      'no row for this query N places',
    ],
    ['indicator=dge&from=2018&view=map', 'no row in the source N places'],
  ])('%s: the figure says of what is not drawn: %s', async (query, words) => {
    const html = await framed(query);
    const [, legend = ''] = /<ul class="kinds">([^]*?)<\/ul>/.exec(html) ?? [];
    const last = wordsOf(legend.slice(legend.lastIndexOf('<li')));
    expect(last.replace(/\d+ places/, 'N places')).toBe(words);
    // What the query leaves out has not the dots of what the source has no row of.
    expect(/ none"/.test(html)).toBe(words.includes('no row'));
  });

  const refused = REFUSED.flatMap(([, target]) =>
    target.startsWith('/api/v1/market-observations?') ? [target.slice(target.indexOf('?') + 1)] : [],
  );
  test.each([...new Set([...refused, 'dataset=designations', 'geo=%ff', 'foo=1'])])(
    '%s is refused with the message of the API',
    async (query) => {
      const api = (await (await ask(`api/v1/market-observations?${query}`)).json()) as { message: string };
      const html = await framed(query, 400);
      expect(wordsOf(html)).toContain(api.message);
      expect(marksOf(html)).toEqual([]);
    },
  );

  test.each(['view=pie', 'view=map&view=map', 'find=cocaine', 'answer=json', 'sort=value', 'form=1'])(
    '%s is refused: it is no view, or of the explorer alone',
    async (query) => {
      const html = await framed(`${COCAINE}&${query}`, 400);
      expect(wordsOf(html)).toContain(`"${query.split('=')[0]}"`);
      expect(marksOf(html)).toEqual([]);
    },
  );

  test('an unknown view is refused with the views that a frame has, each of which is accepted', async () => {
    const [, list = ''] =
      /expected one of ([^.]*)\./.exec(wordsOf(await framed(`${COCAINE}&view=nope`, 400))) ?? [];
    const offered = list.split(', ');
    expect(offered.length).toBeGreaterThan(3);
    for (const view of offered)
      expect(await framed(`${COCAINE}&view=${view}`)).not.toContain('has one of the views');
    const declined = VIEWS.filter((view) => !offered.includes(view));
    for (const view of declined)
      expect(await framed(`${COCAINE}&view=${view}`)).toContain('has one of the views');
    const explored = await (await ask(`explore/?${COCAINE}&view=nope`)).text();
    expect(wordsOf(explored)).toContain(`expected one of ${VIEWS.join(', ')}.`);
  });

  test.each([
    ['', 'a part would be read as the whole'],
    ['indicator=seizures', 'a part would be read as the whole'],
    [
      'indicator=seizures&geo=BEL&view=series',
      'series match, and a figure for a frame is drawn of at most 24',
    ],
    ['indicator=prices-retail&geo=DEU', 'series match, and a figure for a frame is drawn of at most 24'],
    ['indicator=seizures&geo=BEL&view=map', 'A map shows one label'],
    [`${COCAINE}&view=table`, 'has one of the views series, multiples, dots, map.'],
    [`${COCAINE}&view=matrix`, 'has one of the views series, multiples, dots, map.'],
    ['geo=BEL&from=1900&to=1901', ' to '],
    ['geo=ZZZ', 'is not a geography code'],
  ])('%s is no figure: it says why and leads to the explorer', async (query, words) => {
    const html = await framed(query);
    expect(marksOf(html)).toEqual([]);
    expect(html).toContain('<h1>This figure cannot be shown</h1>');
    expect(wordsOf(html)).toContain(words);
    expect(linksOf(html).at(-1)?.attributes.get('href')).toBe(`../explore/${query && `?${query}`}`);
  });

  test('it is the only page that may be framed, and there is nothing else below its address', async () => {
    expect(EMBED_POLICY).toContain('frame-ancestors *');
    expect(EMBED_POLICY).not.toContain('script-src');
    expect(PAGE_POLICY).toContain("frame-ancestors 'none'");
    for (const path of [`explore/?${COCAINE}`, 'designations/?query=trading', 'search/?q=mexico', ''])
      expect((await ask(path)).headers.get('content-security-policy'), path).toBe(PAGE_POLICY);
    for (const path of ['embed/x', `embed/designations/?query=trading`, 'oembed/', 'oembed/x']) {
      const { status, headers } = await ask(path, { headers: { accept: 'text/html' } });
      expect([path, status, headers.get('content-security-policy') ?? PAGE_POLICY]).toEqual([
        path,
        404,
        PAGE_POLICY,
      ]);
    }
    expect(await (await ask('sitemap.xml')).text()).not.toContain('/embed/');
  });

  test.each([`embed/?${COCAINE}`, `oembed?url=${encodeURIComponent(`${TEST_SITE}/explore/?${COCAINE}`)}`])(
    'HEAD, 304, OPTIONS, 405 and caching of %s are those of every answer',
    async (path) => {
      const { headers } = await ask(path);
      const etag = headers.get('etag') ?? '';
      expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const known = await ask(path, { headers: { 'if-none-match': etag } });
      expect([known.status, await known.text()]).toEqual([304, '']);
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
      expect((await ask(path, { method: 'OPTIONS' })).status).toBe(204);
      const post = await ask(path, { method: 'POST', body: 'x' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await ask(`${path}&x=${'x'.repeat(9000)}`)).status).toBe(414);
    },
  );

  test('damaged evidence is a page with status 503, and 503 for programs', async () => {
    const path = 'data/index/drug-seizures.idx';
    const root = copyOfTree(path, `${path}.sha256`);
    writeWithSidecar(root, path, 'damaged');
    const damaged = requestsTo(testApp(root));
    for (const target of [
      `embed/?${COCAINE}`,
      `oembed?url=${encodeURIComponent(`${TEST_SITE}/embed/?${COCAINE}`)}`,
    ]) {
      const response = await damaged(target);
      expect([target, response.status]).toEqual([target, 503]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('unavailable');
    }
  });
});

describe('oEmbed', () => {
  const site = `${TEST_SITE}/`;

  test.each(['explore', 'embed'])(
    'of an address of /%s/ has the members of its specification',
    async (page) => {
      const response = await oembed(`${site}${page}/?${COCAINE}`, '&format=json');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      const body = (await response.json()) as Record<string, unknown>;
      // oembed.com, 2.3.4: type and version; of type rich also html, width and height.
      expect(body).toMatchObject({ type: 'rich', version: '1.0', provider_url: site });
      expect(body).toMatchObject({
        title: 'Drug seizures: Belgium, Cocaine-type',
        provider_name: 'Public Evidence',
      });
      const [frame, ...others] = tagsOf(String(body['html']));
      expect([frame?.name, others]).toEqual(['iframe', []]);
      expect(frame?.attributes.get('src')).toBe(`${site}embed/?${COCAINE}`);
      expect(frame?.attributes.get('title')).toBe(body['title']);
      for (const side of ['width', 'height']) {
        expect(typeof body[side]).toBe('number');
        expect(frame?.attributes.get(side)).toBe(String(body[side]));
      }
    },
  );

  test('is no larger than it may be, and what sorts, pages or looks up is left out of the frame', async () => {
    const url = `${site}explore/?${COCAINE}&view=dots&sort=-value&limit=2#copy`;
    const body = (await (await oembed(url, '&maxwidth=320&maxheight=200')).json()) as Record<string, unknown>;
    expect([body['width'], body['height']]).toEqual([320, 200]);
    expect(unescaped(String(body['html']))).toContain(`src="${site}embed/?${COCAINE}&view=dots"`);
    const wide = (await (await oembed(url, '&maxwidth=9000&maxheight=9000')).json()) as { width: number };
    expect(wide.width).toBeLessThan(1000);
  });

  test('what a reader wrote cannot end the element', async () => {
    const query = `indicator=seizures&geo=BEL&subgroup=${encodeURIComponent('"Crack" cocaine')}`;
    const body = (await (await oembed(`${site}explore/?${query}`)).json()) as { html: string; title: string };
    expect(body.title).toContain('"Crack" cocaine');
    expect(unparsed(body.html)).toEqual([]);
    expect(tagsOf(body.html)[0]?.attributes.get('title')).toBe(body.title);
  });

  test.each([
    ['https://elsewhere.example/explore/?geo=BEL', '', 404],
    [`https://evidence.example.evil.example/explore/?${COCAINE}`, '', 404],
    [`https://evidence.example@evil.example/explore/?${COCAINE}`, '', 404],
    [`http://evidence.example/explore/?${COCAINE}`, '', 404],
    [`${site}designations/?query=trading`, '', 404],
    [`${site}explore/../designations/?query=trading`, '', 404],
    [`${site}places/bel/`, '', 404],
    [`${site}explore/?dataset=designations`, '', 404],
    [`${site}explore/`, '', 404],
    [`${site}explore/?find=cocaine`, '', 404],
    [`${site}explore/?indicator=nothing`, '', 404],
    [`${site}explore/?geo=ZZZ`, '', 404],
    ['not an address', '', 404],
    ['', '', 400],
    [`${site}explore/?${COCAINE}`, '&maxwidth=0', 400],
    [`${site}explore/?${COCAINE}`, '&maxheight=wide', 400],
    [`${site}explore/?${COCAINE}`, '&format=xml', 501],
  ])('of %s%s is refused', async (url, more, status) => {
    const response = await oembed(url, more);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
    expect(await response.json()).toMatchObject({ ok: false });
  });

  test('is discovered on pages of the explorer that draw one figure, where the line to copy is too', async () => {
    const found = async (query: string): Promise<[href: string | undefined, line: string | undefined]> => {
      const html = await (await ask(`explore/?${query}`)).text();
      const link = tagsOf(html).find(
        ({ attributes }) => attributes.get('type') === 'application/json+oembed',
      );
      const [, line] = /<code>(&lt;iframe [^<]*)<\/code>/.exec(html) ?? [];
      return [link?.attributes.get('href'), line === undefined ? undefined : unescaped(line)];
    };
    for (const query of [COCAINE, `${COCAINE}&view=dots&sort=value`, 'indicator=dge&from=2018&view=map']) {
      const [href = '', line = ''] = await found(query);
      expect(href.startsWith(`${site}oembed?url=`)).toBe(true);
      const response = await ask(href.slice(site.length));
      expect([query, response.status]).toEqual([query, 200]);
      expect(((await response.json()) as { html: string }).html).toBe(line);
    }
    for (const query of [
      '',
      'geo=BEL',
      'indicator=nothing',
      `${COCAINE}&view=table`,
      `${COCAINE}&view=matrix`,
    ])
      expect([query, ...(await found(query))]).toEqual([query, undefined, undefined]);
  });
});

test('random queries, valid and not, are answered with a figure, a sentence or a refusal', async () => {
  const random = seeded(24);
  const records = allObservations();
  const one = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const odd = ['', '<b>', "'", '%ff', '%00', 'é', '2030', '__proto__', 'x'.repeat(300), '%22%3E', '-1'];
  const statuses = new Map<number, number>();
  let drawn = 0;
  for (let count = 0; count < casesOf(1000, 300); count += 1) {
    const record = one(records);
    if (!record) throw new Error('no records');
    const given: Record<string, string> = {
      dataset: record.datasetId,
      indicator: record.indicatorId,
      geo: record.geoCode,
      category: record.category,
      subgroup: record.subgroup,
      from: record.period,
      to: record.period,
      as_of: '2025-12-31',
      id: record.id,
      view: one(VIEWS) ?? '',
      unit: record.unit,
    };
    const names = [...FILTERS, 'view', 'unit', 'limit', 'sort', 'nope'].filter(() => random() < 0.25);
    const pairs = names.map((name) =>
      random() < 0.15 ? `${name}=${one(odd)}` : `${name}=${encodeURIComponent(given[name] ?? '1')}`,
    );
    const query = pairs.join('&');
    const target =
      random() < 0.7
        ? `embed/?${query}`
        : `oembed?url=${encodeURIComponent(`${TEST_SITE}/explore/?${query}`)}${random() < 0.2 ? `&${one(['format=xml', 'maxwidth=x', 'maxheight=300', '%'])}` : ''}`;
    const response = await ask(target);
    const { status, headers } = response;
    expect([200, 400, 404, 501], target).toContain(status);
    if (target.startsWith('embed')) expect(headers.get('content-security-policy')).toBe(EMBED_POLICY);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if ((await response.text()).includes('<figure ')) drawn += 1;
  }
  expect(unexpected).toEqual([]);
  expect(drawn).toBeGreaterThan(casesOf(50, 20));
  for (const status of [200, 400, 404]) expect(statuses.get(status) ?? 0).toBeGreaterThan(casesOf(50, 20));
});
