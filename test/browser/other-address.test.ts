/** Pages at another address than the one they were built for: a copy of the files, and a site that was built for one machine alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { inBrowser } from '../_support/browser.ts';
import { fileServer } from '../_support/file-server.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const site = inBrowser();
const copy = await fileServer(builtTree(), { policy: PAGE_POLICY });
afterAll(() => copy.close());

/** Every link to the page of a record, marks of figures included; on a copy nothing answers there. */
const TO_PAGES = `a[href*="r/"]:not([href*="://"]):not([href*="r/#"])`;

test('on a copy of the files the links of figures, tables and stories to records lead to their rows', async () => {
  for (const path of [
    '',
    'places/bel/',
    'data/drug-seizures/bel/',
    'map/',
    'news/opium-broken-best-estimates/',
  ]) {
    const { page, messages } = await site.open(`${copy.url}${path}`);
    const links = page.locator('main a[href*="r/#"]');
    await links.first().waitFor({ state: 'attached' });
    const left = await page
      .locator(`main ${TO_PAGES}`)
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(left.filter((href) => /(^|\/)r\/./.test(href ?? ''))).toEqual([]);
    expect(messages).toEqual([]);
  }
  const { page } = await site.open(`${copy.url}places/bel/`);
  const mark = page.locator('main svg a[href*="r/#"]').first();
  await mark.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/data\/[^#]+#[^@]+$/);
});

test('where the service runs they lead to their pages, under another name of the host too', async () => {
  const { page, messages } = await site.open('places/bel/');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('main a[href*="r/#"]').count()).toBe(0);
  expect(messages).toEqual([]);
});

test.each(['', 'docs/'])(
  'a site built for one machine prints the address it is opened at: /%s',
  async (path) => {
    const built = readFileSync(join(builtTree(), path, 'index.html'), 'utf8');
    const html = built.replaceAll(TEST_SITE, 'http://localhost:3000');
    const { page, messages } = await site.open(path, { made: { html } });
    const root = site.url().replace(/\/$/, '');
    await page.getByText(`curl '${root}/api/v1/`).first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain('localhost:3000');
    expect(messages).toEqual([]);
  },
);

test('a site with an address of its own keeps it on every line', async () => {
  const { page } = await site.open('');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('main').innerText()).toContain(`${TEST_SITE}/mcp`);
});
