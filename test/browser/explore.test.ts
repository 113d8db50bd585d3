/** The explorer in a browser: a form becomes a request, and the response a table of text. */
import { expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';

const site = inBrowser();

test('shows the records of a query, and the next page of them', async () => {
  const { page, messages } = await site.open('explore/');
  const form = page.locator('form[data-resource="market-observations"]');
  await form.locator('[name=dataset]').selectOption('drug-seizures');
  await form.locator('[name=geo]').fill('MEX');
  await form.locator('[name=limit]').fill('3');
  await form.getByRole('button').click();
  const result = page.locator('[data-result="market-observations"]');
  await result.getByText(/records match, 3 shown/).waitFor();
  const cells = async (): Promise<string[]> => result.locator('tbody tr').allInnerTexts();
  const first = await cells();
  expect(first).toHaveLength(3);
  for (const row of first) expect(row).toMatch(/^Mexico/);
  await result.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(async () => (await cells()).filter((row) => !first.includes(row))).toHaveLength(3);
  expect(messages).toEqual([]);
});

test('a refused query shows the message of the API as text', async () => {
  const { page } = await site.open('explore/#market-observations?from=<b>');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('Invalid value "<b>" for parameter "from"');
});
