/** Pages on paper: the address below them is that of what is shown. */
import { expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { TEST_SITE } from '../_support/tree.ts';

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
