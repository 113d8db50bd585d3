/** [DESIGNATION-PAGES] /designations/?query=... and /designations/<number>: what is said before any name, results, refusals, robots. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../build/lib/csv.ts';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { allEntities, packManifest } from '../_support/records.ts';
import { tagsOf, unescaped, unparsed } from '../_support/site-pages.ts';
import { builtTree, copyOfTree, TEST_SITE, treeText } from '../_support/tree.ts';

const unexpected: unknown[] = [];
const ask = requestsTo(testApp(builtTree(), (error) => unexpected.push(error)));
const all = allEntities();
const [first] = all;
const list = packManifest().packs.find(({ kind }) => kind === 'entities')?.meta['source'] as {
  sanctions_list_date: string;
  withheld_after_withdrawal: number;
  sources: { url: string }[];
};

interface Answered {
  status: number;
  html: string;
  /** The main part, and its text near enough as a browser shows it. */
  main: string;
  text: string;
  headers: Headers;
}

async function page(target: string, from = ask): Promise<Answered> {
  const response = await from(`designations/${target}`);
  const { status, headers } = response;
  const html = await response.text();
  expect(unparsed(html)).toEqual([]);
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '';
  const text = unescaped(main.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
  return { status, html, main, text, headers };
}

/** Names in the table of a result, in order. */
function namesOn(html: string): string[] {
  return [...html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)<\/a>/g)].map(([, name = '']) =>
    unescaped(name),
  );
}

const days = Math.round(
  (Date.parse(packManifest().generatedAt.slice(0, 10)) - Date.parse(list.sanctions_list_date)) / 86_400_000,
);

test.each(['', '?query=cartel', String(first?.sanctions_entity_number)])(
  '"%s" leads to where the codes of programs are spelt out',
  async (target) => {
    expect((await page(target)).main).toContain('href="../docs/#entities"');
  },
);

describe('every page of designations', () => {
  test.each([
    '',
    '?query=cartel',
    '?query=zzzzzz',
    '?type=person',
    '?query=&type=&program=&country=',
    String(first?.sanctions_entity_number),
    '999999999',
    'nope',
  ])(
    '"%s" says first what the list is, is left out of search engines and names nobody in its head',
    async (target) => {
      const { html, main, text, headers } = await page(target);
      const notice = text.indexOf(`List of ${list.sanctions_list_date}, ${days} days old`);
      expect(notice).toBeGreaterThan(-1);
      expect(text.slice(notice)).toMatch(
        /^List of .{10}, \d+ days old at the date of this data \(.{10}\) ?: newer entries and removals are missing; check the current list .*not proof of guilt and not an adjudication/,
      );
      expect(text).toContain(
        `${list.withheld_after_withdrawal} entries that have left the list since are withheld`,
      );
      expect(html).toContain(`<a href="${list.sources[0]?.url}">check the current list</a>`);
      for (const later of ['<table', 'id="results"', '<dl', '<form'])
        if (main.includes(later))
          expect([later, main.indexOf('days old') < main.indexOf(later)]).toEqual([later, true]);
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('content-security-policy')).toBe(PAGE_POLICY);
      expect(html).toContain('<meta name="robots" content="noindex">');
      const head = html.slice(0, html.indexOf('</head>'));
      expect(all.filter(({ name }) => name.length > 5 && unescaped(head).includes(name))).toEqual([]);
      expect(head).not.toMatch(/og:|twitter:|ld\+json|canonical/);
    },
  );
});

describe('a search', () => {
  test('gives what the API gives, alphabetical, each with number, programs and its own address', async () => {
    const { status, html, text } = await page('?query=cartel&type=organization&country=mx');
    const wanted = all.filter(
      ({ name, entity_type: type, countries }) =>
        / ?\bcartel/i.test(name) && type === 'organization' && countries.includes('Mexico'),
    );
    expect(status).toBe(200);
    expect(wanted.length).toBeGreaterThan(2);
    expect(namesOn(html)).toEqual(wanted.map(({ name }) => name));
    for (const { sanctions_entity_number: number, programs } of wanted) {
      expect(html).toContain(`href="../designations/${number}"`);
      expect(text).toContain(`${number} organization ${programs.join(', ')}`);
    }
    // The form keeps what was given.
    expect(html).toMatch(/name="query"[^>]* value="cartel"/);
    expect(html).toContain('<option value="organization" selected>');
  });

  test('leads to its CSV, whose rows are the entries, each with the notice', async () => {
    const { html } = await page('?program=TCO&type=vessel&country=&query=');
    const { html: other } = await page('?program=TCO');
    const [, address = ''] = /href="\.\.\/(download\/entities\.csv\?[^"]*)"/.exec(other) ?? [];
    const response = await ask(unescaped(address));
    const [, ...rows] = readCsv(Buffer.from(await response.arrayBuffer())).map(({ cells }) => cells);
    expect(rows.map(([, number]) => Number(number))).toEqual(
      all.filter(({ programs }) => programs.includes('TCO')).map((entity) => entity.sanctions_entity_number),
    );
    expect(html).toContain('No entry');
  });

  test('walks from page to page by its links and gives each entry once', async () => {
    const names: string[] = [];
    let target: string | undefined = '?program=SDNT';
    let pages = 0;
    while (target !== undefined && pages < 50) {
      const { html }: Answered = await page(target);
      names.push(...namesOn(html));
      pages += 1;
      const [, next] = /<a href="\.\.\/designations\/(\?[^"]*)" rel="next">/.exec(html) ?? [];
      expect(html.includes('>First page<')).toBe(pages > 1);
      target = next === undefined ? undefined : unescaped(next);
    }
    expect(names).toEqual(all.filter(({ programs }) => programs.includes('SDNT')).map(({ name }) => name));
    expect(pages).toBeGreaterThan(2);
  });

  test('without a result says so in words that are not a clearance', async () => {
    const { status, text } = await page('?query=zzzzzz');
    expect(status).toBe(200);
    expect(text).toContain(
      'No official name in this edition has these words. Aliases are withheld and not searched. This is not a clearance.',
    );
    const combined = await page(`?query=${encodeURIComponent(first?.name ?? '')}&country=Atlantis`);
    expect(combined.text).toContain(
      'No entry of this edition matches all of these filters. Aliases are withheld',
    );
    const close = await page('?country=Mexicoo');
    expect(close.html).toContain('<a href="../designations/?country=Mexico">Mexico</a>');
  });

  test.each([
    ['?type=person', 'Invalid value "person" for parameter "type"'],
    ['?query=%ff', 'not valid percent-encoded UTF-8'],
    ['?query=a&query=b', 'given more than once'],
    ['?nope=1', 'Unknown parameter "nope"'],
    ['?query=---', 'including a letter or digit'],
    ['?cursor=abc', 'this one is malformed'],
    [`?query=${'a'.repeat(121)}`, '1 to 120 characters'],
  ])('%s is refused with the words of the API', async (target, words) => {
    const { status, text } = await page(target);
    expect([status, text.includes(words)]).toEqual([400, true]);
  });

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x>',
    "' onfocus='x",
    '=cmd|1',
    'a\u0000b',
    '${x}{{y}}',
    '𝕏 🙂',
  ])('odd input stays text: %j', async (given) => {
    const { status, main } = await page(
      `?query=${encodeURIComponent(given)}&country=${encodeURIComponent(given)}`,
    );
    expect([200, 400]).toContain(status);
    const tags = tagsOf(main);
    expect(tags.filter(({ name }) => name === 'script' || name === 'img')).toEqual([]);
    const values = tags
      .filter(({ name }) => name === 'input')
      .map(({ attributes }) => attributes.get('value'));
    if (status === 200) expect(values).toEqual([given, given]);
    expect(tags.some(({ attributes }) => [...attributes.keys()].some((name) => name.startsWith('on')))).toBe(
      false,
    );
  });
});

describe('one entry', () => {
  test('is its official fields as the list has them, for a sample of all', async () => {
    for (const entity of all.filter((_, at) => at % 97 === 0)) {
      const { status, html, text } = await page(String(entity.sanctions_entity_number));
      expect(status).toBe(200);
      expect(unescaped(/<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? '')).toBe(entity.name);
      for (const shown of [...entity.programs, ...entity.countries, entity.entity_type])
        expect(text).toContain(shown);
    }
  });

  test.each([
    '999999999',
    '0',
    '01',
    '-1',
    '1.5',
    'SDGT',
    '%3Cb%3E',
    '%ff',
    '1/2',
    `${'9'.repeat(500)}`,
    '../x',
    'index.htm',
  ])('%s is a 404 that names nobody', async (target) => {
    const { status, html } = await page(target.replace('../', '..%2F'));
    expect(status).toBe(404);
    expect(html).toContain('There is no such designation');
    expect(tagsOf(html).filter(({ name }) => name === 'b' && html.includes('<b>b'))).toEqual([]);
  });

  test('every number that the edition does not have is unknown in the same words', async () => {
    const known = new Set(all.map(({ sanctions_entity_number: number }) => number));
    const missing = [...known].map((number) => number + 1).filter((number) => !known.has(number));
    const unknown = await page('999999999');
    for (const number of missing.slice(0, 20)) {
      const { status, text } = await page(String(number));
      expect([status, text.replaceAll(String(number), '999999999')]).toEqual([404, unknown.text]);
    }
  });
});

test('the form is the published file, and a query is not answered by it', async () => {
  const { html } = await page('');
  expect(html).toBe(treeText('designations/index.html'));
  expect(html).toContain('On a copy of these files without the service nothing is searched');
  const redirected = await ask('designations?query=x');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([308, '/designations/?query=x']);
});

test('designations are in no sitemap, and on no page of a place but as a link by country', () => {
  expect(treeText('sitemap.xml')).not.toContain(`${TEST_SITE}/designations`);
  expect(treeText('places/mex/index.html')).toContain('href="../../designations/?country=MEX"');
});

test('a list that cannot be read is a 503, on the form, in a search and for an entry', async () => {
  const copy = copyOfTree('data/designations.ndjson');
  writeFileSync(join(copy, 'data/designations.ndjson'), '{}\n');
  const damaged = requestsTo(testApp(copy));
  for (const target of ['?query=cartel', String(first?.sanctions_entity_number)]) {
    const { status, text, html } = await page(target, damaged);
    expect([target, status]).toEqual([target, 503]);
    expect(text).toContain('currently unavailable');
    expect(namesOn(html)).toEqual([]);
  }
});

test('nothing unexpected was reported', () => expect(unexpected).toEqual([]));
