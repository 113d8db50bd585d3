/** The pages of datasets, indicators and files in a browser: nothing is refused by the policy, nothing is wider than the window. */
import { expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { words } from '../_support/words.ts';

const PAGES = words(`data/ data/national-indicators/ data/designations/ indicators/
  indicators/prices-retail/ indicators/firearms-tracing/ sources/ sources/oc-index/2025-09-21/`);

const site = inBrowser();

test.each(PAGES)('%s says nothing to the console and needs no sideways scrolling', async (path) => {
  const { page, messages } = await site.open(path);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
  }
  expect(messages).toEqual([]);
});

test('the JSON-LD of a dataset is data to the browser, and its policy refuses nothing', async () => {
  const { page, messages } = await site.open('data/drug-seizures/');
  const block = await page.locator('script[type="application/ld+json"]').first().textContent();
  const { name } = JSON.parse(block ?? '') as { name: string };
  expect(name).toBe(await page.locator('h1').textContent());
  expect(messages).toEqual([]);
});

test.each([
  ['sources/', 'a file and its edition', 2],
  ['r/', 'the beginning of an id, its dataset and editions', 3],
])('on %s, %s are in view at 360 px', async (path, _what, columns) => {
  const { page } = await site.open(path, { viewport: { width: 360, height: 900 } });
  const right = await page.evaluate<number[]>(
    `[...document.querySelectorAll('tbody tr')].map((row) => row.children[${columns - 1}].getBoundingClientRect().right)`,
  );
  expect(right.length).toBeGreaterThan(30);
  expect(Math.max(...right)).toBeLessThanOrEqual(360);
});

test('rows, unit and name of an indicator are in view at 360 px', async () => {
  const { page } = await site.open('indicators/', { viewport: { width: 360, height: 900 } });
  const right = await page.evaluate<number[]>(
    "[...document.querySelectorAll('tbody tr')].map((row) => row.children[2].getBoundingClientRect().right)",
  );
  expect(right.length).toBeGreaterThan(50);
  expect(Math.max(...right)).toBeLessThanOrEqual(360);
});
