/** Pages on paper: the address below them is that of what is shown. */
import { expect, onTestFinished, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { fileServer } from '../_support/file-server.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const site = inBrowser();

test('the address on paper has the query that a script has changed, and nothing of it is on the screen', async () => {
  const { page, messages } = await site.open('explore/?indicator=seizures&geo=MEX');
  const address = page.locator('.foot .address');
  expect(await address.isVisible()).toBe(false);
  await page.getByLabel('Place', { exact: true }).selectOption('BEL');
  await page.getByRole('heading', { name: 'Drug seizures: Belgium' }).waitFor();
  await page.pdf();
  expect(await address.textContent()).toContain(`${TEST_SITE}/explore/?indicator=seizures&geo=BEL. `);
  await page.emulateMedia({ media: 'print' });
  expect(await address.isVisible()).toBe(true);
  expect(messages).toEqual([]);
});

test('the search on a copy of the files is printed with its query, as it is written', async () => {
  const copy = await fileServer(builtTree());
  onTestFinished(() => copy.close());
  const { page, messages } = await site.open(`${copy.url}search/?q=opium`);
  const address = page.locator('.foot .address');
  await page.locator('#found .hits').waitFor();
  await page.pdf();
  expect(await address.textContent()).toContain(`${TEST_SITE}/search/?q=opium. `);
  await page.locator('main input').fill('cocaine belgium');
  await page.pdf();
  expect(await address.textContent()).toContain(`${TEST_SITE}/search/?q=cocaine%20belgium. `);
  expect(messages).toEqual([]);
});
