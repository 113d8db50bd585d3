/** Pages of places and of rows in a browser: what a row says first is in view at every width, and a linked row is marked. */
import { expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { words } from '../_support/words.ts';

const site = inBrowser();

const PAGES = words(`places/ places/mex/ places/nru/ places/x-us-cbp-yuma-sector/
  data/drug-prices/bel/ data/arms/esp/ data/organized-crime-index/afg/
  data/border-drug-seizures/x-us-cbp-yuma-sector/2023/`);

const WIDTHS = [360, 768, 1440];

/** Rows whose value, unit or status is outside the window, or cut. A row of a closed part has no box. */
const MEASURED = `(() => {
  const rows = [...document.querySelectorAll('.rows tbody tr:not(.shared)')];
  const outside = rows.flatMap((row) => {
    const first = Number(/value-(\\d)/.exec(row.closest('table').className)[1]);
    const cells = [...row.children].slice(first - 1, first + 2);
    const boxes = cells.map((cell) => cell.getBoundingClientRect());
    const isShown = boxes.some((box) => box.width > 0);
    const isIn = boxes.every((box) => box.left >= 0 && box.right <= innerWidth && box.width > 10);
    const isWhole = cells.every((cell) => cell.scrollWidth <= cell.clientWidth + 1);
    return isShown && !(isIn && isWhole) ? [row.textContent] : [];
  });
  return { rows: rows.length, outside, width: document.documentElement.scrollWidth };
})()`;

test.each(PAGES)(
  '%s: value, unit and status of every row are in view at every width, and nothing scrolls sideways',
  async (path) => {
    const { page, messages } = await site.open(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const found = (await page.evaluate(MEASURED)) as { rows: number; outside: string[]; width: number };
      expect(found.width).toBe(width);
      expect({ width, outside: found.outside }).toEqual({ width, outside: [] });
      if (/mex|bel|esp|2023/.test(path)) expect(found.rows).toBeGreaterThan(20);
    }
    expect(messages).toEqual([]);
  },
);

test('the row of an address is marked', async () => {
  const id = 'seizures.MEX.2021.amphetamine-type-methamphetamine~7792bb';
  const { page } = await site.open(`data/drug-seizures/mex/#${id}`);
  const colours = (await page.evaluate(`[document.getElementById('${id}')]
    .flatMap((row) => [row, row.nextElementSibling])
    .map((row) => getComputedStyle(row.lastElementChild).backgroundColor)`)) as string[];
  expect(colours[0]).not.toBe(colours[1]);
});

test('a value grows with the text on a narrow screen', async () => {
  const { page } = await site.open('data/drug-seizures/bel/', { viewport: { width: 390, height: 900 } });
  const size = (): Promise<number> =>
    page.evaluate(`parseFloat(getComputedStyle(document.querySelector('table.rows tr[id] td')).fontSize)`);
  const usual = await size();
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  expect((await size()) / usual).toBeGreaterThan(1.8);
});

test('on a narrow screen the coverage of a place begins with its newest years, and so do its name and its rows', async () => {
  const { page } = await site.open('places/bel/', { viewport: { width: 360, height: 900 } });
  const edge = (selector: string, side: 'left' | 'right'): Promise<number> =>
    page.locator(selector).evaluate((one, name) => one.getBoundingClientRect()[name], side);
  const inView = async (selector: string): Promise<boolean> =>
    (await edge(selector, 'left')) >= 0 && (await edge(selector, 'right')) <= 360;
  expect(await inView('.matrix thead th:last-child')).toBe(true);
  expect(await inView('.matrix caption')).toBe(true);
  expect(await inView('.matrix tbody tr:first-child th')).toBe(true);
  // The name of a row covers the years that are scrolled under it.
  const covered = await page.evaluate(`[...document.querySelectorAll('.matrix tbody th')].flatMap((name) => {
    scrollBy({ top: name.getBoundingClientRect().top - 400, behavior: 'instant' });
    const { left, top, width, height } = name.getBoundingClientRect();
    return [12, 36, 60, width - 4]
      .map((x) => document.elementFromPoint(left + x, top + height / 2))
      .filter((seen) => seen !== name)
      .map((seen) => name.textContent + ': ' + seen?.textContent);
  })`);
  expect(covered).toEqual([]);
  // Where all years fit they begin at the left, as text does.
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await edge('.matrix table', 'left')).toBe(await edge('h1', 'left'));
});
