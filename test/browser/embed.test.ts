/** A page of another origin that frames a figure: it is shown, runs nothing, leaves nothing behind and leads to its records. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';

const site = inBrowser();
const QUERY = 'indicator=seizures&geo=BEL&category=Cocaine-type';
/** The page elsewhere; its text is written by each test. */
let html = '';
let elsewhere: Server;
const foreign = (): string => `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;

beforeAll(async () => {
  elsewhere = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title><h1>Elsewhere</h1>${html}`,
    );
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve));
});
afterAll(() => void elsewhere.close());

/** The element that the explorer gives to copy, at the address where the site is. */
async function snippet(): Promise<string> {
  const { page } = await site.open(`explore/?${QUERY}`);
  await page.getByText('HTML of the figure for another page', { exact: true }).click();
  await page.locator('.snippet[open] button').waitFor();
  return page.locator('.snippet[open] code').innerText();
}

test('a figure is shown in a page elsewhere as the explorer says: no script, no cookie, no request to another host, and its links lead to the records', async () => {
  html = (await snippet()).replace('loading="lazy"', '');
  expect(html).toContain(`src="${site.url()}embed/?`);
  const { page, messages } = await site.open(foreign());
  const requested: { url: string; type: string }[] = [];
  page.on('request', (request) => requested.push({ url: request.url(), type: request.resourceType() }));
  await page.reload();
  const frame = page.frameLocator('iframe');
  await frame.locator('.fig .mark').first().waitFor();
  await frame.getByText('Licence: ').waitFor();
  expect(await frame.locator('.fig .mark').count()).toBe(5);
  expect(
    await page.frames()[1]?.evaluate(`getComputedStyle(document.querySelector('figcaption')).fontFamily`),
  ).toContain('Source Sans 3');
  await page.waitForLoadState('networkidle');
  expect(requested.filter(({ type }) => type === 'script')).toEqual([]);
  const hosts = new Set(requested.map(({ url }) => (url.startsWith('data:') ? '' : new URL(url).origin)));
  hosts.delete('');
  expect([...hosts].toSorted()).toEqual([new URL(foreign()).origin, new URL(site.url()).origin].toSorted());
  expect(await page.context().cookies()).toEqual([]);
  const [, framed] = page.frames();
  expect(
    await framed?.evaluate(`[document.scripts.length, document.documentElement.scrollWidth > innerWidth]`),
  ).toEqual([0, false]);

  for (const [link, path] of [
    [frame.getByRole('link', { name: 'All records of this figure' }), `explore/?${QUERY}`],
    [frame.locator('.fig svg a').first(), 'r/seizures.BEL.'],
  ] as const) {
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForLoadState();
    expect(opened.url().startsWith(`${site.url()}${path}`)).toBe(true);
    expect(await opened.evaluate(`opener`)).toBeNull();
    expect(await opened.locator('main').innerText()).toContain('Belgium');
    await opened.close();
  }
  expect(page.url()).toBe(foreign());
  expect(messages).toEqual([]);
});

test('no other page is framed', async () => {
  html = ['explore/', `explore/?${QUERY}`, 'designations/?query=trading', 'embed/x', '']
    .map((path) => `<iframe src="${site.url()}${path}"></iframe>`)
    .join('');
  const { page, messages } = await site.open(foreign());
  await expect.poll(() => messages.filter((message) => message.includes('frame-ancestors')).length).toBe(5);
  for (const frame of page.frames().slice(1)) expect(await frame.locator('main').count()).toBe(0);
});

test.each([QUERY, 'indicator=dge&from=2018&view=map', 'indicator=seizures&geo=BEL', 'geo=nothing&x=1'])(
  'no finding of axe-core, no sideways scroll in a narrow frame: %s',
  async (query) => {
    const { page } = await site.open(`embed/?${query}`, {
      axe: true,
      viewport: { width: 320, height: 500 },
    });
    const found: unknown = await page.evaluate(
      `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    );
    expect(found).toEqual([]);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(320);
  },
);
