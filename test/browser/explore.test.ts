/** The explorer in a browser: it takes the page over, and on a copy of the files it answers itself, with the same result. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { VIEWS } from '../../shim/core/explore-query.ts';
import type { Observation } from '../../shim/core/records.ts';
import { inBrowser } from '../_support/browser.ts';
import { testApp } from '../_support/doors.ts';
import { fileServer } from '../_support/file-server.ts';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { allObservations } from '../_support/records.ts';
import { casesOf } from '../_support/share.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';
import { wholes } from '../_support/seeded.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';
import { items } from '../_support/words.ts';

const site = inBrowser();
const app = testApp();
const copy = await fileServer(builtTree(), { policy: PAGE_POLICY });
afterAll(() => copy.close());

const COCAINE = 'explore/?indicator=seizures&geo=BEL&category=Cocaine-type';
const records = allObservations();
const random = wholes(11);

/** A query around a record, sometimes with a view, and sometimes wrong. */
function randomQuery(wrong: boolean): string {
  const record: Observation | undefined = records[random(records.length)];
  const query = new URLSearchParams();
  const values = {
    dataset: record?.datasetId ?? '',
    indicator: record?.indicatorId ?? '',
    geo: record?.geoCode ?? '',
    category: record?.category ?? '',
    subgroup: record?.subgroup ?? '',
    from: record?.period ?? '',
  };
  const odd = ['', '<b>', "'", '2030', 'é', 'x'.repeat(300)];
  for (const [name, value] of Object.entries(values))
    if (name === 'geo' || random(3) > 0)
      query.append(name, wrong && random(5) === 0 ? (odd[random(odd.length)] ?? '') : value);
  if (random(2) === 0) query.set('view', VIEWS[random(VIEWS.length)] ?? '');
  query.set('limit', String(5 + random(60)));
  return query.toString();
}

/**
 * Goes to queries one after the other inside the page, as a reader goes back and forward, and reads each when it is drawn. `read`
 * is an expression over `place`, the drawn part of the page.
 */
async function visit(page: Page, queries: readonly string[], read: string): Promise<string[]> {
  const found: unknown = await page.evaluate(`(async () => {
    const place = document.querySelector('#explore');
    const found = [];
    for (const query of ${JSON.stringify(queries)}) {
      history.pushState(null, '', '?' + query);
      dispatchEvent(new PopStateEvent('popstate'));
      while (place.hasAttribute('aria-busy')) await new Promise((resolve) => setTimeout(resolve, 2));
      found.push(${read});
    }
    return found;
  })()`);
  return Array.isArray(found) ? found.map(String) : [];
}

/**
 * What the page shows, without the addresses of the host and the note on where records were read. A copy says what it does not answer,
 * leads to the site for that, to rows for records, and to its own citation: the test of its links says where.
 */
const SHOWN = `(() => {
  const all = place.cloneNode(true);
  for (const own of all.querySelectorAll('#copy + .note')) own.remove();
  for (const cite of all.querySelectorAll('.actions li:last-child a')) { cite.removeAttribute('href'); cite.removeAttribute('title'); }
  for (const note of all.querySelectorAll('.result > .note')) if (/copy of the files/.test(note.textContent)) note.remove();
  // What is open stays open from query to query.
  for (const details of all.querySelectorAll('details')) details.open = false;
  return all.innerHTML.replaceAll(location.origin, '').replaceAll('${TEST_SITE}/', '/').replaceAll('r/#', 'r/')
    .replaceAll(/"..(\\/api\\/|\\/download\\/)/g, '"$1');
})()`;

/** Where two texts begin to differ, in a few words; null where they do not. */
function difference(query: string, one: string, other: string): string | null {
  if (one === other) return null;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return `${query}: ${around(one)} | ${around(other)}`;
}

test('a change of the form draws the new answer in place: address, lists, focus, and back again', async () => {
  const { page, messages } = await site.open(COCAINE);
  await page.evaluate(`window.same = true`);
  const matched = page.locator('.result');
  await page.getByLabel('Place', { exact: true }).focus();
  await page.getByLabel('Place', { exact: true }).selectOption('NLD');
  await page.locator('#result', { hasText: 'Netherlands' }).waitFor();
  expect(page.url()).toContain('explore/?indicator=seizures&geo=NLD&category=Cocaine-type');
  expect(await page.locator(':focus').getAttribute('id')).toBe('f-geo');
  expect(Number(await matched.getAttribute('data-matched'))).toBe(
    records.filter(
      (one) => one.indicatorId === 'seizures' && one.geoCode === 'NLD' && one.category === 'Cocaine-type',
    ).length,
  );
  await page.getByRole('link', { name: 'Coverage' }).press('Enter');
  await page.locator('.matrix').waitFor();
  expect(page.url()).toContain('view=matrix');
  await page.getByRole('link', { name: 'Value' }).press('Enter');
  await page.locator('[aria-sort=ascending]').waitFor();
  expect(await page.locator(':focus').innerText()).toContain('Value');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.locator('#result', { hasText: 'Belgium' }).waitFor();
  // Never a load of the whole page.
  expect(await page.evaluate(`window.same`)).toBe(true);
  expect(messages).toEqual([]);
});

test('back to the page without a query it is that page; a link to a part of it requests nothing', async () => {
  const { page } = await site.open('explore/');
  const title = await page.title();
  await page.getByLabel('Place', { exact: true }).selectOption('BEL');
  await page.locator('#result').waitFor();
  expect(await page.title()).not.toBe(title);
  await page.goBack();
  await page.locator('#result').waitFor({ state: 'detached' });
  expect(await page.title()).toBe(title);
  expect(await page.locator('#explore').getAttribute('aria-busy')).toBeNull();
  // The form says what the address says.
  expect(await page.getByLabel('Place', { exact: true }).inputValue()).toBe('');
  await page.goForward();
  await page.locator('#result').waitFor();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(...(request.url().match(/answer=.*/g) ?? [])));
  await page.evaluate(`location.hash = 'records'`);
  await page.goBack();
  expect([requests, new URL(page.url()).hash]).toEqual([[], '']);
});

test('what is typed while an answer comes stays, and counts when the field is left; Enter is one step back', async () => {
  const { page } = await site.open(COCAINE);
  const length = await page.evaluate(`history.length`);
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route(
    (url) => url.searchParams.has('answer') && !url.searchParams.has('from'),
    async (route) => {
      await held;
      await route.continue();
    },
  );
  await page.getByLabel('Place', { exact: true }).selectOption('NLD');
  const from = page.getByLabel('From', { exact: true });
  await from.fill('2021');
  release();
  await page.locator('#result', { hasText: 'Netherlands' }).waitFor();
  expect(await from.inputValue()).toBe('2021');
  await from.blur();
  await page.waitForURL(/from=2021/);
  await page.getByLabel('To', { exact: true }).fill('2022');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await page.waitForURL(/to=2022/);
  // The place, the first year, the last year.
  expect(await page.evaluate(`history.length`)).toBe(Number(length) + 3);
});

test('a map whose shapes cannot be had leaves the records; sorted records are followed by a page of their own', async () => {
  const { page } = await site.open('explore/?indicator=seizures&geo=BEL&category=Cocaine-type');
  await page.route(/assets\/world\.json/, (route) => route.abort());
  await page.evaluate(
    `history.pushState(null, '', '?indicator=opium-cultivation&from=2023&to=2023&view=map')`,
  );
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  await page.locator('#result', { hasText: 'opium' }).waitFor();
  expect(await page.locator('table.rows tbody tr').count()).toBeGreaterThan(0);
  await page.evaluate(`history.pushState(null, '', '?indicator=seizures&limit=50&view=table&sort=value')`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  await page.getByRole('link', { name: /^More of/ }).press('Enter');
  await page.waitForURL(/cursor=/);
  await page.getByRole('link', { name: 'First page' }).waitFor();
  expect(await page.locator('table.rows tbody tr').count()).toBe(50);
});

test.each([true, false])(
  'a changed filter leaves the sort and the view; script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.open(`${COCAINE}&view=table&sort=-value`, { javaScriptEnabled });
    await page.getByLabel('Place', { exact: true }).selectOption('NLD');
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show records' }).click();
    await page.locator('#result', { hasText: 'Netherlands' }).waitFor();
    expect(page.url()).toMatch(/view=table&sort=-value$/);
    expect(await page.locator('[aria-sort=descending]').innerText()).toContain('Value');
  },
);

test('an earlier edition leads to the page of its file', async () => {
  const { page } = await site.open('explore/?indicator=arms-seized&geo=MEX&as_of=2024-09-01');
  const links = page.locator('a[href*="sources/iafq/"]');
  const addresses = await links.evaluateAll((all) => [
    ...new Set(all.map((one) => one.getAttribute('href'))),
  ]);
  expect(addresses).toEqual(['../sources/iafq/2024-08-26/']);
});

test('an indicator of another dataset leaves its labels behind; what is wrong is said beside its field', async () => {
  const { page, messages } = await site.open(COCAINE);
  await page.getByLabel('Indicator', { exact: true }).selectOption('prices-retail');
  await page.locator('#result', { hasText: 'Drug prices, retail' }).waitFor();
  expect(page.url()).not.toContain('category');
  await page.getByLabel('From', { exact: true }).fill('20x');
  await page.getByLabel('From', { exact: true }).press('Enter');
  await page.locator('#f-from-error').waitFor();
  expect(await page.locator('#f-from-error').innerText()).toContain(
    'Invalid value "20x" for parameter "from"',
  );
  expect(await page.getByLabel('From', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  expect(messages).toEqual([]);
});

test('further pages are added to the table, and requests to copy name this address', async () => {
  const { page } = await site.open('explore/?indicator=seizures&limit=150&view=table');
  await page.getByText('curl', { exact: true }).click();
  const request = page.locator('.copyable', { hasText: 'curl' });
  expect(await request.innerText()).toContain(
    `curl '${site.url()}api/v1/market-observations?indicator=seizures'`,
  );
  await request.getByRole('button').click();
  for (const count of [300, 450]) {
    const more = page.getByRole('link', { name: /^More of/ });
    // Rows are laid out when they come into view, which moves the link: a click waits until it rests.
    await more.hover();
    await more.click();
    await page.locator(`table.rows tbody tr:nth-child(${count})`).waitFor();
    // Whoever asked for more reads on where they were.
    const first = page.locator(`table.rows tbody tr:nth-child(${count - 149}) a:focus`);
    const { top, bottom } = await first.evaluate((link) => link.getBoundingClientRect());
    expect(top >= 0 && bottom <= (page.viewportSize()?.height ?? 0)).toBe(true);
  }
  expect(await page.locator('[role=status]').innerText()).toContain('The table has 450 of them');
  expect(
    await page
      .locator('table.rows tbody tr th a')
      .evaluateAll((all) => new Set(all.map((one) => one.getAttribute('href'))).size),
  ).toBe(450);
});

test('after further pages the focus is on the first new record, and each table keeps its own caption', async () => {
  const { page } = await site.open('explore/?indicator=seizures&geo=BEL&view=matrix');
  const captions = page.locator('caption');
  const before = await captions.allInnerTexts();
  await page.getByRole('link', { name: /^More of/ }).press('Enter');
  await page.locator('table.rows tbody tr:nth-child(201)').waitFor();
  const rows = page.locator('table.rows tbody tr');
  expect(await captions.allInnerTexts()).toEqual([before[0], `${await rows.count()} records`]);
  expect(await rows.nth(200).locator('a:focus').count()).toBe(1);
});

test('an answer that does not come is said to be missing where it would be shown; the next attempt shows it once', async () => {
  const { page } = await site.open('explore/?indicator=seizures&limit=150&view=table');
  const isFailing = (url: URL): boolean => url.searchParams.has('answer');
  const fail = (): Promise<unknown> =>
    page.route(isFailing, (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: '{"ok":false}' }),
    );
  const [note, rows] = [page.getByRole('alert'), page.locator('table.rows tbody tr')];
  const missing = 'No response: HTTP status 503. Try again.';
  await fail();
  const next = page.getByRole('link', { name: /^More of/ });
  await next.hover();
  await next.click();
  await note.waitFor();
  expect(await note.innerText()).toBe(missing);
  await page.unroute(isFailing);
  await next.dblclick();
  await rows.nth(299).waitFor();
  expect([await rows.count(), await note.count()]).toEqual([300, 0]);
  await fail();
  await page.getByLabel('Place', { exact: true }).selectOption('BEL');
  await note.waitFor();
  expect(await note.innerText()).toBe(missing);
  await page.unroute(isFailing);
  await page.getByLabel('Place', { exact: true }).selectOption('NLD');
  await page.locator('#result', { hasText: 'Netherlands' }).waitFor();
  expect(await note.count()).toBe(0);
});

test('value, unit and status of every row are in view at any width', async () => {
  const { page } = await site.open('explore/?indicator=prices-retail&geo=DEU&view=table');
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const outside = await page.evaluate(`[...document.querySelectorAll('table.rows tbody tr')].filter((row) =>
      [4, 5, 6].some((cell) => { const box = row.children[cell - 1].getBoundingClientRect();
        return box.width === 0 || box.left < 0 || box.right > innerWidth; })).length`);
    expect([width, outside, await page.evaluate(`document.documentElement.scrollWidth`)]).toEqual([
      width,
      0,
      width,
    ]);
  }
});

test('random queries, valid and not: no message, no empty page, the count of the API', async () => {
  const { page, messages } = await site.open('explore/?geo=MEX&limit=5');
  const queries = Array.from({ length: casesOf(200, 60) }, () => randomQuery(true));
  const drawn = await visit(
    page,
    queries,
    `[...place.querySelectorAll('.error')].map((one) => one.textContent).join() || place.querySelector('.result').dataset.matched`,
  );
  for (const [at, query] of queries.entries()) {
    const api = query.replace(/&?view=[^&]*/, '');
    const response = await app.fetch(new Request(`${TEST_SITE}/api/v1/market-observations?${api}`));
    const { ok, message, data } = (await response.json()) as {
      ok: boolean;
      message: string;
      data: ExploreAnswer;
    };
    // A filter that empties the answer is named beside its field.
    const { absence } = ok ? data : { absence: null };
    const expected = ok ? (absence?.parameter ? absence.message : String(data.page.matched)) : message;
    expect([query, drawn[at]]).toEqual([query, expected]);
  }
  expect(messages).toEqual([]);
});

describe('a copy of the files without the service', () => {
  test('says so, and shows the same for any queries: forms, marks, rows and messages', async () => {
    const { page } = await site.open('explore/?geo=MEX&limit=5');
    const opened = await site.open(`${copy.url}explore/?indicator=seizures&geo=BEL&category=Cocaine-type`);
    await opened.page.getByText('This is a copy of the files without the service').waitFor();
    expect(await opened.page.locator('.result > .note').first().innerText()).toContain(
      'data/drug-seizures.ndjson',
    );
    const queries = ['indicator=use-cannabis&view=map', 'find=cocaine+belgium', 'geo=BEL2', 'limit=x'];
    while (queries.length < casesOf(50, 16)) queries.push(randomQuery(queries.length % 5 === 0));
    const [service, mirror] = [await visit(page, queries, SHOWN), await visit(opened.page, queries, SHOWN)];
    for (const [at, query] of queries.entries())
      expect(difference(query, service[at] ?? '', mirror[at] ?? '')).toBeNull();
    const marks = service.join('').split('data-record').length - 1;
    expect(marks).toBeGreaterThan(casesOf(200, 50));
    expect(opened.messages).toEqual([]);
  });

  /** The links of the result on a copy, by their words. */
  async function linksOn(page: Page): Promise<[words: string, address: string][]> {
    await page.locator('#copy').waitFor();
    return page
      .locator('.result a')
      .evaluateAll((all) => all.map((one) => [one.textContent, String(one.getAttribute('href'))]));
  }

  test('leads records to their rows, and what it does not answer to its site; its own files are named', async () => {
    const { page } = await site.open(`${copy.url}${COCAINE}`);
    const links = await linksOn(page);
    const addresses = links.map(([, address]) => address);
    const rows = addresses.filter((address) => address.startsWith('../r/'));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((address) => !/^..\/r\/#seizures\.BEL\.\d{4}\./.test(address))).toEqual([]);
    const atSite = links.filter(([, address]) => address.startsWith(`${TEST_SITE}/`)).map(([words]) => words);
    expect(atSite).toEqual(
      items(`JSON | CSV | CSV of all matching rows | CSV for Excel | JSON |
      This response as JSON`),
    );
    expect(await page.locator('#copy + .note').innerText()).toBe(
      `This copy does not choose rows for a download. Every row of the dataset, not those of this view alone: data/drug-seizures.csv. What follows is answered by ${TEST_SITE}/, the site of this copy.`,
    );
    const own = addresses.filter((address) => !/^(https:|\.\.\/(explore|compare)\/\?|#)/.test(address));
    for (const address of new Set(own.map((one) => new URL(one, page.url()).href.replace(/#.*/, ''))))
      expect([address, (await fetch(address)).status]).toEqual([address, 200]);
    await page.getByRole('link', { name: 'Cite', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#cite');
    expect(await page.locator('#cite').count()).toBe(1);
    await page.locator('table.rows tbody th a').first().click();
    await page.waitForURL(/data\/drug-seizures\/bel\/#seizures\.BEL\./);
  });

  test('offers no request where no site is known; rows of an earlier edition are in the files of that', async () => {
    const { page } = await site.open(`${copy.url}explore/`);
    await page.route(/explore\/\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(TEST_SITE, 'http://localhost:3000');
      return route.fulfill({ response, body });
    });
    await page.goto(`${copy.url}${COCAINE}&as_of=2024-09-01`);
    const links = await linksOn(page);
    const dead = links.filter(([, address]) => /api\/v1|download\/|localhost/.test(address));
    expect(dead).toEqual([]);
    expect(links).toContainEqual([
      'data/editions/drug-seizures/2024-06.csv',
      '../data/editions/drug-seizures/2024-06.csv',
    ]);
    expect(await page.locator('#copy ~ details').count()).toBe(0);
    await page.goto(`${copy.url}${COCAINE}`);
    await page.locator('#copy').waitFor();
    expect(await page.locator('#copy ~ details summary').allInnerTexts()).toEqual(['DuckDB']);
  });
});
