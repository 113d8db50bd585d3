/** Without scripts: what people come for by forms and links where the service runs, and by pages and files on a copy of them. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { fileServer } from '../_support/file-server.ts';
import { builtTree } from '../_support/tree.ts';

const site = inBrowser();
const copy = await fileServer(builtTree());
afterAll(() => copy.close());

/** Opens a page without scripts; `root` is the service where no other is given. */
async function plain(path: string, root = site.url()): Promise<Page> {
  const { page } = await site.open(`${root}${path}`, { javaScriptEnabled: false });
  return page;
}

const main = async (page: Page): Promise<string> => page.locator('main').innerText();

/** The bytes behind a link of a page, as text. */
async function linked(page: Page, name: string | RegExp): Promise<string> {
  const href = await page.locator('main').getByRole('link', { name }).first().getAttribute('href');
  const response = await fetch(new URL(href ?? '', page.url()));
  expect([href, response.status]).toEqual([href, 200]);
  return response.text();
}

describe('where the service runs', () => {
  test('a row leads to its cell, with value and hash', async () => {
    const page = await plain('data/drug-seizures/bel/');
    await page.locator('main tbody th a').first().click();
    expect(page.url()).toContain('/r/seizures.BEL.');
    expect(await main(page)).toMatch(/[0-9a-f]{64}/);
    expect(await linked(page, /BibTeX/)).toContain('@');
  });

  test('the explorer answers its form, with a table, and its rows can be downloaded', async () => {
    const page = await plain('explore/?indicator=seizures');
    await page.getByLabel('Place', { exact: true }).selectOption('BEL');
    await page.getByRole('button', { name: 'Show records' }).click();
    expect(page.url()).toContain('geo=BEL');
    expect(await main(page)).toContain('Cocaine hydrochloride');
    expect((await linked(page, 'CSV for Excel')).slice(1).split('\n')[0]).toContain('geoCode');
  });
});

describe('designations', () => {
  test('are answered by the service; on a copy the page says what it is a search of', async () => {
    const page = await plain('designations/');
    await page.getByLabel('Words of the official name').fill('sinaloa cartel');
    await page.getByRole('search', { name: 'Official names' }).getByRole('button').click();
    expect(page.url()).toContain('query=sinaloa');
    expect(await main(page)).toMatch(/SINALOA CARTEL/i);
    expect(await main(await plain('designations/', copy.url))).toContain('not proof of guilt');
  });
});

describe.each([
  ['where the service runs', () => site.url()],
  ['on a copy of the files', () => copy.url],
])('%s', (_, root) => {
  test('everything from A to Z leads to its page', async () => {
    const page = await plain('search/', root());
    for (const name of ['Afghanistan', 'Drug seizures', 'Informal economy', 'Global Organized Crime Index'])
      expect([name, await page.getByRole('link', { name, exact: true }).count()]).not.toEqual([name, 0]);
    await page.getByRole('link', { name: 'Belgium', exact: true }).click();
    expect(await page.locator('h1').innerText()).toBe('Belgium');
  });

  test('the map is a page for each indicator, drawn, with its table', async () => {
    const page = await plain('map/', root());
    await page.locator('main a[href*="use-cocaine"], main a[href*="arms-seized"]').first().click();
    expect(page.url()).toMatch(/\/(map|indicators)\/[^/]+\//);
    // A page of this size is drawn while it arrives.
    await page.waitForLoadState();
    expect(await page.locator('svg .mark, svg path').count()).toBeGreaterThan(50);
    expect(await page.locator('table').count()).toBeGreaterThan(0);
  });

  test('a place leads to its rows, a dataset to its files', async () => {
    const page = await plain('places/bel/', root());
    await page.locator('main a[href*="data/drug-seizures/bel/"]').first().click();
    expect(await main(page)).toContain('Cocaine-type: Cocaine hydrochloride');
    const files = await plain('data/drug-seizures/', root());
    expect((await linked(files, /CSV/)).split('\n')[0]).toContain('geoCode');
  });
});
